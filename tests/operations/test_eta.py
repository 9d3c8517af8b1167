"""pipeline-eta-v1: the gates in their order, the bounds, and honest rounding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.operations.capacity import Capacity
from jobctrl.operations.eta import Demand, Eta, estimate, outward, percentile
from jobctrl.operations.heartbeats import QueueObservation, QueueStats

AT = "2026-03-09T12:00:00.000Z"
IDLE = QueueStats(1, 0, 0.0, 0.0, 0.0)
BUSY = replace(IDLE, tasks_dispatch_rate=0.5)
WORKING = Capacity(
    "available", AT, None, configured_slots=4, active_slots=2, available_slots=2,
    approximate_task_queue=QueueObservation("available", AT, IDLE, IDLE),
)  # fmt: skip
WANTED = Demand({"score": 8}, [("score",)], {}, live=1)
NOTHING = Demand({}, [], {}, live=0)
SAMPLES = {"score": [60_000] * 20, "tailor": [300_000] * 20}


def asked(demand: Demand, capacity: Capacity = WORKING, samples: Any = None, **how: Any) -> Eta:
    return estimate(demand, SAMPLES if samples is None else samples, capacity, AT, **how)


@pytest.mark.parametrize(
    ("demand", "capacity", "status", "reason"),
    [
        (replace(WANTED, known=False), WORKING, "unavailable", "unknown_scope"),
        (NOTHING, WORKING, "unavailable", "no_work"),
        (NOTHING, replace(WORKING, status="stale"), "unavailable", "no_work"),
        (replace(NOTHING, live=None), replace(WORKING, status="stale"), "stale", "telemetry_stale"),
        (WANTED, replace(WORKING, status="stale"), "stale", "telemetry_stale"),
        (WANTED, replace(WORKING, status="unavailable"), "paused", "worker_unavailable"),
        (replace(WANTED, budget_used_up=True), WORKING, "paused", "budget_exceeded"),
        (replace(NOTHING, held=True), WORKING, "paused", "blocked"),
        (WANTED, replace(WORKING, active_slots=0), "paused", "no_dispatch"),
        (replace(WANTED, bounded=False), WORKING, "unavailable", "contention_unbounded"),
        (replace(WANTED, closed=False), WORKING, "calibrating", "membership_open"),
        (replace(NOTHING, live=2), WORKING, "unavailable", "unknown_scope"),
        (replace(NOTHING, live=None), WORKING, "unavailable", "unknown_scope"),
        (replace(WANTED, elsewhere={"import": 3}), WORKING, "unavailable", "contention_unbounded"),
        (replace(WANTED, remaining={"cover": 1}, paths=[("cover",)]), WORKING, "calibrating", "insufficient_samples"),
        (WANTED, replace(WORKING, configured_slots=0), "unavailable", "unsupported"),
    ],
)
def test_without_a_defensible_number_there_is_a_reason(
    demand: Demand, capacity: Capacity, status: str, reason: str
) -> None:
    eta = asked(demand, capacity)

    assert (eta.status, eta.reason, eta.low_seconds, eta.high_seconds) == (status, reason, None, None)


def test_a_dispatch_that_the_queue_tells_of_is_one() -> None:
    seen = QueueObservation("available", AT, IDLE, BUSY)

    eta = asked(WANTED, replace(WORKING, active_slots=0, approximate_task_queue=seen))

    assert eta.status == "available"


def test_work_is_shared_by_the_slots() -> None:
    eta = asked(WANTED)

    # 8 jobs of a minute on 4 slots: two minutes, and one unit so that the bounds differ.
    assert (eta.low_seconds, eta.high_seconds) == (120, 180)
    assert (eta.confidence, eta.basis, eta.sample_size) == ("high", "cohort_throughput", 20)


def test_one_job_is_no_faster_than_its_stages_one_after_the_other() -> None:
    eta = asked(Demand({"score": 1, "tailor": 1}, [("score", "tailor")], {}, live=1))

    assert (eta.low_seconds, eta.high_seconds) == (360, 420)


def test_what_others_want_lifts_the_upper_bound_alone_and_lowers_the_confidence() -> None:
    eta = asked(replace(WANTED, elsewhere={"tailor": 8}))

    assert (eta.low_seconds, eta.high_seconds, eta.confidence) == (120, 720, "medium")


@pytest.mark.parametrize(("number", "confidence"), [(5, "low"), (9, "low"), (10, "medium"), (20, "high")])
def test_confidence_grows_with_the_evidence(number: int, confidence: str) -> None:
    assert asked(WANTED, samples={"score": [60_000] * number}).confidence == confidence


def test_too_little_evidence_says_how_much_there_is() -> None:
    eta = asked(WANTED, samples={"score": [60_000] * 4})

    assert (eta.status, eta.completed_samples, eta.minimum_samples) == ("calibrating", 4, 5)


@pytest.mark.parametrize(("percent", "value"), [(50, 20), (90, 40), (1, 10), (100, 40)])
def test_percentiles_are_values_that_were_seen(percent: int, value: int) -> None:
    assert percentile([40, 10, 30, 20], percent) == value


@given(low=st.floats(0, 1e6), more=st.floats(0, 1e6))
def test_rounding_goes_outward_and_leaves_a_range(low: float, more: float) -> None:
    start, end = outward(low, low + more)

    assert start <= low <= low + more <= end
    assert start < end
    assert start % 60 == end % 60 == 0
    assert low < 3600 or start % 300 == 0
