"""Starting work: the boards, or the preparation of jobs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response, status
from pydantic import Field

from jobctrl.api.answers import Acting, Body
from jobctrl.api.failures import WorkerRuntimeUnavailable
from jobctrl.api.hosting import is_served
from jobctrl.errors import InvalidRequest
from jobctrl.operator import Operator, Started
from jobctrl.pipeline.targets import STEPS

router = APIRouter()
KNOWN = ("discover", *STEPS)


class RunStage(Body):
    stages: Annotated[list[str], Field(min_length=1)]
    """discover, score, tailor, cover, pdf."""
    job_ids: list[str] = []
    """Which jobs are prepared; none means every job that can go a step further."""
    limit: Annotated[int, Field(ge=0)] = 0
    """How many jobs are prepared at most; 0 is all."""


class RunRef(Body):
    workflow_id: str
    run_id: str


class Dispatched(Body):
    status: Literal["queued", "nothing_to_do"]
    workflow_id: str | None
    run_id: str | None
    """The first run; `runs` has them all."""
    runs: list[RunRef]


@router.post("/v1/pipeline/actions/run-stage", status_code=status.HTTP_202_ACCEPTED)
def run_stage(body: RunStage, operator: Acting, request: Request, response: Response) -> Dispatched:
    """Start stages. Their outcome comes later, in the stream and in the list of runs."""
    check(body)
    if not is_served(operator):
        raise WorkerRuntimeUnavailable(hint="Start it with `jobctrl up` in a terminal, then ask again.")
    started = _start(body, operator, request.app.state.web)
    if not started:
        response.status_code = status.HTTP_200_OK
        return Dispatched(status="nothing_to_do", workflow_id=None, run_id=None, runs=[])
    runs = [RunRef(workflow_id=each.workflow_id, run_id=each.run_id) for each in started]
    return Dispatched(status="queued", workflow_id=runs[0].workflow_id, run_id=runs[0].run_id, runs=runs)


def check(body: RunStage) -> None:
    """Raises InvalidRequest for stages that cannot be started this way."""
    if "apply" in body.stages:
        raise InvalidRequest(
            "Applying is not started as a stage: every application needs a person's approval of its exact materials.",
            hint="Review the job with `jobctrl show JOB`, apply by hand, then `jobctrl jobs applied JOB`.",
        )
    unknown = sorted(set(body.stages) - set(KNOWN))
    if unknown:
        raise InvalidRequest(f"There are no such stages: {', '.join(unknown)}; these are: {', '.join(KNOWN)}.")
    if "discover" in body.stages and body.job_ids:
        raise InvalidRequest(
            "Discover reads whole boards and takes no jobIds.", hint="Ask for the stages of these jobs without it."
        )


def _start(body: RunStage, operator: Operator, web: str) -> list[Started]:
    steps = tuple(step for step in STEPS if step in body.stages)
    if "discover" in body.stages:
        return [operator.start_discover(web=web, limit=body.limit, prepare=bool(steps))]
    return operator.start_preparation(keys=tuple(body.job_ids), steps=steps, limit=body.limit)
