"""Discover executions proven by their exact histories, and what was lost of them put back. Nothing is started here."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import dataclass, replace
from typing import Protocol

from jobctrl.errors import InvalidRequest, RuntimeMismatch, TransientNetwork
from jobctrl.pipeline.coverage import (
    Coverage,
    CoverageState,
    Mode,
    checkpoint,
    coverage_of,
    digest,
    member_keys,
    publish,
    step_keys,
)
from jobctrl.pipeline.receipts import Association, observe, plan_of, unobserved
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.store import Execution, Store, Transaction, statements
from jobctrl.workflows.execution_history import End, ExecutionHistory, Proof, outcome_of, proof_of
from jobctrl.workflows.lost_members import are_lost, are_proven, expected, restore_members
from jobctrl.workflows.lost_steps import end_left_renderings, missing_marks, restore_marks, steps_of
from jobctrl.workflows.marks import run_stream

SQL = statements("jobctrl.workflows", "recovery.sql")
DECODER_VERSION = 3
"""Of this reading of histories; a checkpoint keeps which one it was made by."""
MOST_OPEN = 10
MOST_OUTCOMES = 100
REPAIR_FAILED = "pipeline-history-repair-failed"
INCOMPLETE = "pipeline-history-incomplete"


class ExactHistories(Protocol):
    """Temporal, asked for the whole history of one exact execution. Raises TransientNetwork when it does not answer."""

    async def history(self, execution: Execution) -> ExecutionHistory | None:
        """None when the server has none of it."""
        ...


@dataclass(frozen=True)
class Recovered:
    """What one pass put back or found out."""

    members: int = 0
    marks: int = 0
    proven: int = 0
    """Executions whose keys were proven, when they had not been before."""
    outcomes: int = 0
    """Receipts of preparations."""


async def recover_executions(store: Store, histories: ExactHistories) -> Recovered:
    """One pass. Who cannot be read now is read in a later one; a repeat adds nothing."""
    outcomes = await _observe_outcomes(store, histories)
    marks = await asyncio.to_thread(end_left_renderings, store)
    members = proven = 0
    with store.reader() as connection:
        found = connection.execute(SQL["candidates"], {"most": MOST_OPEN}).fetchall()
    for execution in (Execution(*row) for row in found):
        try:
            history = await histories.history(execution)
        except TransientNetwork:
            await asyncio.to_thread(_not_now, store, execution, is_read=False)
            break
        try:
            proof = proof_of(history, store.workspace_id) if history else None
        except (InvalidRequest, RuntimeMismatch):
            await asyncio.to_thread(_not_now, store, execution, is_read=True)
            continue
        done = await asyncio.to_thread(_recover, store, execution, proof)
        members, marks, proven = members + done.members, marks + done.marks, proven + done.proven
    return Recovered(members, marks, proven, outcomes)


async def _observe_outcomes(store: Store, histories: ExactHistories) -> int:
    with store.reader() as connection:
        wanted = unobserved(connection, most=MOST_OUTCOMES)
    observed = 0
    for association in wanted:
        try:
            history = await histories.history(association.preparation)
        except TransientNetwork:
            break
        if history is not None:
            observed += await asyncio.to_thread(_observe, store, association, history)
    return observed


def _observe(store: Store, association: Association, history: ExecutionHistory) -> bool:
    run = association.preparation
    with store.reader() as connection:
        steps = plan_of(connection, association)
    if steps is None:
        return False
    try:
        outcome, origin = outcome_of(
            history,
            workspace=store.workspace_id,
            workflow_id=run.workflow_id,
            job_id=association.job_id,
            steps=steps,
        )
    except (InvalidRequest, RuntimeMismatch):
        # It proves nothing about this member, who stays unknown.
        return False
    with store.writer() as tx:
        stream = run_stream(run.workflow_id, run.run_id)
        return observe(tx, stream, association, steps=steps, outcome=outcome, origin=origin)


def _recover(store: Store, execution: Execution, proof: Proof | None) -> Recovered:
    """Put back what is missing, and prove the keys under the same lock, so that nothing comes between."""
    with store.reader() as connection:
        end = proof.end if proof else _end_by_log(connection, execution)
        is_repair = proof is not None and _is_lacking(connection, execution, proof)
    if is_repair:
        with store.writer() as tx:
            publish(tx, execution, _checkpoint(tx, execution, proof, CoverageState.RECOVERING))
    with store.writer() as tx:
        members = restore_members(tx, execution, proof, closed=end is not None)
        steps = proof.steps if proof else {}
        marks = restore_marks(tx, execution, missing_marks(execution, steps_of(tx.connection, execution), steps, end))
        before = checkpoint(tx.connection, execution)
        after = _verdict(tx, execution, proof, end)
        # A closed execution is looked at once more after its end; that it was is told by the moment alone.
        if before is None or end is not None or replace(after, updated_at=before.updated_at) != before:
            publish(tx, execution, after)
    is_news = after.state is CoverageState.READY and (before is None or before.state is not CoverageState.READY)
    return Recovered(members, marks, int(is_news))


def _is_lacking(connection: sqlite3.Connection, execution: Execution, proof: Proof) -> bool:
    return (
        are_lost(connection, execution)
        or bool(missing_marks(execution, steps_of(connection, execution), proof.steps, proof.end))
        or not are_proven(connection, execution, proof)
    )


def _verdict(tx: Transaction, execution: Execution, proof: Proof | None, end: End | None) -> Coverage:
    if proof is None:
        stands = coverage_of(tx.connection, execution)
        if stands is not None and stands.state is CoverageState.READY:
            # Every key that came since it was proven has joined the proof; without its history no other can be named.
            return replace(stands, updated_at=tx.moment)
    elif are_proven(tx.connection, execution, proof):
        return _checkpoint(tx, execution, proof, CoverageState.READY)
    return _checkpoint(tx, execution, proof, CoverageState.RETRYING if end is None else CoverageState.INCOMPLETE)


def _not_now(store: Store, execution: Execution, *, is_read: bool) -> None:
    """Try again later. While nothing was read, a proof that stands stays to be seen."""
    with store.writer() as tx:
        stands = coverage_of(tx.connection, execution)
        if is_read or stands is None or stands.state is not CoverageState.READY:
            publish(tx, execution, _checkpoint(tx, execution, None, CoverageState.RETRYING))


_CODES = {CoverageState.RETRYING: REPAIR_FAILED, CoverageState.INCOMPLETE: INCOMPLETE}


def _checkpoint(tx: Transaction, execution: Execution, proof: Proof | None, state: CoverageState) -> Coverage:
    """The keys as they stand, and how many there should be, by the history or by the last one that was read."""
    last = checkpoint(tx.connection, execution)
    members, steps = member_keys(tx.connection, execution), step_keys(tx.connection, execution)
    if proof is None:
        mode, event = (last.mode, last.history_event_id) if last else (Mode.RECONSTRUCTED, 0)
        should_be = (last.expected_members, last.expected_steps) if last else (0, 0)
    else:
        mode, event = Mode.NATIVE if proof.is_native else Mode.RECONSTRUCTED, proof.last_event
        should_be = expected(tx.connection, execution, proof), len(steps | proof.steps.keys())
    if state is CoverageState.READY:
        should_be = len(members), len(steps)
    return Coverage(
        state=state,
        mode=mode,
        decoder_version=DECODER_VERSION,
        history_event_id=event,
        expected_members=should_be[0],
        members=len(members),
        expected_steps=should_be[1],
        steps=len(steps),
        digest=digest(members, steps),
        error_code=_CODES.get(state),
        updated_at=tx.moment,
    )


def _end_by_log(connection: sqlite3.Connection, execution: Execution) -> End | None:
    """How the run ended as our own log has it."""
    run = WORKFLOW_RUNS.get(connection, execution.workflow_id, execution.run_id)
    return _ENDS.get(run.status) if run else None


_ENDS: dict[str, End] = {
    "succeeded": "completed",
    "failed": "failed",
    "canceled": "canceled",
    "timed_out": "timed_out",
    "terminated": "terminated",
}
