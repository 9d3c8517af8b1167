"""What a change would bring: another threshold, a source less, a gate open or shut. Nothing is written, no model asked.

A change is counted as if it had been in force from the first job on, over the jobs and the money that the log knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics.applications import Outcome
from jobctrl.analytics.calibration import score_map
from jobctrl.analytics.gating import DECISIONS, FLOOR, decided, jobs_known
from jobctrl.analytics.intervals import ratio_interval, with_rate
from jobctrl.analytics.source_quality import GOOD
from jobctrl.scoring.rules import HIGH, LOW

FEW = 5
"""Fewer prepared jobs say nothing about what one costs."""


def what_if(
    db: DuckDBPyConnection,
    *,
    min_score: int = GOOD,
    now_min_score: int = GOOD,
    material_floor: int = FLOOR,
    sources_off: Sequence[str] = (),
    gates_off: Sequence[str] = (),
    gates_on: Sequence[str] = (),
    outcome: Outcome = "interview",
    simulated: bool | None = None,
) -> pl.DataFrame:
    """The search as it is decided now, and as it would be.

    *now_min_score* is the threshold in force. Without the sources *sources_off* the jobs are missing that only they
    show; *gates_off* are blockers that no longer block (a score that they held down counts in full), *gates_on*
    warnings that block. Materials are prepared from the threshold or *material_floor* on, whichever is higher.
    Columns: scenario (now, what if), jobs (shown), n (of those, scored), blocked, skipped, prepared (of n; together n),
    to_prepare (of the prepared, those without materials yet), usd (calls for these jobs, US dollars: what was spent on
    them, and for each to prepare what one cost so far) with usd_low and usd_high (95%, bootstrap over jobs), expected
    (*outcome* if each prepared job were applied to, by `score_map`) with expected_low and expected_high (95% at least:
    the bounds of all scores at once), simulated (the map is of made-up applications). usd is null while fewer than five
    jobs are prepared, expected while there is not enough to calibrate by. Always two rows.
    """
    everything = jobs_known(db)
    kept = jobs_known(db, sources_off) if sources_off else everything
    worth = _worth(db, everything, outcome, simulated)
    now = decided(everything, min_score=now_min_score)
    then = decided(kept, min_score, material_floor, gates_off, gates_on)
    rows = [{"scenario": name, **worth.of(jobs)} for name, jobs in (("now", now), ("what if", then))]
    return pl.DataFrame(rows, schema={"scenario": pl.String, **_WORTH})


def threshold_curve(
    db: DuckDBPyConnection,
    *,
    material_floor: int = FLOOR,
    sources_off: Sequence[str] = (),
    gates_off: Sequence[str] = (),
    gates_on: Sequence[str] = (),
    outcome: Outcome = "interview",
    simulated: bool | None = None,
) -> pl.DataFrame:
    """The same for every threshold from 1 to 10, with the other changes made.

    Columns: min_score (1 to 10), then jobs, n, blocked, skipped, prepared, to_prepare, usd, usd_low, usd_high,
    expected, expected_low, expected_high and simulated as in `what_if`. Always ten rows.
    """
    jobs = jobs_known(db, sources_off)
    worth = _worth(db, jobs_known(db) if sources_off else jobs, outcome, simulated)
    rows = [
        {"min_score": least, **worth.of(decided(jobs, least, material_floor, gates_off, gates_on))}
        for least in range(LOW, HIGH + 1)
    ]
    return pl.DataFrame(rows, schema={"min_score": pl.Int64, **_WORTH})


def gates(db: DuckDBPyConnection, *, min_score: int = GOOD, material_floor: int = FLOOR) -> pl.DataFrame:
    """What each eligibility gate does: blockers that can be opened, and warnings that could block.

    Columns: gate (its code), kind (blocks or warns), jobs (it is found in), n (scored jobs), rate (jobs of n, 0 to 1)
    with low and high (95%), alone (of the jobs, those that nothing else blocks), changes (jobs that would be prepared
    if it were opened, or no longer if it blocked). Empty: no scored job has a blocker or a warning.
    """
    jobs = jobs_known(db).filter(pl.col("fit_score").is_not_null())
    rows: list[dict[str, Any]] = []
    for kind, column in (("blocks", "blockers"), ("warns", "warnings")):
        for code in sorted(jobs[column].explode().drop_nulls().unique()):
            found = jobs.filter(pl.col(column).list.contains(code))
            switch = {"gates_off": (code,)} if kind == "blocks" else {"gates_on": (code,)}
            before, after = (
                decided(found, min_score, material_floor),
                decided(found, min_score, material_floor, **switch),
            )
            others = found["blockers"].list.len().cast(pl.Int64) - (kind == "blocks")
            changed = (before["decision"] == "prepare") != (after["decision"] == "prepare")
            rows.append(
                {
                    "gate": code, "kind": kind, "jobs": len(found), "n": len(jobs),
                    "alone": int((others == 0).sum()), "changes": int(changed.sum()),
                }
            )  # fmt: skip
    schema = {
        "gate": pl.String, "kind": pl.String, "jobs": pl.Int64, "n": pl.Int64, "alone": pl.Int64, "changes": pl.Int64
    }  # fmt: skip
    rated = with_rate(pl.DataFrame(rows, schema=schema), "jobs", "n")
    columns = ("gate", "kind", "jobs", "n", "rate", "low", "high", "alone", "changes")
    return rated.select(*columns).sort("kind", "changes", "jobs", "gate", descending=[False, True, True, False])


_WORTH: dict[str, Any] = {
    "jobs": pl.Int64, "n": pl.Int64, "blocked": pl.Int64, "skipped": pl.Int64, "prepared": pl.Int64,
    "to_prepare": pl.Int64, "usd": pl.Float64, "usd_low": pl.Float64, "usd_high": pl.Float64, "expected": pl.Float64,
    "expected_low": pl.Float64, "expected_high": pl.Float64, "simulated": pl.Boolean,
}  # fmt: skip


@dataclass(frozen=True)
class Worth:
    """What decided jobs cost, and what may come of them."""

    curve: pl.DataFrame
    """As `score_map` draws it; empty when there is not enough to go by."""
    each: tuple[float, float, float] | None
    """What preparing one job cost so far, in US dollars, with its interval."""

    def of(self, jobs: pl.DataFrame) -> dict[str, Any]:
        counts = {name: int((jobs["decision"] == name).sum()) for name in DECISIONS}
        prepared = jobs.filter(pl.col("decision") == "prepare")
        ready = prepared.filter("has_resume")
        to_prepare = len(prepared) - len(ready)
        spent = (int(jobs["reading"].sum()) + int(ready["preparing"].sum())) / 1e6
        usd = [spent + to_prepare * cost for cost in self.each] if self.each else [None] * 3
        return {
            "jobs": len(jobs), "n": int(jobs["score"].count()), "blocked": counts["block"], "skipped": counts["skip"],
            "prepared": counts["prepare"], "to_prepare": to_prepare, "usd": usd[0], "usd_low": usd[1],
            "usd_high": usd[2], **self.expected(prepared), "simulated": self.simulated,
        }  # fmt: skip

    def expected(self, jobs: pl.DataFrame) -> dict[str, float | None]:
        """How many of *jobs* would succeed if each were applied to."""
        if self.curve.is_empty():
            return dict.fromkeys(("expected", "expected_low", "expected_high"))
        chances = jobs.select("score").join(self.curve, on="score", how="left")
        ends = (("expected", "probability"), ("expected_low", "low"), ("expected_high", "high"))
        return {name: float(chances[column].sum()) for name, column in ends}

    @property
    def simulated(self) -> bool:
        return bool(self.curve["simulated"].any())


def _worth(db: DuckDBPyConnection, jobs: pl.DataFrame, outcome: Outcome, simulated: bool | None) -> Worth:
    ready = jobs["has_resume"].to_numpy().astype(float)
    cost = jobs["preparing"].to_numpy() / 1e6
    each = None
    if not cost.any():
        each = (0.0, 0.0, 0.0)
    elif ready.sum() >= FEW:
        low, high = ratio_interval(cost, ready)
        each = (float(cost.sum() / ready.sum()), low, high) if low is not None and high is not None else None
    return Worth(score_map(db, outcome=outcome, simulated=simulated), each)
