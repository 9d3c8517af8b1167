"""Is a score worth its number? Scores held against what came of the applications that were made with them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray
from scipy import optimize, special

from jobctrl.analytics.applications import WAIT_DAYS, Outcome, applications, settled
from jobctrl.analytics.intervals import with_rate

FLOOR = 30
"""Fewer applications say nothing about a curve …"""
EACH_WAY = 5
"""… nor do fewer successes, or fewer failures."""
BANDS = ("poor", "stretch", "plausible", "strong", "excellent")
SCORES = np.arange(1, 11)
_EDGE = 1e-6
_DRAWS = 400
_SEED = 20260301
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Enough:
    """Whether there is enough to say anything, and if not, about how much is missing."""

    n: int
    successes: int
    waiting: int
    need_more: int
    simulated: bool

    @property
    def says(self) -> str:
        if not self.need_more:
            return f"{self.n} applications, {self.successes} with success."
        waiting = f" {self.waiting} more are too young to count." if self.waiting else ""
        return (
            f"Not enough data: {self.n} applications, {self.successes} with success; "
            f"need about {self.need_more} more.{waiting}"
        )


def enough(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> Enough:
    """How many applications there are to judge by, and about how many more a first judgement needs."""
    frame = applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)
    ready = settled(frame)
    n, successes = len(ready), int(ready["success"].sum())
    rate = (successes + 0.5) / (n + 1)
    missing = (
        FLOOR - n,
        math.ceil((EACH_WAY - successes) / rate),
        math.ceil((EACH_WAY - (n - successes)) / (1 - rate)),
    )
    return Enough(n, successes, int(frame["waiting"].sum()), max(0, *missing), bool(frame["simulated"].any()))


def calibration(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    by: Literal["band", "score"] = "band",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How often *outcome* came of the applications made with each score, or each band of scores.

    Columns: band or score, n (applications), successes, rate (0 to 1), low, high (95% Jeffreys interval),
    mean_score (1 to 10), simulated. Only scores that were applied with are rows. Outcomes exist for jobs that were
    applied to alone: what the others would have answered is not known. Empty: nothing to judge by yet.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    counted = ready.group_by(by).agg(
        pl.len().cast(pl.Int64).alias("n"),
        pl.col("success").sum().cast(pl.Int64).alias("successes"),
        pl.col("score").mean().alias("mean_score"),
        pl.col("simulated").any(),
    )
    rated = with_rate(counted.sort("mean_score"), "successes", "n")
    return rated.select(by, "n", "successes", "rate", "low", "high", "mean_score", "simulated")


def score_map(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """What each score means: the probability of *outcome*, never lower for a higher score.

    Rates by score are drawn towards the overall rate as far as they are poorly known (beta-binomial), then made
    monotone (isotonic). Columns: score (1 to 10), n, successes, probability, low, high (95%, bootstrap over
    applications), simulated. Empty while `enough` says there is not enough.
    """
    frame = applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)
    ready = settled(frame)
    scores, successes = ready["score"].to_numpy(), ready["success"].to_numpy().astype(float)
    schema = {
        "score": pl.Int64, "n": pl.Int64, "successes": pl.Int64, "probability": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "simulated": pl.Boolean,
    }  # fmt: skip
    if not _enough(len(ready), successes.sum()):
        return pl.DataFrame(schema=schema)
    draw = np.random.default_rng(_SEED)
    again = np.empty((_DRAWS, SCORES.size))
    for number in range(_DRAWS):
        picked = draw.integers(0, scores.size, scores.size)
        again[number] = _fit(scores[picked], successes[picked])
    low, high = np.quantile(again, [0.025, 0.975], axis=0)
    n, k = _by_score(scores, successes)
    columns = {
        "score": SCORES, "n": n.astype(int), "successes": k.astype(int), "probability": _fit(scores, successes),
        "low": low, "high": high, "simulated": np.full(SCORES.size, bool(ready["simulated"].any())),
    }  # fmt: skip
    return pl.DataFrame(columns, schema=schema)


def brier(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How good three forecasts are on the applications they were made from.

    Columns: forecast (`score` takes score/10 as a probability, `map` the map of `score_map`, `overall` the same rate
    for all), n, brier (mean squared error, 0 is perfect), reliability (0 is calibrated), resolution (more is sharper),
    uncertainty (of the outcome itself), log_loss (nats), calibration_error (mean absolute, 0 to 1), simulated;
    brier = reliability - resolution + uncertainty. Empty while `enough` says there is not enough.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    scores, successes = ready["score"].to_numpy(), ready["success"].to_numpy().astype(float)
    if not _enough(len(ready), successes.sum()):
        return pl.DataFrame(schema=_JUDGED)
    return _judge(scores, successes, _fit(scores, successes), successes.mean(), bool(ready["simulated"].any()))


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
    rate for all), n (later applications), brier, reliability, resolution, uncertainty, log_loss (nats),
    calibration_error (mean absolute, 0 to 1), simulated. Empty while the past alone is not enough.
    """
    ready = settled(applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now))
    scores, successes = ready["score"].to_numpy(), ready["success"].to_numpy().astype(float)
    cut = int(len(ready) * past)
    if not _enough(cut, successes[:cut].sum()) or cut == len(ready):
        return pl.DataFrame(schema=_JUDGED)
    learned = _fit(scores[:cut], successes[:cut])
    return _judge(scores[cut:], successes[cut:], learned, successes[:cut].mean(), bool(ready["simulated"].any()))


