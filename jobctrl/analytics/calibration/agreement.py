"""Does a person agree with our scores? The corrections they made, each beside the score it replaced."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray
from scipy import stats

from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import CONFIDENCE, percentiles, redrawn

FEW = 10
"""Fewer corrections say nothing about agreement …"""
FEW_IN_BAND = 5
"""… nor fewer in one band about its bias."""
Floats = NDArray[np.float64]
Measure = Callable[[Floats, Floats, Floats], Floats]
"""Of how often each pair of scores comes up (a row a draw), our score and the person's: a value a row."""


def corrections(db: DuckDBPyConnection) -> pl.DataFrame:
    """Each job whose score a person corrected, with their last word on it, oldest first.

    Columns: job_id, corrected_at (UTC), ours, persons (1 to 10), difference (the person's less ours), band (of ours).
    Empty: nobody has corrected a score.
    """
    return ask(db, "corrections")


def agreement(db: DuckDBPyConnection) -> pl.DataFrame:
    """How close our scores are to those a person put in their place.

    People correct what looks wrong to them: this is no picture of the scores they left alone. Columns: measure
    (difference: the person's less ours, in points; absolute: the same without its sign; kappa: quadratic weighted
    kappa, 1 is the same scores and 0 no better than luck; spearman: rank correlation, -1 to 1), value with value_low
    and value_high (95%, bootstrap over jobs), n (jobs), need_more (corrections until it can be said; value is null
    before that, and where all scores are alike). Empty: nobody has corrected a score.
    """
    told = corrections(db)
    schema = {
        "measure": pl.String, "value": pl.Float64, "value_low": pl.Float64, "value_high": pl.Float64, "n": pl.Int64,
        "need_more": pl.Int64,
    }  # fmt: skip
    if told.is_empty():
        return pl.DataFrame(schema=schema)
    alike = told.group_by("ours", "persons").len().sort("ours", "persons")
    ours, persons, counts = (alike[column].to_numpy().astype(float) for column in alike.columns)
    seen_and_redrawn = np.vstack([counts, redrawn(counts)])
    missing = max(0, FEW - len(told))
    rows = [
        (
            name,
            *((None, None, None) if missing else _with_interval(measure(seen_and_redrawn, ours, persons))),
            len(told),
            missing,
        )
        for name, measure in _MEASURES.items()
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def correction_bias(db: DuckDBPyConnection) -> pl.DataFrame:
    """How far a person's scores lie above or below ours, by the band of ours.

    Columns: band, n (jobs corrected), mean_difference (the person's less ours, points) with mean_difference_low and
    mean_difference_high (95%, Student's t; null below five corrections), mean_absolute (points). Empty: nobody has
    corrected a score.
    """
    bands = (
        corrections(db)
        .group_by("band")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("difference").mean().alias("mean_difference"),
            pl.col("difference").var().alias("variance"),
            pl.col("difference").abs().mean().alias("mean_absolute"),
            pl.col("ours").min().alias("lowest"),
        )
        .sort("lowest")
    )
    reach = [_reach(n, variance) for n, variance in bands.select("n", "variance").iter_rows()]
    return bands.select(
        "band",
        "n",
        "mean_difference",
        (pl.col("mean_difference") - pl.Series("reach", reach, dtype=pl.Float64)).alias("mean_difference_low"),
        (pl.col("mean_difference") + pl.Series("reach", reach, dtype=pl.Float64)).alias("mean_difference_high"),
        "mean_absolute",
    )


def _reach(n: int, variance: float | None) -> float | None:
    """Half the interval of a mean of *n* differences."""
    if n < FEW_IN_BAND or variance is None:
        return None
    # Scores are whole points: even equal differences are known to half a point only.
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, n - 1) * math.sqrt((variance + 1 / 12) / n))


def _with_interval(values: Floats) -> tuple[float | None, float | None, float | None]:
    """The first value, with the interval that those of the draws after it make."""
    value = float(values[0])
    if not math.isfinite(value):
        return None, None, None
    low, high = percentiles(values[np.isfinite(values)][1:])
    return value, float(low), float(high)


def _difference(counts: Floats, ours: Floats, persons: Floats) -> Floats:
    return _mean(counts, persons - ours)


def _absolute(counts: Floats, ours: Floats, persons: Floats) -> Floats:
    return _mean(counts, np.abs(persons - ours))


def _kappa(counts: Floats, ours: Floats, persons: Floats) -> Floats:
    """Cohen's kappa with quadratic weights: the squared difference against that of scores paired at random."""
    by_chance = _mean(counts, ours**2) + _mean(counts, persons**2) - 2 * _mean(counts, ours) * _mean(counts, persons)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = 1 - _mean(counts, (persons - ours) ** 2) / by_chance
    return found


def _spearman(counts: Floats, ours: Floats, persons: Floats) -> Floats:
    """The correlation of ranks, ties at their middle."""
    ranks, others = _middle_ranks(counts, ours), _middle_ranks(counts, persons)
    together = (counts * ranks * others).sum(1)
    spread = (counts * ranks**2).sum(1) * (counts * others**2).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = together / np.sqrt(spread)
    return found


def _mean(counts: Floats, worth: Floats) -> Floats:
    found: Floats = counts @ worth / counts.sum(1)
    return found


def _middle_ranks(counts: Floats, scores: Floats) -> Floats:
    """The middle rank of each score among all, less the mean rank."""
    below = (scores[:, None] < scores).astype(float)
    equal = (scores[:, None] == scores).astype(float)
    ranks: Floats = counts @ below + counts @ equal / 2 - counts.sum(1, keepdims=True) / 2
    return ranks


_MEASURES: dict[str, Measure] = {
    "difference": _difference,
    "absolute": _absolute,
    "kappa": _kappa,
    "spearman": _spearman,
}
