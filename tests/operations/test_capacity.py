"""What the workers can do: fresh rows in sum, old and contradictory ones counted and not believed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from jobctrl.operations.capacity import runtime, without
from jobctrl.operations.heartbeats import ActiveDetail, Heartbeat, QueueObservation, QueueStats
from jobctrl.store import moment

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)


def ago(seconds: float) -> str:
    return moment(NOW - timedelta(seconds=seconds))


def detail(number: int, seconds: float = 10) -> ActiveDetail:
    return ActiveDetail("score_job", "job-scoring", f"op_{number:024x}", None, None, 1, ago(seconds))


def beat(name: str = "a", seconds: float = 5, active: int = 1, **changes: Any) -> Heartbeat:
    details = tuple(detail(number) for number in range(active))
    plain = Heartbeat(
        worker_id=name,
        identity="here",
        task_queue="jobctrl-default",
        started_at=ago(3600),
        last_seen_at=ago(seconds),
        slots=4,
        executor_threads=6,
        active_count=active,
        active_counts={"score_job": active} if active else {},
        active_details=details,
        active_details_total=active,
    )
    return replace(plain, **changes)


def test_fresh_workers_of_the_queue_are_summed() -> None:
    seen = runtime([beat("a"), beat("b", active=3)], NOW)

    capacity = seen.capacity
    assert (capacity.status, capacity.reason, capacity.fresh_worker_count) == ("available", None, 2)
    assert (capacity.configured_slots, capacity.active_slots, capacity.available_slots) == (8, 4, 4)
    assert (capacity.slot_saturation, capacity.executor_threads) == (0.5, 12)
    assert (seen.total, seen.truncated, seen.counts) == (4, False, {"score_job": 4})


def test_an_idle_worker_says_zero_and_no_worker_says_nothing() -> None:
    idle, none = runtime([beat(active=0)], NOW), runtime([], NOW)

    assert (idle.total, idle.counts, idle.capacity.active_slots) == (0, {}, 0)
    assert (none.total, none.counts, none.capacity.active_slots) == (None, None, None)
    assert (none.capacity.status, none.capacity.reason) == ("unavailable", "no_worker")


@pytest.mark.parametrize(("seconds", "status"), [(45, "available"), (46, "stale"), (-46, "stale")])
def test_a_worker_is_believed_for_45_seconds(seconds: float, status: str) -> None:
    seen = runtime([beat(seconds=seconds)], NOW)

    assert seen.capacity.status == status
    assert (seen.total is None) == (status == "stale")
    assert seen.capacity.as_of == ago(seconds)


@pytest.mark.parametrize(
    "changes",
    [
        {"schema_version": 1},
        {"slots": 0},
        {"active_count": 5, "active_counts": {"score_job": 5}},
        {"active_count": 0},
        {"active_details": ()},
        {"active_details_total": 2},
    ],
)
def test_numbers_that_contradict_each_other_are_not_believed(changes: dict[str, Any]) -> None:
    seen = runtime([beat(**changes)], NOW)

    assert (seen.capacity.status, seen.capacity.reason) == ("unavailable", "no_valid_heartbeat")
    assert seen.capacity.invalid_worker_count == 1


def test_one_that_cannot_be_read_does_not_hide_another() -> None:
    seen = runtime([None, beat()], NOW)

    assert (seen.capacity.status, seen.capacity.invalid_worker_count, seen.total) == ("available", 1, 1)


def test_the_newest_heartbeat_names_the_queue() -> None:
    seen = runtime([beat("old", seconds=30, task_queue="other"), beat("new", seconds=5)], NOW)

    assert (seen.capacity.task_queue, seen.capacity.fresh_worker_count) == ("jobctrl-default", 1)


def test_the_twenty_oldest_activities_are_listed_and_all_are_counted() -> None:
    beats = [
        beat(name, slots=20, active=15, active_details=tuple(detail(n, seconds=age + n) for n in range(15)))
        for name, age in (("young", 0), ("old", 100))
    ]

    seen = runtime(beats, NOW)

    assert (len(seen.details), seen.total, seen.truncated) == (20, 30, True)
    assert [each.started_at for each in seen.details] == sorted(each.started_at for each in seen.details)
    assert seen.details[0].started_at == ago(114)


def test_an_old_look_at_the_queue_keeps_no_numbers() -> None:
    stats = QueueStats(1, 0, 0.0, 0.0, 0.0)
    old = QueueObservation("available", ago(50), stats, stats)

    seen = runtime([beat(queue_observation=old)], NOW).capacity.approximate_task_queue

    assert (seen.status, seen.activity, seen.reason_code) == ("stale", None, "observation_stale")


def test_an_activity_is_not_told_of_after_its_run_has_ended() -> None:
    named = replace(detail(1), workflow_ref="prep-1", execution_ref="r1")
    seen = runtime([beat(active=2, active_details=(detail(0), named))], NOW)

    left = without(seen, {("prep-1", "r1")})

    assert (left.total, left.counts, [each.workflow_ref for each in left.details]) == (1, {"score_job": 1}, [None])
    assert without(seen, set()) is seen
