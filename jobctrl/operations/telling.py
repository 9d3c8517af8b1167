"""The operations snapshot in sentences. What is not known is said to be unknown."""

from __future__ import annotations

from jobctrl.operations.eta import Eta
from jobctrl.operations.snapshot import Snapshot


def headline(seen: Snapshot) -> str:
    """The selected execution."""
    run = seen.execution
    if run is None:
        return "No Discover run yet. `jobctrl discover` starts one."
    cohort = run.current_execution
    return (
        f"Discover run of {(run.started_at or '?')[:16].replace('T', ' ')} (UTC): {run.phase.replace('_', ' ')}; "
        f"{cohort.members:,} new jobs, {cohort.remaining:,} of them with something left to do."
    )


def workers(seen: Snapshot) -> str:
    """The workers, as of their last heartbeat."""
    capacity = seen.capacity
    if capacity.status == "unavailable":
        return "No worker runs. `jobctrl up` starts one."
    if capacity.status == "stale":
        return f"The last sign of a worker is from {capacity.as_of}: what runs now is unknown."
    many = "1 worker" if capacity.fresh_worker_count == 1 else f"{capacity.fresh_worker_count} workers"
    lost = seen.abandoned_threads_24h
    return (
        f"{many}, {capacity.active_slots} of {capacity.configured_slots} slots in use "
        f"as of {(capacity.as_of or '')[11:19]} (UTC)."
        + (f" {lost} threads ignored their cancellation in the last 24 hours." if lost else "")
    )


def time_left(eta: Eta) -> str:
    """A range, or why there is none."""
    if eta.reason == "no_work":
        return "nothing is left to do"
    if eta.low_seconds is None or eta.high_seconds is None:
        return f"unknown: {(eta.reason or eta.status).replace('_', ' ')}"
    return f"{_span(eta.low_seconds)} to {_span(eta.high_seconds)}, {eta.confidence} confidence"


def _span(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
