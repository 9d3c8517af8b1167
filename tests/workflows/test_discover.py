"""Partial failure is a result; each step of the execution leaves its marks."""

from __future__ import annotations

import asyncio

import pytest
from temporalio import activity
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError, CancelledError

from jobctrl.discovery.activities import FamilyInput, FamilyResult
from jobctrl.errors import MissingInput, NotFound, RuntimeMismatch, WorkspaceError
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.pipeline.steps import PIPELINE_STEPS, Step
from jobctrl.store import Store
from jobctrl.workflows.fanout import FanoutInput, FanoutResult
from tests.workflows.fakes import Bench, FakeBoards, UntilStopped

pytestmark = pytest.mark.temporal
READ = FamilyResult("ats_api", returned=9, admitted=4, merged=2, filtered=2, rejected=1, sources_read=3)
GONE = NotFound("The board is not there.")


def the_run(store: Store) -> Run:
    with store.reader() as connection:
        [run] = WORKFLOW_RUNS.all(connection)
    return run


def steps_of(store: Store) -> dict[str, Step]:
    with store.reader() as connection:
        return {step.item_key: step for step in PIPELINE_STEPS.all(connection)}


async def test_a_run_reads_the_families_takes_in_texts_and_hands_on(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": READ, "workday": FamilyResult("workday", returned=1, admitted=1, sources_read=1)})
    async with bench.worker(boards):
        result = await (await bench.discover()).result()

    assert boards.asked == [
        *("plan", "fan out backlog"),
        *("ats_api", "fan out streaming:pass-1"),
        "workday",
        *("enrich", "fan out terminal"),
    ]
    assert all(each.hand_on for each in boards.streamed)
    assert (result.returned, result.admitted, result.merged, result.filtered, result.rejected) == (10, 5, 2, 2, 1)
    assert result.families_completed == ["ats_api", "workday"]
    assert the_run(bench.house.store).status == "succeeded"


async def test_every_step_of_the_execution_is_marked_under_it(bench: Bench) -> None:
    async with bench.worker(FakeBoards({"ats_api": READ})):
        handle = await bench.discover()
        await handle.result()

    with bench.house.store.reader() as connection:
        steps = PIPELINE_STEPS.all(connection)
    assert {(step.workflow_id, step.run_id) for step in steps} == {(handle.id, handle.first_execution_run_id)}
    assert {(step.step_kind, step.item_key, step.state, step.item_count) for step in steps} == {
        ("source_planning", "plan", "succeeded", 1),
        ("source_family", "family:ats_api", "succeeded", 9),
        ("existing_backlog_sweep", "backlog", "succeeded", 1),
        ("enrichment_pass", "terminal", "succeeded", 2),
        ("preparation_fanout", "terminal", "succeeded", 1),
    }


async def test_one_family_that_fails_does_not_fail_the_run(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": GONE, "workday": FamilyResult("workday", returned=3, admitted=3)})
    async with bench.worker(boards):
        result = await (await bench.discover()).result()

    run = the_run(bench.house.store)
    assert (result.families_completed, result.families_failed) == (["workday"], ["ats_api"])
    assert run.status == "succeeded"
    assert '"familiesFailed": ["ats_api"]' in run.summary
    failed = steps_of(bench.house.store)["family:ats_api"]
    assert (failed.state, failed.error_code, failed.retryable) == ("failed", "not_found", 0)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ApplicationError("An unexpected KeyError was raised.", type="unclassified", non_retryable=True),
         "discovery_source_failed"),
        (GONE, "not_found"),
    ],
)  # fmt: skip
async def test_a_run_whose_families_all_fail_has_failed(bench: Bench, error: Exception, code: str) -> None:
    async with bench.worker(FakeBoards({"ats_api": error, "workday": error})):
        with pytest.raises(WorkflowFailureError):
            await (await bench.discover()).result()

    run = the_run(bench.house.store)
    assert (run.status, run.error_code) == ("failed", code)
    assert run.error_message is not None
    assert run.error_message.startswith("Every source family failed")
    assert {step.state for item, step in steps_of(bench.house.store).items() if item.startswith("family")} == {"failed"}


async def test_a_family_that_fails_for_a_moment_is_read_again(bench: Bench) -> None:
    tries: list[int] = []

    async def second_time(input: FamilyInput) -> FamilyResult:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionResetError("the words of a stranger")
        return READ

    async with bench.worker(FakeBoards({"ats_api": second_time})):
        result = await (await bench.discover()).result()

    assert (len(tries), result.admitted) == (2, 4)
    assert the_run(bench.house.store).status == "succeeded"
    assert not any("stranger" in fact.payload for fact in bench.house.store.since(0))


