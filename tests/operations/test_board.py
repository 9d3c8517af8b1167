"""The list of jobs: found by what a person remembers, sorted, counted, and each in full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.discovery.model import LocationText, RowProblem, SearchPolicy
from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.operations.board import job_of_observation
from jobctrl.operations.job_list import JobFilter
from jobctrl.operator import Operator
from jobctrl.pipeline.events import WorkflowStarted
from jobctrl.runtime.house import House
from jobctrl.store import Execution
from tests.runtime.searching import BOARD, OTHER_BOARD, admit, job_with_text, listing, new_house, operator_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
def operator(house: House) -> Operator:
    """Three jobs of two employers, one of them remote."""
    lisbon = (LocationText("Lisbon, Portugal", "location.name"),)
    rows = [
        listing(1),
        listing(2, title="Senior Data Engineer", locations=lisbon, published="2026-03-01"),
        listing(3, title="Welder", company="Otter & Sons", workplace_type="remote", published="2026-02-01"),
    ]
    admit(house.store, rows)
    return operator_in(house)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (JobFilter(), {"1", "2", "3"}),
        (JobFilter(text="data"), {"1", "2"}),
        (JobFilter(text="otter welder"), {"3"}),
        (JobFilter(text="data welder"), set()),
        (JobFilter(country="pt"), {"2"}),
        (JobFilter(mode="remote"), {"3"}),
        (JobFilter(source_id=BOARD.id), {"1", "2", "3"}),
        (JobFilter(source_id=OTHER_BOARD.id), set()),
        (JobFilter(stage="enrich", state="pending"), {"1", "2", "3"}),
        (JobFilter(min_score=1), set()),
        (JobFilter(text="%"), set()),
        (JobFilter(text="' OR 1=1 --"), set()),
    ],
)
def test_jobs_are_found_by_what_is_remembered_of_them(operator: Operator, wanted: JobFilter, found: set[str]) -> None:
    assert {job.native_id for job in operator.jobs(wanted)} == found


def test_jobs_come_in_the_order_that_was_asked_for(operator: Operator) -> None:
    assert [job.native_id for job in operator.jobs(JobFilter(sort="published"))][:2] == ["2", "3"]
    assert [job.employer for job in operator.jobs(JobFilter(sort="employer"))][-1] == "Otter & Sons"
    assert len(operator.jobs(JobFilter(limit=2))) == 2
    assert len(operator.jobs(JobFilter(limit=0))) == 3
    with pytest.raises(InvalidRequest, match="salary"):
        operator.jobs(JobFilter(sort="salary"))


def test_the_counts_follow_the_jobs(operator: Operator) -> None:
    counts = operator.counts()

    assert (counts["jobs:all"], counts[f"source:{BOARD.id}"], counts["fit:unscored"]) == (3, 3, 3)
    assert counts["stage:discover:succeeded"] == 3


async def test_a_job_in_full_has_its_text_its_facts_and_its_history(house: House) -> None:
    job_id = await job_with_text(house)

    view = operator_in(house).show_job(job_id)

    assert "grain forecasts" in view.description
    assert view.facts["place"]["places"][0]["country"] == "PL"
    assert {row.stage: row.state for row in view.stages} == {"discover": "succeeded", "enrich": "succeeded"}
    assert (view.score, view.materials, view.artifacts, view.requirements) == (None, None, [], [])
    assert view.observations[0]["nativeId"] == "1"
    assert view.history[0]["event"] == "JobDiscovered"
    assert [row["position"] for row in view.history] == sorted(row["position"] for row in view.history)


def test_a_job_that_is_not_there_is_not_shown(operator: Operator) -> None:
    with pytest.raises(NotFound, match="no job 'nothing'"):
        operator.show_job("nothing")


def test_a_boards_own_id_finds_the_job_after_a_merge_too(operator: Operator, house: House) -> None:
    elsewhere = listing(1, native_id="x1", url="https://jobs.lever.co/northmill/x1")
    [merged] = admit(house.store, [elsewhere], source=OTHER_BOARD)

    with house.store.reader() as connection:
        assert job_of_observation(connection, OTHER_BOARD.id, "x1") == merged.job_id
        assert job_of_observation(connection, BOARD.id, "1") == merged.job_id
        assert job_of_observation(connection, BOARD.id, "99") is None


def test_what_the_newest_run_turned_away_has_its_reasons(house: House) -> None:
    for run_id, title in (("r1", "Welder"), ("r2", "Baker")):
        run = Execution("discover-local", run_id)
        started = WorkflowStarted(
            workflow_id="discover-local", workflow_type="DiscoverWorkflow", temporal_run_id=run_id,
            started_at=f"2026-03-0{run_id[1]}T12:00:00.000Z",
        )  # fmt: skip
        with house.store.writer() as tx:
            tx.append(f"run/discover-local/{run_id}", started)
        policy = SearchPolicy(titles=("Data Engineer",))
        admit(house.store, [listing(1, title=title)], run=run, policy=policy, problems=(RowProblem(0, "missing_id"),))

    turned = operator_in(house).turned_away()

    assert {(row.outcome, row.reason, row.title) for row in turned} == {
        ("filtered", "title_mismatch", "Baker"),
        ("rejected", "missing_id", None),
    }
