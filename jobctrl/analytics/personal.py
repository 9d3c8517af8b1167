"""What of a report is personal: which jobs it is about. It is left out unless somebody asks for it by name."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.sections import Report, Section

NAMES_JOBS = frozenset(
    {
        "job_id", "title", "employer", "url", "apply_url", "observed_url", "native_id", "identity_key", "places",
        "department", "display_name", "last_error", "error_message", "requirement",
    }
)  # fmt: skip
"""Columns that tell of one job or speak in the words of a posting or a page; no report has them by itself."""
LEFT_OUT = "No job, no employer and no text of a posting is named here; a source is named by its board."
PUT_IN = "PERSONAL: titles and employers of jobs are named here, because that was asked for."


def without_names(report: Report) -> Report:
    """*report* for anybody's eyes: no column of it names a job."""
    return replace(report, sections=tuple(_without(section, NAMES_JOBS) for section in report.sections))


def with_names(report: Report, db: DuckDBPyConnection) -> Report:
    """*report* for one's own eyes: rows about a job say which, and a list of the jobs comes last."""
    jobs = named_jobs(db)
    names = jobs.select("job_id", "title", "employer")
    kept = (_without(section, NAMES_JOBS - {"job_id"}) for section in report.sections)
    named = [replace(section, frame=_named(section.frame, names)) for section in kept]
    listed = Section(
        "named_jobs", "Jobs", "Every job by name, the newest first.", jobs, named_jobs, "No job was found yet."
    )
    return replace(report, sections=(*named, listed))


def named_jobs(db: DuckDBPyConnection) -> pl.DataFrame:
    """Every job with its name and how far it came, the newest first.

    Columns: job_id, title, employer, source_id, discovered_at (UTC), score (1 to 10), band, current_stage,
    current_state, applied_at, replied_at, interview_at, offer_at (UTC), simulated (what came of it is made up). Empty:
    no job was found yet.
    """
    return ask(db, "named_jobs")


def _without(section: Section, columns: Set[str]) -> Section:
    shown = tuple(name for name in section.shown if name not in columns)
    return replace(section, frame=section.frame.drop(columns & set(section.frame.columns)), shown=shown)


def _named(frame: pl.DataFrame, names: pl.DataFrame) -> pl.DataFrame:
    if "job_id" not in frame.columns:
        return frame
    rest = [name for name in frame.columns if name != "job_id"]
    return frame.join(names, on="job_id", how="left", maintain_order="left").select(*names.columns, *rest)
