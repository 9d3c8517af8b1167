from __future__ import annotations

import json

import anthropic
import openai
import pytest

from jobctrl.llm.prompts import load_prompt
from jobctrl.scoring.answers import FitAssessmentAnswer, PostingAnalysisAnswer
from jobctrl.scoring.local import LOCAL_SKILLS


@pytest.mark.parametrize("answer", [PostingAnalysisAnswer, FitAssessmentAnswer])
def test_both_providers_can_be_held_to_the_schema(answer):
    strict = json.dumps(openai.pydantic_function_tool(answer)["function"]["parameters"])

    assert '"default"' not in strict
    assert '"additionalProperties": false' in strict
    assert anthropic.transform_schema(answer)["required"]


@pytest.mark.parametrize("name", sorted(LOCAL_SKILLS))
def test_every_local_skill_answers_a_prompt_that_exists(name):
    prompt = load_prompt("jobctrl.scoring", name)

    assert prompt.text
    assert prompt.version
