"""The operations snapshot in sentences. What is not known is said to be unknown."""

from __future__ import annotations

from jobctrl.operations.eta import Eta
from jobctrl.operations.views import CohortView, CoverageView, ExecutionView, Snapshot

SCOPES = {
    "current_execution": "this run",
    "execution_sweep": "the backlog it took along",
    "global_outside_execution": "everything else",
}
"""Whose work it is, for a person."""
NOT_SEPARATE = ("no_separate_sweep_queue", "no_global_domain_queue")
"""Reasons of scopes that have no such stage at all."""
REASONS = {
    "coverage_recovering": "its history is being restored",
    "coverage_retrying": "its history could not be restored yet",
    "plan_not_recorded": "the sources are not planned yet",
}
_WAITS = {
    "insufficient_samples": "too little was done lately to tell from",
    "membership_open": "which jobs belong to it is not settled",
    "worker_unavailable": "no worker runs",
    "budget_exceeded": "today's budget is used up",
    "blocked": "what is left waits for something outside",
    "no_dispatch": "nothing was seen to be started lately",
    "telemetry_stale": "no worker was heard of lately",
    "unknown_scope": "how much is left is not known",
    "contention_unbounded": "other work of unknown size wants the same slots",
    "unsupported": "no slot is working on it",
}


def headline(seen: Snapshot) -> str:
    """The selected execution."""
    run = seen.execution
    if run is None:
        return "No Discover run yet. `jobctrl discover` starts one."
    began = (run.started_at or "?")[:16].replace("T", " ")
    return f"Discover run of {began} (UTC): {run.phase.replace('_', ' ')}. {_cohorts(run)}{_progress(run)}".rstrip()


def _cohorts(run: ExecutionView) -> str:
    current, sweep = run.current_execution, run.swept_existing_backlog
    if current.members is None:
        return ""
    jobs = "1 job" if current.members == 1 else f"{current.members:,} jobs"
    words = f"{jobs} seen{_undone(current)}"
    if sweep.members:
        words += f"; {sweep.members:,} older taken along{_undone(sweep)}"
    return words + "."


def _undone(cohort: CohortView) -> str:
    return f", {cohort.remaining:,} not done" if cohort.remaining else ""


def _progress(run: ExecutionView) -> str:
    progress = run.progress
    if run.phase != "discovering" or progress.completed is None:
        return ""
    return f" {progress.completed} of {progress.total} steps of collecting are done."


def coverage(seen: CoverageView | None) -> str:
    """How far the selected execution is proven; empty when it is."""
    if seen is None or seen.state == "ready":
        return ""
    if seen.state == "recovering" and seen.reason == "not_verified_yet":
        return "No worker has compared this run with its history yet: its numbers are held back until one has."
    if seen.state == "recovering":
        return "The history of this run is being restored: its numbers are held back until it is whole."
    if seen.state == "retrying":
        return f"The history of this run could not be read ({seen.reason}); it is tried again by itself."
    known = f"{seen.persisted_membership_count or 0:,} jobs and {seen.persisted_step_count or 0:,} steps"
    return f"The history of this run ends too early ({seen.reason}): {known} are known, and no more will be."


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
        reason = eta.reason or eta.status
        return f"unknown: {_WAITS.get(reason, reason.replace('_', ' '))}"
    return f"{_span(eta.low_seconds)} to {_span(eta.high_seconds)}, {eta.confidence} confidence"


def _span(seconds: int) -> str:
    minutes = seconds // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
