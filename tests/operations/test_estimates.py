"""What an estimate is asked: known work and known contention are priced, and nothing is priced that is not known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jobctrl.operations.capacity import Capacity, Runtime
from jobctrl.operations.eta import Eta
from jobctrl.pipeline.membership import PlanState
from tests.operations.telling_runs import CLOSED_BY, ENDED, RUN, jobs, planned, step
from tests.operations.test_snapshot import FRESH, detail, row, running, seen

DRAINING = [planned(8, "succeeded"), jobs(90, "succeeded")]
READING = [
    step("source_planning", "plan", "succeeded"),
    *(step("source_family", f"family:{number}", "running") for number in range(2)),
    *(step("source_family", f"family:{number}", "queued") for number in range(2, 10)),
]
MINUTE = {"source_family": [60_000] * 20, "score": [60_000] * 20}


def two_are_read(**changes: Any) -> Runtime:
    found = running(*(detail("discover-local", "run-1", "discovery_source_family") for _ in range(2)))
    return replace(found, capacity=replace(found.capacity, active_slots=2, available_slots=2, **changes))


def test_what_is_planned_is_priced_and_what_lies_dormant_outside_is_not() -> None:
    eta = seen(groups=DRAINING).overall_eta

    # Four stages of a second for 8 jobs on 4 slots.
    assert (eta.status, eta.low_seconds, eta.high_seconds, eta.confidence) == ("available", 0, 60, "high")


def test_both_cohorts_are_the_executions_work() -> None:
    alone = seen(groups=[planned(240, "succeeded", steps=("score",))])
    both = seen(
        groups=[
            planned(240, "succeeded", steps=("score",)),
            planned(240, "succeeded", steps=("score",), scope="execution_sweep"),
        ]
    )

    assert (alone.overall_eta.low_seconds, both.overall_eta.low_seconds) == (60, 120)


def test_what_a_run_does_elsewhere_lifts_the_upper_bound_alone() -> None:
    mine = planned(240, "succeeded", steps=("score",))
    queued = jobs(400, "succeeded", "queued", "skipped", "skipped")

    eta = seen(groups=[mine, queued]).overall_eta

    assert (eta.low_seconds, eta.high_seconds, eta.confidence) == (60, 180, "medium")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"unpriced_runs": 1}, "contention_unbounded"),
        ({"groups": [*DRAINING, jobs(1, "failed", prepared=True, score="running")]}, "contention_unbounded"),
        (
            {"groups": [*DRAINING, planned(1, "succeeded", "failed", retryable=frozenset({"score"}))]},
            "contention_unbounded",
        ),
        ({"runtime": replace(FRESH, truncated=True)}, "contention_unbounded"),
        ({"samples": {}}, "insufficient_samples"),
        ({"budget_used_up": True}, "budget_exceeded"),
        ({"execution": RUN, "steps": CLOSED_BY[:2]}, "membership_open"),
        ({"steps": CLOSED_BY[:2]}, "membership_open"),
        ({"runtime": Runtime(Capacity("unavailable", None, "no_worker"))}, "worker_unavailable"),
        ({"runtime": replace(FRESH, capacity=replace(FRESH.capacity, active_slots=0))}, "no_dispatch"),
    ],
)
def test_no_number_is_given_that_cannot_be_defended(changes: dict[str, Any], reason: str) -> None:
    eta = seen(**{"groups": DRAINING, **changes}).overall_eta

    assert (eta.reason, eta.low_seconds, eta.high_seconds) == (reason, None, None)


NO_WORKER = Runtime(Capacity("unavailable", None, "no_worker"))
SKIPPED = planned(3, "succeeded", "succeeded", "skipped", "skipped", owner="succeeded", receipt="skipped")


def test_a_run_that_is_done_has_no_work_also_when_no_worker_is_left() -> None:
    eta = seen(groups=[SKIPPED], runtime=NO_WORKER).overall_eta

    assert (eta.status, eta.reason) == ("unavailable", "no_work")


@pytest.mark.parametrize(
    "changes",
    [
        {"steps": CLOSED_BY[:2]},
        {"groups": [SKIPPED, planned(1, *("succeeded",) * 4, owner="succeeded")]},
        {"groups": [SKIPPED, planned(1, "succeeded", "failed", steps=("score",), retryable=frozenset({"score"}))]},
        {"groups": [SKIPPED, planned(1, "succeeded")]},
    ],
)
def test_nothing_is_said_to_be_done_while_something_of_it_may_still_come(changes: dict[str, Any]) -> None:
    assert seen(**{"groups": [SKIPPED], **changes}).overall_eta.reason != "no_work"


def test_work_that_waits_for_something_outside_is_paused() -> None:
    waits = planned(1, "succeeded", "blocked", steps=("score",), retryable=frozenset({"score"}))

    eta = seen(groups=[waits]).overall_eta

    assert (eta.status, eta.reason) == ("paused", "blocked")


def test_the_families_that_are_planned_are_priced_at_the_pace_they_are_read() -> None:
    eta = seen(execution=RUN, steps=READING, runtime=two_are_read(), samples=MINUTE).source_families_eta

    # Ten families of a minute, two at a time.
    assert eta is not None
    assert (eta.status, eta.low_seconds, eta.high_seconds, eta.basis) == ("available", 300, 360, "source_rate")
    assert eta.caveat is not None


@pytest.mark.parametrize(("waiting", "reason"), [(2, None), (3, "contention_unbounded")])
def test_each_preparation_of_the_sweep_that_has_not_begun_reserves_one_slot(waiting: int, reason: str | None) -> None:
    groups = [
        planned(waiting, "succeeded", scope="execution_sweep"),
        planned(1, "succeeded", "running", scope="execution_sweep"),
    ]

    eta = seen(execution=RUN, steps=READING, runtime=two_are_read(), samples=MINUTE, groups=groups).source_families_eta

    assert eta is not None
    assert eta.reason == reason


def test_families_that_nobody_has_planned_yet_have_no_estimate() -> None:
    eta = seen(execution=RUN, steps=READING[1:], runtime=two_are_read(), samples=MINUTE).source_families_eta

    assert eta is not None
    assert eta.reason == "unknown_scope"


def stage_eta(groups: list[Any], stage: str = "score", **changes: Any) -> Eta:
    return row(seen(groups=groups, **changes), stage).eta


def test_a_stage_is_priced_before_the_membership_closes_and_only_when_it_is_alone() -> None:
    mine = planned(240, "succeeded", steps=("score",))

    alone = stage_eta([mine], execution=RUN, steps=CLOSED_BY[:1])
    beside = stage_eta([mine, jobs(1, "succeeded", "queued")], execution=RUN, steps=CLOSED_BY[:1])

    assert (alone.low_seconds, alone.high_seconds, alone.basis) == (60, 120, "stage_throughput")
    assert beside.reason == "contention_unbounded"


@pytest.mark.parametrize(
    ("group", "steps", "reason"),
    [
        (planned(2, state=PlanState.NOT_ELIGIBLE), CLOSED_BY, "no_work"),
        (planned(2, state=PlanState.NOT_ELIGIBLE), CLOSED_BY[:2], "membership_open"),
    ],
)
def test_a_stage_has_nothing_left_only_when_nobody_can_join_it(group: Any, steps: Any, reason: str) -> None:
    assert stage_eta([group], execution=ENDED, steps=steps).reason == reason


def test_another_scopes_stage_needs_no_membership() -> None:
    found = seen(groups=[jobs(240, "succeeded", "queued", "skipped", "skipped")])

    eta = row(found, "score", "global_outside_execution").eta
    assert (eta.low_seconds, eta.high_seconds) == (60, 120)
