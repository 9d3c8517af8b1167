"""Answers to the prompts of this context without a model: rules select the person's own words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import msgspec
from pydantic import BaseModel

from jobctrl.materials.letter import choose_sentences
from jobctrl.materials.model import LetterProposal, Need, ResumeProposal
from jobctrl.materials.selection import select
from jobctrl.profile.model import Resume


def propose_resume(inputs: Mapping[str, str]) -> ResumeProposal:
    """The answer to `tailor-resume`: bullets and sentences by need and relevance, word for word."""
    now = datetime.fromisoformat(inputs["today"]).replace(tzinfo=UTC)
    return select(_resume(inputs), _needs(inputs), now=now, job_id=inputs["job_id"])


def propose_letter(inputs: Mapping[str, str]) -> LetterProposal:
    """The answer to `cover-letter`: the person's own letter sentences that answer the posting best."""
    return choose_sentences(_resume(inputs), _needs(inputs), job_id=inputs["job_id"])


ANSWERS: Mapping[str, Callable[[Mapping[str, str]], BaseModel]] = {
    "tailor-resume": propose_resume,
    "cover-letter": propose_letter,
}
"""By the name of the prompt, as the local model wants them."""


def _resume(inputs: Mapping[str, str]) -> Resume:
    return Resume.model_validate_json(inputs["resume"])


def _needs(inputs: Mapping[str, str]) -> list[Need]:
    return msgspec.json.decode(inputs["needs"], type=list[Need])
