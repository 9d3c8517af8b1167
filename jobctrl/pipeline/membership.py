"""Which jobs one exact Discover execution is about, why each of them is, and what it decided to do for them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from jobctrl.pipeline.coverage import advance, unlinked
from jobctrl.store import Execution, Transaction, statements

SQL = statements("jobctrl.pipeline", "membership.sql")


class Cohort(StrEnum):
    """Why a job belongs to an execution."""

    OBSERVED = "observed_this_run"
    """A source showed it in this execution."""
    BACKLOG = "existing_backlog"
    """It was there before and waited; the execution took it along."""


class PlanState(StrEnum):
    """What was decided about a job's preparation. Pending and failed never mean that there is nothing to do."""

    PENDING = "pending"
    PLANNED = "planned"
    NOT_ELIGIBLE = "not_eligible"
    FAILED = "failed"


@dataclass(frozen=True)
class Member:
    """One job of one execution."""

    job_id: str
    cohort: Cohort
    plan: PlanState
    steps: tuple[str, ...]
    """The steps that were planned, in their order; empty unless planned."""
    reason: str | None
    preparation_workflow_id: str | None


def link(
    tx: Transaction, execution: Execution, job_ids: Iterable[str], cohort: Cohort, *, source_id: str | None = None
) -> None:
    """Make the jobs members. One that is a member already may be promoted to observed, and nothing else.

    New members join the proof of the execution in the same transaction.
    """
    wanted = list(dict.fromkeys(job_ids))
    new = unlinked(tx, execution, wanted)
    scope = {**asdict(execution), "cohort": cohort.value, "source_id": source_id, "at": tx.moment}
    tx.connection.executemany(SQL["link"], [{**scope, "job_id": job_id} for job_id in wanted])
    advance(tx, execution, members=new)


def plan_preparation(
    tx: Transaction, execution: Execution, job_id: str, *, steps: Sequence[str], preparation_workflow_id: str
) -> None:
    """Keep the steps and the run of a job's preparation, before that run is started."""
    _decide(
        tx,
        execution,
        job_id,
        state=PlanState.PLANNED,
        steps=json.dumps(list(steps)),
        preparation=preparation_workflow_id,
    )


def plan_nothing(tx: Transaction, execution: Execution, job_id: str, reason: str) -> None:
    """Keep why a job is not prepared in this execution."""
    _decide(tx, execution, job_id, state=PlanState.NOT_ELIGIBLE, reason=reason)


def plan_failed(tx: Transaction, execution: Execution, job_id: str, reason: str) -> None:
    """Keep why no plan could be made for a job."""
    _decide(tx, execution, job_id, state=PlanState.FAILED, reason=reason)


def _decide(
    tx: Transaction,
    execution: Execution,
    job_id: str,
    *,
    state: PlanState,
    steps: str | None = None,
    reason: str | None = None,
    preparation: str | None = None,
) -> None:
    decided = {"job_id": job_id, "state": state.value, "steps": steps, "reason": reason, "preparation": preparation}
    tx.connection.execute(SQL["plan"], {**asdict(execution), **decided})


def members(connection: sqlite3.Connection, execution: Execution) -> list[Member]:
    """All of them, in the order of their ids."""
    return [
        Member(job_id, Cohort(cohort), PlanState(plan), tuple(json.loads(steps or "[]")), reason, preparation)
        for job_id, cohort, plan, steps, reason, preparation in connection.execute(SQL["members"], asdict(execution))
    ]


def unplanned(connection: sqlite3.Connection, execution: Execution) -> list[str]:
    """The members about whose preparation nothing has been decided."""
    return [row[0] for row in connection.execute(SQL["unplanned"], asdict(execution))]


def planned_jobs(connection: sqlite3.Connection, execution: Execution) -> frozenset[str]:
    """The members whose preparation is planned."""
    return frozenset(row[0] for row in connection.execute(SQL["planned"], asdict(execution)))
