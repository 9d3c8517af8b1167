"""Jobs are kept for one run before it is started, and what it had not begun is given back after its end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.errors import OwnershipLost
from jobctrl.pipeline.automatic import STOPPED
from jobctrl.pipeline.events import (
    WorkflowCanceled,
    WorkflowCancellationRequested,
    WorkflowFact,
    WorkflowFailed,
    WorkflowStarted,
    WorkflowTerminated,
)
from jobctrl.pipeline.reservations import (
    Reservation,
    left_over,
    release_declined,
    release_unstarted,
    reserve,
    room_left,
    settle_ended,
    unstarted,
)
from jobctrl.pipeline.retries import reset_stage
from jobctrl.runtime.house import House
from jobctrl.runtime.tables import TABLES
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, acting_for
from tests.runtime.searching import job_with_text, new_house
from tests.store.workspace import tables_of

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    house.store.clock = lambda: NOW
    yield house
    house.close()


async def jobs(house: House, count: int) -> list[str]:
    return [await job_with_text(house, number) for number in range(count)]


def reserved(house: House, job_ids: list[str], *, concurrency: int = 4) -> tuple[Reservation, int] | None:
    with house.store.writer() as tx:
        return reserve(tx, house.store.workspace_id, Stage.SCORE, job_ids, concurrency=concurrency, min_score=1)


def kept(house: House, job_ids: list[str]) -> Reservation:
    found = reserved(house, job_ids)
    assert found is not None
    return found[0]


def row(house: House, job_id: str) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, Stage.SCORE)


def record(house: House, *facts: WorkflowFact) -> None:
    with house.store.writer() as tx:
        for fact in facts:
            tx.append(f"run/{fact.workflow_id}/{fact.temporal_run_id}", fact)


def name_of(workflow_id: str) -> dict[str, str]:
    return {"workflow_id": workflow_id, "workflow_type": "JobPipelineWorkflow", "temporal_run_id": "r"}


def begin(house: House, workflow_id: str, *, workers: int = 2) -> None:
    record(house, WorkflowStarted(**name_of(workflow_id), input_summary={"workers": workers}))


def ended(workflow_id: str) -> WorkflowFailed:
    return WorkflowFailed(**name_of(workflow_id), error_code="workflow_error", error_message="No.", retryable=True)


def attempt(house: House, workflow_id: str, job_id: str, *, fails: bool = True) -> None:
    with acting_for(Execution(workflow_id, "r")), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.start()
        if fails:
            machine.fail("llm_transient", "No.", retryable=True)
        else:
            machine.complete()


def settle(house: House) -> int:
    with house.store.writer() as tx:
        return settle_ended(tx)


async def test_a_reservation_is_queued_stages_that_no_other_run_may_take(house: House) -> None:
    job_ids = await jobs(house, 3)

    found = reserved(house, job_ids, concurrency=2)

    assert found is not None
    reservation, workers = found
    assert (reservation.job_ids, workers) == (tuple(job_ids), 2)
    assert {(row(house, job_id).state, row(house, job_id).owner_workflow) for job_id in job_ids} == {
        ("queued", reservation.workflow_id)
    }
    with pytest.raises(OwnershipLost):
        attempt(house, "run-1", job_ids[0])
    attempt(house, reservation.workflow_id, job_ids[0], fails=False)
    assert row(house, job_ids[0]).state == "succeeded"


async def test_what_failed_is_opened_with_the_attempts_it_has_had(house: House) -> None:
    [job_id] = await jobs(house, 1)
    attempt(house, "run-1", job_id)
    early = reserved(house, [job_id])
    house.store.clock = lambda: NOW + timedelta(seconds=120)

    found = reserved(house, [job_id])

    assert early is None
    assert found is not None
    assert (row(house, job_id).state, row(house, job_id).attempt_count) == ("queued", 1)


async def test_what_is_kept_already_is_not_kept_again(house: House) -> None:
    job_ids = await jobs(house, 2)
    first = kept(house, job_ids[:1])
    begin(house, first.workflow_id, workers=1)

    second = kept(house, job_ids)

    assert second.job_ids == (job_ids[1],)
    assert reserved(house, job_ids) is None


async def test_a_lost_start_is_found_with_its_cohort_and_its_id_and_never_lost_twice(house: House) -> None:
    reservation = kept(house, await jobs(house, 3))
    with house.store.reader() as connection:
        found = unstarted(connection)
    begin(house, reservation.workflow_id)

    with house.store.reader() as connection:
        assert unstarted(connection) == []
    [same] = found
    assert (same.workflow_id, set(same.job_ids)) == (reservation.workflow_id, set(reservation.job_ids))


async def test_runs_and_reservations_share_one_concurrency(house: House) -> None:
    job_ids = await jobs(house, 6)
    first = kept(house, job_ids[:2])
    with house.store.reader() as connection:
        before = room_left(connection, 4), room_left(connection, 4, reserved=[first])
    begin(house, first.workflow_id, workers=2)
    second = kept(house, job_ids[2:5])
    begin(house, second.workflow_id, workers=2)
    attempt(house, second.workflow_id, job_ids[2])

    assert before == (4, 2)
    assert reserved(house, job_ids[5:]) is None
    attempt(house, second.workflow_id, job_ids[3])
    found = reserved(house, job_ids[5:])
    assert found is not None
    assert found[1] == 1


async def test_nothing_is_kept_while_an_open_discover_may_come_to_it(house: House) -> None:
    job_ids = await jobs(house, 1)
    discover = {"workflow_id": "discover-local", "workflow_type": "DiscoverWorkflow", "temporal_run_id": "r"}
    record(house, WorkflowStarted(**discover))

    assert reserved(house, job_ids) is None


async def test_what_a_run_had_not_begun_waits_again_when_it_has_taken_an_attempt_of_its_cohort(house: House) -> None:
    job_ids = await jobs(house, 3)
    reservation = kept(house, job_ids)
    begin(house, reservation.workflow_id)
    attempt(house, reservation.workflow_id, job_ids[0])
    before = settle(house)
    record(house, ended(reservation.workflow_id))

    assert (before, settle(house), settle(house)) == (0, 2, 0)
    assert [(row(house, job_id).state, row(house, job_id).attempt_count) for job_id in job_ids] == [
        ("failed", 1),
        ("pending", 0),
        ("pending", 0),
    ]
    assert kept(house, job_ids).workflow_id != reservation.workflow_id


async def test_an_attempt_counts_also_when_another_run_has_taken_the_job_since(house: House) -> None:
    job_ids = await jobs(house, 2)
    reservation = kept(house, job_ids)
    begin(house, reservation.workflow_id)
    attempt(house, reservation.workflow_id, job_ids[0])
    record(house, ended(reservation.workflow_id))
    attempt(house, "run-of-a-person", job_ids[0], fails=False)

    settle(house)

    assert row(house, job_ids[1]).state == "pending"


async def test_a_run_that_came_to_nothing_is_not_begun_again_until_a_person_says_so(house: House) -> None:
    [job_id] = await jobs(house, 1)
    reservation = kept(house, [job_id])
    begin(house, reservation.workflow_id)
    record(house, ended(reservation.workflow_id))

    settle(house)

    assert (row(house, job_id).state, row(house, job_id).error_code) == ("blocked", STOPPED)
    assert reserved(house, [job_id]) is None
    with house.store.writer() as tx:
        assert reset_stage(tx, job_id, Stage.SCORE, attempts=False, min_score=1)
    assert kept(house, [job_id]).workflow_id != reservation.workflow_id


@pytest.mark.parametrize("attempted", [True, False])
@pytest.mark.parametrize("how", ["canceled", "requested", "terminated"])
async def test_what_a_person_stopped_stays_stopped(house: House, how: str, attempted: bool) -> None:
    job_ids = await jobs(house, 2)
    reservation = kept(house, job_ids)
    name = name_of(reservation.workflow_id)
    begin(house, reservation.workflow_id)
    if attempted:
        attempt(house, reservation.workflow_id, job_ids[0])
    asked = WorkflowCancellationRequested(
        **name, requested_by="local_operator", source="jobctrl", evidence_kind="request_intent"
    )
    endings: dict[str, list[WorkflowFact]] = {
        "canceled": [WorkflowCanceled(**name)],
        "requested": [asked, ended(reservation.workflow_id)],
        "terminated": [WorkflowTerminated(**name, error_code="reconciled_terminated", error_message="")],
    }
    record(house, *endings[how])

    settle(house)

    left = row(house, job_ids[1])
    assert (left.state, left.error_code) == (
        ("blocked", STOPPED) if how == "terminated" else ("canceled", "WORKFLOW_CANCELED")
    )
    house.store.clock = lambda: NOW + timedelta(days=1)
    assert reserved(house, job_ids[1:]) is None


async def test_what_was_stopped_for_a_lost_history_waits_again_when_the_history_is_found(house: House) -> None:
    job_ids = await jobs(house, 2)
    reservation = kept(house, job_ids)
    name = name_of(reservation.workflow_id)
    begin(house, reservation.workflow_id)
    attempt(house, reservation.workflow_id, job_ids[0])
    record(house, WorkflowTerminated(**name, error_code="reconciled_not_found", error_message=""))
    settle(house)
    stopped = row(house, job_ids[1]).state
    house.store.clock = lambda: NOW + timedelta(seconds=30)
    again = WorkflowStarted(**name, recovered_from_missing_history=True)
    record(house, again, ended(reservation.workflow_id))

    settle(house)

    assert (stopped, row(house, job_ids[1]).state) == ("blocked", "pending")


async def test_what_a_person_declined_leaves_its_cohort_and_the_others_stay(house: House) -> None:
    job_ids = await jobs(house, 2)
    reservation = kept(house, job_ids)
    with house.store.writer() as tx:
        tx.append(f"job/{job_ids[0]}", JobHidden(job_id=job_ids[0], reason="no"))
        released = release_declined(tx)

    with house.store.reader() as connection:
        [left] = unstarted(connection)
    assert released == 1
    assert (left.workflow_id, left.job_ids) == (reservation.workflow_id, (job_ids[1],))
    assert row(house, job_ids[0]).state == "pending"


async def test_all_that_was_never_started_can_be_given_back(house: House) -> None:
    job_ids = await jobs(house, 3)
    kept(house, job_ids[:1])
    started = kept(house, job_ids[1:])
    begin(house, started.workflow_id)
    with house.store.writer() as tx:
        released = release_unstarted(tx)

    with house.store.reader() as connection:
        assert not left_over(connection)
    assert released == 1
    assert [row(house, job_id).state for job_id in job_ids] == ["pending", "queued", "queued"]


async def test_the_read_tables_are_the_same_when_they_are_folded_again(house: House) -> None:
    job_ids = await jobs(house, 3)
    reservation = kept(house, job_ids)
    begin(house, reservation.workflow_id)
    attempt(house, reservation.workflow_id, job_ids[0])
    record(house, ended(reservation.workflow_id))
    settle(house)
    live = tables_of(house.store, TABLES)

    house.store.rebuild()

    assert tables_of(house.store, TABLES) == live
