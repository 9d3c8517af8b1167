"""What may be taken up by itself, when, beside what, and what becomes of what a run of it leaves."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.pipeline.automatic import (
    MOST_ATTEMPTS,
    STAGES,
    Leaving,
    OpenRun,
    Waiting,
    after_end,
    cohort_id,
    holds_back,
    is_automatic,
    may_be_tried,
    ready_at,
    room,
)
from jobctrl.stages.model import MAX_ATTEMPTS, Stage

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
ENDINGS = ("succeeded", "failed", "canceled", "timed_out", "terminated")
stages = st.sampled_from(STAGES)
attempts = st.integers(0, 40)
members = st.lists(
    st.tuples(st.text("abc", min_size=1, max_size=3), st.integers(0, 5), st.integers(0, 50)),
    unique_by=lambda member: member[0],
    min_size=1,
    max_size=6,
)
runs = st.lists(
    st.builds(
        OpenRun,
        st.sampled_from(["prepare-auto-local-score-1", "prepare-auto-local-enrich-2", "prep-1", "run-1"]),
        st.just("JobPipelineWorkflow"),
        st.just("j1"),
        st.integers(0, 16),
        st.integers(0, 25),
    ),
    max_size=5,
)


@pytest.mark.parametrize(("attempts", "seconds"), [(0, 60), (1, 120), (2, 240), (4, 960), (5, 1800), (40, 1800)])
def test_the_wait_doubles_with_each_attempt_up_to_half_an_hour(attempts: int, seconds: int) -> None:
    assert ready_at(attempts, NOW) - NOW == timedelta(seconds=seconds)


@given(attempts)
def test_a_later_attempt_never_waits_less(attempts: int) -> None:
    assert ready_at(attempts + 1, NOW) >= ready_at(attempts, NOW) > NOW


@given(stages, attempts, st.integers(0, 4000))
def test_it_is_tried_when_its_wait_is_over_and_an_attempt_is_left_and_at_no_other_time(
    stage: Stage, attempts: int, seconds: int
) -> None:
    now = NOW + timedelta(seconds=seconds)

    tried = may_be_tried(Waiting("j1", stage, attempts, NOW), now=now)

    assert tried == (attempts < min(5, MAX_ATTEMPTS[stage] or 5) and seconds >= min(1800, 60 * 2**attempts))
    assert may_be_tried(Waiting("j1", stage, attempts), now=now) == (attempts < min(5, MAX_ATTEMPTS[stage] or 5))


@given(stages)
def test_every_stage_comes_to_its_end(stage: Stage) -> None:
    assert not may_be_tried(Waiting("j1", stage, MOST_ATTEMPTS), now=NOW)


@given(stages, members, st.randoms(use_true_random=False))
def test_the_same_jobs_at_the_same_attempts_are_the_same_run_whatever_their_order(
    stage: Stage, cohort: list[tuple[str, int, int]], random: object
) -> None:
    shuffled = list(cohort)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    name = cohort_id("w", stage, cohort)

    assert cohort_id("w", stage, shuffled) == name
    assert re.fullmatch(rf"prepare-auto-local-{stage.value}-[0-9a-f]{{24}}", name)
    assert is_automatic(name)


@given(stages, members, st.integers(0, 2))
def test_an_attempt_a_fact_or_a_job_more_is_another_run(
    stage: Stage, cohort: list[tuple[str, int, int]], part: int
) -> None:
    job_id, attempts, facts = cohort[0]
    other = [(job_id + "x", attempts, facts), (job_id, attempts + 1, facts), (job_id, attempts, facts + 1)][part]

    assert cohort_id("w", stage, [other, *cohort[1:]]) != cohort_id("w", stage, cohort)
    assert cohort_id("elsewhere", stage, cohort) != cohort_id("w", stage, cohort)
    assert cohort_id("w", Stage.APPLY, cohort) != cohort_id("w", stage, cohort)


@given(st.integers(1, 16), runs)
def test_all_automatic_runs_together_never_have_more_under_way_than_the_setting(
    concurrency: int, runs: list[OpenRun]
) -> None:
    left = room(concurrency, runs)
    used = sum(min(run.workers, run.unfinished) for run in runs if is_automatic(run.workflow_id))

    assert left == max(0, concurrency - used)
    assert 0 <= left <= concurrency


@pytest.mark.parametrize(
    ("run", "holds"),
    [
        (OpenRun("discover-local", "DiscoverWorkflow"), True),
        (OpenRun("discover-local-scheduled-1", "ScheduledDiscoverWorkflow"), True),
        (OpenRun("run-1", "JobPipelineWorkflow"), True),
        (OpenRun("run-1-score-1", "JobPipelineWorkflow"), True),
        (OpenRun("something-new", "SomethingNewWorkflow", "j1"), True),
        (OpenRun("run-1", "JobPipelineWorkflow", "j1"), False),
        (OpenRun("prep-1", "JobPreparationWorkflow", "j1"), False),
        (OpenRun("prep-1", "JobPreparationWorkflow"), True),
        (OpenRun("prepare-auto-local-score-1", "JobPipelineWorkflow"), False),
        (OpenRun("durability-probe-local-1", "DurabilityProbeWorkflow"), False),
        (OpenRun("weekly-report-local-1", "WeeklyReportWorkflow"), False),
    ],
)
def test_only_work_whose_jobs_are_known_may_go_on_beside_it(run: OpenRun, holds: bool) -> None:
    assert holds_back(run) == holds


@pytest.mark.parametrize("status", ENDINGS)
@pytest.mark.parametrize("attempted", [True, False])
@pytest.mark.parametrize("asked", [True, False])
def test_what_a_person_stopped_stays_stopped_and_what_came_to_nothing_is_not_begun_again(
    status: str, attempted: bool, asked: bool
) -> None:
    leaving = after_end(status, cancel_requested=asked, attempted=attempted)

    if asked or status == "canceled":
        assert leaving is Leaving.CANCELED
    elif status == "terminated" or not attempted:
        assert leaving is Leaving.BLOCKED
    else:
        assert leaving is Leaving.RELEASED
