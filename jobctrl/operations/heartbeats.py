"""What each worker says of itself every 15 seconds: slots, what fills them, how its queue looks. Never any content."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

import msgspec

from jobctrl.store import Store, moment, statements

SQL = statements("jobctrl.operations", "heartbeats.sql")
SCHEMA_VERSION = 2
EVERY_SECONDS = 15.0
STALE_AFTER_SECONDS = 45
MOST_DETAILS = 20
FORGET_WORKERS_AFTER = timedelta(days=1)
FORGET_ATTEMPTS_AFTER = timedelta(days=14)
"""No estimate looks further back."""


@dataclass(frozen=True)
class ActiveDetail:
    """One activity that runs now. A reference is None unless its shape shows that it says nothing private."""

    activity_type: str
    kind: str
    opaque_id: str
    workflow_ref: str | None
    execution_ref: str | None
    attempt: int
    started_at: str


@dataclass(frozen=True)
class Durations:
    """What a worker has finished of one type since it started."""

    completed_count: int = 0
    total_duration_ms: int = 0
    max_duration_ms: int = 0


@dataclass(frozen=True)
class QueueStats:
    """Temporal's own estimates of one side of a queue; they are no counts of jobs."""

    poller_count: int
    approximate_backlog_count: int
    approximate_backlog_age_seconds: float
    tasks_add_rate: float
    tasks_dispatch_rate: float


@dataclass(frozen=True)
class QueueObservation:
    """`status` is available, stale, unsupported or unavailable; only the first has numbers."""

    status: Literal["available", "stale", "unsupported", "unavailable"]
    observed_at: str | None = None
    workflow: QueueStats | None = None
    activity: QueueStats | None = None
    reason_code: str | None = None


NOT_SAMPLED = QueueObservation("unavailable", reason_code="not_sampled")


@dataclass(frozen=True)
class Heartbeat:
    worker_id: str
    identity: str
    """The workspace's own id: a worker of another workspace is never counted here."""
    task_queue: str
    started_at: str
    last_seen_at: str
    slots: int
    executor_threads: int
    active_count: int
    """Every activity that holds a slot."""
    active_counts: dict[str, int] = field(default_factory=dict)
    """By type, for the types that are named at all."""
    active_details: tuple[ActiveDetail, ...] = ()
    """The oldest ones."""
    active_details_total: int = 0
    durations: dict[str, Durations] = field(default_factory=dict)
    queue_observation: QueueObservation = NOT_SAMPLED
    schema_version: int = SCHEMA_VERSION

    @property
    def valid(self) -> bool:
        """Whether the numbers can all be true together."""
        counted = sum(self.active_counts.values())
        return (
            self.schema_version == SCHEMA_VERSION
            and self.slots > 0
            and 0 <= counted <= self.active_count <= self.slots
            and len(self.active_details) == min(self.active_details_total, MOST_DETAILS)
            and counted == self.active_details_total
        )


@dataclass(frozen=True)
class Attempt:
    """One attempt that ended. `attempt_kind` is activity, or abandoned_thread for one that ignored its cancellation."""

    recorded_at: str
    activity_type: str
    outcome: Literal["succeeded", "failed", "canceled", "abandoned"]
    attempt_kind: Literal["activity", "abandoned_thread"] = "activity"
    duration_ms: int | None = None
    workflow_id: str | None = None
    run_id: str | None = None


_JSON: dict[str, Any] = {
    "active_counts": dict[str, int],
    "active_details": tuple[ActiveDetail, ...],
    "durations": dict[str, Durations],
    "queue_observation": QueueObservation,
}


def keep_beat(store: Store, beat: Heartbeat, ended: Iterable[Attempt] = ()) -> None:
    """Write the worker's row over, add what *ended*, and forget what nobody looks at any more."""
    row = {name: getattr(beat, name) for name in Heartbeat.__dataclass_fields__}
    row |= {name: msgspec.json.encode(row[name]).decode() for name in _JSON}
    with store.writer() as tx:
        tx.connection.execute(SQL["beat"], row)
        tx.connection.executemany(SQL["attempt"], [asdict(each) for each in ended])
        tx.connection.execute(SQL["forget_beats"], {"before": moment(tx.now - FORGET_WORKERS_AFTER)})
        tx.connection.execute(SQL["forget_attempts"], {"before": moment(tx.now - FORGET_ATTEMPTS_AFTER)})


def keep_attempt(store: Store, attempt: Attempt) -> None:
    with store.writer() as tx:
        tx.connection.execute(SQL["attempt"], asdict(attempt))


def leave(store: Store, worker_id: str) -> None:
    """The worker has stopped in order: nobody waits for its next heartbeat."""
    with store.writer() as tx:
        tx.connection.execute(SQL["leave"], {"worker_id": worker_id})


def heartbeats(connection: sqlite3.Connection, identity: str) -> list[Heartbeat | None]:
    """The rows of this workspace's workers, the newest first; None for one that cannot be read."""
    return [_read(row) for row in connection.execute(SQL["beats"], {"identity": identity})]


def abandoned_threads(connection: sqlite3.Connection, since: datetime) -> int:
    return int(connection.execute(SQL["abandoned_since"], {"since": moment(since)}).fetchone()[0])


def _read(row: tuple[Any, ...]) -> Heartbeat | None:
    values = dict(zip(Heartbeat.__dataclass_fields__, row, strict=True))
    try:
        values |= {name: msgspec.json.decode(values[name], type=kind) for name, kind in _JSON.items()}
    except msgspec.MsgspecError:
        # Another version wrote it: the row is counted as invalid, and nothing of it is believed.
        return None
    return Heartbeat(**values)
