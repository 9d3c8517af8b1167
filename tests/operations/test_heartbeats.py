"""Heartbeats and ended attempts, as they are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jobctrl.operations.heartbeats import (
    Attempt,
    Durations,
    QueueObservation,
    QueueStats,
    abandoned_threads,
    heartbeats,
    keep_attempt,
    keep_beat,
    leave,
)
from jobctrl.store import Store, moment
from tests.operations.test_capacity import NOW, ago, beat


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "jobctrl.db", (), clock=lambda: NOW)
    yield store
    store.close()


def read(store: Store, identity: str = "here") -> list[object]:
    with store.reader() as connection:
        return list(heartbeats(connection, identity))


def test_a_heartbeat_is_read_as_it_was_written(store: Store) -> None:
    stats = QueueStats(2, 7, 1.5, 0.25, 0.5)
    kept = beat(
        durations={"score_job": Durations(3, 900, 500)},
        queue_observation=QueueObservation("available", ago(5), stats, stats),
    )

    keep_beat(store, kept)

    assert read(store) == [kept]


def test_each_worker_has_one_row_and_leaves_none_behind(store: Store) -> None:
    keep_beat(store, beat("a", active=2))
    keep_beat(store, beat("a", active=0))
    keep_beat(store, beat("b"))

    leave(store, "b")

    assert read(store) == [beat("a", active=0)]


def test_workers_of_another_workspace_are_not_seen(store: Store) -> None:
    keep_beat(store, beat(identity="there"))

    assert read(store) == []


def test_a_row_of_another_version_is_known_to_be_unreadable(store: Store) -> None:
    keep_beat(store, beat())
    with store.writer() as tx:
        tx.connection.execute("""UPDATE worker_runtime_heartbeats SET active_details = '[{"new":"shape"}]'""")

    assert read(store) == [None]


def test_workers_that_died_long_ago_are_forgotten(store: Store) -> None:
    keep_beat(store, replace(beat("dead"), last_seen_at=moment(NOW - timedelta(days=2))))

    keep_beat(store, beat("alive"))

    assert read(store) == [beat("alive")]


def test_abandoned_threads_are_counted_apart_and_old_attempts_forgotten(store: Store) -> None:
    keep_attempt(store, Attempt(ago(60), "score_job", "abandoned", "abandoned_thread"))
    keep_attempt(store, Attempt(moment(NOW - timedelta(days=15)), "score_job", "abandoned", "abandoned_thread"))

    keep_beat(store, beat(), [Attempt(ago(1), "render_pdf", "succeeded", duration_ms=40)])

    with store.reader() as connection:
        assert abandoned_threads(connection, NOW - timedelta(days=1)) == 1
        assert abandoned_threads(connection, NOW - timedelta(days=30)) == 1
        kept = connection.execute("SELECT activity_type, outcome, duration_ms FROM operational_attempt_metrics")
        assert kept.fetchall() == [("score_job", "abandoned", None), ("render_pdf", "succeeded", 40)]
