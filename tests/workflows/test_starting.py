"""A run has an id that says what it is for: starting it again joins it, and asking it to stop leaves a mark."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.errors import NotFound, TransientNetwork
from jobctrl.operations.heartbeats import Heartbeat, keep_beat
from jobctrl.operator import Started
from jobctrl.pipeline.events import WorkflowCancellationRequested, WorkflowStarted
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.runtime import starting
from jobctrl.runtime.starting import Starter, TemporalDispatch
from jobctrl.settings.environment import Environment
from jobctrl.store import moment
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import DISCOVER, preparation_id
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput
from tests.workflows.fakes import Bench, FakeBoards, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal


@pytest.fixture
def starter(bench: Bench) -> Starter:
    return Starter(bench.client, bench.house.store, bench.queue)


@pytest.fixture
def elsewhere(bench: Bench) -> TemporalDispatch:
    """The Operator's way to the server of these tests."""
    environment = Environment(temporal_address=bench.client.service_client.config.target_host, task_queue=bench.queue)  # type: ignore[call-arg]
    return TemporalDispatch(bench.house.workspace, bench.house.store, environment)


def preparing(bench: Bench, name: str, *, job_id: str = "j1") -> PreparationInput:
    return PreparationInput(bench.house.store.workspace_id, job_id, ["score"], f"preparation:{bench.queue}:{name}")


async def test_a_second_discover_joins_the_first_and_leaves_no_second_mark(bench: Bench, starter: Starter) -> None:
    reading, input = UntilStopped(), DiscoverInput(bench.house.store.workspace_id, "recorded:x")
    async with bench.worker(FakeBoards({"ats_api": reading})):
        first = await starter.discover(input)
        await reading.begun.wait()
        second = await starter.discover(input)
        await starter.cancel(DISCOVER)
        with pytest.raises(WorkflowFailureError):
            await bench.client.get_workflow_handle(DISCOVER, run_id=first.run_id).result()

    facts = [fact.event for fact in bench.house.store.stream(f"run/{DISCOVER}/{first.run_id}")]
    assert second == first
    assert [fact.dispatched_by for fact in facts if isinstance(fact, WorkflowStarted)] == ["local_operator", None]
    assert [fact.evidence_kind for fact in facts if isinstance(fact, WorkflowCancellationRequested)] == [
        "request_intent"
    ]


async def test_a_run_that_has_ended_can_be_started_again_as_another_run(bench: Bench, starter: Starter) -> None:
    async with bench.worker(FakeSteps()):
        runs = []
        for _ in range(2):
            [started] = await starter.prepare([preparing(bench, "again")])
            await bench.client.get_workflow_handle(started.workflow_id, run_id=started.run_id).result()
            runs.append(started)

    assert runs[0].workflow_id == runs[1].workflow_id
    assert runs[0].run_id != runs[1].run_id


async def test_a_preparation_is_in_the_log_as_soon_as_it_is_started(bench: Bench, starter: Starter) -> None:
    started = await starter.prepare([preparing(bench, str(number), job_id=f"j{number}") for number in range(3)])

    with bench.house.store.reader() as connection:
        runs = {(run.workflow_id, run.run_id): run for run in WORKFLOW_RUNS.all(connection)}
    assert set(runs) == {(each.workflow_id, each.run_id) for each in started}
    assert {(run.status, run.job_id) for run in runs.values()} == {("in_progress", f"j{number}") for number in range(3)}
    for each in started:
        await bench.client.get_workflow_handle(each.workflow_id).terminate()


async def test_what_has_ended_or_never_was_cannot_be_stopped(bench: Bench, starter: Starter) -> None:
    async with bench.worker(FakeSteps()):
        [started] = await starter.prepare([preparing(bench, "over")])
        await bench.client.get_workflow_handle(started.workflow_id).result()
    before = bench.house.store.position()

    with pytest.raises(NotFound, match="has ended already"):
        await starter.cancel(started.workflow_id)
    with pytest.raises(NotFound, match="no run nobody") as caught:
        await starter.cancel("nobody")

    assert "jobctrl runs" in (caught.value.hint or "")
    assert bench.house.store.position() == before


