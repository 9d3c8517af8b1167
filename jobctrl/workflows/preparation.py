"""JobPreparationWorkflow: score one job, and prepare its materials when the score allows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.errors import InvalidRequest, OwnershipLost
    from jobctrl.materials.activities import (
        CoverInput,
        MaterialsActivities,
        RenderInput,
        StepResult,
        TailorInput,
    )
    from jobctrl.pipeline.activities import PipelineActivities, SettleInput
    from jobctrl.pipeline.targets import STEPS
    from jobctrl.scoring.activities import ScoreInput, ScoringActivities
    from jobctrl.workflows.envelope import Envelope, classified
    from jobctrl.workflows.options import MARK, MATERIALS, MODEL_CALL, RENDER

_GOES_ON = ("ok", "already_done")
_STAGE_OF = {"score": "score", "tailor": "tailor", "cover": "cover"}
_SPENDING = ("score", "tailor", "cover")


@dataclass(frozen=True)
class PreparationInput:
    workspace: str
    job_id: str
    steps: list[str]
    key: str
    """The idempotency key: what is prepared, and for which facts."""
    discover_workflow_id: str | None = None
    discover_run_id: str | None = None
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
            spends="score" if any(step in _SPENDING for step in input.steps) else None,
            report=lambda result: {"completed": result.steps_completed, "skipped": result.steps_skipped},
        )
        return await envelope.around(lambda: self._prepare(input))

    async def _prepare(self, input: PreparationInput) -> PreparationResult:
        unknown = [step for step in input.steps if step not in STEPS]
        if unknown:
            raise ApplicationError(
                f"There are no such steps: {', '.join(unknown)}.", type=InvalidRequest.code, non_retryable=True
            )
        completed: list[str] = []
        wanted = [step for step in STEPS if step in input.steps]
        for number, step in enumerate(wanted):
            try:
                result = await self._step(step, input)
            except BaseException as error:
                if is_cancelled_exception(error):
                    await asyncio.shield(self._settle(step, input, error, canceled=True))
                    raise
                if not isinstance(error, ActivityError):
                    raise
                code, message, _ = classified(error)
                if code == OwnershipLost.code:
                    # Another run has the job; it does what this one would have done.
                    return PreparationResult(completed, wanted[number:])
                if await self._settle(step, input, error) == "restored":
                    completed.append(step)
                    continue
                return PreparationResult(completed, wanted[number + 1 :], [step], message, code)
            if result.status not in _GOES_ON:
                return PreparationResult(completed, wanted[number:])
            completed.append(step)
        return PreparationResult(completed)

    async def _step(self, step: str, input: PreparationInput) -> StepResult:
        place: dict[str, Any] = {"workspace": input.workspace, "job_id": input.job_id}
        match step:
            case "score":
                scored = await workflow.execute_activity_method(
                    ScoringActivities.score_job, ScoreInput(**place), **MODEL_CALL
                )
                return StepResult(scored.status)
            case "tailor":
                return await workflow.execute_activity_method(
                    MaterialsActivities.tailor_job, TailorInput(**place), **MATERIALS
                )
            case "cover":
                return await workflow.execute_activity_method(
                    MaterialsActivities.cover_letter, CoverInput(**place), **MATERIALS
                )
            case _:
                return await workflow.execute_activity_method(
                    MaterialsActivities.render_pdf, RenderInput(**place), **RENDER
                )

    async def _settle(self, step: str, input: PreparationInput, error: BaseException, *, canceled: bool = False) -> str:
        """Leave no stage of this run running."""
        if step not in _STAGE_OF:
            return "untouched"
        code, message, retryable = classified(error)
        info = workflow.info()
        return await workflow.execute_local_activity_method(
            PipelineActivities.settle_owned_stage,
            SettleInput(
                workspace=input.workspace,
                job_id=input.job_id,
                stage=_STAGE_OF[step],  # type: ignore[arg-type]
                workflow_id=info.workflow_id,
                run_id=info.run_id,
                error_code=code,
                error_message=message,
                retryable=retryable,
                canceled=canceled,
            ),
            **MARK,
        )
