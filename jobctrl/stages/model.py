"""The stages of a job, the states of a stage, and who may hold one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    DISCOVER = "discover"
    ENRICH = "enrich"
    SCORE = "score"
    TAILOR = "tailor"
    COVER = "cover"
    APPLY = "apply"


ORDER: tuple[Stage, ...] = tuple(Stage)


class StageState(StrEnum):
    PENDING = "pending"
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    BLOCKED = "blocked"
    SKIPPED = "skipped"
    EXHAUSTED = "exhausted"
    NEEDS_VERIFICATION = "needs_verification"
    STALE = "stale"
    CANCELED = "canceled"


MAX_ATTEMPTS: dict[Stage, int | None] = {
    Stage.DISCOVER: None,
    Stage.ENRICH: 5,
    Stage.SCORE: 3,
    Stage.TAILOR: 5,
    Stage.COVER: 5,
    Stage.APPLY: 3,
}


@dataclass(frozen=True)
class Owner:
    """The exact execution and attempt that holds a running stage; every write it makes is checked against it."""

    workflow_id: str
    run_id: str
    attempt: int
