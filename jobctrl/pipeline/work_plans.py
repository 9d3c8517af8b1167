"""What a Discover execution decides to do for each of its members: steps that are kept before their run is started,
or the reason why there are none."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass

from jobctrl.pipeline.eligibility import Known, why_not
from jobctrl.pipeline.membership import (
    Cohort,
    PlanState,
    link,
    plan_failed,
    plan_nothing,
    plan_preparation,
    unplanned,
)
from jobctrl.pipeline.retries import known_of
from jobctrl.pipeline.rules import materials_threshold
from jobctrl.pipeline.targets import Target
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.stages.model import Stage, StageState
from jobctrl.store import Execution, Store, Transaction, statements
from jobctrl.work import Pulse

SQL = statements("jobctrl.pipeline", "work_plans.sql")
BATCH = 200
CLOSED = ("closed", "expired", "removed", "location_incompatible")
_STAGES = (Stage.SCORE, Stage.TAILOR, Stage.COVER)
_LEFT_OUT = (StageState.SKIPPED, StageState.CANCELED)
_REASONS = {
    "already_covered": "preparation_already_accounted",
    "upstream_stage_active": "preparation_already_accounted",
    "missing_description": "posting_text_missing",
}


@dataclass(frozen=True)
class Asked:
    """What the execution was asked for, as far as it explains why a member is not prepared."""

    prepare: bool = True
    has_profile: bool = True


@dataclass(frozen=True)
class Leftover:
    """A member that nobody has planned for. `known` is None for a job that is not in the workspace."""

    known: Known | None
    hidden: bool = False
    active_state: str | None = None
    under_way: bool = False


def plan(
    tx: Transaction, execution: Execution, target: Target, preparation_workflow_id: str
) -> tuple[list[str], str] | None:
    """Keep the steps and the run of a job's preparation; returns those that stand. None when that run has ended.

    A job that no source showed in this execution becomes a member from the backlog.
    """
    link(tx, execution, [target.job_id], Cohort.BACKLOG)
    plan_preparation(tx, execution, target.job_id, steps=target.steps, preparation_workflow_id=preparation_workflow_id)
    scope = {**asdict(execution), "job_id": target.job_id}
    state, steps, preparation = tx.connection.execute(SQL["plan"], scope).fetchone()
    if state != PlanState.PLANNED or tx.connection.execute(SQL["has_ended"], scope).fetchone()[0]:
        return None
    return json.loads(steps), preparation


def close_plans(store: Store, execution: Execution, asked: Asked, *, min_score: int, pulse: Pulse) -> None:
    """Decide about every member that is left, so that none stays pending. A repeat decides nothing twice."""
    with store.reader() as connection:
        left = unplanned(connection, execution)
    for first in range(0, len(left), BATCH):
        pulse.beat("plans", first)
        with store.writer() as tx:
            for job_id in left[first : first + BATCH]:
                state, reason = why_unplanned(_leftover(tx.connection, job_id), asked, min_score=min_score)
                decide = plan_failed if state is PlanState.FAILED else plan_nothing
                decide(tx, execution, job_id, reason)


def why_unplanned(job: Leftover, asked: Asked, *, min_score: int) -> tuple[PlanState, str]:
    """Why a member has no plan. Failed is for work that should have been planned and was not. Pure."""
    if job.known is None:
        return PlanState.FAILED, "canonical_job_missing"
    if job.hidden:
        return PlanState.NOT_ELIGIBLE, "job_not_actionable"
    if job.active_state in CLOSED:
        return PlanState.NOT_ELIGIBLE, "posting_not_actionable"
    if job.under_way:
        return PlanState.NOT_ELIGIBLE, "preparation_already_accounted"
    known = job.known
    if known.score is not None and known.score_is_current and known.stages[Stage.SCORE].state is StageState.SUCCEEDED:
        if known.score.eligibility is EligibilityStatus.BLOCKED:
            return PlanState.NOT_ELIGIBLE, "score_eligibility_blocked"
        if known.score.fit_score < materials_threshold(min_score) and not known.explored:
            return PlanState.NOT_ELIGIBLE, "score_below_threshold"
    if any(known.stages[stage].state in _LEFT_OUT for stage in _STAGES):
        return PlanState.NOT_ELIGIBLE, "preparation_explicitly_skipped"
    if reason := why_not(_STAGES, known, min_score=min_score):
        return PlanState.NOT_ELIGIBLE, _REASONS.get(reason, reason)
    if not asked.prepare:
        return PlanState.NOT_ELIGIBLE, "preparation_not_asked_for"
    if not asked.has_profile:
        return PlanState.NOT_ELIGIBLE, "profile_missing"
    return PlanState.FAILED, "preparation_target_not_selected"


def _leftover(connection: sqlite3.Connection, job_id: str) -> Leftover:
    row = connection.execute(SQL["standing"], {"job_id": job_id}).fetchone()
    if row is None:
        return Leftover(None)
    hidden, active_state, under_way = row
    return Leftover(known_of(connection, job_id), bool(hidden), active_state, bool(under_way))
