"""pipeline-eta-v1: a range of seconds when it can be defended, else why there is none. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jobctrl.operations.capacity import Capacity

VERSION = "pipeline-eta-v1"
MINIMUM_SAMPLES = 5
Status = Literal["available", "calibrating", "paused", "stale", "unavailable"]
Basis = Literal["source_rate", "stage_throughput", "cohort_throughput"]


@dataclass(frozen=True)
class Eta:
    """A projection, not a promise. Bounds stand only with the status `available`; every other one has its reason."""

    status: Status
    as_of: str
    reason: str | None = None
    low_seconds: int | None = None
    high_seconds: int | None = None
    confidence: Literal["low", "medium", "high"] | None = None
    basis: Basis | None = None
    sample_size: int | None = None
    completed_samples: int | None = None
    minimum_samples: int | None = None
    caveat: str | None = None


@dataclass(frozen=True)
class Demand:
    """What one scope still wants."""

    remaining: Mapping[str, int]
    """Work by stage."""
    paths: Collection[tuple[str, ...]]
    """The stages one piece of work still has before it, one after the other; each such row once."""
    elsewhere: Mapping[str, int]
    """Work outside the scope that wants the same slots, by stage."""
    live: int | None
    """Activities of the scope that run now; None when that cannot be told."""
    known: bool = True
    """Whether the scope itself is known."""
    closed: bool = True
    """Whether no more work can join it."""
    bounded: bool = True
    """Whether everything that wants the slots is in `remaining` or `elsewhere`."""
    held: bool = False
    """Whether work waits for something outside."""
    unsettled: bool = False
    """Whether something may still go on that is no work as long as nobody takes it up, or that nobody knows of."""
    budget_used_up: bool = False


def estimate(
    demand: Demand,
    samples: Mapping[str, Sequence[int]],
    capacity: Capacity,
    as_of: str,
    *,
    basis: Basis = "cohort_throughput",
    slots: int | None = None,
    caveat: str | None = None,
) -> Eta:
    """How long until the scope is done. *samples* are milliseconds by stage; *slots* narrows the capacity."""
    wanted = {stage: count for stage, count in demand.remaining.items() if count}
    gate = _gate(demand, wanted, capacity, as_of)
    if gate is not None:
        return gate
    size = min(len(samples.get(stage, ())) for stage in wanted)
    if size < MINIMUM_SAMPLES:
        return Eta(
            "calibrating",
            as_of,
            "insufficient_samples",
            completed_samples=size,
            minimum_samples=MINIMUM_SAMPLES,
        )
    lanes = slots if slots is not None else capacity.configured_slots or 0
    if lanes <= 0:
        return Eta("unavailable", as_of, "unsupported")
    outside = {stage: count for stage, count in demand.elsewhere.items() if count}
    if any(len(samples.get(stage, ())) < MINIMUM_SAMPLES for stage in outside):
        return Eta("unavailable", as_of, "contention_unbounded")
    low, high = _bounds(demand, wanted, outside, samples, lanes)
    return Eta(
        "available",
        as_of,
        low_seconds=low,
        high_seconds=high,
        confidence=_confidence(size, contended=bool(outside)),
        basis=basis,
        sample_size=size,
        caveat=caveat,
    )


def _gate(demand: Demand, wanted: Mapping[str, int], capacity: Capacity, as_of: str) -> Eta | None:
    """What forbids a number; the first that applies."""
    if not demand.known:
        return Eta("unavailable", as_of, "unknown_scope")
    if not wanted and demand.live == 0 and demand.closed and not demand.held and not demand.unsettled:
        return Eta("unavailable", as_of, "no_work")
    if capacity.status == "stale":
        return Eta("stale", as_of, "telemetry_stale")
    if capacity.status == "unavailable":
        return Eta("paused", as_of, "worker_unavailable")
    if demand.budget_used_up:
        return Eta("paused", as_of, "budget_exceeded")
    if not wanted and demand.held:
        return Eta("paused", as_of, "blocked")
    if not _dispatches(capacity):
        return Eta("paused", as_of, "no_dispatch")
    if not demand.bounded:
        return Eta("unavailable", as_of, "contention_unbounded")
    if not demand.closed:
        return Eta("calibrating", as_of, "membership_open", completed_samples=None, minimum_samples=MINIMUM_SAMPLES)
    if not wanted:
        return Eta("unavailable", as_of, "unknown_scope")
    return None


def _dispatches(capacity: Capacity) -> bool:
    activity = capacity.approximate_task_queue.activity
    return bool(capacity.active_slots) or (activity is not None and activity.tasks_dispatch_rate > 0)


def _bounds(
    demand: Demand,
    wanted: Mapping[str, int],
    outside: Mapping[str, int],
    samples: Mapping[str, Sequence[int]],
    lanes: int,
) -> tuple[int, int]:
    def share(work: Mapping[str, int], percent: int) -> float:
        return sum(count * percentile(samples[stage], percent) for stage, count in work.items()) / lanes

    def longest(percent: int) -> float:
        return max(
            (sum(percentile(samples[stage], percent) for stage in path) for path in demand.paths),
            default=0.0,
        )

    low = max(share(wanted, 50), longest(50)) / 1000
    high = max((share(wanted, 90) + share(outside, 90)), longest(90), low * 1000) / 1000
    return outward(low, high)


def percentile(values: Sequence[int], percent: int) -> float:
    """Nearest rank."""
    ordered = sorted(values)
    return float(ordered[max(0, math.ceil(percent / 100 * len(ordered)) - 1)])


def outward(low: float, high: float) -> tuple[int, int]:
    """Whole minutes below an hour, five of them from there on; the bounds never fall together."""
    below, above = _unit(low), _unit(high)
    start, end = math.floor(low / below) * below, math.ceil(high / above) * above
    return (start, end) if start < end else (start, end + above)


def _unit(seconds: float) -> int:
    return 60 if seconds < 3600 else 300


def _confidence(size: int, *, contended: bool) -> Literal["low", "medium", "high"]:
    if size >= 20 and not contended:
        return "high"
    return "medium" if size >= 10 else "low"
