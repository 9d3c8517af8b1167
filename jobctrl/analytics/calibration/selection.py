"""Outcomes exist only for jobs that were applied to: what that hides, and what chosen by chance shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
import polars as pl
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from jobctrl.analytics.applications import WAIT_DAYS, Outcome, applications, settled
from jobctrl.analytics.ask import ask
from jobctrl.analytics.intervals import SEED, percentiles, with_rate
from jobctrl.scoring.model import ScoringPolicy

FEW = 5
"""Fewer applications to chosen jobs cannot speak for all that were not chosen."""
_DRAWS = 4000
_FIRST = ScoringPolicy()
_DEFAULT_THRESHOLD = max(_FIRST.min_fit_score, _FIRST.material_floor)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Selection:
    """What the applications can and cannot say about the jobs nobody applied to."""

    scored: int
    """Jobs with a score that nothing rules out."""
    applied: int
    """Of those, jobs that were applied to."""
    below: int
    """Applications to jobs below the threshold of their policy."""
    explored: int
    """Jobs that chance let through."""
    told: int
    """Applications to those, old enough to count."""
    told_above: int
    """Applications at the threshold or above it, old enough to count."""

    @property
    def says(self) -> str:
        share = f" ({self.applied / self.scored:.0%})" if self.scored else ""
        return (
            f"Outcomes exist only for jobs that were applied to: {self.applied:,} of {self.scored:,} scored jobs"
            f"{share}, {self.below:,} of them below the threshold. A rate among those you chose is not the rate you "
            "would have had among the others; where you applied only to what looked best, it is too high for the rest."
        )

    @property
    def why_no_estimate(self) -> str:
        """Why `propensities` is empty; nothing when it is not."""
        if not self.explored:
            return (
                "No job was let through by chance, so nothing speaks for those below the threshold. The setting "
                "`exploration_share` (0 to 0.2) prepares a share of them all the same, and records how likely each was."
            )
        if self.told < FEW:
            return (
                f"{self.explored:,} jobs were let through by chance, and {self.told:,} of them were applied to long "
                f"enough ago; need about {FEW - self.told:,} more."
            )
        if not self.told_above:
            return "No application to a job at its threshold or above is old enough to count."
        return ""


def selection(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> Selection:
    """How far the applications speak for all scored jobs, in words."""
    told = applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)
    jobs = _with_applications(db, told)
    chosen = jobs.filter(pl.col("below") & pl.col("propensity").is_not_null())
    return Selection(
        scored=len(jobs),
        applied=int(jobs["applied"].sum()),
        below=int((jobs["applied"] & jobs["below"]).sum()),
        explored=len(chosen),
        told=int(chosen["ready"].sum()),
        told_above=int((jobs["ready"] & ~jobs["below"]).sum()),
    )


def applied_share(
    db: DuckDBPyConnection,
    *,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How much of each score is known at all: the scored jobs, and how many of them were applied to.

    Columns: score (1 to 10; the one applied with, else the current one), n (scored jobs that nothing rules out),
    applied, rate (applied of n, 0 to 1), low, high (95% Jeffreys), explored (let through by chance below the
    threshold), simulated (the applications are made up). Empty: nothing is scored yet.
    """
    told = applications(db, simulated=simulated, now=now)
    counted = (
        _with_applications(db, told)
        .group_by("score")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("applied").sum().cast(pl.Int64),
            (pl.col("below") & pl.col("propensity").is_not_null()).sum().cast(pl.Int64).alias("explored"),
        )
        .sort("score")
        .with_columns(pl.lit(bool(told["simulated"].any())).alias("simulated"))
    )
    rated = with_rate(counted, "applied", "n")
    return rated.select("score", "n", "applied", "rate", "low", "high", "explored", "simulated")


def explorations(db: DuckDBPyConnection) -> pl.DataFrame:
    """The jobs below the threshold that chance let through to their materials, the newest first.

    Columns: job_id, title, employer, url, score (1 to 10, when chosen), threshold, propensity (0 to 1), chosen_at
    (UTC), tailor_state, cover_state, has_pdf, applied_at, replied_at, interview_at, offer_at (UTC), active_state,
    simulated. Empty: no job was let through by chance.
    """
    return ask(db, "explorations")


