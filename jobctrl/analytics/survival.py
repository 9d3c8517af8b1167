"""How long answers take and how long postings stay open, although many ends were not seen."""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_args

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.applications import WAIT_DAYS, Outcome
from jobctrl.analytics.ask import ask
from jobctrl.analytics.censoring import Curve, kaplan_meier, turnbull
from jobctrl.analytics.made_up import counts_made_up

MONTH = 30


def reply_curve(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "reply",
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """The share of applications that still wait for *outcome* by the days since they were made (Kaplan and Meier).

    An application that waits at *now* (the newest fact's moment when not given) says only that it took longer. Columns:
    days, rate (share that still waits) with low and high (95%, log-log), n (applications that had not ended before),
    simulated. *simulated* picks the made-up applications or the real ones; None takes the real ones if there are any.
    Empty: nobody has applied yet.
    """
    made_up = counts_made_up(db, simulated)
    told = ask(db, "reply_times", outcome=outcome, made_up=made_up, now=now)
    curve = _frame(_waiting(told) if len(told) else None)
    return curve.with_columns(pl.lit(made_up).alias("simulated"))


def reply_time(
    db: DuckDBPyConnection,
    *,
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How long applications wait for a reply, an interview and an offer.

    Columns: outcome, n (applications), answered (of those), median_days with median_days_low and median_days_high (95%;
    null: not reached, since fewer than half had it), wait_days, rate (share that had it within *wait_days*, those that
    still wait counted for as long as they have) with low and high (95%; null before anybody waited that long),
    simulated. *simulated* picks the made-up applications or the real ones; None takes the real ones if there are any.
    Empty: nobody has applied yet.
    """
    made_up = counts_made_up(db, simulated)
    rows = []
    for outcome in get_args(Outcome):
        told = ask(db, "reply_times", outcome=outcome, made_up=made_up, now=now)
        if told.is_empty():
            continue
        curve, answered = _waiting(told), len(told) - int(told["waiting"].sum())
        waiting, low, high = curve.at(wait_days)
        within = (None if share is None else 1 - share for share in (waiting, high, low))
        rows.append((outcome, len(told), answered, *curve.reached(), wait_days, *within, made_up))
    schema: dict[str, Any] = {
        "outcome": pl.String, "n": pl.Int64, "answered": pl.Int64, "median_days": pl.Float64,
        "median_days_low": pl.Float64, "median_days_high": pl.Float64, "wait_days": pl.Int64, "rate": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "simulated": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def posting_curve(db: DuckDBPyConnection, *, source_id: str | None = None) -> pl.DataFrame:
    """The share of postings that are still open by the days since they were first seen here (Turnbull).

    A closing is only known to lie between the last look that found the posting open and the first that found it closed;
    a posting that no look found closed says only that it lasted longer. Looks are assumed not to be timed by what they
    would find. Days count from the first sight, not from the publication, which many do not state; what was found
    closed on that first day counts against it. Columns: days (middles of days, from the fifth week on of weeks, then of
    30 days), rate (share still open) with low and high (95%, bootstrap over postings), n (postings whose state at that
    age is known). *source_id* takes those it showed first. Empty: no posting was seen.
    """
    lives = ask(db, "posting_lives", source_id=source_id)
    curve = _frame(_lasting(lives) if len(lives) else None)
    return curve.filter(pl.col("n") > 0)


def posting_life(db: DuckDBPyConnection) -> pl.DataFrame:
    """How long postings stay open after they were first seen here, by the source that showed them first.

    Columns: source_id (null: all of them), n (postings), closed (of those), median_days with median_days_low and
    median_days_high (95%; null: not reached, since fewer than half are known to have closed), rate (share still open
    after 30 days) with low and high (95%). Empty: no posting was seen.
    """
    lives = ask(db, "posting_lives", source_id=None)
    groups: list[tuple[str | None, pl.DataFrame]] = [(None, lives)] if len(lives) else []
    groups += [(name, part) for (name,), part in lives.group_by("source_id", maintain_order=True)]
    rows = []
    for name, part in groups:
        curve = _lasting(part)
        rows.append((name, len(part), part["closed_days"].count(), *curve.reached(), *curve.at(MONTH)))
    schema: dict[str, Any] = {
        "source_id": pl.String, "n": pl.Int64, "closed": pl.Int64, "median_days": pl.Float64,
        "median_days_low": pl.Float64, "median_days_high": pl.Float64, "rate": pl.Float64, "low": pl.Float64,
        "high": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


_CURVE: dict[str, Any] = {
    "days": pl.Float64, "rate": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64
}  # fmt: skip


def _frame(curve: Curve | None) -> pl.DataFrame:
    if curve is None:
        return pl.DataFrame(schema=_CURVE)
    columns = (curve.times, curve.share, curve.low, curve.high, curve.n)
    return pl.DataFrame(dict(zip(_CURVE, columns, strict=True)), schema=_CURVE)


def _waiting(told: pl.DataFrame) -> Curve:
    return kaplan_meier(told["days"].to_numpy(), told["waiting"].to_numpy())


def _lasting(lives: pl.DataFrame) -> Curve:
    return turnbull(lives["open_days"].to_numpy(), lives["closed_days"].fill_null(float("inf")).to_numpy())