async def test_a_failing_enrichment_fails_the_run(bench: Bench) -> None:
    async with bench.worker(FakeBoards({"ats_api": READ}, enriched=WorkspaceError("The disk is full."))):
        with pytest.raises(WorkflowFailureError):
            await (await bench.discover()).result()

    run = the_run(bench.house.store)
    assert (run.status, run.error_code, run.error_message) == ("failed", "workspace", "The disk is full.")


async def test_a_plan_that_fails_reads_nothing(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": READ}, unplanned=MissingInput("There is no source to read."))
    async with bench.worker(boards):
        with pytest.raises(WorkflowFailureError):
            await (await bench.discover()).result()

    run = the_run(bench.house.store)
    assert boards.asked == ["plan"]
    assert (run.status, run.error_code, run.error_message) == ("failed", "missing_input", "There is no source to read.")


async def test_work_for_another_workspace_is_not_retried(bench: Bench) -> None:
    async with bench.worker(FakeBoards({"ats_api": RuntimeMismatch("Not this one.")})):
        with pytest.raises(WorkflowFailureError):
            await (await bench.discover()).result()

    assert the_run(bench.house.store).error_code == "RuntimeIdentityMismatch"


async def test_without_preparation_nothing_is_handed_on_and_nothing_is_spent(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": READ}, handed_on=FanoutResult())
    async with bench.worker(boards):
        result = await (await bench.discover(prepare=False)).result()

    assert boards.asked == ["plan", "ats_api", "enrich", "close"]
    assert not any(each.hand_on for each in boards.streamed)
    assert result.preparation_started == 0


async def test_with_a_limit_the_jobs_are_chosen_when_all_are_known(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": READ, "workday": READ})
    async with bench.worker(boards):
        await (await bench.discover(limit=3)).result()

    assert [each for each in boards.asked if each.startswith("fan out")] == ["fan out terminal"]
    assert not any(each.hand_on for each in boards.streamed)


async def test_every_planned_family_is_told_of_before_the_first_is_read(bench: Bench) -> None:
    async def look(input: FamilyInput) -> FamilyResult:
        seen.append({item: step.state for item, step in steps_of(bench.house.store).items() if "family" in item})
        return FamilyResult(input.family)

    seen: list[dict[str, str]] = []
    async with bench.worker(FakeBoards({"ats_api": look, "workday": look})):
        await (await bench.discover()).result()

    assert seen == [
        {"family:ats_api": "running", "family:workday": "queued"},
        {"family:ats_api": "succeeded", "family:workday": "running"},
    ]


async def test_what_fails_before_the_end_is_left_to_the_end(bench: Bench) -> None:
    async def at_the_end(input: FanoutInput) -> FanoutResult:
        if input.item != "terminal":
            raise WorkspaceError("The disk is full.")
        return FanoutResult(4, 4)

    boards = FakeBoards(
        {"ats_api": READ, "workday": READ}, handed_on=at_the_end, streaming=WorkspaceError("The disk is full.")
    )
    async with bench.worker(boards):
        result = await (await bench.discover()).result()

    assert result.preparation_started == 4
    steps = steps_of(bench.house.store)
    assert {(item, steps[item].state) for item in ("backlog", "streaming:pass-1")} == {
        ("backlog", "failed"),
        ("streaming:pass-1", "failed"),
    }


async def test_a_stream_that_finds_nothing_gives_its_slot_back_and_comes_again(bench: Bench) -> None:
    async def until_the_second_stream(input: FamilyInput) -> FamilyResult:
        while len(boards.streamed) < 2:
            activity.heartbeat()
            await asyncio.sleep(0.05)
        return READ

    boards = FakeBoards({"ats_api": until_the_second_stream})
    async with bench.worker(boards):
        await (await bench.discover()).result()

    assert len(boards.streamed) == 2


async def test_a_canceled_run_stops_its_family_and_is_recorded_as_canceled(bench: Bench) -> None:
    reading = UntilStopped()
    boards = FakeBoards({"ats_api": reading, "workday": READ})
    async with bench.worker(boards):
        handle = await bench.discover()
        await reading.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError) as caught:
            await handle.result()

    assert isinstance(caught.value.cause, CancelledError)
    assert boards.asked == ["plan", "fan out backlog", "ats_api"]
    step = steps_of(bench.house.store)["family:ats_api"]
    assert (step.state, step.error_code) == ("failed", "workflow_canceled")
    run = the_run(bench.house.store)
    assert (run.status, run.error_code, run.late_outcomes) == ("canceled", "workflow_canceled", 0)
