"""A run is one exact execution. Its first end stands; only a marked recovery opens it again."""

from __future__ import annotations

import json
from itertools import count, permutations

import pytest

from jobctrl.events import Event, Recorded
from jobctrl.pipeline.events import (
    TERMINAL,
    WorkflowCanceled,
    WorkflowCancellationRequested,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
    WorkflowTerminated,
    WorkflowTimedOut,
)
from jobctrl.pipeline.runs import NOT_FOUND, STATUS, WORKFLOW_RUNS, Run, fold
from jobctrl.store import Store
from jobctrl.workflows.marks import run_stream
from tests.runtime.searching import new_house

NAME = {"workflow_id": "w", "workflow_type": "DiscoverWorkflow", "temporal_run_id": "r"}
STARTED = WorkflowStarted(**NAME, input_summary={"limit": 3}, started_at="2026-03-01T12:00:00.000Z")
DISPATCHED = WorkflowStarted(**NAME, input_summary={"sourceIds": ["a"]}, dispatched_by="local_operator")
RECOVERED = WorkflowStarted(**NAME, recovered_from_missing_history=True)
COMPLETED = WorkflowCompleted(**NAME, duration_ms=9, summary={"admitted": 4})
FAILED = WorkflowFailed(**NAME, error_code="not_found", error_message="Gone.", retryable=False)
MISSING = WorkflowTerminated(**NAME, error_code=NOT_FOUND, error_message="")
KILLED = WorkflowTerminated(**NAME, error_code="reconciled_terminated", error_message="")
CANCELED = WorkflowCanceled(**NAME)
LATE = WorkflowTimedOut(**NAME, error_code="reconciled_closed_timed_out", error_message="")


def after(*events: Event) -> Run:
    row: Run | None = None
    seconds = count()
    for event in events:
        at = f"2026-03-01T12:00:{next(seconds):02d}.000Z"
        fact = Recorded(
            1, "e", "run/w/r", 1, event.event_type, 1, None, None, "w", "r", at, event.model_dump_json(by_alias=True)
        )
        row = fold(row, fact)
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("end", "status", "code"),
    [
        (COMPLETED, "succeeded", None),
        (FAILED, "failed", "not_found"),
        (CANCELED, "canceled", "workflow_canceled"),
        (LATE, "timed_out", "reconciled_closed_timed_out"),
        (KILLED, "terminated", "reconciled_terminated"),
    ],
)
def test_each_end_has_its_status(end: Event, status: str, code: str | None) -> None:
    row = after(STARTED, end)

    assert (row.status, row.error_code) == (status, code)
    assert row.finished_at == "2026-03-01T12:00:01.000Z"
    assert set(STATUS) == {event.__name__ for event in TERMINAL}


@pytest.mark.parametrize(("first", "second"), permutations([COMPLETED, FAILED, CANCELED, KILLED, LATE], 2))
def test_the_first_end_stands_and_a_later_one_is_only_counted(first: Event, second: Event) -> None:
    row, alone = after(STARTED, first, second), after(STARTED, first)

    assert row.late_outcomes == 1
    assert (row.status, row.error_code, row.finished_at) == (alone.status, alone.error_code, alone.finished_at)


def test_a_start_after_the_end_opens_nothing() -> None:
    assert after(STARTED, COMPLETED, STARTED).status == "succeeded"
    assert after(STARTED, COMPLETED, RECOVERED).status == "succeeded"
    assert after(STARTED, KILLED, RECOVERED).status == "terminated"
    assert after(STARTED, MISSING, STARTED).status == "terminated"


def test_a_marked_recovery_opens_what_was_only_missing() -> None:
    row = after(STARTED, MISSING, RECOVERED)

    assert (row.status, row.error_code, row.finished_at) == ("in_progress", None, None)
    assert json.loads(row.input_summary)["limit"] == 3
    assert after(STARTED, MISSING, RECOVERED, FAILED).error_code == "not_found"


@pytest.mark.parametrize("order", [(DISPATCHED, STARTED), (STARTED, DISPATCHED)])
def test_the_mark_of_the_dispatch_and_the_runs_own_may_come_in_either_order(order: tuple[Event, ...]) -> None:
    row = after(*order)

    assert json.loads(row.input_summary) == {"limit": 3, "sourceIds": ["a"]}
    assert row.started_at == "2026-03-01T12:00:00.000Z"


def test_an_end_whose_start_was_never_seen_is_still_an_end() -> None:
    assert after(COMPLETED).status == "succeeded"


def test_asking_a_run_to_stop_is_no_end() -> None:
    asked = WorkflowCancellationRequested(
        **NAME, requested_by="local_operator", source="jobctrl", evidence_kind="request_intent"
    )

    row = after(STARTED, asked)
    assert (row.status, row.cancel_requested_by) == ("in_progress", "local_operator")
    assert after(STARTED, asked, CANCELED).cancel_requested_by == "local_operator"


def test_two_runs_of_one_workflow_id_are_two_rows(tmp_path: object) -> None:
    house = new_house(tmp_path / "ws", profile=False)  # type: ignore[operator]
    for run_id, end in (("r1", COMPLETED), ("r2", FAILED)):
        _record(house.store, run_id, STARTED, end)

    with house.store.reader() as connection:
        found = {run.run_id: run.status for run in WORKFLOW_RUNS.all(connection)}
        counted = dict(connection.execute("SELECT name, value FROM tallies WHERE name LIKE 'runs:%'").fetchall())
    assert found == {"r1": "succeeded", "r2": "failed"}
    assert counted == {"runs:succeeded": 1, "runs:failed": 1}
    house.close()


def _record(store: Store, run_id: str, *events: Event) -> None:
    with store.writer() as tx:
        for event in events:
            tx.append(run_stream("w", run_id), event.model_copy(update={"temporal_run_id": run_id}))


@pytest.mark.parametrize("said", ["2026-03-01T11:59:58.250+00:00", "2026-03-01T11:59:58.250Z"])
def test_when_a_run_began_is_told_in_the_notation_of_the_log(said: str) -> None:
    own = WorkflowStarted(**NAME, started_at=said)

    assert after(own).started_at == after(DISPATCHED, own).started_at == "2026-03-01T11:59:58.250Z"
