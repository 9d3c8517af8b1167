"""Reservations of automatic preparation: jobs kept for one run before it is started, and given back after its end.

A reservation is nothing but its stages, queued for the run's id. Whoever finds one that was never started starts it
under the same id, so that a process may die anywhere between the two.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from jobctrl.pipeline.automatic import SOURCE, STOPPED, Leaving, OpenRun, after_end, cohort_id, holds_back, room
from jobctrl.pipeline.waiting import waiting
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage, StageState
from jobctrl.store import Transaction, statements

SQL = statements("jobctrl.pipeline", "reservations.sql")
PERSON = "local_operator"
"""How the log names whoever uses this workspace."""


@dataclass(frozen=True)
class Reservation:
    """One stage of some jobs, kept for the run of this id."""

    workflow_id: str
    stage: Stage
    job_ids: tuple[str, ...]


def is_stopped(connection: sqlite3.Connection) -> bool:
    """Whether a person has stopped the newest run over many jobs: nothing is begun by itself until another one is."""
    newest = connection.execute(SQL["is_stopped"], {"person": PERSON}).fetchone()
    return newest is not None and bool(newest[0])


def room_left(connection: sqlite3.Connection, concurrency: int, *, reserved: Sequence[Reservation] = ()) -> int:
    """How many jobs a further run may have under way at once; 0 also while there is work that it may not run beside.

    *reserved* are those that are about to be started, and will take their share.
    """
    runs = [
        OpenRun(workflow_id, workflow_type, job_id, workers or unfinished, unfinished)
        for workflow_id, workflow_type, job_id, workers, unfinished in connection.execute(SQL["open_runs"])
    ]
    if any(map(holds_back, runs)):
        return 0
    soon = [OpenRun(each.workflow_id, "", None, len(each.job_ids), len(each.job_ids)) for each in reserved]
    return room(concurrency, [*runs, *soon])


def reserve(
    tx: Transaction, workspace: str, stage: Stage, job_ids: Sequence[str], *, concurrency: int, min_score: int
) -> tuple[Reservation, int] | None:
    """Keep those of the jobs that still wait for the stage for a run of their own; with it, how many at once.

    None when no run may be started now.
    """
    workers = room_left(tx.connection, concurrency, reserved=unstarted(tx.connection))
    still = waiting(tx.connection, stage, min_score=min_score, now=tx.now, among=job_ids)
    chosen = sorted(still, key=lambda each: job_ids.index(each.job_id))
    if not workers or not chosen:
        return None
    members = [(each.job_id, each.attempts, tx.version(f"job/{each.job_id}")) for each in chosen]
    workflow_id = cohort_id(workspace, stage, members)
    for each in chosen:
        machine = StageMachine(tx, each.job_id, stage)
        if machine.row.state == StageState.FAILED:
            machine.reset(reason=SOURCE)
        machine.queue(SOURCE, reserved_by=workflow_id)
    return Reservation(workflow_id, stage, tuple(each.job_id for each in chosen)), min(workers, len(chosen))


def unstarted(connection: sqlite3.Connection) -> list[Reservation]:
    """Reservations whose run the log does not know: its start, or the word of it, was lost."""
    rows = connection.execute(SQL["unstarted"]).fetchall()
    return [
        Reservation(workflow_id, Stage(stage), tuple(row[2] for row in members))
        for (workflow_id, stage), members in groupby(rows, key=lambda row: (row[0], row[1]))
    ]


def release_unstarted(tx: Transaction) -> int:
    """Give back every reservation that was never started; returns how many stages that were."""
    rows = tx.connection.execute(SQL["unstarted"]).fetchall()
    return _release(tx, [(job_id, stage) for _, stage, job_id in rows])


def release_declined(tx: Transaction) -> int:
    """Give back what a person has declined since it was reserved; the others of its cohort stay."""
    return _release(tx, tx.connection.execute(SQL["declined"]).fetchall())


def left_over(connection: sqlite3.Connection) -> bool:
    """Whether there is anything for `settle_ended`."""
    return connection.execute(SQL["left_over"], {"stopped": STOPPED}).fetchone() is not None


def settle_ended(tx: Transaction) -> int:
    """Settle what ended runs had reserved and never begun; returns how many stages that were.

    No attempt is given or taken: they wait again, or wait for a person where the run was stopped or came to nothing.
    """
    rows = tx.connection.execute(SQL["left_over"], {"stopped": STOPPED}).fetchall()
    settled = 0
    for job_id, stage, workflow_id, run_id, status, cancel_requested in rows:
        named = {"job_id": job_id, "stage": stage, "workflow_id": workflow_id, "run_id": run_id}
        attempted = bool(tx.connection.execute(SQL["attempted"], named).fetchone()[0])
        leaving = after_end(status, cancel_requested=bool(cancel_requested), attempted=attempted)
        settled += _leave(StageMachine(tx, job_id, Stage(stage)), leaving)
    return settled


def _leave(machine: StageMachine, leaving: Leaving) -> bool:
    was_stopped = machine.row.state == StageState.BLOCKED
    if leaving is Leaving.RELEASED:
        machine.reset(reason=SOURCE)
    elif was_stopped:
        return False
    elif leaving is Leaving.CANCELED:
        machine.cancel("the run was canceled")
    else:
        machine.reset(reason=SOURCE)
        machine.block(STOPPED, detail="The run that was to do this was stopped, or ended before it began any job.")
    return True


def _release(tx: Transaction, stages: Sequence[tuple[str, str]]) -> int:
    for job_id, stage in stages:
        StageMachine(tx, job_id, Stage(stage)).reset(reason=SOURCE)
    return len(stages)
