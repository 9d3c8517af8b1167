"""The lists a person works from: new good jobs, all jobs, runs and what stands still."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any, Literal

import polars as pl
from duckdb import CatalogException, DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.source_quality import GOOD
from jobctrl.operations.saved_filters import BoardFilter
from jobctrl.store import script

__all__ = [
    "AGES",
    "BAND_ORDER",
    "SORTS",
    "BoardFilter",
    "facets",
    "inbox",
    "jobs_board",
    "jobs_found",
    "run_counts",
    "run_steps",
    "runs",
    "stage_errors",
    "standing",
]
Show = Literal["waiting", "snoozed", "kept", "dismissed"]
BAND_ORDER = ("excellent", "strong", "plausible", "stretch", "poor", "unscored")
AGES = ("today", "1 to 3 days", "4 to 7 days", "8 to 30 days", "31 to 90 days", "older")
SORTS = ("best fit", "newest found", "newest posted", "employer")


def standing(db: DuckDBPyConnection, *, min_score: int = GOOD) -> pl.DataFrame:
    """How the search stands, in one row of counts.

    Columns: jobs (not hidden), scored, good (*min_score* or more), ready (PDFs made, not applied), applied,
    interviews, hidden, simulated (some applications are made up).
    """
    return ask(db, "standing", min_score=min_score)


def inbox(
    db: DuckDBPyConnection, *, min_score: int = GOOD, show: Show = "waiting", now: datetime | None = None
) -> pl.DataFrame:
    """Jobs by what a person has decided on them: those that wait for a decision, snoozed, kept or dismissed ones.

    Waiting are open jobs scored *min_score* or more that nobody has decided on, and whose snooze is over by *now* (the
    present when it is not given). Columns: job_id, fit_score (1 to 10), fit_band, title, employer, places, mode, pay
    (in words), published, discovered_at (UTC), active_state, eligibility, has_pdf, merges, source_id, snoozed_until
    (UTC), corrected, url. The best fit comes first. Empty: there is no such job.
    """
    at = (now or datetime.now(UTC)).isoformat()
    return ask(db, "inbox", min_score=min_score, show=show, now=at)


def jobs_board(
    db: DuckDBPyConnection,
    *,
    wanted: BoardFilter = BoardFilter(),
    among: Collection[str] | None = None,
    today: date | None = None,
    limit: int | None = None,
) -> pl.DataFrame:
    """Jobs that are not hidden and pass the filter, in its order; ages are counted in days up to *today*.

    *among* keeps these jobs alone. Columns as in `inbox`, and language, current_stage, current_state, error_code,
    applied_at, observations, feedback, simulated. Empty: no job is like that.
    """
    bound = _bound(wanted, today)
    if among is None:
        return _ask_board(db, "jobs_board", **bound, sort=wanted.sort, limit=limit)
    found = _ask_board(db, "jobs_board", **bound, sort=wanted.sort, limit=None).filter(_is_among(among))
    return found if limit is None else found.head(limit)


def jobs_found(
    db: DuckDBPyConnection,
    *,
    wanted: BoardFilter = BoardFilter(),
    among: Collection[str] | None = None,
    today: date | None = None,
) -> pl.DataFrame:
    """How many jobs pass the filter, in one row; *among* as in `jobs_board`. Columns: jobs, of_all (not hidden)."""
    counts = _ask_board(db, "jobs_found", **_bound(wanted, today))
    if among is None:
        return counts
    passing = len(jobs_board(db, wanted=wanted, among=among, today=today))
    return counts.with_columns(pl.lit(passing, dtype=counts.schema["jobs"]).alias("jobs"))


def _is_among(job_ids: Collection[str]) -> pl.Expr:
    return pl.col("job_id").is_in(list(job_ids))


def facets(db: DuckDBPyConnection, *, wanted: BoardFilter = BoardFilter(), today: date | None = None) -> pl.DataFrame:
    """How many jobs each value of each facet would show, beside what else is filtered.

    Columns: facet (band, state, source, country, mode, pay, age), value, jobs. The most frequent come first, bands and
    ages in their own order. Empty: no job passes the words and the score.
    """
    counts = _ask_board(db, "facets", **_bound(wanted, today))
    order = {value: place for values in (BAND_ORDER, AGES) for place, value in enumerate(values)}
    place = pl.col("value").replace_strict(order, default=len(order), return_dtype=pl.Int64)
    return counts.sort(pl.col("facet"), place, -pl.col("jobs"), pl.col("value"))


def _ask_board(db: DuckDBPyConnection, name: str, **parameters: Any) -> pl.DataFrame:
    """The answer to a question about the list as it is searched; the list is made at the first."""
    try:
        return ask(db, name, **parameters)
    except CatalogException:
        cursor = db.cursor()
        try:
            cursor.execute(script("jobctrl.analytics", "sql/board.sql"))
        finally:
            cursor.close()
        return ask(db, name, **parameters)


def _bound(wanted: BoardFilter, today: date | None) -> dict[str, Any]:
    """The parts of a filter as parameters."""
    lists = ("bands", "states", "sources", "countries", "modes", "pays", "ages")
    return {
        "words": " ".join(wanted.words.split()),
        "min_score": wanted.min_score,
        **{name: list(getattr(wanted, name)) for name in lists},
        "today": today or datetime.now(UTC).date(),
    }


def runs(db: DuckDBPyConnection, *, status: str = "", limit: int = 500) -> pl.DataFrame:
    """Workflow executions, the newest first; an empty *status* keeps all.

    Columns: workflow_type, status, started_at, finished_at (UTC), seconds, steps, steps_done, steps_failed,
    error_code, error_message, retryable, cancel_requested_by, workflow_id, run_id, run (both in one). Empty: nothing
    ran yet.
    """
    return ask(db, "runs", status=status, limit=limit)


def run_counts(db: DuckDBPyConnection) -> pl.DataFrame:
    """How many executions ended how. Columns: workflow_type, status, runs, p50_seconds. Empty: nothing ran yet."""
    return ask(db, "run_counts")


def run_steps(db: DuckDBPyConnection, *, workflow_id: str, run_id: str) -> pl.DataFrame:
    """The steps of one Discover execution, in the order they began.

    Columns: step_kind, item_key, attempt, state, item_count, error_code, retryable, started_at, finished_at (UTC),
    seconds. Empty: it has none.
    """
    return ask(db, "run_steps", workflow_id=workflow_id, run_id=run_id)


def stage_errors(db: DuckDBPyConnection) -> pl.DataFrame:
    """What stages of jobs stand still for, the most frequent first.

    Columns: stage, state (failed, exhausted or blocked), error_code, jobs, retryable, latest (UTC). Empty: nothing
    stands still.
    """
    return ask(db, "stage_errors")
