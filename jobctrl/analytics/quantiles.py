"""How sure a quantile is: between two of the values themselves, whatever their distribution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike
from scipy import stats

from jobctrl.analytics.intervals import CONFIDENCE

Quantile = tuple[float | None, float | None, float | None]


def quantile(values: ArrayLike, q: float, *, confidence: float = CONFIDENCE) -> Quantile:
    """The quantile *q* of *values* and its interval; an end is None where there are too few values to have one.

    The interval runs between two order statistics, picked by the binomial number of values below the quantile.
    """
    ranked = np.sort(np.asarray(values, dtype=float))
    if not ranked.size:
        return None, None, None
    n, tail = ranked.size, (1 - confidence) / 2
    below, above = (int(rank) for rank in stats.binom.ppf([tail, 1 - tail], n, q))
    low = float(ranked[below - 1]) if below >= 1 else None
    high = float(ranked[above]) if above < n else None
    return float(np.quantile(ranked, q)), low, high


def with_quantiles(frame: pl.DataFrame, column: str, unit: str, *, qs: Sequence[float] = (0.5, 0.9)) -> pl.DataFrame:
    """*frame* with `p50_<unit>`, `p50_<unit>_low`, `p50_<unit>_high` … of the lists in *column*, which it loses."""
    lists = [values.to_numpy() if values is not None else () for values in frame[column]]
    for q in qs:
        told = [quantile(values, q) for values in lists]
        name = f"p{q * 100:.0f}_{unit}"
        for place, suffix in enumerate(("", "_low", "_high")):
            frame = frame.with_columns(pl.Series(name + suffix, [each[place] for each in told], dtype=pl.Float64))
    return frame.drop(column)
