"""What automatic preparation may take up, when, beside what, and what becomes of what a run of it leaves. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from jobctrl.ids import TENANT, digest_of
from jobctrl.stages.model import MAX_ATTEMPTS, Stage

SOURCE = "automatic_preparation"
"""Who asked for a stage that was reserved here; also the reason of a stage that is given back."""
STOPPED = "PREPARATION_RECOVERY_STOPPED"
"""The code of what a stopped run had not begun. It waits for a person, who may retry it."""
STAGES = (Stage.COVER, Stage.TAILOR, Stage.SCORE, Stage.ENRICH)
"""What is nearest to its end goes first."""
COHORT = 25
"""Jobs of one run at most."""
MOST_ATTEMPTS = 5
FIRST_WAIT = 60
LONGEST_WAIT = 1800
"""Seconds."""
_PREFIX = f"prepare-auto-{TENANT}-"
_OF_ONE_JOB = ("JobPreparationWorkflow", "JobPipelineWorkflow")
_TOUCHES_NO_JOB = ("DurabilityProbeWorkflow", "WeeklyReportWorkflow")


@dataclass(frozen=True)
class Waiting:
    """A stage of a job that is pending, or has failed and may be tried again."""

    job_id: str
    stage: Stage
    attempts: int = 0
    failed_at: datetime | None = None


@dataclass(frozen=True)
class OpenRun:
    """A run that has not ended, as far as it matters to what may be started beside it."""

    workflow_id: str
    workflow_type: str
    job_id: str | None = None
    """The one job it is about."""
    workers: int = 0
    unfinished: int = 0
    """Of an automatic run: how many jobs of its cohort wait for it or are under way."""


class Leaving(StrEnum):
    """What becomes of the jobs that an ended run had reserved and not begun."""

    RELEASED = "released"
    CANCELED = "canceled"
    BLOCKED = "blocked"


def ready_at(attempts: int, failed_at: datetime) -> datetime:
    """When a stage that failed at its *attempts*th attempt may be tried again."""
    return failed_at + timedelta(seconds=min(LONGEST_WAIT, FIRST_WAIT << attempts))


def may_be_tried(waiting: Waiting, *, now: datetime) -> bool:
    """Whether an attempt is left, and the wait since the last failure is over."""
    ceiling = min(MOST_ATTEMPTS, MAX_ATTEMPTS[waiting.stage] or MOST_ATTEMPTS)
    if waiting.attempts >= ceiling:
        return False
    return waiting.failed_at is None or now >= ready_at(waiting.attempts, waiting.failed_at)


def cohort_id(workspace: str, stage: Stage, members: Iterable[tuple[str, int, int]]) -> str:
    """The id of the run for exactly these jobs at these attempts: each a job, its attempts, and its facts so far."""
    return f"{_PREFIX}{stage.value}-{digest_of([workspace, stage.value, *sorted(members)])[:24]}"


def is_automatic(workflow_id: str) -> bool:
    return workflow_id.startswith(_PREFIX)


def holds_back(run: OpenRun) -> bool:
    """Whether nothing may be started beside *run*: nobody can say which jobs it will come to."""
    if is_automatic(run.workflow_id) or run.workflow_type in _TOUCHES_NO_JOB:
        return False
    return run.job_id is None or run.workflow_type not in _OF_ONE_JOB


def room(concurrency: int, runs: Iterable[OpenRun]) -> int:
    """How many jobs a further run may have under way at once: all automatic runs share *concurrency*."""
    used = sum(min(run.workers, run.unfinished) for run in runs if is_automatic(run.workflow_id))
    return max(0, concurrency - used)


def after_end(status: str, *, cancel_requested: bool, attempted: bool) -> Leaving:
    """What becomes of what the run had not begun. *attempted*: whether it took an attempt of any job of its cohort."""
    if status == "canceled" or cancel_requested:
        return Leaving.CANCELED
    # A run that never came to a job would not come to one the next time either.
    return Leaving.BLOCKED if status == "terminated" or not attempted else Leaving.RELEASED
