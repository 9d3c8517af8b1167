"""Membership of a Discover execution: one a job, promoted and never put back; a plan is decided once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.pipeline.membership import (
    Cohort,
    Member,
    PlanState,
    link,
    members,
    plan_failed,
    plan_nothing,
    plan_preparation,
    planned_jobs,
    unplanned,
)
from jobctrl.runtime.house import House
from jobctrl.store import Execution, Store
from tests.runtime.searching import new_house

FIRST, AGAIN = Execution("discover-local", "run-1"), Execution("discover-local", "run-2")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


@pytest.fixture
def store(house: House) -> Store:
    return house.store


def test_what_was_swept_and_then_seen_is_one_membership_and_never_put_back(store: Store) -> None:
    with store.writer() as tx:
        link(tx, FIRST, ["a", "b"], Cohort.BACKLOG)
        link(tx, FIRST, ["b", "c"], Cohort.OBSERVED, source_id="board")
        link(tx, FIRST, ["a", "b", "c"], Cohort.BACKLOG)
    with store.reader() as connection:
        found = {member.job_id: member.cohort for member in members(connection, FIRST)}
    assert found == {"a": Cohort.BACKLOG, "b": Cohort.OBSERVED, "c": Cohort.OBSERVED}


def test_a_later_execution_under_the_same_id_has_members_of_its_own(store: Store) -> None:
    with store.writer() as tx:
        link(tx, FIRST, ["a"], Cohort.OBSERVED)
        link(tx, AGAIN, ["b"], Cohort.OBSERVED)
    with store.reader() as connection:
        assert [member.job_id for member in members(connection, FIRST)] == ["a"]
        assert [member.job_id for member in members(connection, AGAIN)] == ["b"]


def test_a_plan_is_decided_once_and_only_one_that_could_not_be_made_is_made_again(store: Store) -> None:
    with store.writer() as tx:
        link(tx, FIRST, ["a", "b", "c", "d"], Cohort.OBSERVED)
        plan_preparation(tx, FIRST, "a", steps=["score", "tailor"], preparation_workflow_id="prep-a")
        plan_nothing(tx, FIRST, "a", "job_not_actionable")
        plan_nothing(tx, FIRST, "b", "score_below_threshold")
        plan_preparation(tx, FIRST, "b", steps=["score"], preparation_workflow_id="prep-b")
        plan_failed(tx, FIRST, "c", "target_derivation_failed")
        plan_preparation(tx, FIRST, "c", steps=["score"], preparation_workflow_id="prep-c")
    with store.reader() as connection:
        assert members(connection, FIRST) == [
            Member("a", Cohort.OBSERVED, PlanState.PLANNED, ("score", "tailor"), None, "prep-a"),
            Member("b", Cohort.OBSERVED, PlanState.NOT_ELIGIBLE, (), "score_below_threshold", None),
            Member("c", Cohort.OBSERVED, PlanState.PLANNED, ("score",), None, "prep-c"),
            Member("d", Cohort.OBSERVED, PlanState.PENDING, (), None, None),
        ]
        assert unplanned(connection, FIRST) == ["d"]
        assert planned_jobs(connection, FIRST) == {"a", "c"}
