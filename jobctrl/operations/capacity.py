"""What the workers can do now, out of their heartbeats. Old or contradictory rows are counted, never believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from jobctrl.operations.heartbeats import (
    MOST_DETAILS,
    NOT_SAMPLED,
    STALE_AFTER_SECONDS,
    ActiveDetail,
    Heartbeat,
    QueueObservation,
)


@dataclass(frozen=True)
class Capacity:
    """Numbers are None, with a reason, unless a worker was heard of in the last 45 seconds."""

    status: Literal["available", "stale", "unavailable"]
    as_of: str | None
    reason: str | None
    task_queue: str | None = None
    stale_after_seconds: int = STALE_AFTER_SECONDS
    fresh_worker_count: int = 0
    stale_worker_count: int = 0
    invalid_worker_count: int = 0
    configured_slots: int | None = None
    active_slots: int | None = None
    available_slots: int | None = None
    slot_saturation: float | None = None
    """0 to 1."""
    executor_threads: int | None = None
    approximate_task_queue: QueueObservation = NOT_SAMPLED


@dataclass(frozen=True)
class Runtime:
    """The capacity, and what fills it. Without a fresh worker nobody knows what runs: then the numbers are None."""

    capacity: Capacity
    counts: dict[str, int] | None = None
    """Activities that run now, by type."""
    details: tuple[ActiveDetail, ...] = ()
    """The oldest 20 of them."""
    total: int | None = None
    truncated: bool | None = None


def runtime(beats: Sequence[Heartbeat | None], now: datetime) -> Runtime:
    """The fresh workers of one queue in sum: the queue that the newest heartbeat names."""
    valid = [beat for beat in beats if beat is not None and beat.valid]
    invalid = len(beats) - len(valid)
    newest = max(valid, key=lambda beat: beat.last_seen_at, default=None)
    if newest is None:
        reason = "no_worker" if not beats else "no_valid_heartbeat"
        return Runtime(Capacity("unavailable", None, reason, invalid_worker_count=invalid))
    of_queue = [beat for beat in valid if beat.task_queue == newest.task_queue]
    fresh = [beat for beat in of_queue if _is_fresh(beat.last_seen_at, now)]
    seen = _queue(newest.queue_observation, now)
    base = Capacity(
        "stale",
        newest.last_seen_at,
        "telemetry_stale",
        newest.task_queue,
        fresh_worker_count=len(fresh),
        stale_worker_count=len(of_queue) - len(fresh),
        invalid_worker_count=invalid,
        approximate_task_queue=seen,
    )
    if not fresh:
        return Runtime(base)
    slots, active = sum(beat.slots for beat in fresh), sum(beat.active_count for beat in fresh)
    details = sorted((each for beat in fresh for each in beat.active_details), key=lambda each: each.started_at)
    total = sum(beat.active_details_total for beat in fresh)
    counts: Counter[str] = Counter()
    for beat in fresh:
        counts.update(beat.active_counts)
    capacity = replace(
        base,
        status="available",
        reason=None,
        configured_slots=slots,
        active_slots=active,
        available_slots=slots - active,
        slot_saturation=round(active / slots, 4),
        executor_threads=sum(beat.executor_threads for beat in fresh),
    )
    return Runtime(capacity, dict(counts), tuple(details[:MOST_DETAILS]), total, total > len(details[:MOST_DETAILS]))


def without(seen: Runtime, ended: Collection[tuple[str | None, str | None]]) -> Runtime:
    """*seen* without the activities of runs that have *ended* since: an activity lives no longer than its run."""
    gone = [each for each in seen.details if (each.workflow_ref, each.execution_ref) in ended]
    if not gone or seen.counts is None or seen.total is None:
        return seen
    left = Counter(seen.counts)
    left.subtract(each.activity_type for each in gone)
    return replace(
        seen,
        counts={activity_type: count for activity_type, count in left.items() if count},
        details=tuple(each for each in seen.details if each not in gone),
        total=seen.total - len(gone),
    )


def _is_fresh(at: str, now: datetime) -> bool:
    return abs((now - datetime.fromisoformat(at)).total_seconds()) <= STALE_AFTER_SECONDS


def _queue(seen: QueueObservation, now: datetime) -> QueueObservation:
    """The observation, without its numbers when they are old."""
    if seen.status == "available" and not (seen.observed_at and _is_fresh(seen.observed_at, now)):
        return QueueObservation("stale", seen.observed_at, reason_code="observation_stale")
    return seen
