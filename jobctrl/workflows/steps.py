"""The marks of a Discover execution's steps, as local activities."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from temporalio import activity

from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepStarted,
    StepFact,
    StepKind,
)
from jobctrl.store import Store
from jobctrl.workflows.marks import run_stream


@dataclass(frozen=True)
class StepMark:
    workspace: str
    workflow_id: str
    run_id: str
    kind: StepKind
    item: str
    attempt: int
    state: str
    """started, completed or failed."""
    item_count: int | None = None
    error_code: str | None = None
    retryable: bool = False
    duration_ms: int | None = None


class Steps:
    def __init__(self, store: Store) -> None:
        self._store = store

    @activity.defn
    async def record_step(self, mark: StepMark) -> None:
        """One mark; its key is the exact execution, the step, the attempt and the state."""
        await asyncio.to_thread(self._record, mark)

    def _record(self, mark: StepMark) -> None:
        stream = run_stream(mark.workflow_id, mark.run_id)
        key = f"step:{mark.workflow_id}:{mark.run_id}:{mark.kind}:{mark.item}:{mark.attempt}:{mark.state}"
        with self._store.writer() as tx:
            tx.append(stream, _event(mark), key=key)


def _event(mark: StepMark) -> StepFact:
    execution = ExecutionRef(workflow_id=mark.workflow_id, temporal_run_id=mark.run_id)
    match mark.state:
        case "started":
            return PipelineStepStarted(
                execution=execution, step_kind=mark.kind, item_key=mark.item, attempt=mark.attempt
            )
        case "completed":
            return PipelineStepCompleted(
                execution=execution,
                step_kind=mark.kind,
                item_key=mark.item,
                attempt=mark.attempt,
                item_count=mark.item_count,
                duration_ms=mark.duration_ms,
            )
        case _:
            return PipelineStepFailed(
                execution=execution,
                step_kind=mark.kind,
                item_key=mark.item,
                attempt=mark.attempt,
                error_code=mark.error_code or "unclassified",
                retryable=mark.retryable,
                duration_ms=mark.duration_ms,
            )
