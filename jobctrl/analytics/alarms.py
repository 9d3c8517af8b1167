"""What needs a person's eyes now, each with the desk to look at."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.source_quality import drift_alarms
from jobctrl.operations.views import Snapshot
from jobctrl.spend.model import DaySpend

SCHEMA = {"level": pl.String, "about": pl.String, "says": pl.String, "desk": pl.String}
Row = tuple[str, str, str, str]
NEARLY = Decimal("0.9")
"""The share of the day's ceiling from which a person is told."""
OLD_BACKUP = timedelta(days=7)


def standing_alarms(db: DuckDBPyConnection) -> pl.DataFrame:
    """What the log says is wrong: boards that fail, boards that say less than they did, stages that gave up.

    Columns: level (bad or warn), about, says (a sentence), desk (the one to look at; empty when none helps). Empty:
    nothing is wrong.
    """
    drift = [("warn", row["source_id"], f"{row['says']}.", "sources") for row in drift_alarms(db).iter_rows(named=True)]
    return pl.concat([ask(db, "alarms").cast(SCHEMA), frame(drift)])  # type: ignore[arg-type]


def present_alarms(
    *,
    seen: Snapshot | None,
    scheduled: bool,
    spent: DaySpend | None,
    ceiling: Decimal,
    facts: int,
    backup: datetime | None,
    now: datetime,
) -> pl.DataFrame:
    """What is wrong at this moment: no worker for what waits, a budget that runs out, a backup that is old.

    Columns as in `standing_alarms`. *facts* is how many the log holds: without any, nothing is there to be backed up.
    """
    return frame([*_worker(seen, scheduled), *_budget(spent, ceiling), *_backup(facts, backup, now)])


def _worker(seen: Snapshot | None, scheduled: bool) -> Iterable[Row]:
    if seen is None or seen.capacity.status == "available":
        return
    run = seen.execution
    if run is not None and run.workflow_status == "in_progress":
        yield "bad", "no worker", "A run is open and no worker serves it. Start `jobctrl up`.", "operations"
    elif run is not None and run.phase == "draining":
        yield "warn", "no worker", "Jobs of the newest run wait to be prepared. Start `jobctrl up`.", "operations"
    elif scheduled:
        yield "warn", "no worker", "The schedule is on, but nothing runs it. Keep `jobctrl up` running.", "operations"


def _budget(spent: DaySpend | None, ceiling: Decimal) -> Iterable[Row]:
    if spent is None or ceiling <= 0 or spent.committed < NEARLY * ceiling:
        return
    if spent.committed >= ceiling:
        yield "bad", "budget", f"The day's ${ceiling:,.2f} are used up: paid calls wait for the next UTC day.", "spend"
    else:
        share = spent.committed / ceiling
        yield "warn", "budget", f"{share:.0%} of the day's ${ceiling:,.2f} are spent or set aside.", "spend"


def _backup(facts: int, backup: datetime | None, now: datetime) -> Iterable[Row]:
    if not facts:
        return
    if backup is None:
        yield "warn", "backup", "No backup stands where `jobctrl backup` puts them. Make one.", ""
    elif now - backup > OLD_BACKUP:
        days = (now - backup).days
        yield "warn", "backup", f"The newest backup is {days} days old. `jobctrl backup` makes one.", ""


def frame(rows: Iterable[Row]) -> pl.DataFrame:
    """Alarms as `standing_alarms` gives them."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")
