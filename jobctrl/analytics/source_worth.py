"""What would be lost without a source, what it costs, and how soon it shows what is new."""

from __future__ import annotations

from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.calibration import score_map
from jobctrl.analytics.intervals import ratio_interval, with_rate
from jobctrl.analytics.made_up import counts_made_up
from jobctrl.analytics.quantiles import with_quantiles
from jobctrl.analytics.source_quality import GOOD

UNITS = (("scored job", "scored"), ("good job", "good"), ("application", "applied"), ("interview", "interviews"))


def lost_without(db: DuckDBPyConnection, *, min_score: int = GOOD, simulated: bool | None = None) -> pl.DataFrame:
    """What would be missing if one source had not been read, the others had: what only it shows.

    Columns: source_id, jobs (that it alone shows) of n (that any source shows), rate with low and high (95%); good_jobs
    (scored *min_score* or more) of good_n, good_rate with good_low and good_high; interviews (that came of jobs it
    alone shows); expected_interviews (had one applied to each of its good_jobs, by `score_map`) with expected_low and
    expected_high (95%; null while the map says nothing), simulated. *simulated* picks the made-up applications or the
    real ones; None takes the real ones if there are any. Empty: no source shows a job that the others do not.
    """
    made_up = counts_made_up(db, simulated)
    told = ask(db, "lost_without", made_up=made_up)
    means = score_map(db, simulated=made_up).select("score", "probability", "low", "high")
    good = pl.col("score") >= min_score
    totals = told.select(n=pl.col("jobs").sum(), good_n=pl.col("jobs").filter(good).sum())
    by_source = told.filter(pl.col("source_id").is_not_null()).join(means, on="score", how="left").group_by("source_id")
    lost = by_source.agg(
        pl.col("jobs").sum(),
        pl.col("jobs").filter(good).sum().alias("good_jobs"),
        pl.col("interviews").sum(),
        *(
            (pl.col("jobs") * pl.col(column)).filter(good).sum().alias(name)
            for name, column in (
                ("expected_interviews", "probability"),
                ("expected_low", "low"),
                ("expected_high", "high"),
            )
        ),
    )
    if means.is_empty():
        lost = lost.with_columns(pl.lit(None, pl.Float64).alias(name) for name in _EXPECTED)
    rated = with_rate(lost.join(totals, how="cross"), "jobs", "n")
    rated = with_rate(rated, "good_jobs", "good_n", prefix="good_").with_columns(pl.lit(made_up).alias("simulated"))
    ranked = rated.sort(pl.col("good_jobs"), pl.col("jobs"), pl.col("source_id"), descending=[True, True, False])
    return ranked.select(
        "source_id", "jobs", "n", "rate", "low", "high", "good_jobs", "good_n", "good_rate", "good_low", "good_high",
        "interviews", *_EXPECTED, "simulated",
    )  # fmt: skip


_EXPECTED = ("expected_interviews", "expected_low", "expected_high")


def source_costs(db: DuckDBPyConnection, *, min_score: int = GOOD, simulated: bool | None = None) -> pl.DataFrame:
    """What a scored job, a good job, an application and an interview of each source cost.

    All calls for jobs the source showed first count, those for discarded and failed work too. Columns: source_id, unit,
    n (how many there are), usd (all that was spent on the source's jobs, US dollars), usd_each (null without one),
    usd_low, usd_high (95%, bootstrap over jobs; null where it has no bound), simulated. *simulated* picks the made-up
    applications or the real ones; None takes the real ones if there are any. Empty: no job was found.
    """
    made_up = counts_made_up(db, simulated)
    rows = []
    blocks = ask(db, "source_units", min_score=min_score, made_up=made_up)
    for (source_id,), part in blocks.group_by("source_id", maintain_order=True):
        cost = part["usd_micros"].to_numpy() / 1e6
        total = float(cost.sum())
        for unit, column in UNITS:
            n = int(part[column].sum())
            low, high = ratio_interval(cost, part[column].to_numpy())
            invented = made_up and column in ("applied", "interviews")
            rows.append((source_id, unit, n, total, total / n if n else None, low, high, invented))
    schema: dict[str, Any] = {
        "source_id": pl.String, "unit": pl.String, "n": pl.Int64, "usd": pl.Float64, "usd_each": pl.Float64,
        "usd_low": pl.Float64, "usd_high": pl.Float64, "simulated": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def first_sight(db: DuckDBPyConnection) -> pl.DataFrame:
    """How soon after its publication a source shows a posting, and how that compares with the others that show it too.

    What stood on a board when it was first read is left out: it tells the age of its stock. Columns: source_id, seen
    (jobs it ever showed), new (of those, after its first reading), n (of the new, with a stated day of publication);
    p50_days and p90_days from that day to the first sight (whole days), shared (new jobs that another source shows as
    new too), ahead (of those, shown here first), rate (their share) with low and high (95%), p50_hours and p90_hours by
    which the earliest other one comes later (negative: earlier). Each p… with `…_low` and `…_high` (95%; null where
    there are too few). Empty: no source has shown a job.
    """
    told = with_quantiles(ask(db, "first_sight"), "days", "days")
    return with_rate(with_quantiles(told, "lead_hours", "hours"), "ahead", "shared")
