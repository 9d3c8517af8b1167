"""The small local writes around every workflow: it started, it may spend, it ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from temporalio import activity

from jobctrl.pipeline.events import (
    WorkflowCanceled,
    WorkflowCompleted,
    WorkflowFact,
    WorkflowFailed,
    WorkflowStarted,
)
from jobctrl.spend.ledger import Ledger
from jobctrl.store import Store


@dataclass(frozen=True)
class StartMark:
    workspace: str
    workflow_id: str
    run_id: str
    workflow_type: str
    summary: dict[str, Any] = field(default_factory=dict)
    started_at: str | None = None


@dataclass(frozen=True)
class SpendCheck:
    workspace: str
    lane: str


@dataclass(frozen=True)
class OutcomeMark:
    workspace: str
    workflow_id: str
    run_id: str
    workflow_type: str
    status: str
    """succeeded, failed or canceled; the reconciler writes the others."""
    error_code: str | None = None
    error_message: str | None = None
    retryable: bool = False
    duration_ms: int | None = None
    report: dict[str, Any] = field(default_factory=dict)


def run_stream(workflow_id: str, run_id: str) -> str:
    return f"run/{workflow_id}/{run_id}"


class Marks:
    """Local activities. Each may run twice: the key of a mark is its exact execution and its kind."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._store = store
        self._ledger = ledger

    @activity.defn
    async def record_workflow_started(self, mark: StartMark) -> None:
        event = WorkflowStarted(
            workflow_id=mark.workflow_id,
            workflow_type=mark.workflow_type,
            temporal_run_id=mark.run_id,
            input_summary=mark.summary,
            started_at=mark.started_at,
        )
        await asyncio.to_thread(self._record, event, "started")

    @activity.defn
    async def check_spend_budget(self, check: SpendCheck) -> None:
        """Raises BudgetExceeded before any paid work starts."""
        await asyncio.to_thread(self._ledger.check, check.lane)

    @activity.defn
    async def record_workflow_outcome(self, mark: OutcomeMark) -> None:
        await asyncio.to_thread(self._record, _outcome(mark), "outcome")

    def _record(self, event: WorkflowFact, kind: str) -> None:
        run_id = event.temporal_run_id or ""
        with self._store.writer() as tx:
            tx.append(run_stream(event.workflow_id, run_id), event, key=f"run-{kind}:{event.workflow_id}:{run_id}")


def _outcome(mark: OutcomeMark) -> WorkflowFact:
    match mark.status:
        case "succeeded":
            return WorkflowCompleted(
                workflow_id=mark.workflow_id,
                workflow_type=mark.workflow_type,
                temporal_run_id=mark.run_id,
                duration_ms=mark.duration_ms,
                summary=mark.report,
            )
        case "canceled":
            return WorkflowCanceled(
                workflow_id=mark.workflow_id,
                workflow_type=mark.workflow_type,
                temporal_run_id=mark.run_id,
                duration_ms=mark.duration_ms,
            )
        case _:
            return WorkflowFailed(
                workflow_id=mark.workflow_id,
                workflow_type=mark.workflow_type,
                temporal_run_id=mark.run_id,
                error_code=mark.error_code or "workflow_error",
                error_message=mark.error_message or "",
                retryable=mark.retryable,
                duration_ms=mark.duration_ms,
                summary=mark.report,
            )