async def test_the_operator_starts_runs_from_within_a_running_loop(bench: Bench, elsewhere: TemporalDispatch) -> None:
    inputs = [preparing(bench, str(number)) for number in range(30)]

    first, again = elsewhere.prepare(inputs), elsewhere.prepare(inputs[:3])

    assert [each.workflow_id for each in first] == [preparation_id(input.key) for input in inputs]
    assert len({each.run_id for each in first}) == 30
    assert again == first[:3]
    for each in first:
        await bench.client.get_workflow_handle(each.workflow_id).terminate()


async def test_without_anything_that_runs_the_workspace_the_way_to_start_it_is_named(bench: Bench) -> None:
    nowhere = TemporalDispatch(bench.house.workspace, bench.house.store, Environment())

    for act in (lambda: nowhere.prepare([preparing(bench, "x")]), lambda: nowhere.cancel("nobody")):
        with pytest.raises(TransientNetwork, match="Nothing runs this workspace") as caught:
            act()
        assert "jobctrl up" in (caught.value.hint or "")


async def test_a_server_that_does_not_take_the_run_is_a_transient_failure(bench: Bench) -> None:
    class Refusing:
        async def start_workflow(self, *arguments: object, **options: object) -> Started:
            raise RPCError("no", RPCStatusCode.UNAVAILABLE, b"")

    starter = Starter(Refusing(), bench.house.store, bench.queue)  # type: ignore[arg-type]

    with pytest.raises(TransientNetwork, match="did not take"):
        await starter.prepare([preparing(bench, "x")])


async def test_asking_for_the_same_stages_while_they_run_joins_their_run(bench: Bench, starter: Starter) -> None:
    scoring = UntilStopped()
    asked = PipelineInput(bench.house.store.workspace_id, ["score"], job_ids=["j1"])
    async with bench.worker(FakeSteps(score=scoring)):
        first = await starter.pipeline(asked)
        await scoring.begun.wait()
        second = await starter.pipeline(asked)
        later = await starter.pipeline(replace(asked, after=7))
        for each in (first, later):
            await starter.cancel(each.workflow_id)
            with pytest.raises(WorkflowFailureError):
                await bench.client.get_workflow_handle(each.workflow_id).result()

    assert second == first
    assert later.workflow_id != first.workflow_id
    assert re.fullmatch("run-[0-9a-f]{32}", first.workflow_id)


def beat(bench: Bench, seconds_ago: int = 0, *, queue: str | None = None) -> Heartbeat:
    at = moment(bench.house.store.clock() - timedelta(seconds=seconds_ago))
    return Heartbeat("w", bench.house.store.workspace_id, queue or bench.queue, at, at, 4, 6, 0)


async def test_a_worker_is_there_when_it_beats_and_asks_for_work(
    bench: Bench, starter: Starter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "READY_SECONDS", 0.2)
    keep_beat(bench.house.store, beat(bench))
    with pytest.raises(TransientNetwork, match="No worker") as caught:
        await starter.check_ready()
    monkeypatch.undo()
    async with bench.worker(FakeSteps()):
        await starter.check_ready()

    assert "jobctrl up" in (caught.value.hint or "")


@pytest.mark.parametrize("changes", [{"seconds_ago": 60}, {"queue": "another-queue"}])
async def test_a_worker_that_the_server_still_remembers_is_not_taken_for_one_that_lives(
    bench: Bench, starter: Starter, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    monkeypatch.setattr(starting, "READY_SECONDS", 0.2)
    keep_beat(bench.house.store, beat(bench, **changes))
    async with bench.worker(FakeSteps()):
        with pytest.raises(TransientNetwork, match="No worker"):
            await starter.check_ready()
