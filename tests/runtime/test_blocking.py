"""Synchronous work beats while it runs, stops when its activity is canceled, and never keeps the next one waiting."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.runtime.blocking import BlockingPool
from jobctrl.work import Pulse

SOON = 0.02
place: ContextVar[str] = ContextVar("place", default="nowhere")


@pytest.fixture
def abandoned() -> list[str]:
    return []


@pytest.fixture
def pool(abandoned: list[str]) -> Iterator[BlockingPool]:
    pool = BlockingPool(1, poll_seconds=SOON, cancel_wait_seconds=0.2, abandoned=abandoned.append)
    yield pool
    pool.close()


def wait_until_told(pulse: Pulse) -> str:
    while not pulse.cancelled():
        time.sleep(0.005)
    return "stopped"


async def test_the_result_of_the_work_comes_back(pool: BlockingPool) -> None:
    assert await ActivityEnvironment().run(pool, lambda pulse: threading.current_thread().name) == "blocking-1_0"


async def test_the_error_of_the_work_comes_back(pool: BlockingPool) -> None:
    def fails(pulse: Pulse) -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError):
        await ActivityEnvironment().run(pool, fails)


async def test_it_beats_while_the_work_runs_with_the_works_own_details(pool: BlockingPool) -> None:
    environment, beats = ActivityEnvironment(), []
    environment.on_heartbeat = lambda *details: beats.append(details)

    def slow(pulse: Pulse) -> None:
        pulse.beat("page", 7)
        time.sleep(6 * SOON)

    await environment.run(pool, slow)

    assert beats[0] == ()
    assert beats[-1] == ("page", 7)
    assert len(beats) >= 3


async def test_the_loop_is_free_while_the_work_blocks(pool: BlockingPool) -> None:
    work = asyncio.create_task(ActivityEnvironment().run(pool, lambda pulse: time.sleep(0.2)))
    turns = 0
    while not work.done():
        await asyncio.sleep(0.005)
        turns += 1

    assert turns > 10


async def test_the_work_sees_the_context_of_its_activity(pool: BlockingPool) -> None:
    place.set("here")

    assert await ActivityEnvironment().run(pool, lambda pulse: place.get()) == "here"


async def test_the_work_knows_its_attempt(pool: BlockingPool) -> None:
    assert await ActivityEnvironment().run(pool, lambda pulse: pulse.attempt) == 1


async def canceled(pool: BlockingPool, work: Any) -> float:
    """Start *work*, cancel it; returns how long the cancellation took."""
    environment, begun = ActivityEnvironment(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def noted(pulse: Pulse) -> Any:
        loop.call_soon_threadsafe(begun.set)
        return work(pulse)

    running = asyncio.create_task(environment.run(pool, noted))
    await begun.wait()
    began = time.monotonic()
    environment.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    return time.monotonic() - began


async def test_cancellation_stops_work_that_looks(pool: BlockingPool, abandoned: list[str]) -> None:
    took = await canceled(pool, wait_until_told)

    assert took < 0.15
    assert abandoned == []


async def test_a_thread_that_ignores_its_cancellation_is_abandoned_and_the_next_work_still_runs(
    pool: BlockingPool, abandoned: list[str]
) -> None:
    released = threading.Event()
    try:
        # As many as there are threads: a pool without generations would be full now.
        for _ in range(3):
            await canceled(pool, lambda pulse: released.wait(10))
        assert abandoned == ["unknown"] * 3

        assert await asyncio.wait_for(ActivityEnvironment().run(pool, lambda pulse: "next"), 2) == "next"
        assert pool.generation == 4
    finally:
        released.set()


async def test_it_shows_that_it_lives_while_it_waits_for_a_thread_to_stop(pool: BlockingPool) -> None:
    released = threading.Event()
    beats: list[float] = []
    environment, begun = ActivityEnvironment(), asyncio.Event()
    environment.on_heartbeat = lambda *details: beats.append(time.monotonic())
    loop = asyncio.get_running_loop()

    def deaf(pulse: Pulse) -> None:
        loop.call_soon_threadsafe(begun.set)
        released.wait(10)

    running = asyncio.create_task(environment.run(pool, deaf))
    try:
        await begun.wait()
        before = len(beats)
        environment.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert len(beats) - before >= 2
    finally:
        released.set()


async def test_the_error_of_work_that_was_stopped_is_nobodys(pool: BlockingPool, abandoned: list[str]) -> None:
    def stops_loudly(pulse: Pulse) -> None:
        wait_until_told(pulse)
        raise ValueError("stopped in the middle")

    await canceled(pool, stops_loudly)

    assert abandoned == []
    assert await ActivityEnvironment().run(pool, lambda pulse: "fine") == "fine"
