"""Receipts of preparation: what the history of a finished run proves about a member of a Discover execution."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from jobctrl.events import Recorded
from jobctrl.pipeline.events import ExecutionRef, PreparationWorkflowOutcomeObserved
from jobctrl.store import Execution, ReadTable, Row, Transaction, acting_for, script, statements

SQL = statements("jobctrl.pipeline", "receipts.sql")


@dataclass(frozen=True)
class Association:
    """A planned member, and the exact run that prepared it."""

    execution: Execution
    job_id: str
    preparation: Execution


@dataclass(frozen=True)
class Outcome:
    """The steps that a run completed and left out; a planned step in neither is unknown."""

    completed: tuple[str, ...]
    skipped: tuple[str, ...]


class PreparationOutcome(Row, frozen=True):
    workflow_id: str
    """Of the Discover execution."""
    run_id: str
    job_id: str
    preparation_workflow_id: str
    preparation_run_id: str
    required_steps: str
    completed_steps: str
    skipped_steps: str
    decoder_version: int


def fold(row: PreparationOutcome | None, fact: Recorded) -> PreparationOutcome | None:
    """The newest receipt of a member."""
    match fact.event:
        case PreparationWorkflowOutcomeObserved() as e:
            return PreparationOutcome(
                e.execution.workflow_id,
                e.execution.temporal_run_id,
                e.job_id,
                e.workflow_id,
                e.temporal_run_id,
                json.dumps(e.required_steps),
                json.dumps(e.completed_steps),
                json.dumps(e.skipped_steps),
                e.decoder_version,
            )
        case _:
            return row


def _keys(fact: Recorded) -> Iterable[tuple[str, str, str]]:
    event = fact.event
    assert isinstance(event, PreparationWorkflowOutcomeObserved)
    return [(event.execution.workflow_id, event.execution.temporal_run_id, event.job_id)]


PREPARATION_OUTCOMES = ReadTable(
    name="preparation_outcomes",
    version=1,
    sql=script("jobctrl.pipeline", "outcomes.sql"),
    row=PreparationOutcome,
    key=("workflow_id", "run_id", "job_id"),
    handles=(PreparationWorkflowOutcomeObserved,),
    keys=_keys,
    fold=fold,
)


def unobserved(connection: sqlite3.Connection, *, most: int) -> list[Association]:
    """Members whose preparation has succeeded without a receipt; some of them, when there are more."""
    return [
        Association(Execution(workflow_id, run_id), job_id, Execution(preparation, preparation_run))
        for workflow_id, run_id, job_id, preparation, preparation_run in connection.execute(
            SQL["unobserved"], {"most": most}
        )
    ]


def plan_of(connection: sqlite3.Connection, association: Association) -> tuple[str, ...] | None:
    """The steps that were planned; None once the plan, the run or how it ended is another."""
    row = connection.execute(
        SQL["plan"],
        {
            **asdict(association.execution),
            "job_id": association.job_id,
            "preparation_workflow_id": association.preparation.workflow_id,
            "preparation_run_id": association.preparation.run_id,
        },
    ).fetchone()
    return tuple(json.loads(row[0])) if row else None


def observe(
    tx: Transaction,
    stream: str,
    association: Association,
    *,
    steps: Sequence[str],
    outcome: Outcome,
    origin: Execution | None,
) -> bool:
    """Append the receipt, once, if the member is still planned for these steps and the run is still its owner."""
    if plan_of(tx.connection, association) != tuple(steps):
        return False
    execution, run = association.execution, association.preparation
    receipt = PreparationWorkflowOutcomeObserved(
        decoder_version=1 if origin == execution else 2,
        workflow_id=run.workflow_id,
        temporal_run_id=run.run_id,
        job_id=association.job_id,
        execution=_ref(execution),
        origin=_ref(origin) if origin else None,
        required_steps=list(steps),
        completed_steps=list(outcome.completed),
        skipped_steps=list(outcome.skipped),
    )
    key = f"preparation-outcome:{receipt.decoder_version}:{run.workflow_id}:{run.run_id}"
    if receipt.decoder_version == 2:
        key += f":{execution.workflow_id}:{execution.run_id}"
    with acting_for(run):
        return bool(tx.append(stream, receipt, key=key, job_id=association.job_id))


def _ref(execution: Execution) -> ExecutionRef:
    return ExecutionRef(workflow_id=execution.workflow_id, temporal_run_id=execution.run_id)


def outcomes_of(connection: sqlite3.Connection, execution: Execution) -> dict[str, Outcome]:
    """The proven outcome of each member that has one, by its job. A job without one is unknown."""
    return {
        job_id: Outcome(tuple(json.loads(completed)), tuple(json.loads(skipped)))
        for job_id, completed, skipped in connection.execute(SQL["outcomes"], asdict(execution))
    }
