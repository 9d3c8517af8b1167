"""Today at one look: what waits, what runs, what it costs, and what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics import alarms, board
from jobctrl.analytics.desk import looked
from jobctrl.analytics.source_quality import GOOD
from jobctrl.operations.telling import headline, workers
from jobctrl.operations.views import Snapshot
from jobctrl.settings.model import Settings
from jobctrl.spend.model import DaySpend


class Looking(Protocol):
    """The Operator, as far as it is needed here."""

    def operations(self) -> Snapshot: ...

    def settings(self) -> Settings: ...

    def spent_today(self) -> DaySpend: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Today:
    """What cannot be seen is None, and an alarm says why."""

    counts: dict[str, Any]
    """As of `board.standing`."""
    least: int
    """The score that a job of the inbox has at least."""
    waiting: int
    running: pl.DataFrame
    """The open runs, as of `board.runs`."""
    run: str
    """The newest Discover run and the workers, in sentences."""
    spent: DaySpend | None
    ceiling: Decimal | None
    """Of the UTC day; 0 is none."""
    wrong: pl.DataFrame
    """As of `alarms.standing_alarms`, the worst first."""

    @property
    def share(self) -> float | None:
        """How much of the day's ceiling is spent or set aside; None without one."""
        return float(self.spent.committed / self.ceiling) if self.spent and self.ceiling else None


def today(
    db: DuckDBPyConnection,
    opened: Callable[[], Looking],
    last_backup: Callable[[], datetime | None],
    *,
    facts: int,
    now: datetime,
) -> Today:
    """Look at all of it once. A part that cannot be read becomes an alarm; nothing is raised for it."""
    looking, unopened = looked(opened)
    if looking is None:
        seen = settings = spent = None
        trouble = [("workspace", unopened, "settings")]
    else:
        seen, unseen = looked(looking.operations)
        settings, unset = looked(looking.settings)
        spent, uncounted = looked(looking.spent_today)
        looking.close()
        trouble = [
            ("operations", unseen, "operations"),
            ("settings", unset, "settings"),
            ("budget", uncounted, "spend"),
        ]
    backup, unknown = looked(last_backup)
    trouble.append(("backup", unknown, ""))
    ceiling = settings.daily_budget_usd if settings else None
    wrong = [
        alarms.frame((("bad", about, says, desk) for about, says, desk in trouble if says)),
        alarms.standing_alarms(db),
        alarms.present_alarms(
            seen=seen,
            scheduled=settings is not None and settings.scheduling_enabled,
            spent=spent,
            ceiling=ceiling or Decimal(0),
            facts=0 if unknown else facts,
            backup=backup,
            now=now,
        ),
    ]
    least = settings.min_fit_score if settings else GOOD
    return Today(
        counts=board.standing(db, min_score=least).row(0, named=True),
        least=least,
        waiting=len(board.inbox(db, min_score=least)),
        running=board.runs(db, status="in_progress", limit=50),
        run=f"{headline(seen)} {workers(seen)}" if seen else "Nobody knows what runs now.",
        spent=spent,
        ceiling=ceiling,
        wrong=pl.concat(wrong).sort("level", maintain_order=True),
    )
