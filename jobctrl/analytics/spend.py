"""What the search costs, by whatever one wants to know it by, and when the day's ceiling will be met."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import ratio_interval
from jobctrl.analytics.made_up import counts_made_up

By = Literal["day", "lane", "stage", "model", "provider", "job"]
UNITS = (
    ("scored job", "scored"),
    ("prepared job", "prepared"),
    ("application", "applied"),
    ("interview", "interviews"),
)


def spend(db: DuckDBPyConnection, *, by: By = "day", since: date | None = None) -> pl.DataFrame:
    """What paid calls cost by UTC day, lane, stage, model, provider or job.

    A lane is named after the stage it works for, so `stage` is `lane` under another heading. Columns: *by*, calls,
    settled_usd (by usage), reserved_usd (calls still open), held_usd (calls of unknown outcome), total_usd (all three;
    US dollars), total_usd_micros (the same, exact, in millionths), input_tokens, output_tokens. A null job is a call
    made for none. Empty: no call was made.
    """
    answer = ask(db, "spend", by="lane" if by == "stage" else by, since=since).rename({"key": by})
    total = pl.sum_horizontal("settled_usd_micros", "reserved_usd_micros", "held_usd_micros")
    answer = answer.with_columns(
        total.alias("total_usd_micros"),
        (total / 1e6).alias("total_usd"),
        *((pl.col(f"{state}_usd_micros") / 1e6).alias(f"{state}_usd") for state in ("settled", "reserved", "held")),
    )
    columns = ("settled_usd", "reserved_usd", "held_usd", "total_usd", "total_usd_micros")
    answer = answer.select(by, "calls", *columns, "input_tokens", "output_tokens")
    return answer.with_columns(pl.col("day").str.to_date("%Y-%m-%d")) if by == "day" else answer


def spend_days(db: DuckDBPyConnection, *, since: date | None = None) -> pl.DataFrame:
    """What each UTC day cost by lane. Columns: day, lane, calls, usd (settled, reserved and held; US dollars).

    Empty: no call was made.
    """
    answer = ask(db, "spend_days", since=since)
    return answer.with_columns((pl.col("usd_micros") / 1e6).alias("usd")).drop("usd_micros")


def unit_costs(db: DuckDBPyConnection, *, simulated: bool | None = None) -> pl.DataFrame:
    """What one scored job, prepared job, application and interview costs, all discarded and failed work included.

    Columns: unit, n (how many there are), usd (all that was spent, US dollars), usd_each (null without one), usd_low,
    usd_high (95%, bootstrap over jobs; null where it has no bound), simulated. *simulated* picks the made-up
    applications or the real ones; None takes the real ones if there are any. Always four rows.
    """
    made_up = counts_made_up(db, simulated)
    units = ask(db, "units", made_up=made_up)
    cost = units["usd_micros"].to_numpy() / 1e6
    total = float(cost.sum())
    rows = []
    for name, column in UNITS:
        n = int(units[column].sum())
        low, high = ratio_interval(cost, units[column].to_numpy())
        invented = made_up and n > 0 and column in ("applied", "interviews")
        rows.append((name, n, total, total / n if n else None, low, high, invented))
    schema = {
        "unit": pl.String, "n": pl.Int64, "usd": pl.Float64, "usd_each": pl.Float64,
        "usd_low": pl.Float64, "usd_high": pl.Float64, "simulated": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def forecast(db: DuckDBPyConnection, *, ceiling_usd: float, now: datetime) -> pl.DataFrame:
    """How far the present UTC day is from its ceiling, and when it will be there at the day's pace so far.

    How sure that is says `day_end`. Columns: day, calls, spent_usd (settled), set_aside_usd (reserved and held),
    ceiling_usd (0: none), share (of the ceiling; null without one), usd_per_hour (null before the second call),
    reaches_at (UTC; null when not this day).
    Always one row.
    """
    day = now.astimezone(UTC).date()
    today: dict[str, Any] = ask(db, "spend_today", day=day).row(0, named=True)
    spent = today["settled_usd_micros"] / 1e6
    aside = (today["reserved_usd_micros"] + today["held_usd_micros"]) / 1e6
    pace = reaches = None
    if today["calls"] > 1 and now > today["first_call"]:
        pace = (spent + aside) / ((now - today["first_call"]).total_seconds() / 3600)
    if ceiling_usd > 0 and spent + aside >= ceiling_usd:
        reaches = now
    elif ceiling_usd > 0 and pace:
        at = now + timedelta(hours=(ceiling_usd - spent - aside) / pace)
        reaches = at if at.astimezone(UTC).date() == day else None
    row = {
        "day": day, "calls": today["calls"], "spent_usd": spent, "set_aside_usd": aside, "ceiling_usd": ceiling_usd,
        "share": (spent + aside) / ceiling_usd if ceiling_usd > 0 else None, "usd_per_hour": pace,
        "reaches_at": reaches,
    }  # fmt: skip
    schema: dict[str, Any] = {
        "day": pl.Date, "calls": pl.Int64, "spent_usd": pl.Float64, "set_aside_usd": pl.Float64,
        "ceiling_usd": pl.Float64, "share": pl.Float64, "usd_per_hour": pl.Float64,
        "reaches_at": pl.Datetime("ms", "UTC"),
    }  # fmt: skip
    return pl.DataFrame([row], schema=schema)


def charges(db: DuckDBPyConnection) -> pl.DataFrame:
    """Every paid call, the oldest first.

    Columns: day (UTC), lane, provider, model, state (settled, held, reserved or released), total_usd_micros (millionths
    of a US dollar, spent or set aside), input_tokens, output_tokens, for_a_job. Empty: no call was made.
    """
    return ask(db, "charges")
