"""Marks of steps that were lost, put back as the history has them, and the end of steps that nobody else can end."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from jobctrl.pipeline.coverage import StepKey, mark_step
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepQueued,
    PipelineStepStarted,
    StepFact,
)
from jobctrl.pipeline.steps import PIPELINE_STEPS, Step
from jobctrl.store import Execution, Store, Transaction, statements
from jobctrl.workflows.execution_history import End, ProvenStep
from jobctrl.workflows.marks import run_stream

SQL = statements("jobctrl.workflows", "lost_steps.sql")
STOPPED = "step_owner_stopped"
"""The code of a step whose run ended without ending it."""
CANCELED = "workflow_canceled"
_FACTS: dict[str, type[StepFact]] = {
    "queued": PipelineStepQueued,
    "started": PipelineStepStarted,
    "completed": PipelineStepCompleted,
    "failed": PipelineStepFailed,
}
_ENDED = ("succeeded", "failed")


def steps_of(connection: sqlite3.Connection, execution: Execution) -> dict[StepKey, Step]:
    """The steps of the execution as they stand."""
    where = (execution.workflow_id, execution.run_id)
    rows = PIPELINE_STEPS.all(connection, "workflow_id = ? AND run_id = ?", where)
    return {(row.step_kind, row.item_key): row for row in rows}


def missing_marks(
    execution: Execution, rows: Mapping[StepKey, Step], proven: Mapping[StepKey, ProvenStep], end: End | None
) -> list[StepFact]:
    """The marks that bring *rows* to what the history proves. After the *end* of its run no step is left open. Pure.

    A PDF is rendered by the run of its job, which goes on when this one has ended.
    """
    stopped = ProvenStep("failed", error_code=CANCELED if end == "canceled" else STOPPED)
    marks = []
    for key in dict.fromkeys([*proven, *rows]):
        row, step = rows.get(key), proven.get(key)
        if step is None and key[0] == "pdf_render":
            continue
        if end is not None and (step is None or step.state in ("queued", "started")):
            step = stopped
        if step is not None and (attempt := _attempt(row, step)):
            marks.append(_mark(execution, key, attempt, step))
    return marks


def _attempt(row: Step | None, step: ProvenStep) -> int | None:
    """The attempt that *step* is to be marked under; None when the row says as much already."""
    if row is None:
        return 1
    if row.state in _ENDED:
        # Given up when its history was lost: now that it has come back, it is told anew.
        given_up = row.error_code == STOPPED and step.error_code != STOPPED
        return row.attempt + 1 if given_up else None
    if step.state == "queued" or (step.state == "started" and row.state == "running"):
        return None
    return row.attempt


def _mark(execution: Execution, key: StepKey, attempt: int, step: ProvenStep) -> StepFact:
    said: dict[str, object] = {
        "execution": ExecutionRef(workflow_id=execution.workflow_id, temporal_run_id=execution.run_id),
        "step_kind": key[0],
        "item_key": key[1],
        "attempt": attempt,
        "item_count": step.item_count,
        "happened_at": step.happened_at,
    }
    if step.state in ("completed", "failed"):
        said["duration_ms"] = step.duration_ms
    if step.state == "failed":
        said |= {"error_code": step.error_code or "unclassified", "retryable": step.retryable}
    return _FACTS[step.state].model_validate(said)


def restore_marks(tx: Transaction, execution: Execution, marks: list[StepFact]) -> int:
    """Append them; returns how many had not been there."""
    stream = run_stream(execution.workflow_id, execution.run_id)
    return sum(mark_step(tx, stream, mark) for mark in marks)


def end_left_renderings(store: Store) -> int:
    """End the PDF steps whose preparation has ended without ending them; returns how many."""
    with store.reader() as connection:
        left = connection.execute(SQL["left_rendering"], {"stopped": STOPPED}).fetchall()
    if not left:
        return 0
    with store.writer() as tx:
        ended = 0
        for workflow_id, run_id, item, attempt, status, is_rendered in left:
            execution = Execution(workflow_id, run_id)
            row = tx.row(PIPELINE_STEPS, workflow_id, run_id, "pdf_render", item)
            if row is None or row.attempt != attempt:
                continue
            code = CANCELED if status == "canceled" else STOPPED
            step = ProvenStep("completed") if is_rendered else ProvenStep("failed", error_code=code)
            if number := _attempt(row, step):
                ended += restore_marks(tx, execution, [_mark(execution, ("pdf_render", item), number, step)])
    return ended
