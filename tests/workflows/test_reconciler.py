"""No run stays open for ever: what Temporal says closes it, and a mark of its own always wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from jobctrl.errors import TransientNetwork
from jobctrl.pipeline.events import (
    WorkflowCanceled,
    WorkflowCancellationRequested,
    WorkflowCompleted,
    WorkflowFact,
    WorkflowStarted,
)
from jobctrl.pipeline.runs import NOT_FOUND, WORKFLOW_RUNS, Run
from jobctrl.runtime.house import House
from jobctrl.runtime.reconciling import TemporalHistories
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import Execution, Store, acting_for
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.reconciler import (
    CancelRequest,
    HistoryState,
    Reconciled,
    cancellation,
    reconcile_runs,
    verdict,
)
from tests.workflows.fakes import Bench, FakeSteps

State = HistoryState
OPEN = Run("w", "r", "DiscoverWorkflow", "in_progress")
MISSING = Run("w", "r", "DiscoverWorkflow", "terminated", error_code=NOT_FOUND)


@dataclass
class Told:
    """Histories that say what a test tells them; a run that nobody told of does not answer."""

    states: Mapping[str, HistoryState]
    asked: list[tuple[str, str]] = field(default_factory=list)
    requests: Mapping[str, CancelRequest] = field(default_factory=dict)
    explained: list[str] = field(default_factory=list)

    async def cancellation(self, workflow_id: str, run_id: str) -> CancelRequest | None:
        self.explained.append(run_id)
        return self.requests.get(run_id)

    async def state(self, workflow_id: str, run_id: str) -> HistoryState:
        self.asked.append((workflow_id, run_id))
        if run_id not in self.states:
            raise TransientNetwork("silence")
        return self.states[run_id]


def begin(store: Store, run_id: str, workflow_id: str = "w") -> None:
    started = WorkflowStarted(workflow_id=workflow_id, workflow_type="DiscoverWorkflow", temporal_run_id=run_id)
    with store.writer() as tx:
        tx.append(run_stream(workflow_id, run_id), started)


def end(store: Store, run_id: str) -> None:
    with store.writer() as tx:
        tx.append(
            run_stream("w", run_id),
            WorkflowCompleted(workflow_id="w", workflow_type="DiscoverWorkflow", temporal_run_id=run_id),
        )


def status(store: Store, run_id: str, workflow_id: str = "w") -> tuple[str, str | None]:
    with store.reader() as connection:
        run = WORKFLOW_RUNS.get(connection, workflow_id, run_id)
    assert run is not None
    return run.status, run.error_code


def names(facts: list[WorkflowFact]) -> list[str]:
    return [fact.event_type.removeprefix("Workflow") for fact in facts]


@pytest.mark.parametrize(
    ("run", "state", "said"),
    [
        (OPEN, State.RUNNING, []),
        (OPEN, State.COMPLETED, ["Completed"]),
        (OPEN, State.FAILED, ["Failed"]),
        (OPEN, State.CANCELED, ["Canceled"]),
        (OPEN, State.TERMINATED, ["Terminated"]),
        (OPEN, State.TIMED_OUT, ["TimedOut"]),
        (OPEN, State.NOT_FOUND, ["Terminated"]),
        (MISSING, State.NOT_FOUND, []),
        (MISSING, State.RUNNING, ["Started"]),
        (MISSING, State.FAILED, ["Started", "Failed"]),
        (Run("w", "r", "DiscoverWorkflow", "succeeded"), State.FAILED, []),
        (Run("w", "r", "DiscoverWorkflow", "terminated", error_code="reconciled_terminated"), State.RUNNING, []),
    ],
)
def test_the_verdict_is_what_the_history_says_unless_an_end_stands(
    run: Run, state: HistoryState, said: list[str]
) -> None:
    assert names(verdict(run, state)) == said


async def test_an_open_run_is_closed_by_its_history(house: House) -> None:
    ends = {
        "a": (State.FAILED, ("failed", "reconciled_closed_failed")),
        "b": (State.TERMINATED, ("terminated", "reconciled_terminated")),
        "c": (State.TIMED_OUT, ("timed_out", "reconciled_closed_timed_out")),
        "d": (State.CANCELED, ("canceled", "reconciled_closed_canceled")),
        "e": (State.COMPLETED, ("succeeded", None)),
        "f": (State.RUNNING, ("in_progress", None)),
        "g": (State.NOT_FOUND, ("terminated", NOT_FOUND)),
    }
    for run_id in ends:
        begin(house.store, run_id)
    histories = Told({run_id: state for run_id, (state, _) in ends.items()})

    done = await reconcile_runs(house.store, histories, min_score=1)

    assert {run_id: status(house.store, run_id) for run_id in ends} == {
        run_id: said for run_id, (_, said) in ends.items()
    }
    assert done == Reconciled(closed=5, missing=1)


async def test_a_second_pass_over_the_same_says_nothing_more(house: House) -> None:
    begin(house.store, "gone")
    begin(house.store, "dead")
    histories = Told({"gone": State.NOT_FOUND, "dead": State.FAILED})
    await reconcile_runs(house.store, histories, min_score=1)
    before = house.store.position()

    done = await reconcile_runs(house.store, histories, min_score=1)

    assert done == Reconciled()
    assert house.store.position() == before


async def test_a_run_that_comes_back_is_open_again_and_ends_as_itself(house: House) -> None:
    begin(house.store, "r")
    await reconcile_runs(house.store, Told({"r": State.NOT_FOUND}), min_score=1)

    await reconcile_runs(house.store, Told({"r": State.RUNNING}), min_score=1)
    assert status(house.store, "r") == ("in_progress", None)
    await reconcile_runs(house.store, Told({"r": State.NOT_FOUND}), min_score=1)
    assert status(house.store, "r") == ("terminated", NOT_FOUND)
    await reconcile_runs(house.store, Told({"r": State.COMPLETED}), min_score=1)
    assert status(house.store, "r") == ("succeeded", None)


async def test_a_mark_that_came_while_temporal_was_asked_wins(house: House) -> None:
    begin(house.store, "r")

    class Slow(Told):
        async def state(self, workflow_id: str, run_id: str) -> HistoryState:
            end(house.store, run_id)
            return State.FAILED

    done = await reconcile_runs(house.store, Slow({}), min_score=1)

    assert status(house.store, "r") == ("succeeded", None)
    assert done == Reconciled()


async def test_a_server_that_does_not_answer_leaves_everything_as_it_is(house: House) -> None:
    begin(house.store, "r")

    done = await reconcile_runs(house.store, Told({}), min_score=1)

    assert done == Reconciled()
    assert status(house.store, "r") == ("in_progress", None)


async def test_only_runs_that_are_open_or_missing_are_asked_for(house: House) -> None:
    for run_id in ("open", "done", "missing"):
        begin(house.store, run_id)
    end(house.store, "done")
    await reconcile_runs(house.store, Told({"open": State.RUNNING, "missing": State.NOT_FOUND}), min_score=1)

    histories = Told({"open": State.RUNNING, "missing": State.NOT_FOUND})
    await reconcile_runs(house.store, histories, min_score=1)

    assert set(histories.asked) == {("w", "open"), ("w", "missing")}


@pytest.mark.parametrize(("how", "left"), [(State.TERMINATED, "failed"), (State.CANCELED, "canceled")])
async def test_a_stage_that_an_ended_run_left_running_can_be_taken_again(
    house: House, how: HistoryState, left: str
) -> None:
    begin(house.store, "r")
    with acting_for(Execution("w", "r")), house.store.writer() as tx:
        StageMachine(tx, "j1", Stage.SCORE).start()
        StageMachine(tx, "j2", Stage.ENRICH).start()
    with acting_for(Execution("w", "other")), house.store.writer() as tx:
        StageMachine(tx, "j3", Stage.SCORE).start()

    done = await reconcile_runs(house.store, Told({"r": how}), min_score=1)

    assert done.settled == 2
    with house.store.reader() as connection:
        rows = [stage_of(connection, job_id, stage) for job_id, stage in (("j1", Stage.SCORE), ("j2", Stage.ENRICH))]
        assert stage_of(connection, "j3", Stage.SCORE).state == "running"
    assert [row.state for row in rows] == [left, left]
    assert all(row.retryable for row in rows)
    if left == "failed":
        assert [row.error_code for row in rows] == ["SCORE_ACTIVITY_OWNER_STOPPED", "ENRICH_ACTIVITY_OWNER_STOPPED"]


@pytest.mark.temporal
async def test_the_real_server_is_asked_for_the_exact_run(bench: Bench) -> None:
    store, histories = bench.house.store, TemporalHistories(bench.client)
    async with bench.worker(FakeSteps()):
        ended = await bench.prepare("pdf")
        await ended.result()
    waiting = await bench.prepare("pdf")
    lost = await bench.prepare("pdf")
    await lost.terminate()
    for handle in (waiting, lost):
        begin(store, handle.first_execution_run_id or "", handle.id)
    begin(store, "00000000-0000-4000-8000-000000000000", ended.id)

    done = await reconcile_runs(store, histories, min_score=1)

    assert done == Reconciled(closed=1, missing=1)
    assert status(store, lost.first_execution_run_id or "", lost.id) == ("terminated", "reconciled_terminated")
    assert status(store, waiting.first_execution_run_id or "", waiting.id) == ("in_progress", None)
    await waiting.terminate()


def cancel(store: Store, run_id: str, *, asked_by_us: bool = False) -> None:
    name = {"workflow_id": "w", "workflow_type": "DiscoverWorkflow", "temporal_run_id": run_id}
    with store.writer() as tx:
        if asked_by_us:
            tx.append(
                run_stream("w", run_id),
                WorkflowCancellationRequested(
                    **name, requested_by="local_operator", source="jobctrl", evidence_kind="request_intent"
                ),
            )
        tx.append(run_stream("w", run_id), WorkflowCanceled(**name))


def requests(store: Store, run_id: str) -> list[tuple[str, str, str]]:
    facts = [fact.event for fact in store.stream(run_stream("w", run_id))]
    return [
        (fact.evidence_kind, fact.requested_by, fact.source)
        for fact in facts
        if isinstance(fact, WorkflowCancellationRequested)
    ]


async def test_a_canceled_run_gets_what_its_history_says_of_the_request_once(house: House) -> None:
    store = house.store
    for run_id in ("ours", "theirs", "silent"):
        begin(store, run_id)
        cancel(store, run_id, asked_by_us=run_id == "ours")
    histories = Told({}, requests={"ours": CancelRequest("7@here"), "theirs": CancelRequest("temporal-cli:someone")})

    first = await reconcile_runs(store, histories, min_score=1)
    again = await reconcile_runs(store, histories, min_score=1)

    assert (first.explained, again.explained) == (2, 0)
    assert requests(store, "theirs") == [("temporal_history", "temporal-cli:someone", "temporal_cli")]
    assert requests(store, "ours") == [
        ("request_intent", "local_operator", "jobctrl"),
        ("temporal_history", "7@here", "temporal_external"),
    ]
    assert requests(store, "silent") == []
    assert sorted(histories.explained) == ["ours", "silent", "silent", "theirs"]
    with store.reader() as connection:
        run = WORKFLOW_RUNS.get(connection, "w", "ours")
    assert run is not None
    assert run.cancel_requested_by == "local_operator"


async def test_the_history_of_a_run_that_could_not_tell_its_end_is_recovered_evidence(house: House) -> None:
    begin(house.store, "r")
    histories = Told({"r": State.CANCELED}, requests={"r": CancelRequest("7@here")})

    await reconcile_runs(house.store, histories, min_score=1)

    assert requests(house.store, "r") == [("recovered_temporal_history", "7@here", "temporal_external")]


async def test_runs_that_were_not_canceled_are_not_asked_who_did_it(house: House) -> None:
    begin(house.store, "open")
    begin(house.store, "done")
    end(house.store, "done")
    histories = Told({"open": State.RUNNING})

    await reconcile_runs(house.store, histories, min_score=1)

    assert histories.explained == []


@pytest.mark.parametrize(
    ("request_", "who", "source"),
    [
        (CancelRequest("temporal-cli:me@here"), "temporal-cli:me@here", "temporal_cli"),
        (CancelRequest("temporal-ui"), "temporal-ui", "temporal_web"),
        (CancelRequest("12@here"), "12@here", "temporal_external"),
        (CancelRequest(by_workflow=True), "unknown", "temporal_external"),
        (CancelRequest(), "unknown", "temporal_unknown"),
    ],
)
def test_who_asked_is_told_as_far_as_the_history_knows(request_: CancelRequest, who: str, source: str) -> None:
    fact = cancellation(OPEN, request_)

    assert (fact.requested_by, fact.source, fact.reason) == (who, source, None)


def test_a_reason_is_bounded() -> None:
    assert len(cancellation(OPEN, CancelRequest(reason="x" * 5000)).reason or "") == 200


@pytest.mark.temporal
async def test_the_real_history_tells_of_the_request(bench: Bench) -> None:
    histories = TemporalHistories(bench.client)
    waiting = await bench.prepare("pdf")
    run_id = waiting.first_execution_run_id or ""
    await waiting.cancel()

    asked = await histories.cancellation(waiting.id, run_id)

    assert asked is not None
    assert "@" in asked.identity
    assert not asked.by_workflow
    assert await histories.cancellation("nobody", run_id) is None
    await waiting.terminate()
