"""The operations snapshot as frames: how each stage stands, and what the workers do now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Protocol

import polars as pl

from jobctrl.errors import JobCtrlError
from jobctrl.operations.snapshot import Snapshot
from jobctrl.operations.standings import Counts
from jobctrl.operations.telling import headline, time_left, workers

__all__ = ["SCOPES", "Now", "active", "headline", "operations_now", "stages", "time_left", "workers"]
COUNTED = tuple(field.name for field in fields(Counts))
SCOPES = {"this run": "current_execution", "everything else": "global_outside_execution"}


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

    Columns: stage, eligible, waiting, processing, succeeded, the other counts unless they are 0 everywhere, time_left.
    """
    frame = pl.DataFrame(
        [
            {
                "stage": view.label,
                **{name: getattr(view.counts, name, None) for name in COUNTED},
                "time_left": time_left(view.eta),
            }
            for view in seen.stages
            if view.scope == scope
        ],
        schema={"stage": pl.String, **dict.fromkeys(COUNTED, pl.Int64), "time_left": pl.String},
    )
    return frame.drop(name for name in COUNTED[4:] if not frame[name].sum())


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
                "scope": item.scope,
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
