"""The backstop of every run: one whose own terminal mark is missing is closed by what Temporal says of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from jobctrl.errors import TransientNetwork
from jobctrl.pipeline.activities import SettleInput, settle_stage
from jobctrl.pipeline.events import (
    WorkflowCanceled,
    WorkflowCancellationRequested,
    WorkflowCompleted,
    WorkflowFact,
    WorkflowFailed,
    WorkflowStarted,
    WorkflowTerminated,
    WorkflowTimedOut,
)
from jobctrl.pipeline.runs import NOT_FOUND, WORKFLOW_RUNS, Run
from jobctrl.store import Store, moment, statements
from jobctrl.workflows.marks import run_stream

SQL = statements("jobctrl.workflows", "reconciler.sql")
MOST = 200
"""Runs asked for in one pass."""
EXPLAINED_WITHIN = timedelta(days=7)
"""A cancellation whose history has not been found by then is not looked for any longer."""
MOST_REASON = 200


class HistoryState(StrEnum):
    """What Temporal says of one exact execution."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELED = "canceled"
    TERMINATED = "terminated"
    TIMED_OUT = "timed_out"
    NOT_FOUND = "not_found"


@dataclass(frozen=True)
class CancelRequest:
    """What a history keeps of the request that canceled it."""

    identity: str = ""
    """Of the connection that it came through."""
    by_workflow: bool = False
    """Whether another execution asked, as a run does for its parts."""
    reason: str = ""


class Histories(Protocol):
    """Temporal, asked for one exact execution. Raises TransientNetwork when it does not answer."""

    async def state(self, workflow_id: str, run_id: str) -> HistoryState: ...

    async def cancellation(self, workflow_id: str, run_id: str) -> CancelRequest | None:
        """The request in the execution's history; None without the history or the request."""
        ...


@dataclass(frozen=True)
class Reconciled:
    """What one pass recorded."""

    closed: int = 0
    missing: int = 0
    reopened: int = 0
    settled: int = 0
    """Stages that ended runs had left running."""
    explained: int = 0
    """Canceled runs whose history told who asked."""


async def reconcile_runs(store: Store, histories: Histories, *, min_score: int) -> Reconciled:
    """One pass over runs that our log does not show as ended; who does not answer is asked in a later pass."""
    with store.reader() as connection:
        doubtful = connection.execute(SQL["doubtful"], {"not_found": NOT_FOUND, "most": MOST}).fetchall()
    recorded: list[WorkflowFact] = []
    for workflow_id, run_id in doubtful:
        try:
            state = await histories.state(workflow_id, run_id)
        except TransientNetwork:
            break
        recorded += await asyncio.to_thread(_record, store, workflow_id, run_id, state)
    settled = await asyncio.to_thread(_settle, store, min_score)
    explained = await _explain(store, histories)
    missing = sum(1 for fact in recorded if isinstance(fact, WorkflowTerminated) and fact.error_code == NOT_FOUND)
    reopened = sum(1 for fact in recorded if isinstance(fact, WorkflowStarted))
    return Reconciled(len(recorded) - missing - reopened, missing, reopened, settled, explained)


async def _explain(store: Store, histories: Histories) -> int:
    """Give each canceled run what its own history says of the request, beside what we recorded when we made it."""
    since = moment(store.clock() - EXPLAINED_WITHIN)
    with store.reader() as connection:
        canceled = connection.execute(SQL["unexplained"], {"since": since, "most": MOST}).fetchall()
    explained = 0
    for workflow_id, run_id in canceled:
        try:
            request = await histories.cancellation(workflow_id, run_id)
        except TransientNetwork:
            break
        if request is not None:
            explained += await asyncio.to_thread(_record_request, store, workflow_id, run_id, request)
    return explained


