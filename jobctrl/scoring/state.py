"""Every score version of every job. The current score is the latest valid one; a failed call never writes here."""

from __future__ import annotations

import json
import sqlite3

from jobctrl.events import Recorded
from jobctrl.scoring.events import ExplorationChosen, JobScored, ScoringPolicyAdopted
from jobctrl.store import ReadTable, Row, script


class ScoreRow(Row, frozen=True):
    job_id: str
    version: int
    fit_score: int
    fit_band: str
    confidence: str
    weighted_fit: float
    must_have_coverage: float
    eligibility: str
    blockers: str
    warnings: str
    profile_version: int
    policy_version: int
    analysis_ref: str
    ledger_ref: str
    snapshot_hash: str | None
    provider: str
    model: str
    corrected_from: int | None
    reason_ref: str | None
    scored_at: str


def fold(row: ScoreRow | None, fact: Recorded) -> ScoreRow | None:
    """One row a version; a version once written stays."""
    match fact.event:
        case JobScored() as e if row is None:
            return ScoreRow(
                e.job_id,
                e.version,
                e.fit_score,
                e.fit_band,
                e.confidence,
                e.weighted_fit,
                e.must_have_coverage,
                e.eligibility,
                json.dumps(e.blockers),
                json.dumps(e.warnings),
                e.profile_version,
                e.policy_version,
                e.analysis_ref,
                e.ledger_ref,
                e.snapshot_hash,
                e.provider,
                e.model,
                e.corrected_from,
                e.reason_ref,
                fact.occurred_at,
            )
        case _:
            return row


JOB_SCORES = ReadTable(
    name="job_scores",
    version=1,
    sql=script("jobctrl.scoring", "state.sql"),
    row=ScoreRow,
    key=("job_id", "version"),
    handles=(JobScored,),
    keys=lambda fact: [(fact.event.job_id, fact.event.version)],  # type: ignore[union-attr]
    fold=fold,
)


def latest_score(connection: sqlite3.Connection, job_id: str) -> ScoreRow | None:
    """The current score of a job, or None before its first."""
    rows = JOB_SCORES.all(connection, "job_id = ? ORDER BY version DESC LIMIT 1", (job_id,))
    return rows[0] if rows else None


class ExplorationRow(Row, frozen=True):
    job_id: str
    score: int
    score_version: int
    threshold: int
    propensity: float
    policy_version: int
    chosen_at: str


def _fold_exploration(row: ExplorationRow | None, fact: Recorded) -> ExplorationRow | None:
    match fact.event:
        case ExplorationChosen() as e if row is None:
            return ExplorationRow(
                e.job_id, e.score, e.score_version, e.threshold, e.propensity, e.policy_version, fact.occurred_at
            )
        case _:
            return row


EXPLORATIONS = ReadTable(
    name="explorations",
    version=1,
    sql=script("jobctrl.scoring", "exploration.sql"),
    row=ExplorationRow,
    key=("job_id",),
    handles=(ExplorationChosen,),
    keys=lambda fact: [(fact.event.job_id,)],  # type: ignore[union-attr]
    fold=_fold_exploration,
)


def explored(connection: sqlite3.Connection, score: ScoreRow) -> bool:
    """Whether the job is let through whatever *score* says. A person's own score is never overruled by chance."""
    return score.corrected_from is None and EXPLORATIONS.get(connection, score.job_id) is not None


class PolicyRow(Row, frozen=True):
    version: int
    min_fit_score: int
    material_floor: int
    reason: str
    anchors_ref: str
    adopted_at: str


def _fold_policy(row: PolicyRow | None, fact: Recorded) -> PolicyRow | None:
    match fact.event:
        case ScoringPolicyAdopted() as e if row is None:
            return PolicyRow(e.version, e.min_fit_score, e.material_floor, e.reason, e.anchors_ref, fact.occurred_at)
        case _:
            return row


SCORING_POLICIES = ReadTable(
    name="scoring_policies",
    version=1,
    sql=script("jobctrl.scoring", "policy.sql"),
    row=PolicyRow,
    key=("version",),
    handles=(ScoringPolicyAdopted,),
    keys=lambda fact: [(fact.event.version,)],  # type: ignore[union-attr]
    fold=_fold_policy,
)
