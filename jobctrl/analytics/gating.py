"""What the pipeline's own gate makes of stored scores, under any threshold and with any gate open or shut."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.scoring.model import FORMULA_VERSION, EligibilityStatus, ScoringPolicy
from jobctrl.scoring.rules import Gate, gate

FLOOR = ScoringPolicy.material_floor
DECISIONS = ("prepare", "skip", "block")


def jobs_known(db: DuckDBPyConnection, sources_off: Sequence[str] = ()) -> pl.DataFrame:
    """Every job that a source which is not switched off shows, the oldest first."""
    return ask(db, "what_if_jobs", sources_off=list(sources_off), formula=FORMULA_VERSION)


def decided(
    jobs: pl.DataFrame,
    min_score: int,
    material_floor: int = FLOOR,
    gates_off: Sequence[str] = (),
    gates_on: Sequence[str] = (),
) -> pl.DataFrame:
    """*jobs* with the `score` that counts and the `decision` on it (prepare, skip, block; null without a score)."""
    stays = pl.col("blockers").list.set_difference(list(gates_off)).list.len() > 0
    unsaid = pl.col("blockers").list.len() == 0
    conflict = (pl.col("eligibility") == EligibilityStatus.BLOCKED).fill_null(value=False)
    held = conflict & (stays | unsaid)
    shut = pl.col("warnings").list.set_intersection(list(gates_on)).list.len() > 0
    told = jobs.with_columns(
        pl.when(conflict & ~held).then("uncapped").otherwise("fit_score").alias("score"),
        (held | shut).alias("blocked"),
    )
    policy = ScoringPolicy(min_fit_score=min_score, material_floor=material_floor)
    cases = told.select("score", "blocked").unique().drop_nulls()
    answers = [_decision(score, blocked, policy) for score, blocked in cases.iter_rows()]
    decisions = cases.with_columns(pl.Series("decision", answers, dtype=pl.String))
    return told.join(decisions, on=["score", "blocked"], how="left", maintain_order="left")


def _decision(score: int, blocked: bool, policy: ScoringPolicy) -> str:
    """What the pipeline itself would do."""
    answer = gate(score, EligibilityStatus.BLOCKED if blocked else EligibilityStatus.ELIGIBLE, policy)
    if answer.gate is Gate.BLOCK:
        return "block"
    return "prepare" if answer.bulk_materials else "skip"
