"""What the market pays, as far as postings say so, and how that stands against what the person asks."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import with_rate
from jobctrl.analytics.market_groups import NOT_SAID, By, grouped
from jobctrl.analytics.quantiles import with_quantiles
from jobctrl.postings.model import PayPeriod
from jobctrl.scoring.eligibility import PERIODS_A_YEAR, annual

Bound = Literal["low", "middle", "high"]
QUARTERS = (0.25, 0.5, 0.75)
STATES = ("stated", "not_stated", "ambiguous", "unparseable")
_A_YEAR = {period.value: times for period, times in PERIODS_A_YEAR.items()}


def pay_bands(
    db: DuckDBPyConnection,
    *,
    by: By = "family",
    bound: Bound = "middle",
    yearly: bool = False,
    min_score: int | None = None,
) -> pl.DataFrame:
    """What postings pay, by *by*, apart for each currency and period.

    *bound* takes the lower end of what a posting states, the upper one, or the middle of both; a posting without that
    end is left out. *yearly* puts stated periods together by the project's one rule (a year is 12 months, 52 weeks, 260
    days or 2,080 hours) and leaves those without a period out; currencies are never put together. Columns: group,
    currency (ISO 4217), period (as stated, `not said`, or year), n (postings), p25_pay, p50_pay, p75_pay, each with
    `…_low` and `…_high` (95%, by the order of the values; null where n is too small for one). The largest groups come
    first; a posting of two kinds or countries counts in both. *min_score* keeps the jobs that fit. Empty: nobody states
    a pay.
    """
    stated = _stated(ask(db, "market_pay", min_score=min_score), bound)
    if yearly:
        stated = _a_year(stated, "pay")
    keys = ("group", "currency", "period")
    pays = grouped(stated, by).group_by(keys).agg(pl.len().cast(pl.Int64).alias("n"), "pay")
    return with_quantiles(pays, "pay", "pay", qs=QUARTERS).sort("n", *keys, descending=[True, False, False, False])


def pay_stated(db: DuckDBPyConnection, *, by: By = "family", min_score: int | None = None) -> pl.DataFrame:
    """How many postings state their pay, by *by*. What is missing is counted, and never filled in.

    Columns: group, n (jobs), stated, not_stated, ambiguous, unparseable (jobs; together n), no_period (of the stated),
    rate (share stated, 0 to 1) with low and high (95%). The largest groups come first; a job of two kinds or countries
    counts in both. *min_score* keeps the jobs that fit. Empty: no job was found.
    """
    jobs = grouped(ask(db, "market_pay", min_score=min_score), by)
    state = pl.col("pay_state").fill_null("not_stated")
    counted = jobs.group_by("group").agg(
        pl.len().cast(pl.Int64).alias("n"),
        *((state == name).sum().cast(pl.Int64).alias(name) for name in STATES),
        ((state == "stated") & pl.col("pay_period").is_null()).sum().cast(pl.Int64).alias("no_period"),
    )
    return with_rate(counted.sort("n", "group", descending=[True, False]), "stated", "n")


def posted_against_asked(
    db: DuckDBPyConnection,
    *,
    asked: Decimal | None = None,
    currency: str | None = None,
    period: str | None = None,
    by: By = "family",
    min_score: int | None = None,
) -> pl.DataFrame:
    """Whether the most that postings offer reaches what the person asks: *asked* in *currency* a *period*.

    Only postings in the same currency and with a stated period are held against it, both as a year's pay (`pay_bands`
    has the rule). Columns: group, jobs, n (comparable), reaches (of those n), rate (0 to 1) with low and high (95%),
    p50_times (median of the most offered over what is asked, 1 is equal) with p50_times_low and p50_times_high (95%),
    other_currency, no_period, not_stated (jobs that cannot be compared). Empty: no job was found, or nothing is asked.
    """
    wanted = _yearly_ask(asked, period)
    if wanted is None or currency is None:
        return pl.DataFrame(schema=_AGAINST)
    jobs = grouped(ask(db, "market_pay", min_score=min_score), by)
    most = pl.coalesce("pay_high", "pay_low")
    stated = (pl.col("pay_state") == "stated").fill_null(value=False) & most.is_not_null()
    same = stated & (pl.col("pay_currency") == currency).fill_null(value=False)
    counts = jobs.group_by("group").agg(
        pl.len().cast(pl.Int64).alias("jobs"),
        (stated & ~same).sum().cast(pl.Int64).alias("other_currency"),
        (same & pl.col("pay_period").is_null()).sum().cast(pl.Int64).alias("no_period"),
        (~stated).sum().cast(pl.Int64).alias("not_stated"),
    )
    offered = jobs.filter(same).with_columns(most.alias("pay"), pl.col("pay_period").alias("period"))
    offered = _a_year(offered, "pay").with_columns((pl.col("pay") / wanted).alias("times"))
    held = offered.group_by("group").agg(
        pl.len().cast(pl.Int64).alias("n"), (pl.col("times") >= 1).sum().cast(pl.Int64).alias("reaches"), "times"
    )
    told = counts.join(with_quantiles(held, "times", "times", qs=(0.5,)), on="group", how="left")
    told = with_rate(told.with_columns(pl.col("n", "reaches").fill_null(0)), "reaches", "n")
    return told.select(*_AGAINST).sort("n", "jobs", "group", descending=[True, True, False])


_AGAINST: dict[str, Any] = {
    "group": pl.String, "jobs": pl.Int64, "n": pl.Int64, "reaches": pl.Int64, "rate": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "p50_times": pl.Float64, "p50_times_low": pl.Float64, "p50_times_high": pl.Float64,
    "other_currency": pl.Int64, "no_period": pl.Int64, "not_stated": pl.Int64,
}  # fmt: skip


def _stated(jobs: pl.DataFrame, bound: Bound) -> pl.DataFrame:
    """The jobs that state that end of their pay in a known currency, with it as `pay`."""
    ends = {
        "low": pl.col("pay_low"),
        "high": pl.col("pay_high"),
        "middle": (pl.col("pay_low") + pl.col("pay_high")) / 2,
    }
    return jobs.with_columns(
        ends[bound].alias("pay"),
        pl.col("pay_currency").alias("currency"),
        pl.col("pay_period").fill_null(NOT_SAID).alias("period"),
    ).filter(pl.col("pay_state") == "stated", pl.col("pay").is_not_null(), pl.col("currency").is_not_null())


def _a_year(frame: pl.DataFrame, pay: str) -> pl.DataFrame:
    """*frame* with *pay* a year, by its stated `period`; rows without one are left out."""
    times = pl.col("period").replace_strict(_A_YEAR, default=None, return_dtype=pl.Float64)
    known = frame.with_columns((pl.col(pay) * times).alias(pay)).filter(pl.col(pay).is_not_null())
    return known.with_columns(pl.lit("year").alias("period"))


def units(bands: pl.DataFrame) -> dict[str, tuple[str, str]]:
    """The currencies and periods of `pay_bands` under their names, the most frequent first."""
    counted = (
        bands.group_by("currency", "period").agg(pl.col("n").sum()).sort("n", "currency", descending=[True, False])
    )
    return {
        f"{currency}, period not said" if period == NOT_SAID else f"{currency} a {period}": (currency, period)
        for currency, period, _ in counted.iter_rows()
    }


def asked_per(asked: Decimal | None, period: str | None, *, per: str) -> float | None:
    """What is *asked* a *period*, per *per*: as it is, or as a year's pay; None when the rule says nothing of it."""
    if per == "year":
        return _yearly_ask(asked, period)
    return float(asked) if asked and period == per else None


def _yearly_ask(asked: Decimal | None, period: str | None) -> float | None:
    if not asked or asked < 0:
        return None
    yearly = annual(asked, PayPeriod(period) if period in set(PayPeriod) else None)
    return None if yearly is None else float(yearly)