_JUDGED = {
    "forecast": pl.String, "n": pl.Int64, "brier": pl.Float64, "reliability": pl.Float64, "resolution": pl.Float64,
    "uncertainty": pl.Float64, "log_loss": pl.Float64, "calibration_error": pl.Float64, "simulated": pl.Boolean,
}  # fmt: skip


def _enough(n: int, successes: float) -> bool:
    return n >= FLOOR and successes >= EACH_WAY and n - successes >= EACH_WAY


def _by_score(scores: NDArray[np.int64], successes: Floats) -> tuple[Floats, Floats]:
    n = np.bincount(scores, minlength=11)[1:].astype(float)
    return n, np.bincount(scores, weights=successes, minlength=11)[1:].astype(float)


def _fit(scores: NDArray[np.int64], successes: Floats) -> Floats:
    """The probability of success at each score from 1 to 10."""
    from sklearn.isotonic import IsotonicRegression

    n, k = _by_score(scores, successes)
    overall = successes.mean()
    strength = _prior_strength(n, k, overall)
    drawn_in = (k + strength * overall) / (n + strength)
    known = n > 0
    curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    curve.fit(SCORES[known], drawn_in[known], sample_weight=n[known])
    fitted: Floats = curve.predict(SCORES.astype(float))
    return fitted


def _prior_strength(n: Floats, k: Floats, overall: float) -> float:
    """How many applications the overall rate is worth beside a score's own: by beta-binomial likelihood."""
    known = n > 0
    if not 0 < overall < 1:
        return 1.0
    n, k = n[known], k[known]

    def unlikely(log_strength: float) -> float:
        a, b = np.exp(log_strength) * overall, np.exp(log_strength) * (1 - overall)
        return -float(np.sum(special.betaln(k + a, n - k + b) - special.betaln(a, b)))

    best = optimize.minimize_scalar(unlikely, bounds=(math.log(0.5), math.log(200)), method="bounded")
    return float(np.exp(best.x))


def _judge(
    scores: NDArray[np.int64], successes: Floats, learned: Floats, overall: float, made_up: bool
) -> pl.DataFrame:
    forecasts = {
        "score": scores / 10,
        "map": learned[scores - 1],
        "overall": np.full(scores.size, overall),
    }
    rows = [(name, scores.size, *_judged(chance, successes), made_up) for name, chance in forecasts.items()]
    return pl.DataFrame(rows, schema=_JUDGED, orient="row")


def _judged(chance: Floats, successes: Floats) -> tuple[float, ...]:
    """Brier, its three parts, log loss and calibration error of forecasts that take few values."""
    values, which = np.unique(chance, return_inverse=True)
    weight = np.bincount(which) / chance.size
    rate = np.bincount(which, weights=successes) / np.bincount(which)
    base = successes.mean()
    sure = np.clip(chance, _EDGE, 1 - _EDGE)
    return (
        float(np.mean((chance - successes) ** 2)),
        float(weight @ (values - rate) ** 2),
        float(weight @ (rate - base) ** 2),
        float(base * (1 - base)),
        float(-np.mean(successes * np.log(sure) + (1 - successes) * np.log(1 - sure))),
        float(weight @ np.abs(values - rate)),
    )
