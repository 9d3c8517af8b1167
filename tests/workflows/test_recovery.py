"""What a Discover execution lost is put back from its exact history, once; nothing is claimed that is not proven."""

from __future__ import annotations

import asyncio
import threading
import uuid
from contextlib import closing as closing_of
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from temporalio.client import WorkflowFailureError

from jobctrl.discovery.activities import FamilyInput, FamilyResult
from jobctrl.materials.activities import StepResult
from jobctrl.pipeline.coverage import CoverageState, Mode, membership_digest
from jobctrl.pipeline.events import (
    PipelineStepCompleted,
    PreparationWorkflowOutcomeObserved,
    WorkflowCanceled,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
    WorkflowTerminated,
)
from jobctrl.pipeline.membership import Cohort, PlanState, link, plan_preparation
from jobctrl.pipeline.receipts import Outcome, outcomes_of
from jobctrl.pipeline.runs import NOT_FOUND
from jobctrl.runtime.house import House
from jobctrl.runtime.reconciling import TemporalHistories
from jobctrl.store import Execution, Store, acting_execution, moment
from jobctrl.workflows.execution_history import ExecutionHistory
from jobctrl.workflows.fanout import FanoutInput, FanoutResult
from jobctrl.workflows.lost_members import PLAN_LOST
from jobctrl.workflows.lost_steps import STOPPED
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.reconciler import reconcile_runs
from jobctrl.workflows.recovery import INCOMPLETE, REPAIR_FAILED, Recovered, recover_executions
from jobctrl.workflows.steps import StepMark, Steps
from tests.runtime.searching import new_house
from tests.workflows.executions import (
    AT,
    BACKLOG,
    FAMILY,
    OTHER,
    PLANNED,
    RUN,
    TEXTS,
    Kept,
    activity,
    all_members,
    all_steps,
    closing,
    coverage,
    fact,
    forget,
    hand_on,
    history,
    mark,
    note,
    show,
    states,
)
from tests.workflows.fakes import Bench, FakeBoards, FakeSteps, UntilStopped
from tests.workflows.test_discover import READ

State = CoverageState
STOP = {"error_code": "reconciled_terminated", "error_message": "x"}

# --- one pass --------------------------------------------------------------------------------------------------------


