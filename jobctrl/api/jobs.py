"""The job list and one job in full."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from jobctrl.api.answers import Acting, Body, JobSummary, camel, summary
from jobctrl.operations.job_list import JobFilter

router = APIRouter()


class JobQuery(Body):
    """The filters of `jobctrl jobs`, and which page."""

    min_score: int | None = None
    stage: str | None = None
    state: str | None = None
    source: str | None = None
    country: str | None = None
    mode: Literal["remote", "hybrid", "on_site", "unknown"] | None = None
    text: str | None = None
    hidden: bool = False
    closed: bool = False
    sort: Literal["score", "newest", "published", "employer"] = "score"
    limit: Annotated[int, Query(ge=1, le=200)] = 50
    offset: Annotated[int, Query(ge=0)] = 0


class JobPage(Body):
    items: list[JobSummary]
    total: int
    limit: int
    offset: int
    next_offset: int | None
    """Where the next page begins; null on the last one."""


@router.get("/v1/jobs")
def jobs(query: Annotated[JobQuery, Query()], operator: Acting) -> JobPage:
    """One page of the jobs that the filters keep, the best first unless asked otherwise."""
    wanted = JobFilter(
        query.min_score,
        query.stage,
        query.state,
        query.source,
        query.country,
        query.mode,
        query.text,
        query.hidden,
        query.closed,
        query.sort,
        query.limit,
        query.offset,
    )
    total, end = operator.count_jobs(wanted), query.offset + query.limit
    return JobPage(
        items=[summary(job) for job in operator.jobs(wanted)],
        total=total,
        limit=query.limit,
        offset=query.offset,
        next_offset=end if end < total else None,
    )


@router.get("/v1/jobs/{key:path}")
def job(key: str, operator: Acting) -> dict[str, Any]:
    """One job in full, by its id or the beginning of it, its address, or the board's own id."""
    view = operator.show_job(key)
    return {**camel(view), "job": summary(view.job).model_dump(by_alias=True)}