def propensities(
    db: DuckDBPyConnection,
    *,
    outcome: Outcome = "interview",
    wait_days: int = WAIT_DAYS,
    simulated: bool | None = None,
    now: datetime | None = None,
) -> pl.DataFrame:
    """How often *outcome* would come of applying to any scored job: applications weighted by how unlikely each was.

    An application to a job that one in ten was chosen from stands for ten (Hájek), and the applications made stand for
    all that were let through with them: that takes them to be picked from those without regard to what will come of
    it. Jobs that are ruled out, and applications that neither the threshold nor chance let through, are left out.
    Columns: estimate (plain: all applications alike; weighted), rate (0 to 1), low, high (95%: Jeffreys, and a Bayesian
    bootstrap of each group with one weight), n (applications), effective_n (as many equally weighted ones say as much),
    explored (applications to jobs chosen by chance), simulated. Empty while too few such applications exist;
    `selection` says why.
    """
    told = applications(db, outcome=outcome, wait_days=wait_days, simulated=simulated, now=now)
    schema = {
        "estimate": pl.String, "rate": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64,
        "effective_n": pl.Float64, "explored": pl.Int64, "simulated": pl.Boolean,
    }  # fmt: skip
    let_through = _with_applications(db, told).filter(pl.col("propensity").is_not_null())
    groups = (
        let_through.group_by("below", "propensity")
        .agg(
            pl.len().alias("jobs"),
            pl.col("ready").sum().cast(pl.Int64).alias("n"),
            (pl.col("ready") & pl.col("success")).sum().cast(pl.Int64).alias("successes"),
        )
        .sort("below", "propensity")
    )
    groups = groups.with_columns(
        weight=_weights(groups["below"].to_numpy(), *(groups[c].to_numpy() for c in ("jobs", "n", "propensity")))
    ).filter(pl.col("n") > 0)
    explored = int(groups.filter("below")["n"].sum())
    if explored < FEW or groups.filter(~pl.col("below")).is_empty():
        return pl.DataFrame(schema=schema)
    n, k, weight = (groups[column].to_numpy().astype(float) for column in ("n", "successes", "weight"))
    low, high = weighted_interval(n, k, weight)
    ready = settled(told)
    plain = with_rate(pl.DataFrame({"k": [int(ready["success"].sum())], "n": [len(ready)]}), "k", "n")
    made_up = bool(told["simulated"].any())
    rows = [
        ("plain", *plain.select("rate", "low", "high").row(0), len(ready), float(len(ready)), explored, made_up),
        (
            "weighted",
            float(weight @ k / (weight @ n)),
            low,
            high,
            int(n.sum()),
            float((weight @ n) ** 2 / (weight**2 @ n)),
            explored,
            made_up,
        ),
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def weighted_interval(n: Floats, k: Floats, weight: Floats) -> tuple[float, float]:
    """The interval of a rate over groups of *n* with *k* successes, of which each one counts *weight*.

    A group without a success would have no spread in a bootstrap over applications, however few they are; here its
    rate is drawn anew from what its own applications say (Jeffreys).
    """
    share = weight * n / (weight @ n)
    rates = np.random.default_rng(SEED).beta(k + 0.5, n - k + 0.5, (_DRAWS, n.size))
    low, high = percentiles(rates @ share)
    return float(low), float(high)


def _weights(below: NDArray[np.bool_], jobs: Floats, n: Floats, propensity: Floats) -> Floats:
    """What one application of each group stands for: the jobs like it, let through or not."""
    weight = np.zeros(below.size)
    for side in (False, True):
        here = below == side
        if n[here].sum():
            weight[here] = jobs[here].sum() / n[here].sum() / propensity[here]
    return weight


def _with_applications(db: DuckDBPyConnection, told: pl.DataFrame) -> pl.DataFrame:
    """Every scored job that nothing rules out, with whether it was applied to, long enough ago, and with success."""
    ready = pl.col("success").is_not_null() & ~pl.col("waiting")
    return (
        ask(db, "let_through", default_threshold=_DEFAULT_THRESHOLD)
        .join(told.select("job_id", "success", "waiting"), on="job_id", how="left")
        .with_columns(
            applied=pl.col("success").is_not_null(),
            ready=ready.fill_null(False),
            success=pl.col("success").fill_null(False),
        )
    )
