"""The phase of an execution, its progress that never goes back, and its cohorts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from jobctrl.operations.phases import cohort, membership_closed, phase_of, progress_of
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepQueued,
    PipelineStepStarted,
)
from jobctrl.pipeline.membership import PlanState
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step, fold
from tests.operations.telling_runs import CLOSED_BY, ENDED, RUN, jobs, planned, recorded, step

DONE = planned(3, *("succeeded",) * 4, pdf="succeeded", owner="succeeded")
GOING = planned(1, "succeeded", "running")


@pytest.mark.parametrize(
    ("run", "changes", "phase"),
    [
        (RUN, {}, "discovering"),
        (structs.replace(ENDED, status="canceled"), {"members": [GOING]}, "canceled"),
        (structs.replace(ENDED, status="failed"), {}, "failed"),
        (structs.replace(ENDED, status="timed_out"), {}, "failed"),
        (structs.replace(ENDED, status="terminated"), {}, "failed"),
        (ENDED, {"members": [DONE, GOING]}, "draining"),
        (ENDED, {"members": [DONE, planned(1, "succeeded", scope="execution_sweep")]}, "draining"),
        (ENDED, {}, "completed"),
        (ENDED, {"members": [DONE]}, "completed"),
        (ENDED, {"members": [planned(1, state=PlanState.NOT_ELIGIBLE)]}, "completed"),
        (ENDED, {"members": [planned(1, "succeeded", "exhausted", owner="failed")]}, "completed_with_issues"),
        (ENDED, {"members": [planned(1, state=PlanState.PENDING)]}, "completed_with_issues"),
        (ENDED, {"members": [planned(1, state=PlanState.FAILED)]}, "completed_with_issues"),
        (ENDED, {"members": [DONE], "proven": False}, "completed_with_issues"),
        (ENDED, {"steps": CLOSED_BY[:2]}, "completed_with_issues"),
        (ENDED, {"steps": [*CLOSED_BY[:2], step("preparation_fanout", "terminal", "failed")]}, "completed_with_issues"),
        (ENDED, {"steps": [*CLOSED_BY, step("source_family", "family:lever", "failed")]}, "completed_with_issues"),
        (ENDED, {"steps": [*CLOSED_BY, step("source_family", "family:lever", "running")]}, "completed_with_issues"),
        # What an earlier pass lost, the last one took up.
        (ENDED, {"steps": [*CLOSED_BY, step("preparation_fanout", "streaming:pass-1", "failed")]}, "completed"),
        (ENDED, {"steps": [*CLOSED_BY, step("existing_backlog_sweep", "backlog", "failed")]}, "completed"),
        (structs.replace(ENDED, summary='{"sourcesFailed": 1}'), {}, "completed_with_issues"),
    ],
)
def test_the_phase_takes_the_run_its_steps_and_its_members_together(
    run: Run, changes: dict[str, Any], phase: str
) -> None:
    assert phase_of(run, **{"steps": CLOSED_BY, "members": [], **changes}) == phase


@pytest.mark.parametrize(
    ("steps", "closed"),
    [
        (CLOSED_BY, True),
        ([step("preparation_fanout", "terminal", "failed")], True),
        ([step("preparation_fanout", "terminal", "running")], False),
        ([step("preparation_fanout", "streaming:pass-1", "succeeded")], False),
        ([step("enrichment_pass", "terminal", "succeeded")], False),
    ],
)
def test_the_last_hand_on_closes_the_membership(steps: list[Step], closed: bool) -> None:
    assert membership_closed(steps) is closed


def test_progress_is_unknown_until_the_sources_are_planned() -> None:
    told = progress_of(RUN, [step("source_planning", "plan", "running")])

    assert (told.completed, told.total, told.reason) == (None, None, "plan_not_recorded")


def test_a_run_that_came_to_its_end_is_all_done() -> None:
    steps = [*CLOSED_BY, *(step("source_family", f"family:{name}", "succeeded") for name in "abc")]

    told = progress_of(ENDED, steps)

    assert (told.completed, told.total) == (5, 5)


@given(data=st.data(), families=st.integers(1, 4))
def test_progress_never_goes_back_and_its_whole_never_shrinks(data: st.DataObject, families: int) -> None:
    items = [("source_family", f"family:{number}") for number in range(families)]
    later = [*items, ("enrichment_pass", "streaming:pass-1"), ("preparation_fanout", "streaming:pass-1"),
             ("existing_backlog_sweep", "backlog"), ("enrichment_pass", "terminal"), ("preparation_fanout", "terminal"),
             ("pdf_render", "job:1")]  # fmt: skip
    marks: list[Any] = [_mark("source_planning", "plan", kind) for kind in ("started", "completed")]
    marks += [_mark(*item, "queued") for item in items]
    for _ in range(data.draw(st.integers(0, 30))):
        marks.append(
            _mark(
                *data.draw(st.sampled_from(later)),
                data.draw(st.sampled_from(["queued", "started", "completed", "failed"])),
            )
        )
    rows: dict[tuple[str, str], Step] = {}
    seen = []
    for number, mark in enumerate(marks):
        name = (mark.step_kind, mark.item_key)
        row = fold(rows.get(name), recorded(mark))
        assert row is not None
        rows[name] = row
        if number >= families + 1:
            told = progress_of(RUN, list(rows.values()))
            assert told.total == families + 2
            assert told.completed is not None
            seen.append(told.completed)

    assert seen == sorted(seen)
    assert all(0 <= each <= families + 2 for each in seen)


def _mark(kind: Any, item: str, state: str) -> Any:
    said = {
        "execution": ExecutionRef(workflow_id="discover-local", temporal_run_id="run-1"),
        "step_kind": kind,
        "item_key": item,
        "attempt": 1,
    }
    match state:
        case "queued":
            return PipelineStepQueued(**said)
        case "started":
            return PipelineStepStarted(**said)
        case "completed":
            return PipelineStepCompleted(**said)
        case _:
            return PipelineStepFailed(**said, error_code="source_unavailable", retryable=True)


def test_a_cohort_tells_what_was_decided_and_what_is_not_done() -> None:
    told = cohort(
        [DONE, GOING, planned(4, state=PlanState.NOT_ELIGIBLE), planned(2, state=PlanState.PENDING)], withheld=None
    )

    assert (told.members, told.terminal, told.remaining) == (10, 7, 3)
    assert (told.planned, told.not_eligible, told.pending, told.failed_plan) == (4, 4, 2, 0)


def test_a_cohort_that_is_held_back_has_a_reason_and_no_number() -> None:
    told = cohort([DONE], withheld="coverage_recovering")

    assert (told.members, told.remaining, told.reason) == (None, None, "coverage_recovering")


def test_jobs_outside_say_nothing_of_the_phase() -> None:
    assert phase_of(ENDED, steps=CLOSED_BY, members=[jobs(1, "exhausted")]) == "completed"
