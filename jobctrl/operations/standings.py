"""Where the work stands, counted: jobs by stage, steps by kind. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from jobctrl.pipeline.steps import Step

JOB_STAGES = ("enrich", "score", "tailor", "cover", "pdf_render")
DONE = ("succeeded", "skipped")
AT_REST = ("blocked", "failed", "exhausted", "canceled", "needs_verification", "stale", "skipped")
"""Ends, or waits for a person: what comes after cannot be reached from here."""
Outcome = Literal[
    "waiting", "processing", "succeeded", "skipped", "blocked", "failed", "exhausted", "canceled",
    "needs_verification", "stale", "unknown",
]  # fmt: skip
_OUTCOME: dict[str, Outcome] = {
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


@dataclass(frozen=True)
class JobGroup:
    """Jobs that stand alike: how many there are."""

    member: bool
    """Whether the selected execution was the first to observe them."""
    prepared: bool
    """Whether a preparation run of theirs has not ended."""
    closed: bool
    """Whether the posting is known to be closed."""
    enrich: str
    score: str
    tailor: str
    cover: str
    complete: bool
    """Whether the PDFs of the materials that stand are all there."""
    jobs: int

    @property
    def taken(self) -> bool:
        """Whether a run has these jobs in hand: one of their own, or one that runs a stage of many jobs."""
        return self.prepared or "processing" in self.outcomes().values()

    def outcomes(self) -> dict[str, Outcome]:
        """Each stage in a word. A stage that cannot be reached is blocked, whatever its own row says."""
        found: dict[str, Outcome] = {}
        reachable = not self.closed
        for stage, state in zip(JOB_STAGES, (self.enrich, self.score, self.tailor, self.cover), strict=False):
            outcome = _OUTCOME.get(state, "unknown")
            found[stage] = "blocked" if outcome == "waiting" and not reachable else outcome
            # A letter that was left out leaves the resume to be rendered.
            if state in AT_REST and (stage, state) != ("cover", "skipped"):
                reachable = False
        found["pdf_render"] = self._pdf(found)
        return found

    def _pdf(self, found: dict[str, Outcome]) -> Outcome:
        """No stage row tells of PDFs; they are there, or they follow what they are made from."""
        if self.complete:
            return "succeeded"
        for stage in ("tailor", "cover"):
            if found[stage] in ("processing", "waiting"):
                return "waiting"
            if found[stage] not in DONE:
                return "blocked"
        if found["tailor"] == "skipped":
            return "skipped"
        return "blocked" if self.closed else "waiting"

    def left(self) -> tuple[str, ...]:
        """The stages that are still before these jobs, in order."""
        return tuple(stage for stage, outcome in self.outcomes().items() if outcome in ("waiting", "processing"))


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


def job_counts(groups: Iterable[JobGroup]) -> dict[str, Counts]:
    """The counts of each stage over *groups*."""
    found: dict[str, Counter[Outcome]] = {stage: Counter() for stage in JOB_STAGES}
    for group in groups:
        for stage, outcome in group.outcomes().items():
            found[stage][outcome] += group.jobs
    # The log tells when a PDF is there, and not when its rendering began.
    return {stage: counts(each, begins=stage != "pdf_render") for stage, each in found.items()}


def step_counts(steps: Iterable[Step], *, ended: bool) -> Counts:
    """The counts of steps. One that still runs though its execution has *ended* has an end nobody recorded."""
    found: Counter[Outcome] = Counter()
    for step in steps:
        open_still = step.state in ("queued", "running")
        found["unknown" if ended and open_still else _OUTCOME.get(step.state, "unknown")] += 1
    return counts(found)


def demand(groups: Iterable[JobGroup]) -> Counter[str]:
    """How many jobs still have each stage before them."""
    wanted: Counter[str] = Counter()
    for group in groups:
        for stage in group.left():
            wanted[stage] += group.jobs
    return wanted


def paths(groups: Iterable[JobGroup]) -> Iterator[tuple[str, ...]]:
    """Each way that is left, once."""
    yield from dict.fromkeys(left for group in groups if (left := group.left()))
