"""How sure a rate is: no rate leaves this package without its interval and the number it rests on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import stats

CONFIDENCE = 0.95
SEED = 20260301
"""The same data gives the same interval every time."""
_DRAWS = 2000
_REDRAWS = 1000
_BLOCKS = 1000


def jeffreys(
    successes: ArrayLike, n: ArrayLike, *, confidence: float = CONFIDENCE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The Jeffreys interval of a proportion; the closed end is 0 without a success and 1 without a failure."""
    k, total = np.asarray(successes, dtype=float), np.asarray(n, dtype=float)
    tail = (1 - confidence) / 2
    low = np.where(k == 0, 0.0, stats.beta.ppf(tail, k + 0.5, total - k + 0.5))
    high = np.where(k == total, 1.0, stats.beta.ppf(1 - tail, k + 0.5, total - k + 0.5))
    return np.where(total == 0, np.nan, low), np.where(total == 0, np.nan, high)


def with_rate(frame: pl.DataFrame, successes: str, n: str, *, prefix: str = "") -> pl.DataFrame:
    """*frame* with `rate`, `low` and `high` (each behind *prefix*) of the proportion; null where *n* is 0."""
    low, high = jeffreys(frame[successes].to_numpy(), frame[n].to_numpy())
    return frame.with_columns(
        pl.when(pl.col(n) > 0).then(pl.col(successes) / pl.col(n)).alias(f"{prefix}rate"),
        pl.Series(f"{prefix}low", low, dtype=pl.Float64).fill_nan(None),
        pl.Series(f"{prefix}high", high, dtype=pl.Float64).fill_nan(None),
    )


def ratio_interval(
    top: ArrayLike, bottom: ArrayLike, *, confidence: float = CONFIDENCE
) -> tuple[float | None, float | None]:
    """The bootstrap interval of sum(top) / sum(bottom) over independent units; an end is None where it is unbounded.

    Each unit is drawn a Poisson number of times, so units that are zero on both sides need not be drawn at all. Many
    units are first thrown together at random into blocks, which are independent as well.
    """
    over, under = np.asarray(top, dtype=float), np.asarray(bottom, dtype=float)
    told = (over != 0) | (under != 0)
    over, under = over[told], under[told]
    if not under.any():
        return None, None
    if over.size > _BLOCKS:
        block = np.random.default_rng(SEED).permutation(over.size) % _BLOCKS
        over, under = np.bincount(block, weights=over), np.bincount(block, weights=under)
    weights = _drawn(over.size)
    tops, bottoms = weights @ over, weights @ under
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(bottoms > 0, tops / bottoms, np.inf)
    tail = (1 - confidence) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail], method="nearest")
    return _bounded(low), _bounded(high)


def redrawn(cells: ArrayLike) -> NDArray[np.int64]:
    """A bootstrap over units of which *cells* says how many are alike: how many of each come up, a row a draw."""
    counts = np.asarray(cells, dtype=float)
    total = counts.sum()
    return np.random.default_rng(SEED).multinomial(int(total), counts / total, _REDRAWS)


def percentiles(draws: NDArray[np.float64], *, confidence: float = CONFIDENCE) -> NDArray[np.float64]:
    """The interval that holds *confidence* of the *draws*, which are rows: its low ends, then its high ends."""
    tail = (1 - confidence) / 2
    ends: NDArray[np.float64] = np.quantile(draws, [tail, 1 - tail], axis=0)
    return ends


@lru_cache(maxsize=2)
def _drawn(size: int) -> NDArray[np.float64]:
    """How often each of *size* units is drawn, a row a draw: most of the work, and the same every time."""
    return np.random.default_rng([SEED, size]).poisson(1.0, (_DRAWS, size)).astype(float)


def _bounded(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