async def test_an_open_execution_is_proven_as_far_as_its_history_goes(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    show(store, "a", "b")
    hand_on(store, "c", ["score"])
    kept = Kept({RUN: history(house, PLANNED, BACKLOG, FAMILY)})

    done = await recover_executions(store, kept)

    assert done == Recovered(marks=4, proven=1)
    found = coverage(store)
    assert (found.state, found.mode, found.history_event_id, found.error_code) == (State.READY, Mode.NATIVE, 40, None)
    assert (found.expected_members, found.members, found.expected_steps, found.steps) == (3, 3, 4, 4)
    assert states(store) == {"source_planning": "succeeded", "family:ats_api": "succeeded",
                             "family:workday": "queued", "backlog": "succeeded"}  # fmt: skip
    position = store.position()
    assert await recover_executions(store, kept) == Recovered()
    assert store.position() == position
    assert coverage(store) == found


async def test_a_mark_that_is_put_back_tells_when_it_was(house: House) -> None:
    note(house.store, fact(WorkflowStarted))

    await recover_executions(house.store, Kept({RUN: history(house, FAMILY)}))

    [told] = [f.event for f in house.store.stream(run_stream(RUN.workflow_id, RUN.run_id))
              if f.event_type == "PipelineStepCompleted"]  # fmt: skip
    assert isinstance(told, PipelineStepCompleted)
    assert (told.happened_at, told.item_count, told.duration_ms) == (AT, 9, 5)


async def test_lost_members_come_back_with_their_plans(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    show(store, "a", "b")
    show(store, "b", "d", source="other")
    hand_on(store, "a", ["score", "tailor"])
    hand_on(store, "c", ["score"])
    before = all_members(store)
    kept = Kept({RUN: history(house, closing("a", "b", "c", "d", planned=2))})
    forget(store, "discovery_execution_jobs")

    done = await recover_executions(store, kept)

    assert (done.members, done.proven) == (4, 1)
    assert all_members(store) == before
    assert coverage(store).state is State.READY
    assert await recover_executions(store, kept) == Recovered()


async def test_a_member_that_comes_back_without_its_plan_to_an_ended_execution_is_no_open_work(house: House) -> None:
    note(house.store, fact(WorkflowStarted))
    show(house.store, "a")
    forget(house.store, "discovery_execution_jobs")
    note(house.store, fact(WorkflowCompleted))

    await recover_executions(house.store, Kept({RUN: history(house, closing("a"), end="completed")}))

    assert [(m.job_id, m.cohort, m.plan, m.reason) for m in all_members(house.store)] == [
        ("a", Cohort.OBSERVED, PlanState.FAILED, PLAN_LOST)
    ]


async def test_a_promotion_that_was_lost_comes_back(house: House) -> None:
    note(house.store, fact(WorkflowStarted))
    hand_on(house.store, "a", ["score"])
    show(house.store, "a")
    with house.store.writer() as tx:
        tx.connection.execute("UPDATE discovery_execution_jobs SET cohort_kind = 'existing_backlog'")

    done = await recover_executions(house.store, Kept({RUN: history(house)}))

    assert done.members == 0
    assert [(m.cohort, m.steps) for m in all_members(house.store)] == [(Cohort.OBSERVED, ("score",))]


@pytest.mark.parametrize(
    ("end", "state", "code"),
    [(None, State.RETRYING, REPAIR_FAILED), ("completed", State.INCOMPLETE, INCOMPLETE)],
)
async def test_members_that_no_evidence_names_are_not_invented(
    house: House, end: Any, state: CoverageState, code: str
) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    show(store, "a")
    if end:
        note(store, fact(WorkflowCompleted))
    kept = Kept({RUN: history(house, closing("a", "gone"), end=end)})

    await recover_executions(store, kept)

    found = coverage(store)
    assert (found.state, found.error_code, found.expected_members, found.members) == (state, code, 2, 1)
    position = store.position()
    await recover_executions(store, kept)
    assert store.position() == position
    # What ended is not read again; what is open is.
    assert len(kept.asked) == (1 if end else 2)


async def test_plans_that_the_history_counts_and_nobody_names_leave_an_ended_execution_incomplete(house: House) -> None:
    note(house.store, fact(WorkflowStarted), fact(WorkflowFailed, error_code="x", error_message="x", retryable=False))

    await recover_executions(house.store, Kept({RUN: history(house, BACKLOG, end="failed")}))

    assert (coverage(house.store).state, coverage(house.store).expected_members) == (State.INCOMPLETE, 1)


async def test_a_job_that_was_shown_after_the_membership_closed_joins_the_proof(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    show(store, "a")
    closed = replace(closing("a"), happened_at=moment(datetime.now(UTC)))
    await asyncio.sleep(0.005)
    show(store, "late")

    await recover_executions(store, Kept({RUN: history(house, closed)}))

    found = coverage(store)
    assert (found.state, found.members, found.expected_members) == (State.READY, 2, 2)


async def test_the_keys_of_a_proven_execution_join_until_it_ends_and_are_read_once_more_then(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    await recover_executions(store, Kept({RUN: history(house, PLANNED, FAMILY)}))
    show(store, "a", "b")
    assert (coverage(store).state, coverage(store).members) == (State.READY, 2)
    await asyncio.sleep(0.005)
    note(store, fact(WorkflowTerminated, error_code="reconciled_terminated", error_message="x"))
    kept = Kept({RUN: history(house, PLANNED, FAMILY, end="terminated")})

    await recover_executions(store, kept)
    await recover_executions(store, kept)

    assert kept.asked == [RUN]
    assert coverage(store).state is State.READY
    assert (all_steps(store)["family:workday"].state, all_steps(store)["family:workday"].error_code) == (
        "failed",
        STOPPED,
    )


@pytest.mark.parametrize("version", [{"started": 3}, {"started": 0}])
async def test_an_older_history_proves_its_members_only_when_it_handed_none_on(
    house: House, version: dict[str, int]
) -> None:
    store = house.store
    note(store, fact(WorkflowStarted), fact(WorkflowCompleted))
    show(store, "a")
    forget(store, "discovery_execution_jobs")
    old = (activity("discovery_enrichment", {}, {"promoted": 1}),
           activity("discovery_preparation_fanout", {}, version))  # fmt: skip

    await recover_executions(store, Kept({RUN: history(house, FAMILY, *old, end="completed")}))

    found = coverage(store)
    assert found.mode is Mode.RECONSTRUCTED
    assert (found.state, found.expected_members) == ((State.INCOMPLETE, 3) if version["started"] else (State.READY, 1))
    assert [m.job_id for m in all_members(store)] == ["a"]


# --- histories that cannot be read -----------------------------------------------------------------------------------


async def test_a_server_that_does_not_answer_leaves_a_proof_that_stands_to_be_seen(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    assert await recover_executions(store, Kept({})) == Recovered()
    assert (coverage(store).state, coverage(store).error_code) == (State.RETRYING, REPAIR_FAILED)
    await recover_executions(store, Kept({RUN: history(house, FAMILY)}))
    proven = coverage(store)
    assert proven.state is State.READY

    await recover_executions(store, Kept({}))

    assert coverage(store) == proven


async def test_an_open_execution_without_its_history_is_tried_again(house: House) -> None:
    note(house.store, fact(WorkflowStarted))
    await mark(house.store, "source_family", "family:x", "started")

    await recover_executions(house.store, Kept({RUN: None}))

    assert coverage(house.store).state is State.RETRYING
    assert states(house.store) == {"family:x": "running"}


async def test_what_ended_without_its_history_is_incomplete_and_leaves_no_step_open(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    await mark(store, "source_family", "family:x", "started")
    await mark(store, "source_family", "family:y", "queued")
    show(store, "a")
    note(store, fact(WorkflowTerminated, error_code=NOT_FOUND, error_message="x"))
    kept = Kept({RUN: None})

    await recover_executions(store, kept)
    await recover_executions(store, kept)

    found = coverage(store)
    assert (found.state, found.error_code, found.members) == (State.INCOMPLETE, INCOMPLETE, 1)
    assert {step.error_code for step in all_steps(store).values()} == {STOPPED}
    assert kept.asked == [RUN]


async def test_a_proof_that_stood_when_the_history_went_still_stands(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    await recover_executions(store, Kept({RUN: history(house, FAMILY)}))
    show(store, "a")
    await asyncio.sleep(0.005)
    note(store, fact(WorkflowCompleted))
    kept = Kept({RUN: None})

    await recover_executions(store, kept)
    await recover_executions(store, kept)

    assert (coverage(store).state, coverage(store).members) == (State.READY, 1)
    assert kept.asked == [RUN]


async def test_a_history_that_comes_back_tells_anew_what_was_given_up(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    await mark(store, "source_family", "family:ats_api", "started")
    note(store, fact(WorkflowTerminated, error_code=NOT_FOUND, error_message="x"))
    await recover_executions(store, Kept({RUN: None}))
    note(store, fact(WorkflowStarted, recovered_from_missing_history=True))

    await recover_executions(store, Kept({RUN: history(house, replace(FAMILY, state="scheduled", result=None))}))
    assert states(store) == {"family:ats_api": "running"}
    await mark(store, "source_family", "family:ats_api", "completed")
    assert states(store) == {"family:ats_api": "running"}
    await recover_executions(store, Kept({RUN: history(house, FAMILY)}))

    assert (states(store), coverage(store).state) == ({"family:ats_api": "succeeded"}, State.READY)


async def test_a_foreign_history_changes_nothing_but_the_checkpoint(house: House) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    await mark(store, "source_family", "family:ats_api", "started")
    show(store, "a")
    before = (store.position(), all_members(store), all_steps(store))

    done = await recover_executions(store, Kept({RUN: history(house, FAMILY, closing("z"), workspace="foreign")}))

    assert done == Recovered()
    assert (store.position(), all_members(store), all_steps(store)) == before
    assert (coverage(store).state, coverage(store).error_code) == (State.RETRYING, REPAIR_FAILED)


async def test_one_closed_execution_is_read_a_pass_and_none_keeps_others_waiting(house: House) -> None:
    store = house.store
    runs = [Execution("discover-local", f"run-{number}") for number in range(3)]
    for run in runs:
        note(store, fact(WorkflowStarted, run), fact(WorkflowCanceled, run))
        await asyncio.sleep(0.002)
    foreign = history(house, workspace="foreign", end="canceled")
    kept = Kept({runs[0]: history(house, end="canceled"), runs[1]: foreign, runs[2]: foreign})

    for _ in range(5):
        await recover_executions(store, kept)
        await asyncio.sleep(0.002)

    assert kept.asked == [runs[2], runs[1], runs[0], runs[2], runs[1]]
    assert coverage(store, runs[0]).state is State.READY


async def test_a_pass_that_dies_between_its_writes_is_done_by_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = house.store
    note(store, fact(WorkflowStarted))
    show(store, "a")
    hand_on(store, "c", ["score"])
    before = all_members(store)
    forget(store, "discovery_execution_jobs")
    kept = Kept({RUN: history(house, PLANNED, FAMILY, closing("a", "c", planned=1))})

    class Died(BaseException):
        pass

    def dies(*_: Any, **__: Any) -> None:
        raise Died

    with monkeypatch.context() as broken:
        broken.setattr("jobctrl.workflows.recovery._verdict", dies)
        with pytest.raises(Died):
            await recover_executions(store, kept)
    assert coverage(store).state is State.RECOVERING
    assert all_members(store) == []

    await recover_executions(store, kept)

    assert (all_members(store), coverage(store).state) == (before, State.READY)


EVERY_MARK = [
    ("source_planning", "plan", "completed"),
    ("source_family", "family:ats_api", "queued"),
    ("source_family", "family:ats_api", "started"),
    ("source_family", "family:ats_api", "completed"),
    ("source_family", "family:workday", "queued"),
    ("source_family", "family:workday", "failed"),
    ("enrichment_pass", "terminal", "started"),
    ("preparation_fanout", "terminal", "completed"),
]


@settings(max_examples=25, deadline=None)
@given(kept_marks=st.sets(st.sampled_from(EVERY_MARK)), lost=st.sets(st.sampled_from(["a", "b", "c"])), data=st.data())
def test_whatever_was_lost_the_execution_stands_as_its_history_has_it(
    kept_marks: set[tuple[str, str, str]], lost: set[str], data: st.DataObject
) -> None:
    end = data.draw(st.sampled_from([None, "completed", "terminated"]))
    with TemporaryDirectory() as folder, closing_of(new_house(Path(folder) / "ws", profile=False)) as house:
        store = house.store
        note(store, fact(WorkflowStarted))
        for kind, item, state in EVERY_MARK:
            if (kind, item, state) in kept_marks:
                asyncio.run(mark(store, kind, item, state))
        show(store, "a", "b")
        hand_on(store, "c", ["score"])
        with store.writer() as tx:
            tx.connection.executemany("DELETE FROM discovery_execution_jobs WHERE job_id = ?", [(job,) for job in lost])
        if end:
            note(store, fact(WorkflowCompleted) if end == "completed" else fact(WorkflowTerminated, **STOP))
        activities = (PLANNED, FAMILY, OTHER, TEXTS, closing("a", "b", "c", planned=1))
        kept = Kept({RUN: history(house, *activities, end=end)})

        asyncio.run(recover_executions(store, kept))

        assert {member.job_id for member in all_members(store)} == {"a", "b", "c"}
        assert states(store) == {
            "source_planning": "succeeded",
            "family:ats_api": "succeeded",
            "family:workday": "failed",
            "enrichment_pass": "succeeded",
            "preparation_fanout": "succeeded",
        }
        assert (coverage(store).state, coverage(store).members, coverage(store).steps) == (State.READY, 3, 5)
        position = store.position()
        assert asyncio.run(recover_executions(store, kept)) == Recovered()
        assert store.position() == position


# --- receipts of preparations ----------------------------------------------------------------------------------------


def preparation_history(house: House, job_id: str, origin: Execution | None, **changes: Any) -> ExecutionHistory:
    asked = {"workspace": house.store.workspace_id, "job_id": job_id, "steps": ["score", "pdf"],
             "key": f"preparation:{job_id}", "discovery": asdict(origin) if origin else None}  # fmt: skip
    said = {"steps_completed": ["score"], "steps_skipped": ["pdf"], "steps_failed": [], "failure": None}
    return ExecutionHistory("JobPreparationWorkflow", {**asked, **changes}, 30, "completed", said)


def prepared(house: House, job_id: str) -> Execution:
    run = hand_on(house.store, job_id, ["score", "pdf"])
    note(house.store, fact(WorkflowCompleted, run, "JobPreparationWorkflow"))
    return run


async def test_the_outcomes_of_members_are_read_from_their_histories_once(house: House) -> None:
    mine, manual = prepared(house, "mine"), prepared(house, "manual")
    kept = Kept({mine: preparation_history(house, "mine", RUN), manual: preparation_history(house, "manual", None)})

    assert await recover_executions(house.store, kept) == Recovered(outcomes=2)
    assert await recover_executions(house.store, kept) == Recovered()

    with house.store.reader() as connection:
        assert outcomes_of(connection, RUN) == dict.fromkeys(["mine", "manual"], Outcome(("score",), ("pdf",)))
    assert len(kept.asked) == 2


async def test_a_preparation_that_proves_nothing_stays_unknown_and_keeps_no_other_waiting(house: House) -> None:
    gone, foreign, other, mine = (prepared(house, job_id) for job_id in ("gone", "foreign", "other", "mine"))
    kept = Kept(
        {
            gone: None,
            foreign: preparation_history(house, "foreign", RUN, workspace="elsewhere"),
            other: preparation_history(house, "another", RUN),
            mine: preparation_history(house, "mine", RUN),
        }
    )

    await recover_executions(house.store, kept)
    position = house.store.position()
    await recover_executions(house.store, kept)

    with house.store.reader() as connection:
        assert set(outcomes_of(connection, RUN)) == {"mine"}
    assert house.store.position() == position


# --- the real server -------------------------------------------------------------------------------------------------


@dataclass
class Boards:
    """Activities of Discover that write what the real ones write: receipts, members, a plan, and the closing proof."""

    store: Store

    async def read(self, input: FamilyInput) -> FamilyResult:
        show(self.store, "a", "b", run=acting_execution("reading"))
        return READ

    async def hand_on(self, input: FanoutInput) -> FanoutResult:
        run = acting_execution("handing on")
        with self.store.writer() as tx:
            if input.item == "backlog":
                link(tx, run, ["old"], Cohort.BACKLOG)
            proof = membership_digest(tx.connection, run) if input.closes else (0, "")
        if input.item == "backlog":
            hand_on(self.store, "old", ["score"], run=run)
        return FanoutResult(1, 1, *proof)

    @property
    def fake(self) -> FakeBoards:
        return FakeBoards({"ats_api": self.read}, handed_on=self.hand_on)


async def discovered(bench: Bench) -> Execution:
    """A Discover run from its start to its end."""
    async with bench.worker(Boards(bench.house.store).fake):
        handle = await bench.discover()
        await handle.result()
    return Execution(handle.id, handle.first_execution_run_id or "")


@pytest.mark.temporal
async def test_a_run_of_the_real_server_is_proven_by_its_own_history(bench: Bench) -> None:
    run, store = await discovered(bench), bench.house.store
    position = store.position()

    done = await recover_executions(store, TemporalHistories(bench.client))

    assert done == Recovered(proven=1)
    found = coverage(store, run)
    assert (found.state, found.mode, found.members, found.steps) == (State.READY, Mode.NATIVE, 3, 5)
    assert found.history_event_id > 20
    assert store.position() == position
    assert await recover_executions(store, TemporalHistories(bench.client)) == Recovered()


@pytest.mark.temporal
async def test_members_that_were_deleted_come_back_as_they_were(bench: Bench) -> None:
    run, store = await discovered(bench), bench.house.store
    before = all_members(store, run)
    forget(store, "discovery_execution_jobs", run)

    done = await recover_executions(store, TemporalHistories(bench.client))

    assert (done.members, done.proven) == (3, 1)
    after = {member.job_id: member for member in all_members(store, run)}
    assert after["old"] == next(member for member in before if member.job_id == "old")
    assert [(after[job].cohort, after[job].plan) for job in ("a", "b")] == [(Cohort.OBSERVED, PlanState.FAILED)] * 2
    assert coverage(store, run).state is State.READY


@pytest.mark.temporal
async def test_a_mark_that_was_lost_is_read_from_the_history(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    written = Steps._record

    def forgetful(self: Steps, marks: list[StepMark]) -> None:
        written(self, [m for m in marks if (m.kind, m.state) != ("source_family", "completed")])

    monkeypatch.setattr(Steps, "_record", forgetful)
    run, store = await discovered(bench), bench.house.store
    assert all_steps(store, run)["family:ats_api"].state == "running"

    done = await recover_executions(store, TemporalHistories(bench.client))

    step = all_steps(store, run)["family:ats_api"]
    assert done == Recovered(marks=1, proven=1)
    assert (step.state, step.attempt, step.item_count) == ("succeeded", 1, READ.returned)
    assert await recover_executions(store, TemporalHistories(bench.client)) == Recovered()


@pytest.mark.temporal
async def test_a_step_whose_worker_died_before_its_mark_ends_as_its_activity_did(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, histories = bench.house.store, TemporalHistories(bench.client)
    died, written = asyncio.Event(), Steps._record
    here, gone = asyncio.get_running_loop(), threading.Event()

    def dying(self: Steps, marks: list[StepMark]) -> None:
        if gone.is_set():
            return
        if any((m.kind, m.state) == ("source_family", "completed") for m in marks):
            here.call_soon_threadsafe(died.set)
            raise RuntimeError("the worker is gone")
        written(self, marks)

    monkeypatch.setattr(Steps, "_record", dying)
    async with bench.worker(Boards(store).fake):
        handle = await bench.discover()
        await asyncio.wait_for(died.wait(), 30)
        await handle.terminate()
        gone.set()
    run = Execution(handle.id, handle.first_execution_run_id or "")
    assert all_steps(store, run)["family:ats_api"].state == "running"

    await reconcile_runs(store, histories, min_score=1)
    await recover_executions(store, histories)

    stand = states(store, run)
    assert stand == {"source_planning": "succeeded", "backlog": "succeeded", "family:ats_api": "succeeded"}
    assert (coverage(store, run).state, coverage(store, run).members) == (State.READY, 3)
    position = store.position()
    assert await recover_executions(store, histories) == Recovered()
    assert store.position() == position


@pytest.mark.temporal
async def test_a_run_under_way_is_proven_and_once_more_when_it_was_stopped(bench: Bench) -> None:
    store, histories = bench.house.store, TemporalHistories(bench.client)
    work = UntilStopped()
    async with bench.worker(FakeBoards({"ats_api": work, "workday": READ})):
        handle = await bench.discover(prepare=False)
        await asyncio.wait_for(work.begun.wait(), 30)
        run = Execution(handle.id, handle.first_execution_run_id or "")
        await recover_executions(store, histories)
        under_way, stood = states(store, run), coverage(store, run).state
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    await recover_executions(store, histories)

    assert stood is State.READY
    assert (under_way["family:ats_api"], under_way["family:workday"]) == ("running", "queued")
    ended = all_steps(store, run)
    assert {ended[item].error_code for item in ("family:ats_api", "family:workday")} == {"workflow_canceled"}
    assert not [step for step in ended.values() if step.state in ("queued", "running")]
    assert coverage(store, run).state is State.READY


@pytest.mark.temporal
async def test_a_history_that_the_server_does_not_have_leaves_what_it_cannot_prove(bench: Bench) -> None:
    store = bench.house.store
    run = Execution("discover-nobody", "00000000-0000-4000-8000-000000000000")
    note(store, fact(WorkflowStarted, run))
    show(store, "a", run=run)

    histories = TemporalHistories(bench.client)
    await recover_executions(store, histories)
    assert coverage(store, run).state is State.RETRYING
    await reconcile_runs(store, histories, min_score=1)
    await recover_executions(store, histories)

    assert (coverage(store, run).state, coverage(store, run).error_code) == (State.INCOMPLETE, INCOMPLETE)


@pytest.mark.temporal
@pytest.mark.parametrize("origin", [RUN, None])
async def test_the_outcome_of_a_real_preparation_is_received(bench: Bench, origin: Execution | None) -> None:
    store, histories = bench.house.store, TemporalHistories(bench.client)
    key = f"preparation:{uuid.uuid4()}"
    with store.writer() as tx:
        link(tx, RUN, ["j1"], Cohort.BACKLOG)
        plan_preparation(tx, RUN, "j1", steps=["score", "tailor", "pdf"], preparation_workflow_id=f"prep-{key}")
    async with bench.worker(FakeSteps(tailor=StepResult("skipped"))):
        handle = await bench.prepare("score", "tailor", "pdf", key=key, discovery=origin)
        await handle.result()

    assert (await recover_executions(store, histories)).outcomes == 1
    assert (await recover_executions(store, histories)).outcomes == 0

    with store.reader() as connection:
        assert outcomes_of(connection, RUN) == {"j1": Outcome(("score",), ("tailor", "pdf"))}
    [receipt] = [f.event for f in store.since(0) if f.event_type == "PreparationWorkflowOutcomeObserved"]
    assert isinstance(receipt, PreparationWorkflowOutcomeObserved)
    assert receipt.decoder_version == (1 if origin else 2)
