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
_SIZE = 10
_OURS, _PERSONS = np.indices((_SIZE, _SIZE))
Floats = NDArray[np.float64]


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
    cells = np.zeros((_SIZE, _SIZE))
    np.add.at(cells, (told["ours"].to_numpy() - 1, told["persons"].to_numpy() - 1), 1)
    missing = max(0, FEW - len(told))
    draws = redrawn(cells.ravel()).reshape(-1, _SIZE, _SIZE)
    rows = [
        (name, *((None, None, None) if missing else _with_interval(measure, cells, draws)), len(told), missing)
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


def _with_interval(
    measure: Callable[[Floats], Floats], cells: Floats, draws: NDArray[np.int64]
) -> tuple[float | None, float | None, float | None]:
    value = float(measure(cells[None])[0])
    if not math.isfinite(value):
        return None, None, None
    again = measure(draws.astype(float))
    low, high = percentiles(again[np.isfinite(again)])
    return value, float(low), float(high)


def _mean(worth: NDArray[np.int64]) -> Callable[[Floats], Floats]:
    def mean(cells: Floats) -> Floats:
        found: Floats = (cells * worth).sum((1, 2)) / cells.sum((1, 2))
        return found

    return mean


def _kappa(cells: Floats) -> Floats:
    """Cohen's kappa with quadratic weights, of each table."""
    apart = (_OURS - _PERSONS) ** 2
    by_chance = cells.sum(2)[:, :, None] * cells.sum(1)[:, None, :] / cells.sum((1, 2))[:, None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = 1 - (cells * apart).sum((1, 2)) / (by_chance * apart).sum((1, 2))
    return found


def _spearman(cells: Floats) -> Floats:
    """The correlation of ranks of each table, ties at their middle."""
    ours, persons = _middle_ranks(cells.sum(2)), _middle_ranks(cells.sum(1))
    together = (cells * ours[:, :, None] * persons[:, None, :]).sum((1, 2))
    spread = (cells.sum(2) * ours**2).sum(1) * (cells.sum(1) * persons**2).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = together / np.sqrt(spread)
    return found


def _middle_ranks(counts: Floats) -> Floats:
    """The middle rank of each value, less the mean of all."""
    ranks: Floats = counts.cumsum(1) - counts / 2 - counts.sum(1, keepdims=True) / 2
    return ranks


_MEASURES: dict[str, Callable[[Floats], Floats]] = {
    "difference": _mean(_PERSONS - _OURS),
    "absolute": _mean(np.abs(_PERSONS - _OURS)),
    "kappa": _kappa,
    "spearman": _spearman,
}
