"""How often an outcome came of each score, band or tenth of the applications, and whether that is enough to go by."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.applications import WAIT_DAYS, Outcome, applications, settled
from jobctrl.analytics.intervals import with_rate

FLOOR = 30
"""Fewer applications say nothing about a curve …"""
EACH_WAY = 5
"""… nor do fewer successes, or fewer failures."""
Grouping = Literal["band", "score", "decile"]


@dataclass(frozen=True)
class Enough:
    """Whether there is enough to say anything, and if not, about how much is missing."""

    n: int
    successes: int
    waiting: int
    need_more: int
    simulated: bool

    @property
    def says(self) -> str:
        if not self.need_more:
            return f"{self.n} applications, {self.successes} with success."
        waiting = f" {self.waiting} more are too young to count." if self.waiting else ""
        return (
            f"Not enough data: {self.n} applications, {self.successes} with success; "
            f"need about {self.need_more} more.{waiting}"
        )


def is_enough(n: int, successes: float) -> bool:
    """Whether a curve may be drawn through *n* applications."""
    return n >= FLOOR and successes >= EACH_WAY and n - successes >= EACH_WAY


def enough(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> Enough:
    """How many applications there are to judge by, and about how many more a first judgement needs."""
    frame = applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)
    ready = settled(frame)
    n, successes = len(ready), int(ready["success"].sum())
    rate = (successes + 0.5) / (n + 1)
    missing = (
        FLOOR - n,
        math.ceil((EACH_WAY - successes) / rate),
        math.ceil((EACH_WAY - (n - successes)) / (1 - rate)),
    )
    return Enough(n, successes, int(frame["waiting"].sum()), max(0, *missing), bool(frame["simulated"].any()))


def calibration(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    by: Grouping = "band",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How often *outcome* came of the applications made with each score, each band, or each tenth of them by score.

    Columns: band, score or decile (1 holds the lowest scores; applications with one score are never parted, so a
    decile may be missing and another larger), n (applications), successes, rate (0 to 1), low, high (95% Jeffreys
    interval), mean_score, score_low, score_high (1 to 10), simulated. Only scores that were applied with are rows.
    Outcomes exist for jobs that were applied to alone: what the others would have answered is not known. Empty:
    nothing to judge by yet.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    counted = (
        ready.with_columns(_decile().alias("decile"))
        .group_by(by)
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("success").sum().cast(pl.Int64).alias("successes"),
            pl.col("score").mean().alias("mean_score"),
            pl.col("score").min().alias("score_low"),
            pl.col("score").max().alias("score_high"),
            pl.col("simulated").any(),
        )
    )
    rated = with_rate(counted.sort("mean_score"), "successes", "n")
    measured = ("n", "successes", "rate", "low", "high", "mean_score", "score_low", "score_high", "simulated")
    return rated.select(by, *measured)


def _decile() -> pl.Expr:
    """The tenth that the middle of all equal scores falls into."""
    place = (pl.col("score").rank("average") - 0.5) / pl.len()
    return (place * 10).floor().cast(pl.Int64) + 1
