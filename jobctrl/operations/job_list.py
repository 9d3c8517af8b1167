"""The job list: one row a job, made to be filtered and sorted. Light, so that a list is there at once."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from jobctrl.errors import InvalidRequest
from jobctrl.store import Row, Table

CLOSED_STATES = ("closed", "expired", "removed", "location_incompatible")
SORTS = {
    "score": "fit_score DESC NULLS LAST, discovered_at DESC, job_id",
    "newest": "discovered_at DESC, job_id",
    "published": "published DESC NULLS LAST, job_id",
    "employer": "employer, title, job_id",
}


class Job(Row, frozen=True):
    job_id: str
    title: str
    employer: str | None
    url: str
    apply_url: str | None
    source_id: str
    native_id: str
    places: str
    """`City, Region, Country; …`"""
    countries: str
    """ISO codes between commas, as in `,PL,PT,`."""
    mode: str
    mode_conflict: int
    pay_state: str
    pay_currency: str | None
    pay_period: str | None
    pay_low: float | None
    pay_high: float | None
    employment_type: str | None
    department: str | None
    language: str | None
    published: str | None
    closes: str | None
    discovered_at: str
    updated_at: str
    observations: int = 0
    merges: int = 0
    active_state: str = "unknown"
    hidden: int = 0
    feedback: str | None = None
    current_stage: str = "enrich"
    current_state: str = "pending"
    enrich_state: str = "pending"
    score_state: str = "pending"
    tailor_state: str = "pending"
    cover_state: str = "pending"
    error_code: str | None = None
    fit_score: int | None = None
    fit_band: str | None = None
    score_confidence: str | None = None
    eligibility: str | None = None
    score_version: int | None = None
    corrected: int = 0
    has_resume: int = 0
    has_letter: int = 0
    has_pdf: int = 0
    applied_at: str | None = None
    applied_score: int | None = None
    replied_at: str | None = None
    interview_at: str | None = None
    offer_at: str | None = None
    rejected_at: str | None = None
    simulated: int = 0
    snoozed_until: str | None = None


JOB_LIST = Table(name="jobs", version=3, row=Job, key=("job_id",))


@dataclass(frozen=True)
class JobFilter:
    """Which jobs are listed. None does not filter."""

    min_score: int | None = None
    stage: str | None = None
    state: str | None = None
    source_id: str | None = None
    country: str | None = None
    mode: str | None = None
    text: str | None = None
    """Words of the title or the employer."""
    hidden: bool = False
    closed: bool = False
    """Also postings that are known to be closed."""
    sort: str = "score"
    limit: int = 50
    """0 is all."""
    offset: int = 0


def find_jobs(connection: sqlite3.Connection, wanted: JobFilter) -> list[Job]:
    """The jobs that *wanted* keeps, sorted. Raises InvalidRequest for an unknown order."""
    if wanted.sort not in SORTS:
        raise InvalidRequest(f"Jobs are not sorted by {wanted.sort!r}; these work: {', '.join(SORTS)}.")
    where, values = _condition(connection, wanted)
    page = [*values, wanted.limit or -1, wanted.offset]
    return JOB_LIST.all(connection, f"{where} ORDER BY {SORTS[wanted.sort]} LIMIT ? OFFSET ?", page)


def count_jobs(connection: sqlite3.Connection, wanted: JobFilter) -> int:
    """How many jobs *wanted* keeps, on all its pages."""
    where, values = _condition(connection, wanted)
    return int(connection.execute(f"SELECT COUNT(*) FROM jobs WHERE {where}", values).fetchone()[0])


def _condition(connection: sqlite3.Connection, wanted: JobFilter) -> tuple[str, list[Any]]:
    """The filter as SQL, with its values bound."""
    conditions: list[str] = [] if wanted.hidden else ["hidden = 0"]
    values: list[Any] = []
    equal = {
        "current_stage": wanted.stage,
        "current_state": wanted.state,
        "source_id": wanted.source_id,
        "mode": wanted.mode,
    }
    for column, value in equal.items():
        if value is not None:
            conditions.append(f"{column} = ?")
            values.append(value)
    if wanted.min_score is not None:
        conditions.append("fit_score >= ?")
        values.append(wanted.min_score)
    if wanted.country is not None:
        conditions.append("countries LIKE '%,' || ? || ',%'")
        values.append(wanted.country.upper())
    if wanted.text:
        from jobctrl.postings.text import fold

        # SQLite itself knows upper and lower case of ASCII alone.
        connection.create_function("folded", 1, fold, deterministic=True)
        for word in fold(wanted.text).split():
            conditions.append("instr(folded(title || ' ' || COALESCE(employer, '')), ?)")
            values.append(word)
    if not wanted.closed:
        conditions.append(f"active_state NOT IN ({', '.join('?' * len(CLOSED_STATES))})")
        values.extend(CLOSED_STATES)
    return " AND ".join(conditions) or "1", values
