"""The words by which pages label their facts, show an apply button and head a list of other jobs."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from jobctrl.enrichment.wording import pattern, sections
from jobctrl.postings.text import fold

LONGEST_LABEL = 48


class Fact(StrEnum):
    LOCATION = "location"
    WORK_MODE = "work_mode"
    EMPLOYMENT_TYPE = "employment_type"
    PAY = "pay"
    PUBLISHED = "published"
    UPDATED = "updated"
    DEADLINE = "deadline"
    COMPANY = "company"


@cache
def _by_label() -> dict[str, Fact]:
    return {fold(label): Fact(fact) for fact, labels in sections("labels").items() for label in labels}


def label_of(text: str) -> Fact | None:
    """The fact that a label names: the whole of a short text, a colon after it left out."""
    if not text or len(text) > LONGEST_LABEL:
        return None
    return _by_label().get(fold(text).strip(" :：*・-–—|\u00a0"))


def is_apply(text: str) -> bool:
    """Whether the words of a button or link offer to apply."""
    words = fold(" ".join(text.split()))
    return 0 < len(words) <= 60 and pattern("apply").match(words) is not None


def heads_other_jobs(text: str) -> bool:
    """Whether a heading stands above a list of other postings."""
    words = fold(" ".join(text.split()))
    return 0 < len(words) <= 80 and pattern("other_jobs").match(words) is not None
