"""A letter is the person's own, or there is none."""

from __future__ import annotations

import pytest

from jobctrl.errors import MaterialRejected, MissingInput
from jobctrl.materials.letter import assemble_letter, choose_sentences, write_letter
from jobctrl.materials.model import Letter, LetterProposal, ProposedLine, Transform
from tests.materials.people import KAFKA, NEEDS, NOW, person


def letter(**names: str) -> Letter:
    return write_letter(person(), NEEDS, title="Data Engineer", company="Acme", now=NOW, **names)


def test_a_letter_holds_only_the_persons_sentences():
    own = {sentence.text for sentence in person().resume.letter_sentences}

    assert {line.text for line in letter().lines} <= own


def test_the_posting_gives_salutation_and_subject_alone():
    written = letter()

    assert (written.salutation, written.subject, written.date) == (
        "Dear Acme team,",
        "Application: Data Engineer",
        "9 March 2026",
    )
    assert written.text.startswith("Dear Acme team,\n\nI build data pipelines")
    assert written.text.endswith("Kind regards,\nZoë Łukasiewicz-Yıldırım")


def test_the_sentence_that_answers_a_must_have_opens_the_body():
    line = letter().paragraphs[1][0]

    assert (line.source_id, line.requirement_ids) == ("body-1", ("r-kafka",))


def test_an_unknown_company_is_greeted_as_a_team():
    written = write_letter(person(), NEEDS, title="", company=" ", now=NOW)

    assert (written.salutation, written.subject) == ("Dear hiring team,", "Application")


def test_too_few_sentences_are_refused_with_what_to_add():
    profile = person()
    profile.resume.letter_sentences = profile.resume.letter_sentences[:2]

    with pytest.raises(MissingInput, match="1 more body sentence, 1 more closing sentence"):
        write_letter(profile, NEEDS, title="x", company="y", now=NOW)


def test_a_sentence_with_a_placeholder_or_a_long_dash_is_not_used_and_is_named():
    profile = person()
    profile.resume.letter_sentences[0].text = "I admire {company}."

    with pytest.raises(MissingInput, match=r"1 more opening sentence .*open-1 still holds '\{company\}'"):
        write_letter(profile, NEEDS, title="x", company="y", now=NOW)

    profile = person()
    profile.resume.letter_sentences[3].text = "I care about tests — a lot."

    assert write_letter(profile, NEEDS, title="x", company="y", now=NOW).warnings == (
        "body-3 holds a long dash; use a comma or two sentences",
    )


def test_a_letter_that_is_too_long_is_refused():
    profile = person()
    profile.resume.letter_sentences[1].text = "Kafka " * 240 + "."

    with pytest.raises(MaterialRejected, match="250 are allowed"):
        write_letter(profile, NEEDS, title="x", company="y", now=NOW)


def test_a_rewording_passes_the_gates_or_gives_way():
    proposal = LetterProposal(
        job_id="j",
        opening=[ProposedLine(source_id="open-1", text="I build data pipelines others can rely on.")],
        body=[
            ProposedLine(source_id="body-1", text="Kafka has been my daily tool since 2015, for 10M users."),
            ProposedLine(source_id="body-2", text="I enjoy teaching — always."),
        ],
        closing=[ProposedLine(source_id="nowhere", text="Hire me.")],
    )

    written = assemble_letter(person(), NEEDS, proposal, title="Data Engineer", company="Acme", now=NOW)

    assert [line.source_id for line in written.lines] == ["open-1", "body-1", "body-2", "close-1"]
    assert written.lines[0].transform is Transform.REPHRASE
    assert [line.text for line in written.lines[1:3]] == [
        "Kafka has been my daily tool since 2021.",
        "I enjoy teaching what I know.",
    ]
    assert [r.source_id for r in written.rejections] == ["body-2", "body-1", "nowhere"]


def test_what_does_not_answer_the_posting_is_left_out():
    chosen = choose_sentences(person().resume, [KAFKA])

    assert [line.source_id for line in chosen.body] == ["body-1", "body-2"]


def test_emoji_in_a_posting_do_not_cost_the_person_a_letter():
    written = write_letter(person(), NEEDS, title="\U0001f680 Data Engineer \U0001f680", company="\U0001f980", now=NOW)

    assert (written.subject, written.salutation) == ("Application: Data Engineer", "Dear hiring team,")
