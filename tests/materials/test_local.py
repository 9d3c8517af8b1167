"""The local model answers this context's prompts."""

from __future__ import annotations

from jobctrl.llm.local import LocalModel
from jobctrl.materials.asks import letter_ask, resume_ask
from jobctrl.materials.letter import assemble_letter, write_letter
from jobctrl.materials.local import ANSWERS
from jobctrl.materials.tailor import assemble, tailor
from tests.materials.people import NEEDS, NOW, person

MODEL = LocalModel(ANSWERS)


def test_the_local_model_makes_the_resume_that_rules_make():
    profile = person()

    answer = MODEL.ask(resume_ask(profile.resume, NEEDS, job_id="j-1", posting="…", now=NOW))

    assert answer.value.job_id == "j-1"
    assert assemble(profile, NEEDS, answer.value, now=NOW) == tailor(profile, NEEDS, now=NOW)


def test_the_local_model_makes_the_letter_that_rules_make():
    profile = person()

    answer = MODEL.ask(letter_ask(profile.resume, NEEDS, job_id="j-1", posting="…"))

    made = assemble_letter(profile, NEEDS, answer.value, title="T", company="C", now=NOW)
    assert made == write_letter(profile, NEEDS, title="T", company="C", now=NOW)


def test_no_name_or_address_is_sent_to_a_model():
    profile = person()
    asks = [
        resume_ask(profile.resume, NEEDS, job_id="j", posting="p", now=NOW),
        letter_ask(profile.resume, NEEDS, job_id="j", posting="p"),
    ]

    sent = "\n".join(text for ask in asks for text in (*ask.inputs.values(), ask.prompt.text))

    assert not any(word in sent for word in ("Łukasiewicz", "zoe@example.org", "555 01 23", "linkedin"))
