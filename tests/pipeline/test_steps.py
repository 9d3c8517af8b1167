"""A step of an execution: a higher attempt replaces a lower one, and the first end within one attempt stands."""

from __future__ import annotations

from itertools import permutations

import pytest

from jobctrl.events import Event, Recorded
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepQueued,
    PipelineStepStarted,
)
from jobctrl.pipeline.steps import Step, fold
from jobctrl.store import Execution
from jobctrl.workflows.steps import StepMark, Steps
from tests.runtime.searching import new_house


def name(attempt: int) -> dict[str, object]:
    execution = ExecutionRef(workflow_id="w", temporal_run_id="r")
    return {"execution": execution, "step_kind": "source_family", "item_key": "family:ats_api", "attempt": attempt}


def queued(attempt: int = 1) -> Event:
    return PipelineStepQueued(**name(attempt))  # type: ignore[arg-type]


def started(attempt: int = 1) -> Event:
    return PipelineStepStarted(**name(attempt))  # type: ignore[arg-type]


def completed(attempt: int = 1, items: int = 7) -> Event:
    return PipelineStepCompleted(**name(attempt), item_count=items, duration_ms=5)  # type: ignore[arg-type]


def failed(attempt: int = 1) -> Event:
    return PipelineStepFailed(**name(attempt), error_code="not_found", retryable=False)  # type: ignore[arg-type]


def after(*events: Event) -> Step:
    row: Step | None = None
    for number, event in enumerate(events):
        fact = Recorded(
            1, "e", "run/w/r", 1, event.event_type, 1, None, None, "w", "r", f"2026-03-01T12:00:{number:02d}.000Z",
            event.model_dump_json(by_alias=True),
        )  # fmt: skip
        row = fold(row, fact)
    assert row is not None
    return row


def test_a_step_goes_from_its_queue_to_its_end() -> None:
    row = after(queued(), started(), completed())

    assert (row.state, row.item_count, row.duration_ms) == ("succeeded", 7, 5)
    assert row.queued_at is not None
    assert row.started_at is not None
    assert row.queued_at < row.started_at < (row.finished_at or "")


@pytest.mark.parametrize(("first", "second"), permutations([completed(), failed()]))
def test_the_first_end_of_an_attempt_stands(first: Event, second: Event) -> None:
    assert after(started(), first, second) == after(started(), first)


def test_a_higher_attempt_begins_the_step_afresh() -> None:
    row = after(started(1), failed(1), started(2))

    assert (row.state, row.attempt, row.error_code, row.finished_at) == ("running", 2, None, None)
    assert after(started(1), failed(1), started(2), completed(2)).state == "succeeded"


@pytest.mark.parametrize("late", [queued(1), started(1), completed(1), failed(1)])
def test_what_a_lower_attempt_says_late_is_ignored(late: Event) -> None:
    assert after(started(2), late) == after(started(2))
    assert after(started(2), completed(2), late) == after(started(2), completed(2))


def test_a_start_does_not_go_back_to_the_queue() -> None:
    assert after(started(), queued()).state == "running"
    assert after(started(), started()) == after(started())


async def test_a_step_mark_that_is_retried_is_written_once(tmp_path: object) -> None:
    house = new_house(tmp_path / "ws", profile=False)  # type: ignore[operator]
    steps = Steps(house.store)
    for state in ("started", "started", "failed", "failed"):
        await steps.record_steps(
            [StepMark("w", Execution("w", "r"), "source_family", "family:x", state, error_code="not_found")]
        )

    names = [fact.event_type for fact in house.store.stream("run/w/r")]
    assert names == ["PipelineStepStarted", "PipelineStepFailed"]
    house.close()
