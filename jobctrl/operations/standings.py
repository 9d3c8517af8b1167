"""Where work stands, in one word, and how much of it stands so. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from jobctrl.pipeline.steps import Step

Outcome = Literal[
    "waiting", "processing", "succeeded", "skipped", "blocked", "failed", "exhausted", "canceled",
    "needs_verification", "stale", "unknown",
]  # fmt: skip
OUTCOMES: dict[str, Outcome] = {
    "pending": "waiting",
    "queued": "waiting",
    "running": "processing",
    "succeeded": "succeeded",
    "skipped": "skipped",
    "blocked": "blocked",
    "failed": "failed",
    "exhausted": "exhausted",
    "canceled": "canceled",
    "needs_verification": "needs_verification",
    "stale": "stale",
}
"""What a recorded state means. Any other state is unknown."""
OPEN = ("waiting", "processing")


@dataclass(frozen=True)
class Counts:
    """`eligible` is the sum of all others. `processing` is None where no fact tells of a beginning."""

    eligible: int
    waiting: int
    processing: int | None
    succeeded: int
    skipped: int
    blocked: int
    failed: int
    exhausted: int
    canceled: int
    needs_verification: int
    stale: int
    unknown: int


def counts(found: Counter[Outcome], *, begins: bool = True) -> Counts:
    """The counts in their order. Where nothing *begins*, what is processed cannot be told from what waits."""
    return Counts(
        sum(found.values()),
        found["waiting"],
        found["processing"] if begins else None,
        found["succeeded"],
        found["skipped"],
        found["blocked"],
        found["failed"],
        found["exhausted"],
        found["canceled"],
        found["needs_verification"],
        found["stale"],
        found["unknown"],
    )


def step_outcome(state: str, *, ended: bool) -> Outcome:
    """A step that is still open though what would end it has *ended* has an end that nobody recorded."""
    outcome = OUTCOMES.get(state, "unknown")
    return "unknown" if ended and outcome in OPEN else outcome


def step_counts(steps: Iterable[Step], *, ended: bool) -> Counts:
    """The counts of an execution's steps; *ended* when its run has."""
    return counts(Counter(step_outcome(step.state, ended=ended) for step in steps))
