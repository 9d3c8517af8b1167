from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import BaseModel

from jobctrl.errors import ConfigurationError, LlmTransient
from jobctrl.llm.local import LocalModel
from jobctrl.llm.model import Ask, Lane, Prompt, Usage


class Count(BaseModel):
    job_id: str
    words: int


class Other(BaseModel):
    job_id: str


ASK = Ask(Prompt("count", "1", "Count."), {"text": "one two"}, Count, Lane.SCORE, echo={"job_id": "j1"})


def count(inputs):
    return Count(job_id=inputs["job_id"], words=len(inputs["text"].split()))


def test_the_function_registered_for_a_prompt_answers_it_for_nothing():
    answer = LocalModel({"count": count}).ask(ASK)

    assert answer.value.words == 2
    assert answer.usage == Usage(0, 0, Decimal(0))
    assert (answer.provider, answer.model) == ("local", "local-1")


def test_an_unknown_prompt_is_a_configuration_error_that_names_what_is_known():
    with pytest.raises(ConfigurationError, match=r"'count' \(it knows: other\)"):
        LocalModel({"other": count}).ask(ASK)


def test_a_function_that_gives_another_shape_is_a_configuration_error():
    with pytest.raises(ConfigurationError, match="is a Other, not a Count"):
        LocalModel({"count": lambda inputs: Other(job_id="j1")}).ask(ASK)


def test_an_answer_without_its_id_is_dropped_here_too():
    with pytest.raises(LlmTransient, match="another job"):
        LocalModel({"count": lambda inputs: Count(job_id="j2", words=1)}).ask(ASK)
