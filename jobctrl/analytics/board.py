"""The lists a person works from: new good jobs, all jobs, runs and what stands still."""

from __future__ import annotations

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.source_quality import GOOD


def standing(db: DuckDBPyConnection, *, min_score: int = GOOD) -> pl.DataFrame:
    """How the search stands, in one row of counts.

    Columns: jobs (not hidden), scored, good (*min_score* or more), ready (PDFs made, not applied), applied,
    interviews, hidden, simulated (some applications are made up).
    """
    return ask(db, "standing", min_score=min_score)


def inbox(db: DuckDBPyConnection, *, min_score: int = GOOD) -> pl.DataFrame:
    """Open jobs scored *min_score* or more that nobody has decided on, the best first.

    Columns: job_id, fit_score (1 to 10), fit_band, title, employer, places, mode, pay (in words),
    published, discovered_at (UTC), active_state, eligibility, has_pdf, merges, source_id, url.
    Empty: nothing waits for a decision.
    """
    return ask(db, "inbox", min_score=min_score)


def jobs_board(
    db: DuckDBPyConnection, *, words: str = "", min_score: int = 0, stage: str = "", mode: str = "", source: str = ""
) -> pl.DataFrame:
    """Jobs that are not hidden and hold all of *words* in title, employer, places, department or source.

    The best fit comes first; *min_score* 0 keeps what is not scored yet; an empty *stage*, *mode* or *source* keeps
    all. Columns as in `inbox`, and language, corrected, current_stage, current_state, error_code, applied_at,
    observations, feedback, simulated. Empty: no job is like that.
    """
    return ask(
        db, "jobs_board", words=" ".join(words.split()), min_score=min_score, stage=stage, mode=mode, source=source
    )


def runs(db: DuckDBPyConnection, *, status: str = "", limit: int = 500) -> pl.DataFrame:
    """Workflow executions, the newest first; an empty *status* keeps all.

    Columns: workflow_type, status, started_at, finished_at (UTC), seconds, steps, steps_done, steps_failed,
    error_code, error_message, retryable, cancel_requested_by, workflow_id, run_id. Empty: nothing ran yet.
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
