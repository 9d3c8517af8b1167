"""The log as a stream."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import httpx
import pytest

from jobctrl.api.stream import Feed, frame
from jobctrl.discovery.events import JobHidden
from jobctrl.operator import Operator
from tests.api.searches import JOBS


def read(frames: bytes) -> list[tuple[int, str, dict[str, Any]]]:
    """Id, event and data of each frame."""
    found = []
    for block in frames.decode().split("\n\n"):
        said = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "id" in said:
            found.append((int(said["id"]), said["event"], json.loads(said["data"])))
    return found


async def heard(feed: Feed, position: int | None, seconds: float = 0.15) -> bytes:
    """What the feed says in a short while."""
    gathered = bytearray()

    async def listen() -> None:
        async for part in feed.after(position):
            gathered.extend(part)

    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(listen(), seconds)
    return bytes(gathered)


@pytest.fixture
def feed(operator: Operator) -> Feed:
    return Feed(operator.store, poll_seconds=0.01)


async def test_every_fact_comes_once_and_in_order(feed: Feed, operator: Operator) -> None:
    frames = read(await heard(feed, 0))

    assert [position for position, _, _ in frames] == list(range(1, operator.store.position() + 1))
    _, event, data = frames[0]
    assert event == "JobDiscovered"
    assert (data["jobId"], data["payload"]["posting"]["title"]) == (JOBS[0], "Data Engineer")
    assert set(data) == {"position", "stream", "jobId", "stage", "workflowId", "runId", "occurredAt", "payload"}


async def test_no_text_of_a_posting_is_in_the_stream(feed: Feed) -> None:
    assert b"harbour" not in await heard(feed, 0)


async def test_a_reader_goes_on_after_the_last_fact_it_saw(feed: Feed) -> None:
    assert [position for position, _, _ in read(await heard(feed, 3))][:2] == [4, 5]


@pytest.mark.parametrize("position", [None, 10**12])
async def test_without_a_known_position_only_what_is_new_comes(
    feed: Feed, operator: Operator, position: int | None
) -> None:
    listening = asyncio.create_task(heard(feed, position, 1.0))
    await asyncio.sleep(0.3)
    operator.dismiss_job(JOBS[1])

    frames = read(await listening)

    assert frames[0][1] == JobHidden.__name__
    assert frames[0][2]["jobId"] == JOBS[1]


async def test_silence_is_broken_by_a_heartbeat(operator: Operator) -> None:
    feed = Feed(operator.store, poll_seconds=0.01, heartbeat_seconds=0.05)

    said = await heard(feed, None, 0.3)

    assert said.startswith(b"retry: ")
    assert said.count(b": alive at ") >= 2
    assert read(said) == []


def test_a_frame_is_one_line_of_data(operator: Operator) -> None:
    for fact in operator.store.since(0):
        assert len(frame(fact).strip().splitlines()) == 3


@pytest.mark.parametrize("given", ["-1", "abc", "1.5", "٣", "9" * 30])
async def test_what_is_no_position_is_refused(client: httpx.AsyncClient, given: str) -> None:
    answer = await client.get("/v1/events/stream", headers=[(b"Last-Event-ID", given.encode())])

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
