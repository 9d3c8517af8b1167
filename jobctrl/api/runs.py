"""The workflow runs, the newest first."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from jobctrl.api.answers import Acting, camel, document

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
