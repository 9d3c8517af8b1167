"""The marks of a Discover execution's steps, as local activities."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from temporalio import activity

from jobctrl.pipeline.coverage import mark_step
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepQueued,
    PipelineStepStarted,
    StepFact,
    StepKind,
)
from jobctrl.store import Execution, Store
from jobctrl.workflows.marks import run_stream


@dataclass(frozen=True)
class StepMark:
    workspace: str
    execution: Execution
    """The Discover execution whose step it is, also when another run takes it."""
    kind: StepKind
    item: str
    state: Literal["queued", "started", "completed", "failed"]
    attempt: int = 1
    item_count: int | None = None
    error_code: str | None = None
    retryable: bool = False
    duration_ms: int | None = None


class Steps:
    def __init__(self, store: Store) -> None:
        self._store = store

    @activity.defn
    async def record_steps(self, marks: list[StepMark]) -> None:
        """The marks, all or none; the key of each is the exact execution, the step, the attempt and the state."""
        await asyncio.to_thread(self._record, marks)

    def _record(self, marks: list[StepMark]) -> None:
        with self._store.writer() as tx:
            for mark in marks:
                run = mark.execution
                mark_step(tx, run_stream(run.workflow_id, run.run_id), _event(mark))


def _event(mark: StepMark) -> StepFact:
    step = {
        "execution": ExecutionRef(workflow_id=mark.execution.workflow_id, temporal_run_id=mark.execution.run_id),
        "step_kind": mark.kind,
        "item_key": mark.item,
        "attempt": mark.attempt,
        "item_count": mark.item_count,
    }
    match mark.state:
        case "queued":
            return PipelineStepQueued.model_validate(step)
        case "started":
            return PipelineStepStarted.model_validate(step)
        case "completed":
            return PipelineStepCompleted.model_validate({**step, "duration_ms": mark.duration_ms})
        case "failed":
            failure = {"error_code": mark.error_code or "unclassified", "retryable": mark.retryable}
            return PipelineStepFailed.model_validate({**step, **failure, "duration_ms": mark.duration_ms})
