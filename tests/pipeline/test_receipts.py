"""Receipts of preparation: one a run and association, and worth nothing once the plan or the owner is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobctrl.pipeline.events import (
    PreparationWorkflowOutcomeObserved,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
)
from jobctrl.pipeline.membership import Cohort, link, plan_nothing, plan_preparation
from jobctrl.pipeline.receipts import Association, Outcome, observe, outcomes_of, plan_of, unobserved
from jobctrl.runtime.house import House
from jobctrl.store import Execution, Store
from tests.runtime.searching import new_house

FIRST, AGAIN = Execution("discover-local", "run-1"), Execution("discover-local", "run-2")
RUN = Execution("prep-preparation:j", "one")
STEPS = ["score", "tailor", "cover", "pdf"]
STOPPED = Outcome(("score",), ("tailor", "cover", "pdf"))
MINE = Association(FIRST, "j", RUN)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


@pytest.fixture
def store(house: House) -> Store:
    return house.store


def member(store: Store, execution: Execution = FIRST, steps: list[str] = STEPS) -> None:
    with store.writer() as tx:
        link(tx, execution, ["j"], Cohort.BACKLOG)
        plan_preparation(tx, execution, "j", steps=steps, preparation_workflow_id=RUN.workflow_id)


def prepared(store: Store, run: Execution = RUN, end: type[Any] | None = WorkflowCompleted, at: str = "10") -> None:
    """A preparation run, and how it ended."""
    name = {"workflow_id": run.workflow_id, "workflow_type": "JobPreparationWorkflow", "temporal_run_id": run.run_id}
    failure = {"error_code": "x", "error_message": "x", "retryable": False} if end is WorkflowFailed else {}
    with store.writer() as tx:
        stream = f"run/{run.workflow_id}/{run.run_id}"
        tx.append(stream, WorkflowStarted(**name, started_at=f"2026-03-01T{at}:00:00.000Z"))
        if end is not None:
            tx.append(stream, end(**name, **failure))


def received(
    store: Store, association: Association = MINE, origin: Execution | None = FIRST, steps: list[str] = STEPS
) -> bool:
    with store.writer() as tx:
        return observe(tx, "run/prep/one", association, steps=steps, outcome=STOPPED, origin=origin)


def outcomes(store: Store, execution: Execution = FIRST) -> dict[str, Outcome]:
    with store.reader() as connection:
        return outcomes_of(connection, execution)


def waiting(store: Store) -> list[Association]:
    with store.reader() as connection:
        return sorted(unobserved(connection, most=25), key=lambda each: each.execution.run_id)


def receipts(store: Store) -> list[PreparationWorkflowOutcomeObserved]:
    facts = [fact.event for fact in store.since(0) if fact.event_type == "PreparationWorkflowOutcomeObserved"]
    return [fact for fact in facts if isinstance(fact, PreparationWorkflowOutcomeObserved)]


def test_a_member_whose_preparation_succeeded_waits_for_its_receipt_and_then_has_its_outcome(store: Store) -> None:
    member(store)
    prepared(store, end=None)
    assert waiting(store) == []
    with store.writer() as tx:
        name = {
            "workflow_id": RUN.workflow_id,
            "workflow_type": "JobPreparationWorkflow",
            "temporal_run_id": RUN.run_id,
        }
        tx.append("run/prep/one", WorkflowCompleted(**name))
    assert waiting(store) == [MINE]
    assert outcomes(store) == {}

    assert received(store)

    assert waiting(store) == []
    assert outcomes(store) == {"j": STOPPED}
    [receipt] = receipts(store)
    assert (receipt.decoder_version, receipt.origin, receipt.execution) == (1, receipt.execution, receipt.execution)
    [fact] = [fact for fact in store.since(0) if fact.event_type == receipt.event_type]
    assert (fact.job_id, fact.workflow_id, fact.run_id) == ("j", RUN.workflow_id, RUN.run_id)


@pytest.mark.parametrize("origin", [None, Execution("discover-local", "run-0")])
def test_a_run_of_another_origin_is_recorded_with_both(store: Store, origin: Execution | None) -> None:
    member(store)
    prepared(store)

    assert received(store, origin=origin)

    [receipt] = receipts(store)
    assert receipt.decoder_version == 2
    assert receipt.execution.temporal_run_id == FIRST.run_id
    assert (receipt.origin.temporal_run_id if receipt.origin else None) == (origin.run_id if origin else None)


def test_one_run_has_a_receipt_for_each_execution_that_counts_on_it_and_no_second(store: Store) -> None:
    member(store)
    member(store, AGAIN)
    prepared(store)

    assert [received(store), received(store)] == [True, False]
    assert waiting(store) == [Association(AGAIN, "j", RUN)]
    assert [received(store, Association(AGAIN, "j", RUN)) for _ in range(2)] == [True, False]

    assert [receipt.decoder_version for receipt in receipts(store)] == [1, 2]
    assert outcomes(store) == outcomes(store, AGAIN) == {"j": STOPPED}


def test_a_promotion_keeps_the_receipt(store: Store) -> None:
    member(store)
    prepared(store)
    received(store)
    with store.writer() as tx:
        link(tx, FIRST, ["j"], Cohort.OBSERVED, source_id="board")

    assert outcomes(store) == {"j": STOPPED}
    assert waiting(store) == []


def test_a_job_without_a_plan_gets_none(store: Store) -> None:
    with store.writer() as tx:
        link(tx, FIRST, ["j"], Cohort.BACKLOG)
        plan_nothing(tx, FIRST, "j", "score_below_threshold")
    prepared(store)

    assert waiting(store) == []
    assert not received(store)


@pytest.mark.parametrize("end", [None, WorkflowFailed])
def test_a_run_that_did_not_succeed_gets_none(store: Store, end: type[Any] | None) -> None:
    member(store)
    prepared(store, end=end)

    assert waiting(store) == []
    assert not received(store)


def test_a_receipt_is_refused_when_the_plan_has_changed_since_the_history_was_read(store: Store) -> None:
    member(store, steps=["tailor", "cover", "pdf"])
    prepared(store)

    assert not received(store)
    assert receipts(store) == []


@pytest.mark.parametrize("end", [None, WorkflowCompleted])
def test_a_newer_run_takes_the_place_of_the_one_before(store: Store, end: type[Any] | None) -> None:
    newer = Execution(RUN.workflow_id, "two")
    member(store)
    prepared(store)
    received(store)
    prepared(store, newer, end, at="11")

    assert outcomes(store) == {}
    assert waiting(store) == ([Association(FIRST, "j", newer)] if end else [])
    with store.reader() as connection:
        assert plan_of(connection, MINE) is None


def test_receipts_live_through_a_rebuild(store: Store) -> None:
    member(store)
    prepared(store)
    received(store)
    store.rebuild()

    assert outcomes(store) == {"j": STOPPED}


def test_no_more_wait_at_once_than_are_asked_for(store: Store) -> None:
    with store.writer() as tx:
        for number in range(30):
            link(tx, FIRST, [f"j{number}"], Cohort.BACKLOG)
            plan_preparation(tx, FIRST, f"j{number}", steps=STEPS, preparation_workflow_id=f"prep-{number}")
    for number in range(30):
        prepared(store, Execution(f"prep-{number}", "one"))

    assert len(waiting(store)) == 25
