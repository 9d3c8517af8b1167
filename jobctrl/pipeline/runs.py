"""Every workflow execution and how it ended. First terminal wins; only a marked recovery may reopen a run."""

from __future__ import annotations

import json
from collections.abc import Iterable

from msgspec.structs import replace

from jobctrl.events import Recorded
from jobctrl.pipeline.events import (
    RUN_EVENTS,
    TERMINAL,
    WorkflowCancellationRequested,
    WorkflowCompleted,
    WorkflowFact,
    WorkflowFailed,
    WorkflowStarted,
)
from jobctrl.store import ReadTable, Row, script

NOT_FOUND = "reconciled_not_found"
STATUS = {
    "WorkflowCompleted": "succeeded",
    "WorkflowFailed": "failed",
    "WorkflowCanceled": "canceled",
    "WorkflowTimedOut": "timed_out",
    "WorkflowTerminated": "terminated",
}


class Run(Row, frozen=True):
    workflow_id: str
    run_id: str
    workflow_type: str
    status: str
    """in_progress, succeeded, failed, canceled, timed_out or terminated."""
    job_id: str | None = None
    """The one job the run is about; None for runs about many."""
    input_summary: str = "{}"
    summary: str = "{}"
    started_at: str | None = None
    finished_at: str | None = None
    duration_ms: int | None = None
    error_code: str | None = None
    error_message: str | None = None
    retryable: int | None = None
    cancel_requested_by: str | None = None
    late_outcomes: int = 0
    """Terminal facts that came after the first one: kept in the log, without effect here."""


def fold(row: Run | None, fact: Recorded) -> Run | None:
    """The run as it stands after *fact*."""
    event = fact.event
    match event:
        case WorkflowStarted() as e:
            return _started(row, e, fact)
        case WorkflowCancellationRequested() as e:
            # The history's word on a request of ours comes later and only knows the connection it came through.
            return replace(row, cancel_requested_by=row.cancel_requested_by or e.requested_by) if row else None
        case _ if isinstance(event, TERMINAL) and isinstance(event, WorkflowFact):
            return _ended(row, event, fact)
        case _:
            return row


def _started(row: Run | None, event: WorkflowStarted, fact: Recorded) -> Run:
    if row is None:
        return Run(
            event.workflow_id,
            event.temporal_run_id or "",
            event.workflow_type,
            "in_progress",
            event.input_summary.get("jobId"),
            json.dumps(event.input_summary, sort_keys=True),
            started_at=_in_utc(event.started_at) or fact.occurred_at,
        )
    if event.recovered_from_missing_history and row.status == "terminated" and row.error_code == NOT_FOUND:
        return replace(
            row, status="in_progress", finished_at=None, duration_ms=None, error_code=None, error_message=None
        )
    if row.status != "in_progress":
        return row
    # The mark left at dispatch and the run's own may come in either order; neither erases what the other said.
    merged = {**json.loads(row.input_summary), **event.input_summary}
    return replace(
        row,
        job_id=merged.get("jobId"),
        input_summary=json.dumps(merged, sort_keys=True),
        started_at=row.started_at if event.dispatched_by else _in_utc(event.started_at) or row.started_at,
    )


def _in_utc(moment: str | None) -> str | None:
    """A run's own word on when it began, in the notation of the log."""
    return moment.replace("+00:00", "Z") if moment else None


def _ended(row: Run | None, event: WorkflowFact, fact: Recorded) -> Run:
    if row is None:
        row = Run(event.workflow_id, event.temporal_run_id or "", event.workflow_type, "in_progress")
    if row.status != "in_progress":
        return replace(row, late_outcomes=row.late_outcomes + 1)
    said = vars(event)
    return replace(
        row,
        status=STATUS[fact.event_type],
        finished_at=fact.occurred_at,
        duration_ms=said.get("duration_ms"),
        error_code=said.get("error_code"),
        error_message=said.get("error_message"),
        retryable=int(event.retryable) if isinstance(event, WorkflowFailed) else None,
        summary=json.dumps(event.summary, sort_keys=True)
        if isinstance(event, WorkflowCompleted | WorkflowFailed)
        else row.summary,
        late_outcomes=row.late_outcomes,
    )


def _keys(fact: Recorded) -> Iterable[tuple[str, str]]:
    event = fact.event
    assert isinstance(event, WorkflowFact)
    return [(event.workflow_id, event.temporal_run_id or "")]


WORKFLOW_RUNS = ReadTable(
    name="workflow_runs",
    version=3,
    sql=script("jobctrl.pipeline", "runs.sql"),
    row=Run,
    key=("workflow_id", "run_id"),
    handles=RUN_EVENTS,
    keys=_keys,
    fold=fold,
    tallies=lambda row: (f"runs:{row.status}",),
)

__all__ = ["NOT_FOUND", "STATUS", "WORKFLOW_RUNS", "Run", "fold"]
