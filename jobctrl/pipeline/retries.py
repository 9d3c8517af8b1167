"""Opening stages that have ended without their result, because a person wants them tried again."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from jobctrl.enrichment.state import enrichment_of
from jobctrl.errors import AuthenticationError, BudgetExceeded, ConfigurationError, InvalidRequest, MissingInput
from jobctrl.materials.state import materials_of
from jobctrl.pipeline.eligibility import PREPARATION, Known
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.pipeline.rules import Judged, Standing
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.scoring.state import explored, latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage, StageState
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Transaction, statements

SQL = statements("jobctrl.pipeline", "retries.sql")
MENDABLE = tuple(error.code for error in (AuthenticationError, BudgetExceeded, ConfigurationError, MissingInput))
_OPENED = (StageState.FAILED, StageState.EXHAUSTED, StageState.CANCELED, StageState.STALE)


@dataclass(frozen=True)
class Reset:
    """One stage of one job that can be picked up again."""

    job_id: str
    stage: str


def stage_to_retry(name: str) -> Stage:
    """The stage of that name. Raises InvalidRequest for one that is not retried job by job."""
    if name not in [stage.value for stage in PREPARATION]:
        known = ", ".join(PREPARATION)
        raise InvalidRequest(f"The stage {name!r} is not retried for a job; these are: {known}.")
    return Stage(name)


def reset_stage(tx: Transaction, job_id: str, stage: Stage, *, attempts: bool, min_score: int) -> bool:
    """Open the stage; *attempts* gives all of them back. False when it waits already, and nothing was to be changed.

    Raises InvalidRequest for a stage that may not be reset.
    """
    machine = StageMachine(tx, job_id, stage)
    before = machine.row
    if reason := _refusal(before):
        raise InvalidRequest(
            f"The stage {stage.value} of this job is {before.state}: {reason}.",
            hint="`jobctrl show JOB` says where each stage stands.",
        )
    machine.reset(reason="retry_requested", attempts=attempts)
    changed = machine.row != before
    if changed:
        reconcile(tx, job_id, min_score=min_score)
    return changed


def _refusal(row: StageRow) -> str:
    """Why the stage may not be reset; empty when it may."""
    state = StageState(row.state)
    if state in _OPENED or state is StageState.PENDING:
        return ""
    match state:
        case StageState.RUNNING | StageState.QUEUED:
            return "it is under way; `jobctrl runs --cancel RUN` stops its run"
        case StageState.SUCCEEDED:
            return "it has its result; `jobctrl run` with --rescore or --retailor makes a new one"
        case StageState.BLOCKED if row.retryable:
            return ""
        case StageState.BLOCKED:
            return f"it waits for {' and '.join(json.loads(row.blocked_by)) or 'something else'} ({row.error_code})"
        case _:
            return f"it is decided otherwise ({row.error_code or 'no reason recorded'})"


def failed_stages(connection: sqlite3.Connection, stages: tuple[Stage, ...]) -> list[Reset]:
    """Every failed stage among *stages* that is worth another try, in the order of its jobs."""
    asked = {"stages": json.dumps([stage.value for stage in stages]), "mendable": json.dumps(MENDABLE)}
    return [Reset(*row) for row in connection.execute(SQL["failed"], asked)]


def known_of(connection: sqlite3.Connection, job_id: str) -> Known:
    """What decides whether a stage of the job may be run."""
    rows = {stage: stage_of(connection, job_id, stage) for stage in PREPARATION}
    enriched, score = enrichment_of(connection, job_id), latest_score(connection, job_id)
    text = enriched.description_hash if enriched else None
    return Known(
        stages={
            stage: Standing(StageState(row.state), row.error_code, bool(row.retryable)) for stage, row in rows.items()
        },
        attempts={stage: row.attempt_count for stage, row in rows.items()},
        has_text=text is not None,
        score=Judged(score.fit_score, EligibilityStatus(score.eligibility)) if score else None,
        score_is_current=score is not None and score.snapshot_hash in (None, text),
        has_resume=materials_of(connection, job_id) is not None,
        explored=score is not None and explored(connection, score),
    )
