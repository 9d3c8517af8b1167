"""Does a posting get the same score twice? Jobs that were scored again while their text stayed the same."""

from __future__ import annotations

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import with_rate

CLOSE = 1
"""Scores that differ by no more say the same."""


def score_changes(db: DuckDBPyConnection) -> pl.DataFrame:
    """Each time a job was scored again on the same text, oldest first. A person's corrections are left out.

    Columns: job_id, version (of the later score), scored_at (UTC), before, after (1 to 10), difference (after less
    before), changed (what had changed between the two: profile, policy, model, several of them, or nothing that the log
    knows). Empty: no job was scored twice on one text.
    """
    return ask(db, "score_changes")


def stability(db: DuckDBPyConnection) -> pl.DataFrame:
    """How far scores of the same text lie apart, by what had changed between them.

    Columns: changed (anything, then nothing, profile, policy, model, several), repeats (scores compared with the one
    before), n (jobs), mean_difference, mean_absolute (points), largest (absolute, points), within_one_rate (the share
    of a job's repeats that moved by one point at most, averaged over jobs, 0 to 1) with within_one_low and
    within_one_high (95% Jeffreys over jobs). Empty: no job was scored twice on one text.
    """
    changes = score_changes(db)
    every = pl.concat([changes.with_columns(changed=pl.lit("anything")), changes])
    moved = pl.col("difference").abs()
    # Repeats of one job are no independent witnesses: each job counts once, with the share of its repeats that held.
    jobs = every.group_by("changed", "job_id").agg(
        pl.len().alias("repeats"),
        pl.col("difference").sum(),
        moved.sum().alias("absolute"),
        moved.max().alias("largest"),
        (moved <= CLOSE).mean().alias("held"),
    )
    causes = jobs.group_by("changed").agg(
        pl.col("repeats").sum().cast(pl.Int64),
        pl.len().cast(pl.Int64).alias("n"),
        (pl.col("difference").sum() / pl.col("repeats").sum()).alias("mean_difference"),
        (pl.col("absolute").sum() / pl.col("repeats").sum()).alias("mean_absolute"),
        pl.col("largest").max().cast(pl.Int64),
        # Summed in one order, so that the last digits do not depend on how the rows came.
        pl.col("held").sort().sum(),
    )
    rated = with_rate(causes, "held", "n", prefix="within_one_").drop("held")
    order = pl.col("changed").replace_strict(_ORDER, return_dtype=pl.Int64)
    return rated.sort(order)


_ORDER = {name: place for place, name in enumerate(("anything", "nothing", "profile", "policy", "model", "several"))}
