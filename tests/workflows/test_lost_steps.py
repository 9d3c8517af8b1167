"""Marks that are missing between the rows and the history, and steps that nobody else can end."""

from __future__ import annotations

from typing import Any

import pytest

from jobctrl.pipeline.steps import Step
from jobctrl.workflows.execution_history import ProvenStep
from jobctrl.workflows.lost_steps import STOPPED, missing_marks
from tests.workflows.executions import RUN

KEY = ("source_family", "family:x")
PDF = ("pdf_render", "job:j")


def row(key: tuple[str, str] = KEY, state: str = "running", attempt: int = 1, error: str | None = None) -> Step:
    return Step(RUN.workflow_id, RUN.run_id, *key, attempt, state, error_code=error)


@pytest.mark.parametrize(
    ("rows", "proven", "end", "missing"),
    [
        ([], ProvenStep("queued"), None, [("Queued", 1, None)]),
        ([], ProvenStep("started"), None, [("Started", 1, None)]),
        ([], ProvenStep("completed"), None, [("Completed", 1, None)]),
        ([row(state="queued")], ProvenStep("queued"), None, []),
        ([row(state="queued")], ProvenStep("started"), None, [("Started", 1, None)]),
        ([row()], ProvenStep("queued"), None, []),
        ([row()], ProvenStep("started"), None, []),
        ([row()], ProvenStep("completed"), None, [("Completed", 1, None)]),
        ([row(attempt=2)], ProvenStep("failed", error_code="not_found"), None, [("Failed", 2, "not_found")]),
        ([row(state="succeeded")], ProvenStep("started"), None, []),
        ([row(state="succeeded")], ProvenStep("failed"), "failed", []),
        ([row(state="failed", error="not_found")], ProvenStep("completed"), None, []),
        # Nobody else ends it once its run has ended.
        ([row()], ProvenStep("started"), "terminated", [("Failed", 1, STOPPED)]),
        ([row()], None, "timed_out", [("Failed", 1, STOPPED)]),
        ([row(state="queued")], ProvenStep("queued"), "canceled", [("Failed", 1, "workflow_canceled")]),
        ([], ProvenStep("queued"), "failed", [("Failed", 1, STOPPED)]),
        ([row()], None, None, []),
        ([row(PDF)], None, "completed", []),
        # What was given up comes back with its history.
        ([row(state="failed", error=STOPPED)], ProvenStep("started"), None, [("Started", 2, None)]),
        ([row(state="failed", error=STOPPED)], ProvenStep("completed"), "completed", [("Completed", 2, None)]),
        ([row(state="failed", error=STOPPED)], ProvenStep("started"), "terminated", []),
    ],
)
def test_the_missing_marks_are_those_between_the_rows_and_the_history(
    rows: list[Step], proven: ProvenStep | None, end: Any, missing: list[tuple[str, int, str | None]]
) -> None:
    stand = {(row.step_kind, row.item_key): row for row in rows}

    marks = missing_marks(RUN, stand, {KEY: proven} if proven else {}, end)

    told = [(m.event_type.removeprefix("PipelineStep"), m.attempt, getattr(m, "error_code", None)) for m in marks]
    assert told == missing
