"""Members that were lost, put back from receipts and from the runs that were started for them, and what proves them."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict

from jobctrl.pipeline.coverage import digest, member_keys
from jobctrl.pipeline.membership import Cohort, link, plan_failed, plan_preparation
from jobctrl.pipeline.targets import STEPS
from jobctrl.store import Execution, Transaction, statements
from jobctrl.workflows.execution_history import Proof
from jobctrl.workflows.ids import preparation_id

SQL = statements("jobctrl.workflows", "lost_members.sql")
PLAN_LOST = "work_plan_lost"


def are_lost(connection: sqlite3.Connection, execution: Execution) -> bool:
    """Whether a source showed a job in the execution that is no member of it."""
    return connection.execute(SQL["unlinked"], asdict(execution)).fetchone() is not None


def are_proven(connection: sqlite3.Connection, execution: Execution, proof: Proof) -> bool:
    """Whether the members are those that the history proves, given that no receipt is without its member."""
    count, observed, planned = _standing(connection, execution)
    if not proof.is_native:
        return proof.end is not None and not proof.handed_on and count == observed
    if proof.membership is None:
        return planned >= proof.planned
    members = member_keys(connection, execution)
    # A source whose worker was taken for dead may have shown another job after the execution closed its membership.
    until = {
        row[0] for row in connection.execute(SQL["linked_until"], {**asdict(execution), "at": proof.membership.at})
    }
    return any(
        (len(keys), digest(keys)) == (proof.membership.count, proof.membership.digest) for keys in (members, until)
    )


def expected(connection: sqlite3.Connection, execution: Execution, proof: Proof) -> int:
    """How many members the history speaks of, at the least."""
    count, _, planned = _standing(connection, execution)
    if not proof.is_native:
        return max(count, proof.handed_on)
    if proof.membership is None:
        return count + max(0, proof.planned - planned)
    return proof.membership.count


def restore_members(tx: Transaction, execution: Execution, proof: Proof | None, *, closed: bool) -> int:
    """Link them again, with the plans that their runs were started by; returns how many were missing."""
    before = member_keys(tx.connection, execution)
    shown: dict[str, list[str]] = {}
    for job_id, source_id in tx.connection.execute(SQL["unlinked"], asdict(execution)).fetchall():
        shown.setdefault(source_id, []).append(job_id)
    for source_id, job_ids in shown.items():
        link(tx, execution, job_ids, Cohort.OBSERVED, source_id=source_id)
    if shown or (proof is not None and not are_proven(tx.connection, execution, proof)):
        _restore_plans(tx, execution)
    restored = member_keys(tx.connection, execution) - before
    if closed:
        for job_id in sorted(restored):
            # What stands keeps its plan; an execution that has ended decides nothing more.
            plan_failed(tx, execution, job_id, PLAN_LOST)
    return len(restored)


def _restore_plans(tx: Transaction, execution: Execution) -> None:
    for workflow_id, summary in tx.connection.execute(SQL["handed_on"], asdict(execution)).fetchall():
        said = json.loads(summary)
        job_id, steps = said.get("jobId"), said.get("steps")
        # The run's own start says what it is to do; the mark of its dispatch alone does not.
        if (
            not job_id
            or not steps
            or preparation_id(str(said.get("key"))) != workflow_id
            or not set(steps) <= set(STEPS)
        ):
            continue
        link(tx, execution, [job_id], Cohort.BACKLOG)
        plan_preparation(tx, execution, job_id, steps=steps, preparation_workflow_id=workflow_id)


def _standing(connection: sqlite3.Connection, execution: Execution) -> tuple[int, int, int]:
    """All members, the observed ones, and those whose preparation is planned."""
    count, observed, planned = connection.execute(SQL["standing"], asdict(execution)).fetchone()
    return count, observed, planned
