"""Marks that are missing between the rows and the history, and steps that nobody else can end."""

from __future__ import annotations

from typing import Any

import pytest

from jobctrl.pipeline.events import WorkflowCanceled, WorkflowCompleted, WorkflowStarted, WorkflowTerminated
from jobctrl.pipeline.receipts import Association, Outcome, observe
from jobctrl.pipeline.steps import Step
from jobctrl.runtime.house import House
from jobctrl.workflows.execution_history import ProvenStep
from jobctrl.workflows.lost_steps import STOPPED, end_left_renderings, missing_marks
from tests.workflows.executions import RUN, all_steps, fact, hand_on, mark, note

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


KIND = "JobPreparationWorkflow"
STOP = {"error_code": "reconciled_terminated", "error_message": "x"}


def pdf(house: House) -> tuple[str, int, str | None]:
    step = all_steps(house.store)["job:j"]
    return step.state, step.attempt, step.error_code


@pytest.mark.parametrize(
    ("end", "said", "becomes"),
    [
        (None, {}, ("running", 1, None)),
        (WorkflowTerminated, STOP, ("failed", 1, STOPPED)),
        (WorkflowCanceled, {}, ("failed", 1, "workflow_canceled")),
        (WorkflowCompleted, {"summary": {"completed": ["score"]}}, ("failed", 1, STOPPED)),
        (WorkflowCompleted, {"summary": {"completed": ["score", "pdf"]}}, ("succeeded", 1, None)),
    ],
)
async def test_a_rendering_does_not_outlive_the_run_that_does_it(
    house: House, end: Any, said: dict[str, Any], becomes: tuple[str, int, str | None]
) -> None:
    run = hand_on(house.store, "j", ["score", "pdf"])
    await mark(house.store, "pdf_render", "job:j", "started")
    if end is not None:
        note(house.store, fact(end, run, KIND, **said))

    done = end_left_renderings(house.store)

    assert pdf(house) == becomes
    assert done == (0 if end is None else 1)
    assert end_left_renderings(house.store) == 0


async def test_a_rendering_that_goes_on_in_a_newer_run_is_left_to_it(house: House) -> None:
    run = hand_on(house.store, "j", ["score", "pdf"])
    await mark(house.store, "pdf_render", "job:j", "started")
    note(house.store, fact(WorkflowTerminated, run, KIND, **STOP))
    note(house.store, fact(WorkflowStarted, type(run)(run.workflow_id, "newer"), KIND))

    assert end_left_renderings(house.store) == 0
    assert pdf(house) == ("running", 1, None)


async def test_a_rendering_that_was_given_up_succeeds_when_its_receipt_says_so(house: House) -> None:
    run = hand_on(house.store, "j", ["score", "pdf"])
    await mark(house.store, "pdf_render", "job:j", "started")
    note(house.store, fact(WorkflowCompleted, run, KIND))
    end_left_renderings(house.store)
    assert pdf(house) == ("failed", 1, STOPPED)
    with house.store.writer() as tx:
        outcome, steps = Outcome(("score", "pdf"), ()), ["score", "pdf"]
        assert observe(tx, "run/x/y", Association(RUN, "j", run), steps=steps, outcome=outcome, origin=RUN)

    assert end_left_renderings(house.store) == 1

    assert pdf(house) == ("succeeded", 2, None)
    assert end_left_renderings(house.store) == 0
