"""ScheduledDiscoverWorkflow: what the schedule starts. It runs Discover under the id that a person's own run has."""

from __future__ import annotations

from dataclasses import dataclass

from temporalio import workflow
from temporalio.exceptions import ChildWorkflowError, WorkflowAlreadyStartedError, is_cancelled_exception
from temporalio.workflow import ParentClosePolicy

with workflow.unsafe.imports_passed_through():
    from jobctrl.workflows.discover import DiscoverInput, DiscoverWorkflow
    from jobctrl.workflows.envelope import Envelope, classified
    from jobctrl.workflows.ids import DISCOVER


@dataclass(frozen=True)
class ScheduledResult:
    joined: bool = False
    """Whether a run was under way already: it reads the same boards at this moment."""
    failure: str | None = None
    error_code: str | None = None


@workflow.defn
class ScheduledDiscoverWorkflow:
    """Temporal names each run of a schedule anew; the id of the child is what keeps two Discovers from being live."""

    @workflow.run
    async def run(self, input: DiscoverInput) -> ScheduledResult:
        envelope = Envelope(
            "ScheduledDiscoverWorkflow", input.workspace, report=lambda result: {"joinedRunningDiscover": result.joined}
        )
        return await envelope.around(lambda: self._discover(input))

    async def _discover(self, input: DiscoverInput) -> ScheduledResult:
        try:
            await workflow.execute_child_workflow(
                DiscoverWorkflow.run, input, id=DISCOVER, parent_close_policy=ParentClosePolicy.ABANDON
            )
        except WorkflowAlreadyStartedError:
            return ScheduledResult(joined=True)
        except ChildWorkflowError as error:
            if is_cancelled_exception(error):
                raise
            code, message, _ = classified(error)
            return ScheduledResult(failure=message, error_code=code)
        return ScheduledResult()
