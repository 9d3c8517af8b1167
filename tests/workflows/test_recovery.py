"""What a Discover execution lost is put back from its exact history, once; nothing is claimed that is not proven."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from jobctrl.pipeline.coverage import CoverageState, Mode
from jobctrl.pipeline.events import (
    PipelineStepCompleted,
    WorkflowCanceled,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
    WorkflowTerminated,
)
from jobctrl.pipeline.membership import Cohort, PlanState
from jobctrl.pipeline.runs import NOT_FOUND
from jobctrl.runtime.house import House
from jobctrl.store import Execution, moment
from jobctrl.workflows.lost_members import PLAN_LOST
from jobctrl.workflows.lost_steps import STOPPED
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.recovery import INCOMPLETE, REPAIR_FAILED, Recovered, recover_executions
from tests.workflows.executions import (
    AT,
    BACKLOG,
    FAMILY,
    PLANNED,
    RUN,
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

State = CoverageState

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
