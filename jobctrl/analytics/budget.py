"""How the day will end and what being less choosy would cost: forecasts with their interval, or why there is none."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray
from scipy import stats

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import CONFIDENCE, jeffreys, ratio_interval
from jobctrl.analytics.made_up import counts_made_up
from jobctrl.analytics.source_quality import GOOD
from jobctrl.analytics.spend import forecast
from jobctrl.scoring.model import ScoringPolicy

PAST_DAYS = 28
FEWEST_DAYS = 5
FEWEST_HOURS = 3
_DAY_SECONDS = 86_400
Floats = NDArray[np.float64]


def day_end(db: DuckDBPyConnection, *, ceiling_usd: float, now: datetime) -> pl.DataFrame:
    """What the present UTC day will have cost at its end, and whether its ceiling is met, seen in two ways.

    `last days` adds to what was spent what the days before still spent after this time of day; `today so far` goes on
    at the pace of the hours since the day's first call. Ceilings are left out of the sum: it is what the day would
    cost without one, but days before that met theirs say no more than it. Columns: basis, n (days or hours it rests
    on), spent_usd, ends_usd with low_usd and high_usd (US dollars; between the least and the most of the last days, or
    by Student's t over hours) and coverage (how often such an interval holds), met (days of the n that would meet the
    ceiling), rate (their share) with low and high (95%; null for `today so far` and once it is met), reaches_at with
    earliest and latest (UTC; null: not this day), says (a sentence; why, when there is no forecast). Always two rows.
    """
    standing = forecast(db, ceiling_usd=ceiling_usd, now=now).row(0, named=True)
    spent = standing["spent_usd"] + standing["set_aside_usd"]
    gap = max(0.0, ceiling_usd - spent) if ceiling_usd > 0 else float("inf")
    rows = [_by_last_days(db, now, spent, gap), _by_today(db, now, spent, gap)]
    return pl.DataFrame([{**dict.fromkeys(_DAY_END), **row} for row in rows], schema=_DAY_END)


_DAY_END: dict[str, Any] = {
    "basis": pl.String, "n": pl.Int64, "spent_usd": pl.Float64, "ends_usd": pl.Float64, "low_usd": pl.Float64,
    "high_usd": pl.Float64, "coverage": pl.Float64, "met": pl.Int64, "rate": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "reaches_at": pl.Datetime("ms", "UTC"), "earliest": pl.Datetime("ms", "UTC"),
    "latest": pl.Datetime("ms", "UTC"), "says": pl.String,
}  # fmt: skip


def _by_last_days(db: DuckDBPyConnection, now: datetime, spent: float, gap: float) -> dict[str, Any]:
    now = now.astimezone(UTC)
    midnight = datetime.combine(now.date(), time(), UTC)
    calls = ask(db, "spend_past_days", day=now.date(), days=PAST_DAYS)
    row: dict[str, Any] = {"basis": "last days", "n": 0, "spent_usd": spent}
    days = (now.date() - calls["day"][0]).days if len(calls) else 0
    if days < FEWEST_DAYS:
        return {
            **row,
            "n": days,
            "says": f"Cannot say: {_n(days, 'day')} of spending before this one, needs {FEWEST_DAYS}.",
        }
    rest = calls.filter(pl.col("second") > (now - midnight).total_seconds())
    totals = np.zeros(days)
    crossings = []
    for number, part in enumerate(rest.partition_by("day", maintain_order=True)):
        running = part["usd_micros"].to_numpy().cumsum() / 1e6
        totals[number] = running[-1]
        if running[-1] >= gap:
            crossings.append(int(part["second"][int(np.argmax(running >= gap))]))
    met = len(crossings)
    low, high = jeffreys(met, days)
    row |= {
        "n": days, "ends_usd": spent + float(np.median(totals)), "low_usd": spent + float(totals.min()),
        "high_usd": spent + float(totals.max()), "coverage": min((days - 1) / (days + 1), CONFIDENCE),
    }  # fmt: skip
    if gap <= 0:
        return {**row, **_met(now)}
    spread = (
        f"Between ${row['low_usd']:,.2f} and ${row['high_usd']:,.2f}, going by what the {days} days before still spent "
        f"after this time of day (holds {row['coverage']:.0%} of the time)."
    )
    if not np.isfinite(gap):
        return {**row, "says": spread}
    moments = [midnight + timedelta(seconds=second) for second in sorted(crossings)]
    return {
        **row, "met": met, "rate": met / days, "low": float(low), "high": float(high),
        "reaches_at": moments[(days - 1) // 2] if met > days / 2 else None,
        "earliest": moments[0] if moments else None, "latest": moments[-1] if met == days else None,
        "says": f"{spread} {met} of them spent as much as is left (95%: {low:.0%} to {high:.0%}).",
    }  # fmt: skip


def _met(now: datetime) -> dict[str, Any]:
    return {"reaches_at": now, "earliest": now, "latest": now, "says": "The ceiling is met."}


def _by_today(db: DuckDBPyConnection, now: datetime, spent: float, gap: float) -> dict[str, Any]:
    now = now.astimezone(UTC)
    hours = ask(db, "spend_hours", day=now.date(), now=now)["usd_micros"].to_numpy() / 1e6
    row: dict[str, Any] = {"basis": "today so far", "n": hours.size, "spent_usd": spent}
    if hours.size < FEWEST_HOURS:
        says = f"Cannot say: {_n(hours.size, 'whole hour')} since the day's first call, needs {FEWEST_HOURS}."
        return {**row, "says": says}
    left = (datetime.combine(now.date() + timedelta(days=1), time(), UTC) - now).total_seconds()
    ahead = np.append(np.arange(0, left, 60), left)
    more, low, high = _going_on(hours, ahead / 3600)
    row |= {
        "ends_usd": spent + more[-1], "low_usd": spent + low[-1], "high_usd": spent + high[-1], "coverage": CONFIDENCE
    }  # fmt: skip
    if gap <= 0:
        return {**row, **_met(now)}
    reaches, earliest, latest = (_crossing(now, ahead, line, gap) for line in (more, high, low))
    return {
        **row, "reaches_at": reaches, "earliest": earliest, "latest": latest,
        "says": f"Between ${row['low_usd']:,.2f} and ${row['high_usd']:,.2f} (95%), going on like the {hours.size} "
        f"hours since the first call: ${hours.mean():,.2f} an hour.",
    }  # fmt: skip


def _going_on(hours: Floats, ahead: Floats) -> tuple[Floats, Floats, Floats]:
    """What comes on top in the next *ahead* hours when they are like those so far, with its prediction interval."""
    spread = np.std(hours, ddof=1) * np.sqrt(ahead + ahead**2 / hours.size)
    reach = stats.t.ppf((1 + CONFIDENCE) / 2, hours.size - 1) * spread
    more = hours.mean() * ahead
    return more, np.maximum.accumulate(np.maximum(more - reach, 0)), more + reach


def _crossing(now: datetime, ahead: Floats, line: Floats, gap: float) -> datetime | None:
    over = np.flatnonzero(line >= gap)
    return now + timedelta(seconds=float(ahead[over[0]])) if over.size else None


def _n(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def threshold_costs(
    db: DuckDBPyConnection, *, threshold: int | None = None, floor: int = ScoringPolicy.material_floor
) -> pl.DataFrame:
    """What preparing jobs below the *threshold* would cost, for each lower one; None is that of the newest policy.

    Columns: threshold (1 to 10), possible (materials are never prepared below *floor*), jobs (open, undecided and
    eligible, that it would add now), usd_each (what the materials of a prepared job cost so far, failed and discarded
    ones included; US dollars) with usd_each_low and usd_each_high (95%, bootstrap over jobs), n (prepared jobs that
    rests on), usd (of those jobs) with usd_low and usd_high (null: cannot say before a job was prepared), lately (jobs
    of such scores found in the last 28 days), a_week (that many a week) with a_week_low and a_week_high (95%, exact
    Poisson). Empty: the threshold is the lowest there is.
    """
    if threshold is None:
        threshold = int(ask(db, "threshold_in_force", otherwise=GOOD).item())
    units = ask(db, "units", made_up=counts_made_up(db, None))
    prepared, cost = units["prepared"].to_numpy(), units["materials_usd_micros"].to_numpy() / 1e6
    n = int(prepared.sum())
    each = (float(cost.sum()) / n if n else None, *ratio_interval(cost, prepared))
    found = ask(db, "thresholds", days=PAST_DAYS)
    rows = []
    for lower in range(threshold - 1, 0, -1):
        between = found.filter(pl.col("score").is_between(lower, threshold - 1))
        jobs, lately = int(between["jobs"].sum()), int(between["lately"].sum())
        total = (None if price is None else jobs * price for price in each)
        weeks = found["days"][0] / 7 if len(found) else None
        rows.append((lower, lower >= floor, jobs, *each, n, *total, lately, *_a_week(lately, weeks)))
    schema: dict[str, Any] = {
        "threshold": pl.Int64, "possible": pl.Boolean, "jobs": pl.Int64, "usd_each": pl.Float64,
        "usd_each_low": pl.Float64, "usd_each_high": pl.Float64, "n": pl.Int64, "usd": pl.Float64,
        "usd_low": pl.Float64, "usd_high": pl.Float64, "lately": pl.Int64, "a_week": pl.Float64,
        "a_week_low": pl.Float64, "a_week_high": pl.Float64,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _a_week(count: int, weeks: float | None) -> tuple[float | None, float | None, float | None]:
    """A count over some weeks as a weekly one, with the exact interval of a Poisson count."""
    if weeks is None:
        return None, None, None
    tail = (1 - CONFIDENCE) / 2
    low = float(stats.gamma.ppf(tail, count)) if count else 0.0
    return count / weeks, low / weeks, float(stats.gamma.ppf(1 - tail, count + 1)) / weeks
