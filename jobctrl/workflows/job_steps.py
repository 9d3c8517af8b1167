"""One job through its steps, in their order, under whatever run asks for them; no stage of it is left running."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from temporalio import workflow
from temporalio.common import RetryPolicy
from temporalio.exceptions import ActivityError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.errors import OwnershipLost
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
    from jobctrl.store import Execution
    from jobctrl.workflows.envelope import classified
    from jobctrl.workflows.marked import StepMarks
    from jobctrl.workflows.options import MARK, MATERIALS, MODEL_CALL, RENDER

SPENDING = ("score", "tailor", "cover")
_GOES_ON = ("ok", "already_done")
_STAGE_OF = {"score": "score", "tailor": "tailor", "cover": "cover"}


@dataclass(frozen=True)
class StepsTaken:
    """How far one job came."""

    completed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    failure: str | None = None
    error_code: str | None = None


async def take_steps(
    workspace: str, job_id: str, steps: Iterable[str], *, discovery: Execution | None = None, once: bool = False
) -> StepsTaken:
    """Take *steps* in the order of all steps. A failed one ends the way; a canceled one is settled, and raised.

    *discovery* is the Discover execution that the job is prepared for; its PDF is a step of that one. *once* leaves
    it to whoever asks to try a stage again: an activity of it that fails has failed.
    """
    asked = set(steps)
    completed: list[str] = []
    wanted = [step for step in STEPS if step in asked]
    for number, step in enumerate(wanted):
        try:
            work = _step(step, workspace, job_id, once=once)
            if step == "pdf" and discovery is not None:
                work = StepMarks(workspace, discovery).step("pdf_render", f"job:{job_id}", work, _rendered)
            result = await work
        except BaseException as error:
            if is_cancelled_exception(error):
                await asyncio.shield(_settle(step, workspace, job_id, error, canceled=True))
                raise
            if not isinstance(error, ActivityError):
                raise
            code, message, _ = classified(error)
            if code == OwnershipLost.code:
                # Another run has the job; it does what this one would have done.
                return StepsTaken(completed, wanted[number:])
            if await _settle(step, workspace, job_id, error) == "restored":
                completed.append(step)
                continue
            return StepsTaken(completed, wanted[number + 1 :], [step], message, code)
        if result.status not in _GOES_ON:
            return StepsTaken(completed, wanted[number:])
        completed.append(step)
    return StepsTaken(completed)


async def _step(step: str, workspace: str, job_id: str, *, once: bool) -> StepResult:
    place: dict[str, Any] = {"workspace": workspace, "job_id": job_id}
    match step:
        case "score":
            scored = await workflow.execute_activity_method(
                ScoringActivities.score_job, ScoreInput(**place), **tries(MODEL_CALL, once=once)
            )
            return StepResult(scored.status)
        case "tailor":
            return await workflow.execute_activity_method(
                MaterialsActivities.tailor_job, TailorInput(**place), **tries(MATERIALS, once=once)
            )
        case "cover":
            return await workflow.execute_activity_method(
                MaterialsActivities.cover_letter, CoverInput(**place), **tries(MATERIALS, once=once)
            )
        case _:
            # It is no stage, and nobody counts its attempts in the log: its retries are the server's in any case.
            return await workflow.execute_activity_method(
                MaterialsActivities.render_pdf, RenderInput(**place), **RENDER
            )


def tries(options: dict[str, Any], *, once: bool) -> dict[str, Any]:
    """The options of an activity, without its retries for *once*."""
    return {**options, "retry_policy": RetryPolicy(maximum_attempts=1)} if once else options


def _rendered(result: StepResult) -> int:
    return int(result.status in _GOES_ON)


async def _settle(step: str, workspace: str, job_id: str, error: BaseException, *, canceled: bool = False) -> str:
    """Leave no stage of this run running."""
    if step not in _STAGE_OF:
        return "untouched"
    code, message, retryable = classified(error)
    info = workflow.info()
    return await workflow.execute_local_activity_method(
        PipelineActivities.settle_owned_stage,
        SettleInput(
            workspace=workspace,
            job_id=job_id,
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
