"""JobPreparationWorkflow: score one job, and prepare its materials when the score allows."""

from __future__ import annotations

from dataclasses import dataclass, field

from temporalio import workflow
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from jobctrl.errors import InvalidRequest
    from jobctrl.pipeline.targets import STEPS
    from jobctrl.store import Execution
    from jobctrl.workflows.envelope import Envelope
    from jobctrl.workflows.job_steps import SPENDING, take_steps


@dataclass(frozen=True)
class PreparationInput:
    workspace: str
    job_id: str
    steps: list[str]
    key: str
    """The idempotency key: what is prepared, and for which facts."""
    discovery: Execution | None = None
    """The Discover execution that asked for it, if one did."""


@dataclass(frozen=True)
class PreparationResult:
    steps_completed: list[str] = field(default_factory=list)
    steps_skipped: list[str] = field(default_factory=list)
    steps_failed: list[str] = field(default_factory=list)
    failure: str | None = None
    error_code: str | None = None


@workflow.defn
class JobPreparationWorkflow:
    """Score, tailor, cover, pdf: always in this order, as many of them as were asked for."""

    @workflow.run
    async def run(self, input: PreparationInput) -> PreparationResult:
        envelope = Envelope(
            "JobPreparationWorkflow",
            input.workspace,
            summary={"jobId": input.job_id, "steps": input.steps, "key": input.key},
            spends="score" if any(step in SPENDING for step in input.steps) else None,
            report=lambda result: {"completed": result.steps_completed, "skipped": result.steps_skipped},
        )
        return await envelope.around(lambda: self._prepare(input))

    async def _prepare(self, input: PreparationInput) -> PreparationResult:
        unknown = [step for step in input.steps if step not in STEPS]
        if unknown:
            raise ApplicationError(
                f"There are no such steps: {', '.join(unknown)}.", type=InvalidRequest.code, non_retryable=True
            )
        taken = await take_steps(input.workspace, input.job_id, input.steps, discovery=input.discovery)
        return PreparationResult(taken.completed, taken.skipped, taken.failed, taken.failure, taken.error_code)
