"""The envelope of every workflow: a start mark, a spend check, the body, and one terminal event on every path."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from temporalio import workflow
from temporalio.exceptions import (
    ActivityError,
    ApplicationError,
    CancelledError,
    ChildWorkflowError,
    is_cancelled_exception,
)

with workflow.unsafe.imports_passed_through():
    from jobctrl.workflows.marks import Marks, OutcomeMark, SpendCheck, StartMark
    from jobctrl.workflows.options import MARK, SPEND_CHECK


class Ended(Protocol):
    """What a body returns: its result, and the failure it holds when it failed without raising."""

    @property
    def failure(self) -> str | None: ...

    @property
    def error_code(self) -> str | None: ...


R = TypeVar("R", bound=Ended)


@dataclass(frozen=True)
class Envelope:
    """How one workflow is marked. `summary` carries ids, counts and switches only; never text, addresses or paths."""

    workflow_type: str
    workspace: str
    summary: Mapping[str, Any] = field(default_factory=dict)
    spends: str | None = None
    """The lane that is checked before the body starts; None for work that costs nothing."""
    report: Callable[[Any], Mapping[str, Any]] = lambda result: {}
    """What of the result the terminal event carries."""

    async def around(self, body: Callable[[], Awaitable[R]]) -> R:
        """Run *body* between its marks. A failed result and a raised failure are recorded alike."""
        try:
            await self._started()
            if self.spends is not None:
                await workflow.execute_local_activity_method(
                    Marks.check_spend_budget, SpendCheck(self.workspace, self.spends), **SPEND_CHECK
                )
            result = await body()
        except BaseException as error:
            if is_cancelled_exception(error):
                await self._ended("canceled", code="workflow_canceled", message="The run was canceled.")
                raise
            if not isinstance(error, Exception):
                raise
            code, message, retryable = classified(error)
            await self._ended("failed", code=code, message=message, retryable=retryable)
            raise ApplicationError(message, type=code, non_retryable=True) from error
        report = dict(self.report(result))
        if result.failure is not None:
            code = result.error_code or "workflow_error"
            await self._ended("failed", code=code, message=result.failure, report=report)
        else:
            await self._ended("succeeded", report=report)
        return result

    async def _started(self) -> None:
        info = workflow.info()
        mark = StartMark(
            self.workspace,
            info.workflow_id,
            info.run_id,
            self.workflow_type,
            dict(self.summary),
            workflow.now().isoformat(timespec="milliseconds"),
        )
        await workflow.execute_local_activity_method(Marks.record_workflow_started, mark, **MARK)

    async def _ended(
        self,
        status: str,
        *,
        code: str | None = None,
        message: str | None = None,
        retryable: bool = False,
        report: Mapping[str, Any] | None = None,
    ) -> None:
        info = workflow.info()
        mark = OutcomeMark(
            self.workspace,
            info.workflow_id,
            info.run_id,
            self.workflow_type,
            status,
            code,
            message,
            retryable,
            int((workflow.now() - info.start_time).total_seconds() * 1000),
            dict(report or {}),
        )
        # Shielded: a cancellation that comes now must not keep the run from being closed.
        await asyncio.shield(workflow.execute_local_activity_method(Marks.record_workflow_outcome, mark, **MARK))


def classified(error: BaseException) -> tuple[str, str, bool]:
    """The code, the words and the retryability of a failure. The words are ours, never fetched text."""
    cause: BaseException | None = error
    while isinstance(cause, ActivityError | ChildWorkflowError) and cause.cause is not None:
        cause = cause.cause
    if isinstance(cause, ApplicationError):
        return cause.type or "unclassified", cause.message, not cause.non_retryable
    if isinstance(cause, CancelledError):
        return "workflow_canceled", "The run was canceled.", False
    return "workflow_error", type(cause).__name__, True
