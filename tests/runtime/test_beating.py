"""A worker beats while it lives, leaves when it stops, and tells how its queue looks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.operations.heartbeats import Heartbeat, heartbeats
from jobctrl.runtime.beating import abandoned_threads, beating, observe
from jobctrl.runtime.house import House
from jobctrl.runtime.telemetry import Inventory
from tests.runtime.searching import new_house

SOON = 0.02


class Silent:
    """A client whose server gives one answer to everything."""

    namespace = "default"

    def __init__(self, status: RPCStatusCode = RPCStatusCode.UNAVAILABLE) -> None:
        self.status = status
        self.workflow_service = self

    async def describe_task_queue(self, request: Any, **how: Any) -> Any:
        raise RPCError("no", self.status, b"")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


def rows(house: House) -> list[Heartbeat | None]:
    with house.store.reader() as connection:
        return heartbeats(connection, house.store.workspace_id)


async def until_rows(house: House) -> list[Heartbeat | None]:
    for _ in range(500):
        if found := rows(house):
            return found
        await asyncio.sleep(SOON)
    raise AssertionError("no heartbeat came")


def beats(house: House, client: Any, every: float = SOON) -> Any:
    return beating(house.store, client, Inventory(house.store.clock), task_queue="q", slots=4, threads=6, every=every)


async def test_a_worker_is_seen_while_it_lives_and_gone_when_it_stopped(house: House) -> None:
    async with beats(house, Silent()) as worker_id:
        [beat] = await until_rows(house)

    assert beat is not None
    assert (beat.worker_id, beat.valid, beat.active_count) == (worker_id, True, 0)
    assert len(worker_id.rsplit(":", 1)[1]) == 8
    assert rows(house) == []


@pytest.mark.parametrize(
    ("status", "seen"),
    [
        (RPCStatusCode.UNAVAILABLE, ("unavailable", "describe_task_queue_unavailable")),
        (RPCStatusCode.DEADLINE_EXCEEDED, ("unavailable", "describe_task_queue_unavailable")),
        (RPCStatusCode.UNIMPLEMENTED, ("unsupported", "describe_task_queue_stats_unsupported")),
    ],
)
async def test_a_queue_that_cannot_be_looked_at_has_a_reason(status: RPCStatusCode, seen: tuple[str, str]) -> None:
    found = await observe(Silent(status), "q", "2026-03-09T12:00:00.000Z")  # type: ignore[arg-type]

    assert (found.status, found.reason_code) == seen
    assert (found.workflow, found.activity) == (None, None)


async def test_a_workspace_that_cannot_be_written_does_not_stop_the_worker(house: House) -> None:
    async with beats(house, Silent()):
        await until_rows(house)
        with house.store.writer() as tx:
            tx.connection.execute("ALTER TABLE worker_runtime_heartbeats RENAME TO elsewhere")
        await asyncio.sleep(5 * SOON)


async def test_a_thread_that_ignores_its_cancellation_is_counted(house: House) -> None:
    abandoned_threads(house.store)("score_job")

    for _ in range(500):
        with house.store.reader() as connection:
            found = connection.execute("SELECT attempt_kind, activity_type, outcome FROM operational_attempt_metrics")
            if kept := found.fetchall():
                break
        await asyncio.sleep(SOON)
    assert kept == [("abandoned_thread", "score_job", "abandoned")]
