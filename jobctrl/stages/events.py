"""What is recorded of a stage's life. One event a move."""

from __future__ import annotations

from typing import ClassVar, Literal

from jobctrl.events import Event, Level

StageName = Literal["discover", "enrich", "score", "tailor", "cover", "apply"]


class StageQueued(Event):
    """A workflow was asked to run the stage."""

    job_id: str
    stage: StageName
    source: str
    reserved_by: str | None = None
    """The one workflow that may take the stage; None when any may."""


class StageStarted(Event):
    """One activity took the stage. `attemptNumber` counts durable attempts from 1."""

    job_id: str
    stage: StageName
    attempt_number: int
    owner_attempt: int = 1
    """The Temporal activity attempt that holds it."""
    baseline: str | None = None
    """The result that stood before (a score version, a material generation), so that recovery can tell new from old."""


class StageCompleted(Event):
    """The stage is done for its present inputs."""

    job_id: str
    stage: StageName
    duration_ms: int | None = None


class StageFailed(Event):
    """The attempt failed. Bounded codes and words only, never fetched text."""

    level: ClassVar[Level] = "error"
    job_id: str
    stage: StageName
    error_code: str
    error_message: str
    retryable: bool
    attempt_number: int


class StageExhausted(Event):
    """No durable attempt is left."""

    level: ClassVar[Level] = "error"
    job_id: str
    stage: StageName
    attempt_count: int
    max_attempts: int


class StageReset(Event):
    """The stage may be picked up again."""

    job_id: str
    stage: StageName
    reset_attempts: bool
    reason: str = ""


class StageBlocked(Event):
    """The stage waits for something outside it."""

    level: ClassVar[Level] = "warn"
    job_id: str
    stage: StageName
    error_code: str
    blocked_by: list[str] = []
    retryable: bool = True
    detail: str = ""


class StageSkipped(Event):
    """Policy says not to run the stage."""

    job_id: str
    stage: StageName
    reason: str
    detail: str = ""


class StageNeedsVerification(Event):
    """The outcome of an irreversible step is unknown; a person has to say what came of it."""

    level: ClassVar[Level] = "warn"
    job_id: str
    stage: StageName
    error_code: str
    detail: str = ""


class StageCanceled(Event):
    """A person stopped the stage."""

    job_id: str
    stage: StageName
    reason: str = ""


class StageStale(Event):
    """The stage had succeeded, but its inputs moved."""

    job_id: str
    stage: StageName
    reason: str


STAGE_EVENTS: tuple[type[Event], ...] = (
    StageQueued,
    StageStarted,
    StageCompleted,
    StageFailed,
    StageExhausted,
    StageReset,
    StageBlocked,
    StageSkipped,
    StageNeedsVerification,
    StageCanceled,
    StageStale,
)
