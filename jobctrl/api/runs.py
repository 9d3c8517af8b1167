"""The workflow runs, the newest first, and asking one to stop."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response, status

from jobctrl.api.answers import Acting, Body, camel, document
from jobctrl.api.pipeline import check_served

router = APIRouter()


@router.get("/v1/workflow-runs")
def workflow_runs(operator: Acting, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> dict[str, Any]:
    """What was started, how it stands or ended, and why."""
    items = []
    for run in operator.runs(limit):
        item = camel(run)
        item["inputSummary"], item["summary"] = document(run.input_summary), document(run.summary)
        item["retryable"] = None if run.retryable is None else bool(run.retryable)
        items.append(item)
    return {"items": items, "limit": limit}


class Canceling(Body):
    status: Literal["canceling", "already_ended"]
    workflow_id: str
    run_id: str


@router.post("/v1/workflow-runs/{workflow_id}/cancel", status_code=status.HTTP_202_ACCEPTED)
def cancel(workflow_id: str, operator: Acting, response: Response) -> Canceling:
    """Ask the run that is open under this id to stop. What it has finished stays."""
    run = operator.newest_run(workflow_id)
    if run.status != "in_progress":
        response.status_code = status.HTTP_200_OK
        return Canceling(status="already_ended", workflow_id=workflow_id, run_id=run.run_id)
    check_served(operator)
    operator.cancel_run(workflow_id)
    return Canceling(status="canceling", workflow_id=workflow_id, run_id=run.run_id)
