"""What a score means: the probability of an outcome, which never falls as the score rises."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray
from scipy import optimize

from jobctrl.analytics.applications import WAIT_DAYS, Outcome, applications, settled
from jobctrl.analytics.calibration.rates import is_enough
from jobctrl.analytics.intervals import SEED, percentiles

SCORES = np.arange(1, 11)
PRIOR = 5
"""What the overall rate counts for beside the applications of scores that are pooled, in applications."""
_DRAWS = 500
Floats = NDArray[np.float64]


def score_map(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """What each score means: the probability of *outcome*, never lower for a higher score.

    Scores whose rates fall are pooled (isotonic), and each pool is drawn towards the overall rate, the more the fewer
    applications it holds (beta-binomial). Columns: score (1 to 10), n, successes, probability, low, high (95%,
    bootstrap), simulated. A score that nobody applied with lies between its neighbours. Empty while `enough` says there
    is not enough.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    n, k = by_score(ready["score"].to_numpy(), ready["success"].to_numpy())
    schema = {
        "score": pl.Int64, "n": pl.Int64, "successes": pl.Int64, "probability": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "simulated": pl.Boolean,
    }  # fmt: skip
    if not is_enough(len(ready), k.sum()):
        return pl.DataFrame(schema=schema)
    low, high = fitted_interval(n, k)
    columns = {
        "score": SCORES, "n": n.astype(int), "successes": k.astype(int), "probability": fitted(n, k),
        "low": low, "high": high, "simulated": np.full(SCORES.size, bool(ready["simulated"].any())),
    }  # fmt: skip
    return pl.DataFrame(columns, schema=schema)


def by_score(scores: NDArray[np.int64], successes: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Applications and successes at each score from 1 to 10."""
    n = np.bincount(scores, minlength=11)[1:].astype(float)
    return n, np.bincount(scores, weights=successes, minlength=11)[1:].astype(float)


def fitted(n: Floats, k: Floats) -> Floats:
    """The probability of success at each score from 1 to 10, given *n* applications and *k* successes at each.

    Pooled first and drawn in afterwards: scores that are drawn in one by one stay near the overall rate where each has
    few applications, also when all of them together say otherwise.
    """
    known = n > 0
    level = np.unique(_monotone(k[known] / n[known], n[known]).round(12), return_inverse=True)[1]
    pooled_n, pooled_k = np.bincount(level, weights=n[known]), np.bincount(level, weights=k[known])
    drawn_in = (pooled_k + PRIOR * k.sum() / n.sum()) / (pooled_n + PRIOR)
    return np.interp(SCORES, SCORES[known], _monotone(drawn_in[level], n[known]))


def fitted_interval(n: Floats, k: Floats) -> tuple[Floats, Floats]:
    """The interval of `fitted` at each score.

    A Bayesian bootstrap: each score's rate is drawn anew from what its own applications say (Jeffreys), and the rates
    are made monotone. Drawing applications instead, and shrinking again, takes the scores with few of them for better
    known than they are: of 60 to 400 applications its intervals held the truth 87 to 91 times in a hundred.
    """
    known = n > 0
    draw = np.random.default_rng(SEED)
    rates = draw.beta(k[known] + 0.5, n[known] - k[known] + 0.5, (_DRAWS, int(known.sum())))
    low, high = percentiles(np.array([_monotone(each, n[known]) for each in rates]))
    point = fitted(n, k)
    # Where nobody applied, only the neighbours say anything: not lower than the one below, not higher than that above.
    below = np.searchsorted(SCORES[known], SCORES, side="right")
    above = np.searchsorted(SCORES[known], SCORES, side="left")
    return (
        np.minimum(point, np.concatenate([[0.0], low])[below]),
        np.maximum(point, np.concatenate([high, [1.0]])[above]),
    )


def _monotone(rates: Floats, weights: Floats) -> Floats:
    fit: Floats = optimize.isotonic_regression(rates, weights=weights).x
    return fit
