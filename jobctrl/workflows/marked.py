"""A step of a Discover execution between its marks: started, then completed or failed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.pipeline.events import StepKind
    from jobctrl.store import Execution
    from jobctrl.workflows.envelope import classified
    from jobctrl.workflows.options import MARK
    from jobctrl.workflows.steps import StepMark, Steps

T = TypeVar("T")


def this_execution() -> Execution:
    """The exact execution of the workflow that asks."""
    info = workflow.info()
    return Execution(info.workflow_id, info.run_id)


@dataclass(frozen=True)
class StepMarks:
    """The steps of one execution, whichever run takes them."""

    workspace: str
    execution: Execution

    async def queue(self, kind: StepKind, items: list[str]) -> None:
        """Tell at once which steps there will be."""
        await _record([StepMark(self.workspace, self.execution, kind, item, "queued") for item in items])

    async def step(self, kind: StepKind, item: str, work: Awaitable[T], count: Callable[[T], int | None]) -> T:
        """Await *work* between its marks; *count* is how many items its result is about."""
        began = workflow.now()
        mark = StepMark(self.workspace, self.execution, kind, item, "started")
        await _record([mark])
        try:
            result = await work
        except BaseException as error:
            if is_cancelled_exception(error):
                # Shielded: the step has ended, whatever becomes of its run.
                ended = replace(mark, state="failed", error_code="workflow_canceled", duration_ms=_since(began))
                await asyncio.shield(_record([ended]))
            elif isinstance(error, ActivityError):
                code, _, retryable = classified(error)
                ended = replace(mark, state="failed", error_code=code, retryable=retryable)
                await _record([replace(ended, duration_ms=_since(began))])
            raise
        await _record([replace(mark, state="completed", item_count=count(result), duration_ms=_since(began))])
        return result


async def _record(marks: list[StepMark]) -> None:
    await workflow.execute_local_activity_method(Steps.record_steps, marks, **MARK)


def _since(began: datetime) -> int:
    return int((workflow.now() - began).total_seconds() * 1000)
