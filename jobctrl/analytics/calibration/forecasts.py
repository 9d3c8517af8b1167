"""How good a score is as a forecast, raw and through its map: on what the map learned from, and on what came later."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from jobctrl.analytics.applications import WAIT_DAYS, Outcome, applications, settled
from jobctrl.analytics.calibration.map import SCORES, Floats, by_score, fitted
from jobctrl.analytics.calibration.rates import is_enough
from jobctrl.analytics.intervals import percentiles, redrawn

_EDGE = 1e-6
RAW = SCORES / 10
"""A score taken at its word: 7 of 10 as 70%."""
_JUDGED = {
    "forecast": pl.String, "n": pl.Int64, "brier": pl.Float64,
    "against_score": pl.Float64, "against_score_low": pl.Float64, "against_score_high": pl.Float64,
    "reliability": pl.Float64, "resolution": pl.Float64, "uncertainty": pl.Float64, "log_loss": pl.Float64,
    "expected_calibration_error": pl.Float64, "simulated": pl.Boolean,
}  # fmt: skip


def brier(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How good three forecasts are on the applications they were made from, which flatters all but the raw score.

    Columns: forecast (`score` takes score/10 as a probability, `map` the map of `score_map`, `overall` the same rate
    for all), n, brier (mean squared error, 0 is perfect), against_score (its brier less that of the raw score: below 0
    is better) with against_score_low and against_score_high (95%, paired bootstrap over applications), reliability (0
    is calibrated), resolution (more is sharper), uncertainty (of the outcome itself), log_loss (nats),
    expected_calibration_error (mean absolute, 0 to 1), simulated; brier = reliability - resolution + uncertainty. Empty
    while `enough` says there is not enough.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    n, k = _counts(ready)
    if not is_enough(len(ready), k.sum()):
        return pl.DataFrame(schema=_JUDGED)
    return _judge(n, k, fitted(n, k), k.sum() / n.sum(), bool(ready["simulated"].any()))


def backtest(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    past: float = 0.7,
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """The same forecasts made from the first *past* share of applications, judged on the later ones.

    Columns: forecast (`score` takes score/10 as a probability, `map` the map learned on the past, `overall` the past's
    rate for all), n (later applications), brier, against_score (brier less that of the raw score: below 0 is better)
    with against_score_low and against_score_high (95%, paired bootstrap over the later applications), reliability,
    resolution, uncertainty, log_loss (nats), expected_calibration_error (mean absolute, 0 to 1), simulated. Empty while
    the past alone is not enough.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    cut = int(len(ready) * past)
    n, k = _counts(ready.head(cut))
    if not is_enough(cut, k.sum()) or cut == len(ready):
        return pl.DataFrame(schema=_JUDGED)
    later = _counts(ready.tail(-cut))
    return _judge(*later, fitted(n, k), k.sum() / n.sum(), bool(ready["simulated"].any()))


def brier_of(chances: Floats, n: Floats, k: Floats) -> float:
    """The mean squared error of a forecast that says *chances* at the scores from 1 to 10."""
    return float((k @ (1 - chances) ** 2 + (n - k) @ chances**2) / n.sum())


def _counts(ready: pl.DataFrame) -> tuple[Floats, Floats]:
    return by_score(ready["score"].to_numpy(), ready["success"].to_numpy())


def _judge(n: Floats, k: Floats, learned: Floats, overall: float, made_up: bool) -> pl.DataFrame:
    forecasts = {"score": RAW, "map": learned, "overall": np.full(SCORES.size, overall)}
    rows = [
        (
            name,
            int(n.sum()),
            brier_of(chances, n, k),
            *_against_raw(name, chances, n, k),
            *_judged(chances, n, k),
            made_up,
        )
        for name, chances in forecasts.items()
    ]
    return pl.DataFrame(rows, schema=_JUDGED, orient="row")


def _judged(chances: Floats, n: Floats, k: Floats) -> tuple[float, ...]:
    """The three parts of the Brier score, log loss and calibration error; scores with one forecast are one group."""
    values, which = np.unique(chances[n > 0], return_inverse=True)
    size = np.bincount(which, weights=n[n > 0])
    weight, rate = size / n.sum(), np.bincount(which, weights=k[n > 0]) / size
    base = k.sum() / n.sum()
    sure = np.clip(chances, _EDGE, 1 - _EDGE)
    return (
        float(weight @ (values - rate) ** 2),
        float(weight @ (rate - base) ** 2),
        float(base * (1 - base)),
        float(-(k @ np.log(sure) + (n - k) @ np.log(1 - sure)) / n.sum()),
        float(weight @ np.abs(values - rate)),
    )


def _against_raw(name: str, chances: Floats, n: Floats, k: Floats) -> tuple[float | None, ...]:
    """The difference of the Brier scores on the same applications, and its interval."""
    if name == "score":
        return None, None, None
    better = np.concatenate([(1 - chances) ** 2 - (1 - RAW) ** 2, chances**2 - RAW**2])
    cells: NDArray[np.float64] = np.concatenate([k, n - k])
    low, high = percentiles(redrawn(cells) @ better / n.sum())
    return float(cells @ better / n.sum()), float(low), float(high)
