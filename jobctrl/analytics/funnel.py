"""How far jobs come, and how long each stage takes."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import with_rate
from jobctrl.analytics.made_up import counts_made_up
from jobctrl.analytics.quantiles import with_quantiles
from jobctrl.analytics.source_quality import GOOD

STEPS = ("found", "enriched", "scored", "good", "prepared", "applied", "replied", "interview", "offer")
_ANSWERS = ("applied", "replied", "interview", "offer")
_BEFORE = {step: before for before, step in pairwise(STEPS)} | {
    "interview": "applied",
    "offer": "applied",
}
"""An interview needs no reply of its own kind first: answers are counted against applications."""


def funnel(
    db: DuckDBPyConnection, *, since: datetime | None = None, min_score: int = GOOD, simulated: bool | None = None
) -> pl.DataFrame:
    """How many jobs came how far, of those first seen since *since*.

    Columns: step (found, enriched, scored, good, prepared, applied, replied, interview, offer), jobs, of (the step it
    is held against), n (jobs there), reached (of those n), rate (0 to 1) with low and high (95%; null without any),
    simulated. `good` is scored *min_score* or more; jobs applied to without being prepared count as applied, but not in
    the rate. *simulated* picks the made-up applications or the real ones; None takes the real ones if there are any.
    Always nine rows, zeros when nothing was found.
    """
    made_up = counts_made_up(db, simulated)
    counts = ask(db, "funnel", since=since, min_score=min_score, made_up=made_up).row(0, named=True)
    rows = []
    for step in STEPS:
        before = _BEFORE.get(step)
        reached = counts["applied_prepared"] if step == "applied" else counts[step]
        invented = made_up and counts["applied"] > 0 and step in _ANSWERS
        rows.append((step, counts[step], before, counts[before] if before else 0, reached, invented))
    schema = {
        "step": pl.String, "jobs": pl.Int64, "of": pl.String, "n": pl.Int64, "reached": pl.Int64,
        "simulated": pl.Boolean,
    }  # fmt: skip
    rated = with_rate(pl.DataFrame(rows, schema=schema, orient="row"), "reached", "n")
    return rated.select("step", "jobs", "of", "n", "reached", "rate", "low", "high", "simulated")


def latency(db: DuckDBPyConnection, *, since: datetime | None = None) -> pl.DataFrame:
    """How long the attempts of each stage took.

    Columns: stage, succeeded, n (attempts that ended), p50_seconds and p90_seconds, each with `…_low` and `…_high`
    (95%, between two of the times; null where there are too few). Empty: no attempt has ended.
    """
    return with_quantiles(ask(db, "latency", since=since), "seconds", "seconds")
