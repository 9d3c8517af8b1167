"""Where each stage of each job stands, as a fold."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from msgspec.structs import replace

from jobctrl.events import Recorded
from jobctrl.stages.events import (
    STAGE_EVENTS,
    StageBlocked,
    StageCanceled,
    StageCompleted,
    StageExhausted,
    StageFailed,
    StageNeedsVerification,
    StageQueued,
    StageReset,
    StageSkipped,
    StageStale,
    StageStarted,
)
from jobctrl.stages.model import Stage, StageState
from jobctrl.store import ReadTable, Row, script


class StageRow(Row, frozen=True):
    job_id: str
    stage: str
    state: str
    attempt_count: int = 0
    error_code: str | None = None
    error_message: str | None = None
    retryable: int = 1
    blocked_by: str = "[]"
    owner_workflow: str | None = None
    owner_run: str | None = None
    owner_attempt: int | None = None
    baseline: str | None = None
    started_at: str | None = None
    finished_at: str | None = None
    duration_ms: int | None = None
    updated_at: str = ""


def fold(row: StageRow | None, fact: Recorded) -> StageRow | None:
    """The stage as it stands after *fact*."""
    event = fact.event
    at = fact.occurred_at
    if row is None:
        job_id, stage = getattr(event, "job_id", None), getattr(event, "stage", None)
        if job_id is None or stage is None:
            return None
        row = StageRow(job_id, stage, StageState.PENDING.value)
    match event:
        case StageQueued() as e:
            # No execution holds a reservation yet; the workflow it is kept for may have been named.
            return replace(
                row, state="queued", owner_workflow=e.reserved_by, owner_run=None, owner_attempt=None, updated_at=at
            )
        case StageStarted() as e:
            return replace(
                row,
                state="running",
                attempt_count=e.attempt_number,
                error_code=None,
                error_message=None,
                retryable=1,
                blocked_by="[]",
                owner_workflow=fact.workflow_id,
                owner_run=fact.run_id,
                owner_attempt=e.owner_attempt,
                baseline=e.baseline,
                started_at=at,
                finished_at=None,
                duration_ms=None,
                updated_at=at,
            )
        case StageCompleted() as e:
            return replace(
                row,
                state="succeeded",
                error_code=None,
                error_message=None,
                retryable=1,
                blocked_by="[]",
                finished_at=at,
                duration_ms=e.duration_ms,
                updated_at=at,
            )
        case StageFailed() as e:
            return replace(
                row,
                state="failed",
                attempt_count=e.attempt_number,
                error_code=e.error_code,
                error_message=e.error_message,
                retryable=int(e.retryable),
                finished_at=at,
                updated_at=at,
            )
        case StageExhausted() as e:
            return replace(row, state="exhausted", attempt_count=e.attempt_count, finished_at=at, updated_at=at)
        case StageReset() as e:
            return replace(
                row,
                state="pending",
                attempt_count=0 if e.reset_attempts else row.attempt_count,
                error_code=None,
                error_message=None,
                retryable=1,
                blocked_by="[]",
                finished_at=None,
                duration_ms=None,
                updated_at=at,
            )
        case StageBlocked() as e:
            return replace(
                row,
                state="blocked",
                error_code=e.error_code,
                error_message=e.detail or None,
                retryable=int(e.retryable),
                blocked_by=json.dumps(e.blocked_by),
                updated_at=at,
            )
        case StageSkipped() as e:
            return replace(
                row,
                state="skipped",
                error_code=e.reason,
                error_message=e.detail or None,
                blocked_by="[]",
                updated_at=at,
            )
        case StageNeedsVerification() as e:
            return replace(
                row,
                state="needs_verification",
                error_code=e.error_code,
                error_message=e.detail or None,
                retryable=0,
                finished_at=at,
                updated_at=at,
            )
        case StageCanceled() as e:
            return replace(
                row, state="canceled", error_code="WORKFLOW_CANCELED", error_message=e.reason or None, updated_at=at
            )
        case StageStale() as e:
            return replace(row, state="stale", error_code=e.reason, updated_at=at)
        case _:
            return row


def _keys(fact: Recorded) -> Iterable[tuple[str, str]]:
    event = fact.event
    return [(event.job_id, event.stage)]  # type: ignore[union-attr]


STAGE_STATES = ReadTable(
    name="job_stage_states",
    version=2,
    sql=script("jobctrl.stages", "state.sql"),
    row=StageRow,
    key=("job_id", "stage"),
    handles=STAGE_EVENTS,
    keys=_keys,
    fold=fold,
    tallies=lambda row: (f"stage:{row.stage}:{row.state}",),
)


def stage_of(connection: sqlite3.Connection, job_id: str, stage: Stage) -> StageRow:
    """The row of one stage; a stage nobody touched is pending."""
    return STAGE_STATES.get(connection, job_id, stage.value) or StageRow(job_id, stage.value, StageState.PENDING.value)
