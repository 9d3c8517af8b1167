"""What the operations snapshot reads out of a real log: which execution, whose jobs, and on what evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jobctrl.operations.heartbeats import ActiveDetail, Attempt, keep_beat
from jobctrl.operations.observing import observe, operations_snapshot
from jobctrl.operations.snapshot import Observed
from jobctrl.pipeline.events import WorkflowCompleted, WorkflowFailed, WorkflowStarted
from jobctrl.runtime.house import House
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageMachine
from jobctrl.store import Execution, acting_for, moment
from tests.operations.test_capacity import beat
from tests.runtime.searching import admit, listing, new_house

OLD, NEW = Execution("discover-local", "r1"), Execution("discover-local", "r2")
PREPARATION = "prep-preparation:" + "0a" * 32


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


def start(house: House, run: Execution, kind: str = "DiscoverWorkflow", job_id: str | None = None) -> None:
    started = WorkflowStarted(
        workflow_id=run.workflow_id,
        workflow_type=kind,
        temporal_run_id=run.run_id,
        input_summary={"jobId": job_id} if job_id else {},
    )
    with house.store.writer() as tx:
        tx.append(f"run/{run.workflow_id}/{run.run_id}", started)


def end(house: House, run: Execution, kind: str = "DiscoverWorkflow", error: str | None = None) -> None:
    name = {"workflow_id": run.workflow_id, "workflow_type": kind, "temporal_run_id": run.run_id}
    event = (
        WorkflowFailed(**name, error_code=error, error_message="No.", retryable=False)
        if error
        else WorkflowCompleted(**name)
    )
    with house.store.writer() as tx:
        tx.append(f"run/{run.workflow_id}/{run.run_id}", event)


def look(house: House) -> Observed:
    with house.store.reader() as connection:
        return observe(connection, house.store.workspace_id, house.store.clock())


def searched(house: House, run: Execution, *numbers: int) -> list[str]:
    """A Discover run that found these postings and ended."""
    start(house, run)
    receipts = admit(house.store, [listing(number, title=f"Engineer {number}") for number in numbers], run=run)
    end(house, run)
    return [receipt.job_id for receipt in receipts if receipt.job_id]


def test_the_newest_execution_is_shown(house: House) -> None:
    searched(house, OLD, 1)
    searched(house, NEW, 2)

    assert look(house).execution is not None
    assert (look(house).execution or OLD).run_id == "r2"


def test_an_older_execution_whose_jobs_are_being_prepared_comes_before_it(house: House) -> None:
    [job_id] = searched(house, OLD, 1)
    searched(house, NEW, 2)
    preparation = Execution(PREPARATION, "01a228d7-5b2d-7a08-96cf-ae265a83ebdc")
    start(house, preparation, "JobPreparationWorkflow", job_id)

    found = operations_snapshot(house.store).execution
    assert found is not None
    assert (found.discover_run_id, found.phase) == ("r1", "draining")
    end(house, preparation, "JobPreparationWorkflow")
    found = operations_snapshot(house.store).execution
    assert found is not None
    assert (found.discover_run_id, found.phase) == ("r2", "completed")


def test_a_job_belongs_to_the_run_that_was_the_first_to_observe_it(house: House) -> None:
    searched(house, OLD, 1)
    searched(house, NEW, 1, 2, 3)

    assert {(group.member, group.jobs) for group in look(house).groups} == {(True, 2), (False, 1)}


def test_runs_about_no_single_job_cannot_be_priced(house: House) -> None:
    start(house, NEW)
    assert look(house).unpriced_runs == 0

    start(house, Execution("discover-scheduled", "r1"), "ScheduledDiscoverWorkflow")
    assert look(house).unpriced_runs == 0

    start(house, Execution("import-1", "r1"), "JobUrlImportWorkflow")

    assert look(house).unpriced_runs == 1


@pytest.mark.parametrize(("error", "used_up"), [("budget_exceeded", True), ("workflow_error", False), (None, False)])
def test_the_budget_is_used_up_when_the_run_that_ended_last_said_so(
    house: House, error: str | None, used_up: bool
) -> None:
    start(house, NEW)
    end(house, NEW, error=error)

    assert look(house).budget_used_up is used_up


def test_the_workers_own_measures_count_only_where_the_log_has_none(house: House) -> None:
    now = house.store.clock()
    [job_id] = searched(house, OLD, 1)
    with acting_for(Execution(PREPARATION, "r1")), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.start()
        machine.complete(duration_ms=700)
    measured = [
        Attempt(moment(now), "score_job", "succeeded", duration_ms=1),
        Attempt(moment(now), "render_pdf", "succeeded", duration_ms=40),
        Attempt(moment(now), "render_pdf", "failed", duration_ms=9000),
    ]
    keep_beat(house.store, beat(), [*measured, replace(measured[1], recorded_at=moment(now - timedelta(days=15)))])

    assert (look(house).samples["score"], look(house).samples["pdf_render"]) == ([700], [40])


def test_a_worker_is_decorated_by_the_log_only_for_its_exact_run(house: House) -> None:
    now = house.store.clock()
    [job_id] = searched(house, NEW, 1)
    run = Execution(PREPARATION, "01a228d7-5b2d-7a08-96cf-ae265a83ebdc")
    start(house, run, "JobPreparationWorkflow", job_id)
    details = tuple(
        ActiveDetail("score_job", "job-scoring", f"op_{number:024x}", PREPARATION, run_id, 1, moment(now))
        for number, run_id in enumerate((run.run_id, "01a228d7-0000-7a08-96cf-ae265a83ebdc"))
    )
    keep_beat(
        house.store,
        beat(
            identity=house.store.workspace_id,
            last_seen_at=moment(now),
            active_count=2,
            active_counts={"score_job": 2},
            active_details=details,
            active_details_total=2,
        ),
    )

    known, unknown = operations_snapshot(house.store).active_items
    assert (known.title, known.job_id, known.scope) == ("Engineer 1", job_id, "current_execution")
    assert (unknown.title, unknown.kind) == (None, "unresolved_runtime_activity")

    end(house, run, "JobPreparationWorkflow")
    assert [each.title for each in operations_snapshot(house.store).active_items] == [None]


def test_the_snapshot_of_a_large_search_reads_each_execution_by_its_key(house: House) -> None:
    with house.store.reader() as connection:
        from jobctrl.operations.observing import SQL

        name = {"workflow_id": "w", "run_id": "r"}
        plan = " ".join(row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + SQL["is_prepared"], name))

    assert "SCAN d" not in plan
