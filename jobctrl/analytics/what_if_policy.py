"""A scoring policy held against history before it is adopted: which jobs change side, and what had come of those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.applications import Outcome, applications, settled
from jobctrl.analytics.ask import ask
from jobctrl.analytics.calibration import score_map
from jobctrl.analytics.gating import DECISIONS, FLOOR, decided, jobs_known
from jobctrl.analytics.intervals import with_rate
from jobctrl.analytics.source_quality import GOOD
from jobctrl.analytics.what_if import Worth
from jobctrl.errors import NotFound
from jobctrl.scoring.model import ScoringPolicy

SIDES = ("kept", "gained", "dropped", "left out")


def policies(db: DuckDBPyConnection) -> pl.DataFrame:
    """Every version of the scoring policy, and how it would decide on today's scores.

    Columns: version, min_fit_score, material_floor (1 to 10), reason (first, threshold_changed or score_corrected),
    adopted_at (UTC, null for the first), scores (given under it, corrections aside), prepare, skip, block (scored jobs,
    if it were in force). Never empty: the first version needs no fact. Always one row a version.
    """
    first = ScoringPolicy()
    versions = ask(db, "policies", first_min_score=first.min_fit_score, first_floor=first.material_floor)
    jobs = jobs_known(db)
    rows = []
    for version in versions.iter_rows(named=True):
        decisions = decided(jobs, version["min_fit_score"], version["material_floor"])["decision"]
        rows.append({**version, **{name: int((decisions == name).sum()) for name in DECISIONS}})
    return pl.DataFrame(rows, schema={**versions.schema, **dict.fromkeys(DECISIONS, pl.Int64)})


def policy_backtest(
    db: DuckDBPyConnection,
    *,
    min_score: int = GOOD,
    material_floor: int = FLOOR,
    gates_off: Sequence[str] = (),
    gates_on: Sequence[str] = (),
    against: int | None = None,
    outcome: Outcome = "interview",
    simulated: bool | None = None,
) -> pl.DataFrame:
    """What a policy would have kept, gained, dropped and left out, of all scored jobs, and what came of those.

    Stored scores and ledgers are gated again; no model is asked. *against* is the version it is held against, the
    newest when none is named. Columns: side (kept, gained, dropped, left out: prepared under both policies, under this
    one alone, under the other alone, under neither), jobs, n (applications to them that are scored and old enough),
    successes (that led to *outcome*), rate (0 to 1) with low and high (95%; null without an application), expected (of
    all jobs of this side, if each were applied to, by `score_map`) with expected_low and expected_high (95% at least;
    null while there is not enough to go by), simulated. Always four rows.
    """
    jobs = _sides(db, min_score, material_floor, gates_off, gates_on, against)
    made = settled(applications(db, outcome=outcome, simulated=simulated)).select("job_id", "success")
    jobs = jobs.join(made, on="job_id", how="left")
    worth = Worth(score_map(db, outcome=outcome, simulated=simulated), None)
    made_up = bool(applications(db, outcome=outcome, simulated=simulated)["simulated"].any())
    rows = []
    for side in SIDES:
        on_it = jobs.filter(pl.col("side") == side)
        applied, successes = int(on_it["success"].count()), int(on_it["success"].sum())
        counts = {"side": side, "jobs": len(on_it), "n": applied, "successes": successes}
        rows.append({**counts, **worth.expected(on_it), "simulated": made_up})
    counts_schema: dict[str, Any] = {"side": pl.String, "jobs": pl.Int64, "n": pl.Int64, "successes": pl.Int64}
    expected = dict.fromkeys(("expected", "expected_low", "expected_high"), pl.Float64)
    frame = pl.DataFrame(rows, schema={**counts_schema, **expected, "simulated": pl.Boolean})
    return with_rate(frame, "successes", "n").select(*counts_schema, "rate", "low", "high", *expected, "simulated")


def policy_changes(
    db: DuckDBPyConnection,
    *,
    min_score: int = GOOD,
    material_floor: int = FLOOR,
    gates_off: Sequence[str] = (),
    gates_on: Sequence[str] = (),
    against: int | None = None,
) -> pl.DataFrame:
    """The jobs that change side under a policy, those it gains first, the best score first.

    Columns: job_id, title, employer, side (gained or dropped), before and after (prepare, skip or block), score_before,
    score (1 to 10; another one where a conflict no longer holds it down), margin (score over the score from which
    materials are prepared; negative below it), scored_under (policy version), has_resume (materials stand). Empty: no
    job changes side.
    """
    changed = _sides(db, min_score, material_floor, gates_off, gates_on, against)
    margin = pl.col("score") - max(min_score, material_floor)
    columns = (
        "job_id", "title", "employer", "side", "before", pl.col("decision").alias("after"),
        pl.col("fit_score").alias("score_before"), "score", margin.alias("margin"),
        pl.col("policy_version").alias("scored_under"), "has_resume",
    )  # fmt: skip
    changed = changed.filter(pl.col("side").is_in(["gained", "dropped"])).select(*columns)
    return changed.sort("side", "score", "job_id", descending=[True, True, False])


def _sides(
    db: DuckDBPyConnection,
    min_score: int,
    material_floor: int,
    gates_off: Sequence[str],
    gates_on: Sequence[str],
    against: int | None,
) -> pl.DataFrame:
    """Every scored job with its decision under both policies."""
    versions = policies(db)
    known = versions.filter(pl.col("version") == against) if against is not None else versions.tail(1)
    if known.is_empty():
        raise NotFound(f"There is no version {against} of the scoring policy.", hint="`policies` lists them.")
    other = known.row(0, named=True)
    jobs = jobs_known(db).filter(pl.col("fit_score").is_not_null())
    before = decided(jobs, other["min_fit_score"], other["material_floor"])["decision"]
    after = decided(jobs, min_score, material_floor, gates_off, gates_on).with_columns(before.alias("before"))
    was, is_now = pl.col("before") == "prepare", pl.col("decision") == "prepare"
    kept, gained, dropped, left_out = (pl.lit(side) for side in SIDES)
    side = pl.when(was & is_now).then(kept).when(is_now).then(gained).when(was).then(dropped).otherwise(left_out)
    return after.with_columns(side.alias("side"))
