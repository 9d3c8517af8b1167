"""Starting work, and trying again what failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response, status
from pydantic import Field

from jobctrl.api.answers import Acting, Body
from jobctrl.api.failures import WorkerRuntimeUnavailable
from jobctrl.api.hosting import is_served
from jobctrl.errors import InvalidRequest, TransientNetwork
from jobctrl.operator import Operator, Started
from jobctrl.operator.runs import MOST_AT_ONCE, JobsRun, Retried
from jobctrl.pipeline.order import PIPELINE, in_order
from jobctrl.pipeline.targets import STEPS

router = APIRouter()
KNOWN = (*PIPELINE, "pdf")
MOST_JOBS = 500
"""Jobs that one call may name."""


class RunStage(Body):
    stages: Annotated[list[str], Field(min_length=1)]
    """discover, enrich, score, tailor, cover, pdf."""
    job_ids: list[str] = []
    """Which jobs are prepared; none means every job that can go a step further."""
    limit: Annotated[int, Field(ge=0)] = 0
    """How many jobs are prepared at most; 0 is all."""
    workers: Annotated[int, Field(ge=0, le=MOST_AT_ONCE)] = 0
    """How many jobs are under way at once; 0 is the setting."""
    rescore: bool = False
    retailor: bool = False


class RetryStage(Body):
    stage: str
    reset_attempts: bool = False
    run_after: bool = False


class RetryFailed(Body):
    stage: str | None = None
    """None opens every stage that failed."""
    run_after: bool = False


class RunJobStage(Body):
    stage: str


class RunPending(Body):
    job_keys: Annotated[list[str], Field(min_length=1, max_length=MOST_JOBS)]


class RunRef(Body):
    workflow_id: str
    run_id: str


class Dispatched(Body):
    status: Literal["queued", "nothing_to_do"]
    workflow_id: str | None
    run_id: str | None
    """The first run; `runs` has them all."""
    runs: list[RunRef]


class ResetStage(Body):
    job_id: str
    stage: str


class RetryAnswer(Body):
    status: Literal["queued", "reset", "nothing_to_do"]
    count: int
    """How many stages wait again."""
    reset: list[ResetStage]
    runs: list[RunRef]


class StageRun(Body):
    status: Literal["queued", "not_eligible"]
    count: int
    """How many jobs go on."""
    stage_counts: dict[str, int]
    """By the stage that each goes on with."""
    refused: dict[str, str]
    """Why each of the others does not."""
    runs: list[RunRef]


@router.post("/v1/pipeline/actions/run-stage", status_code=status.HTTP_202_ACCEPTED)
def run_stage(body: RunStage, operator: Acting, request: Request, response: Response) -> Dispatched:
    """Start stages. Their outcome comes later, in the stream and in the list of runs."""
    check(body)
    check_served(operator)
    started = _start(body, operator, request.app.state.web)
    if not started:
        response.status_code = status.HTTP_200_OK
        return Dispatched(status="nothing_to_do", workflow_id=None, run_id=None, runs=[])
    runs = _refs(started)
    return Dispatched(status="queued", workflow_id=runs[0].workflow_id, run_id=runs[0].run_id, runs=runs)


@router.post("/v1/jobs/bulk-retry-failed")
def retry_failed(body: RetryFailed, operator: Acting, request: Request, response: Response) -> RetryAnswer:
    """Open every failed stage that is worth another try; run them when asked to, if a worker is there to do it."""
    if body.run_after:
        check_served(operator)
    done = operator.retry_failed(body.stage, run_after=body.run_after, web=request.app.state.web)
    return _retried(done, response)


@router.post("/v1/jobs/{key:path}/actions/retry")
def retry(key: str, body: RetryStage, operator: Acting, request: Request, response: Response) -> RetryAnswer:
    """Open one stage of a job again; run it and what follows when asked to, if a worker is there to do it."""
    if body.run_after:
        check_served(operator)
    done = operator.retry(
        body.stage, key, reset_attempts=body.reset_attempts, run_after=body.run_after, web=request.app.state.web
    )
    return _retried(done, response)


@router.post("/v1/jobs/bulk-run-pending-preparation")
def run_pending(body: RunPending, operator: Acting, request: Request, response: Response) -> StageRun:
    """Run what waits for the named jobs, each from its first stage without a result."""
    return _run_jobs(lambda: operator.run_pending(body.job_keys, web=request.app.state.web), response)


@router.post("/v1/jobs/{key:path}/actions/run-stage")
def run_job_stage(key: str, body: RunJobStage, operator: Acting, request: Request, response: Response) -> StageRun:
    """Run one stage of a job and what follows, if it waits and has what it needs."""
    return _run_jobs(lambda: operator.run_job_stage(body.stage, key, web=request.app.state.web), response)


def _run_jobs(act: Callable[[], JobsRun], response: Response) -> StageRun:
    try:
        done = act()
    except TransientNetwork as error:
        raise WorkerRuntimeUnavailable(error.message, hint=error.hint) from error
    if done.runs:
        response.status_code = status.HTTP_202_ACCEPTED
    counts = {stage: len(job_ids) for stage, job_ids in done.stages.items()}
    return StageRun(
        status="queued" if done.runs else "not_eligible",
        count=sum(counts.values()),
        stage_counts=counts,
        refused=done.refused,
        runs=_refs(done.runs),
    )


def check_served(operator: Operator) -> None:
    """Raises WorkerRuntimeUnavailable when nothing runs the workspace, or no worker of it is there."""
    if not is_served(operator):
        raise WorkerRuntimeUnavailable(hint="Start it with `jobctrl up` in a terminal, then ask again.")
    try:
        operator.dispatch.check_ready()
    except TransientNetwork as error:
        raise WorkerRuntimeUnavailable(error.message, hint=error.hint) from error


def check(body: RunStage) -> None:
    """Raises InvalidRequest for stages that cannot be started this way."""
    unknown = sorted(set(body.stages) - {*KNOWN, "apply"})
    if unknown:
        raise InvalidRequest(f"There are no such stages: {', '.join(unknown)}; these are: {', '.join(KNOWN)}.")
    # Whatever comes with it, applying is refused in the same words.
    in_order([stage for stage in body.stages if stage != "pdf"] or ["cover"])
    if "discover" in body.stages and body.job_ids:
        raise InvalidRequest(
            "Discover reads whole boards and takes no jobIds.", hint="Ask for the stages of these jobs without it."
        )
    if "pdf" in body.stages and _is_serial(body) and "cover" not in body.stages:
        raise InvalidRequest("Beside these stages the pdf comes with cover.", hint="Ask for cover instead.")


def _is_serial(body: RunStage) -> bool:
    """Whether it takes a run over all its stages; stages of preparation alone are a run a job."""
    asked = set(body.stages)
    return body.rescore or body.retailor or "enrich" in asked or (len(asked) > 1 and "discover" in asked)


def _start(body: RunStage, operator: Operator, web: str) -> list[Started]:
    if _is_serial(body):
        stages = [stage for stage in body.stages if stage != "pdf"]
        return [
            operator.run_stages(
                stages,
                keys=tuple(body.job_ids),
                web=web,
                limit=body.limit,
                workers=body.workers,
                rescore=body.rescore,
                retailor=body.retailor,
            )
        ]
    if "discover" in body.stages:
        return [operator.start_discover(web=web, limit=body.limit, prepare=False)]
    steps = tuple(step for step in STEPS if step in body.stages)
    return operator.start_preparation(keys=tuple(body.job_ids), steps=steps, limit=body.limit)


def _retried(done: Retried, response: Response) -> RetryAnswer:
    if done.runs:
        response.status_code = status.HTTP_202_ACCEPTED
    return RetryAnswer(
        status="queued" if done.runs else "reset" if done.reset else "nothing_to_do",
        count=len(done.reset),
        reset=[ResetStage(job_id=each.job_id, stage=each.stage) for each in done.reset],
        runs=_refs(done.runs),
    )


def _refs(started: list[Started]) -> list[RunRef]:
    return [RunRef(workflow_id=each.workflow_id, run_id=each.run_id) for each in started]
