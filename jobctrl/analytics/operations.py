"""The operations snapshot as frames: how each stage stands, and what the workers do now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

import polars as pl

from jobctrl.errors import JobCtrlError
from jobctrl.operations import telling
from jobctrl.operations.standings import Counts
from jobctrl.operations.telling import coverage, headline, time_left, workers
from jobctrl.operations.views import CohortView, Snapshot

__all__ = [
    "SCOPES",
    "Now",
    "active",
    "cohorts",
    "coverage",
    "figures",
    "headline",
    "operations_now",
    "stages",
    "time_left",
    "workers",
]
COUNTED = tuple(field.name for field in fields(Counts))
SCOPES = {words: scope for scope, words in telling.SCOPES.items()}
"""What a person picks, and the scope it means."""


class Looking(Protocol):
    """The looking half of the Operator, as far as it is needed here."""

    def operations(self) -> Snapshot: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Now:
    """The present, or what stands in the way of seeing it."""

    seen: Snapshot | None
    says: str


def operations_now(opened: Callable[[], Looking]) -> Now:
    """Look once. Never raises for a workspace that cannot be read."""
    try:
        looking = opened()
        try:
            seen = looking.operations()
        finally:
            looking.close()
    except JobCtrlError as error:
        return Now(None, f"{error.message} {error.hint}" if error.hint else error.message)
    return Now(seen, f"As of {seen.generated_at[:19].replace('T', ' ')} UTC.")


def stages(seen: Snapshot, *, scope: str) -> pl.DataFrame:
    """How the stages of one scope stand, in the order of the work; a count that nobody knows is null.

    Columns: stage, eligible, waiting, processing, succeeded, the other counts unless they are 0 everywhere, time_left:
    a range, or why there is none, or why there are no counts.
    """
    frame = pl.DataFrame(
        [
            {
                "stage": view.label,
                **{name: getattr(view.counts, name, None) for name in COUNTED},
                "time_left": telling.REASONS.get(view.reason, view.reason) if view.reason else time_left(view.eta),
            }
            for view in seen.stages
            if view.scope == scope and view.reason not in telling.NOT_SEPARATE
        ],
        schema={"stage": pl.String, **dict.fromkeys(COUNTED, pl.Int64), "time_left": pl.String},
    )
    return frame.drop(name for name in COUNTED[4:] if not frame[name].sum())


def cohorts(seen: Snapshot) -> pl.DataFrame:
    """The jobs of the selected run, by why they are its jobs; a number that is held back is null.

    Columns: jobs, members, done, not_done, planned, nothing_to_do, not_decided, could_not_be_planned.
    """
    run = seen.execution
    rows = [] if run is None else [("seen", run.current_execution), ("older, taken along", run.swept_existing_backlog)]
    return pl.DataFrame(
        [{"jobs": name, **_cohort(view)} for name, view in rows],
        schema={"jobs": pl.String, **dict.fromkeys(_cohort(CohortView()), pl.Int64)},
    )


def _cohort(view: CohortView) -> dict[str, int | None]:
    return {
        "members": view.members,
        "done": view.terminal,
        "not_done": view.remaining,
        "planned": view.planned,
        "nothing_to_do": view.not_eligible,
        "not_decided": view.pending,
        "could_not_be_planned": view.failed_plan,
    }


def figures(seen: Snapshot) -> list[tuple[str, str]]:
    """The few numbers to look at first, each under its name; what is not known is a dash."""
    run = seen.execution
    progress = run.progress if run else None
    collected = f"{progress.completed} of {progress.total}" if progress and progress.total else "–"
    left = [view.remaining for view in (run.current_execution, run.swept_existing_backlog)] if run else []
    known = [number for number in left if number is not None]
    return [
        ("steps of collecting done", collected),
        ("jobs of the run not done", f"{sum(known):,}" if known else "–"),
        ("activities running", "–" if seen.active_items_total is None else f"{seen.active_items_total:,}"),
    ]


def active(seen: Snapshot) -> pl.DataFrame:
    """The oldest 20 activities that run now.

    Columns: started_at, activity, attempt, about, employer, scope.
    """
    return pl.DataFrame(
        [
            {
                "started_at": item.started_at,
                "activity": item.activity_type,
                "attempt": item.attempt,
                "about": item.title or item.source_family,
                "employer": item.employer,
                "scope": telling.SCOPES.get(item.scope, "") if item.scope else None,
            }
            for item in seen.active_items
        ],
        schema={
            "started_at": pl.String,
            "activity": pl.String,
            "attempt": pl.Int64,
            "about": pl.String,
            "employer": pl.String,
            "scope": pl.String,
        },
    )
