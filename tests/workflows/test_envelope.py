"""Every run is marked once at its start and once at its end, however it ends."""

from __future__ import annotations

from decimal import Decimal

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError, CancelledError

from jobctrl.errors import MaterialRejected
from jobctrl.events import Recorded
from jobctrl.pipeline.events import TERMINAL, WorkflowFact
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.house import House
from jobctrl.store import Store
from jobctrl.workflows.marks import Marks, OutcomeMark, StartMark, run_stream
from tests.workflows.fakes import Bench, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal
TERMINAL_NAMES = {event.__name__ for event in TERMINAL}


def marks_of(store: Store) -> list[Recorded]:
    return [fact for fact in store.since(0) if isinstance(fact.event, WorkflowFact)]


def the_run(store: Store) -> Run:
    with store.reader() as connection:
        [run] = WORKFLOW_RUNS.all(connection)
    return run


def assert_marked_once(store: Store) -> None:
    names = [fact.event_type for fact in marks_of(store)]
    assert names[0] == "WorkflowStarted"
    assert len(names) == 2
    assert names[1] in TERMINAL_NAMES


async def test_a_run_that_succeeds_says_what_it_did(bench: Bench) -> None:
    async with bench.worker(FakeSteps()):
        handle = await bench.prepare("score", "tailor")
        await handle.result()

    run = the_run(bench.house.store)
    assert_marked_once(bench.house.store)
    assert (run.workflow_id, run.run_id) == (handle.id, handle.first_execution_run_id)
    assert (run.status, run.error_code) == ("succeeded", None)
    assert '"completed": ["score", "tailor"]' in run.summary
    assert '"jobId": "j1"' in run.input_summary
    assert run.duration_ms is not None


async def test_a_failed_result_is_a_failed_run_although_its_workflow_completes(bench: Bench) -> None:
    async with bench.worker(FakeSteps(tailor=MaterialRejected("Two lines are not grounded."))):
        result = await (await bench.prepare()).result()

    run = the_run(bench.house.store)
    assert_marked_once(bench.house.store)
    assert (result.steps_completed, result.steps_failed) == (["score"], ["tailor"])
    assert (run.status, run.error_code, run.error_message) == (
        "failed",
        "material_rejected",
        "Two lines are not grounded.",
    )


async def test_a_raised_failure_keeps_its_code(bench: Bench) -> None:
    async with bench.worker(FakeSteps()):
        handle = await bench.prepare("score", "frame")
        with pytest.raises(WorkflowFailureError) as caught:
            await handle.result()

    run = the_run(bench.house.store)
    assert_marked_once(bench.house.store)
    assert isinstance(caught.value.cause, ApplicationError)
    assert caught.value.cause.type == run.error_code == "invalid_request"
    assert run.status == "failed"
    assert run.error_message == "There are no such steps: frame."


async def test_a_canceled_run_is_recorded_as_canceled(bench: Bench) -> None:
    scoring = UntilStopped()
    steps = FakeSteps(score=scoring)
    async with bench.worker(steps):
        handle = await bench.prepare()
        await scoring.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError) as caught:
            await handle.result()

    assert_marked_once(bench.house.store)
    assert isinstance(caught.value.cause, CancelledError)
    assert the_run(bench.house.store).status == "canceled"
    assert steps.asked == ["score"]


async def test_a_run_that_is_canceled_before_it_begins_is_recorded_as_canceled(bench: Bench) -> None:
    steps = FakeSteps()
    handle = await bench.prepare()
    await handle.cancel()
    async with bench.worker(steps):
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    names = [fact.event_type for fact in marks_of(bench.house.store)]
    assert names[-1] == "WorkflowCanceled"
    assert sum(name in TERMINAL_NAMES for name in names) == 1
    assert the_run(bench.house.store).status == "canceled"
    assert steps.asked == []


async def test_a_refused_spend_ends_the_run_before_any_work(bench: Bench) -> None:
    call = bench.house.ledger.reserve("score", provider="p", model="m", estimate=Decimal(1), tokens=9)
    bench.house.ledger.settle(call, input_tokens=9, output_tokens=9, cost=Decimal(99))
    steps = FakeSteps()
    async with bench.worker(steps):
        with pytest.raises(WorkflowFailureError):
            await (await bench.prepare()).result()

    run = the_run(bench.house.store)
    assert_marked_once(bench.house.store)
    assert (run.status, run.error_code, run.retryable) == ("failed", "budget_exceeded", 0)
    assert steps.asked == []


async def test_rendering_alone_costs_nothing_and_needs_no_budget(bench: Bench) -> None:
    call = bench.house.ledger.reserve("score", provider="p", model="m", estimate=Decimal(1), tokens=9)
    bench.house.ledger.settle(call, input_tokens=9, output_tokens=9, cost=Decimal(99))
    steps = FakeSteps()
    async with bench.worker(steps):
        result = await (await bench.prepare("pdf")).result()

    assert result.steps_completed == steps.asked == ["pdf"]


async def test_a_mark_that_is_retried_is_written_once(house: House) -> None:
    marks = Marks(house.store, house.ledger)
    start = StartMark("w", "prep-1", "r1", "JobPreparationWorkflow", {"jobId": "j1"})
    end = OutcomeMark("w", "prep-1", "r1", "JobPreparationWorkflow", "succeeded", duration_ms=5)

    for mark in (start, start):
        await marks.record_workflow_started(mark)
    for _ in range(2):
        await marks.record_workflow_outcome(end)

    assert [fact.event_type for fact in house.store.stream(run_stream("prep-1", "r1"))] == [
        "WorkflowStarted",
        "WorkflowCompleted",
    ]
    assert the_run(house.store).late_outcomes == 0


async def test_two_executions_of_one_id_are_two_runs(bench: Bench) -> None:
    async with bench.worker(FakeSteps()):
        for _ in range(2):
            await (await bench.prepare("pdf", key="preparation:same")).result()

    with bench.house.store.reader() as connection:
        runs = WORKFLOW_RUNS.all(connection)
    assert len({run.run_id for run in runs}) == 2
    assert {run.status for run in runs} == {"succeeded"}


async def test_a_run_of_another_workspace_is_refused_and_leaves_no_mark(bench: Bench) -> None:
    steps = FakeSteps()
    async with bench.worker(steps, workspace="another-workspace"):
        handle = await bench.prepare()
        with pytest.raises(WorkflowFailureError) as caught:
            await handle.result()

    assert "meant for another workspace" in str(caught.value.__cause__)
    assert steps.asked == []
    assert marks_of(bench.house.store) == []
