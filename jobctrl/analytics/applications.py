"""Who was applied to, with which score, and what came of it: the ground that calibration stands on."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask

Outcome = Literal["reply", "interview", "offer"]
WAIT_DAYS = 14
"""Before that much time has passed, no answer is not yet an answer."""


def applications(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """Every application, oldest first, with the score it was made with and whether *outcome* came of it.

    Columns: job_id, applied_at (UTC), score (1 to 10, null when unscored), band, success, waiting (younger than
    *wait_days* at *now*; the moment of the newest fact when not given), simulated. *simulated* picks the made-up
    applications or the real ones; None takes the real ones if there are any. An application is waiting whether or not
    it was answered already: counting only the quick answers would flatter the rate. Empty: nobody has applied yet.
    """
    return ask(db, "applications", outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)


def settled(frame: pl.DataFrame) -> pl.DataFrame:
    """The applications that a score can be held against: scored, and given their time."""
    return frame.filter(~pl.col("waiting") & pl.col("score").is_not_null())