def _record_request(store: Store, workflow_id: str, run_id: str, request: CancelRequest) -> int:
    with store.writer() as tx:
        run = WORKFLOW_RUNS.get(tx.connection, workflow_id, run_id)
        if run is None:
            return 0
        key = f"cancel-history:{workflow_id}:{run_id}"
        tx.append(run_stream(workflow_id, run_id), cancellation(run, request), key=key)
    return 1


def cancellation(run: Run, request: CancelRequest) -> WorkflowCancellationRequested:
    """The audit fact that a history gives. It is called recovered where the run could not tell its end by itself."""
    recovered = (run.error_code or "").startswith("reconciled_")
    return WorkflowCancellationRequested(
        **_name(run),
        requested_by=request.identity or "unknown",
        source=_source(request),
        evidence_kind="recovered_temporal_history" if recovered else "temporal_history",
        reason=request.reason[:MOST_REASON] or None,
    )


def _source(request: CancelRequest) -> str:
    identity = request.identity.lower()
    if "temporal-cli" in identity:
        return "temporal_cli"
    if "temporal-ui" in identity or "temporal-web" in identity:
        return "temporal_web"
    return "temporal_external" if identity or request.by_workflow else "temporal_unknown"


def verdict(run: Run, state: HistoryState) -> list[WorkflowFact]:
    """The facts that bring *run* to what its history says. Empty when nothing is to be said, or an end stands."""
    provisional = run.status == "terminated" and run.error_code == NOT_FOUND
    if run.status != "in_progress" and not provisional:
        return []
    if state is HistoryState.NOT_FOUND:
        gone = WorkflowTerminated(
            **_name(run), error_code=NOT_FOUND, error_message="The workflow server has no history of this run."
        )
        return [] if provisional else [gone]
    again = WorkflowStarted(**_name(run), recovered_from_missing_history=True)
    return ([again] if provisional else []) + _end(run, state)


def _end(run: Run, state: HistoryState) -> list[WorkflowFact]:
    name, words = _name(run), "The run ended without its own mark."
    match state:
        case HistoryState.COMPLETED:
            return [WorkflowCompleted(**name)]
        case HistoryState.FAILED:
            code = "reconciled_closed_failed"
            return [WorkflowFailed(**name, error_code=code, error_message=words, retryable=True)]
        case HistoryState.CANCELED:
            return [WorkflowCanceled(**name, error_code="reconciled_closed_canceled", error_message=words)]
        case HistoryState.TIMED_OUT:
            return [WorkflowTimedOut(**name, error_code="reconciled_closed_timed_out", error_message=words)]
        case HistoryState.TERMINATED:
            return [WorkflowTerminated(**name, error_code="reconciled_terminated", error_message=words)]
        case _:
            return []


def _name(run: Run) -> dict[str, str]:
    return {"workflow_id": run.workflow_id, "workflow_type": run.workflow_type, "temporal_run_id": run.run_id}


def _record(store: Store, workflow_id: str, run_id: str, state: HistoryState) -> list[WorkflowFact]:
    """Decide under the writer's lock: a terminal mark that came meanwhile wins."""
    with store.writer() as tx:
        run = WORKFLOW_RUNS.get(tx.connection, workflow_id, run_id)
        facts = verdict(run, state) if run else []
        if facts:
            tx.append(run_stream(workflow_id, run_id), *facts)
    return facts


def _settle(store: Store, min_score: int) -> int:
    """End the stages whose run has ended without ending them: nobody else could take them up."""
    with store.reader() as connection:
        left = connection.execute(SQL["left_running"]).fetchall()
    for job_id, stage, workflow_id, run_id, status in left:
        owned = SettleInput(
            workspace=store.workspace_id,
            job_id=job_id,
            stage=stage,
            workflow_id=workflow_id,
            run_id=run_id,
            error_code=f"{stage.upper()}_ACTIVITY_OWNER_STOPPED",
            error_message="The run that held this stage has ended.",
            retryable=True,
            canceled=status == "canceled",
        )
        with store.writer() as tx:
            settle_stage(tx, owned, min_score=min_score)
    return len(left)
