"""The log as a stream of server-sent events: every fact once, in order, from where the reader left off."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse

from jobctrl.api.answers import Acting
from jobctrl.errors import InvalidRequest
from jobctrl.events import Recorded
from jobctrl.store import Store

router = APIRouter()
HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
RECONNECT_MS = 5000
BATCH = 1000


@dataclass(frozen=True)
class Feed:
    """Follows one log. A reader that is gone cancels its own feed; nothing is kept for it."""

    store: Store
    poll_seconds: float = 0.25
    heartbeat_seconds: float = 15.0

    async def after(self, position: int | None) -> AsyncIterator[bytes]:
        """Frames of every fact after *position*, without end; after the present when it is None or beyond it."""
        yield f"retry: {RECONNECT_MS}\n\n".encode()
        present = await asyncio.to_thread(self.store.position)
        # A position beyond the end is of another workspace, or of one that was restored: it would wait for ever.
        at = present if position is None else min(position, present)
        spoke = time.monotonic()
        while True:
            # SQLite is asked in another thread: the loop has other readers to serve.
            facts = await asyncio.to_thread(self.store.since, at, BATCH)
            if facts:
                at = facts[-1].position
                yield b"".join(frame(fact) for fact in facts)
                spoke = time.monotonic()
                continue
            if time.monotonic() - spoke >= self.heartbeat_seconds:
                yield f": alive at {at}\n\n".encode()
                spoke = time.monotonic()
            await asyncio.sleep(self.poll_seconds)


def frame(fact: Recorded) -> bytes:
    """One fact: its position as the id, its type as the event."""
    data = msgspec.json.encode(
        {
            "position": fact.position,
            "stream": fact.stream,
            "jobId": fact.job_id,
            "stage": fact.stage,
            "workflowId": fact.workflow_id,
            "runId": fact.run_id,
            "occurredAt": fact.occurred_at,
            "payload": msgspec.Raw(fact.payload.encode()),
        }
    )
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (fact.position, fact.event_type.encode(), data)


@router.get("/v1/events/stream")
async def events(
    operator: Acting,
    last_event_id: Annotated[str | None, Header()] = None,
    since: Annotated[str | None, Query()] = None,
) -> StreamingResponse:
    """Facts from after `Last-Event-ID` (or `since`), else from now on."""
    begin = _position(last_event_id if last_event_id is not None else since)
    return StreamingResponse(
        Feed(operator.store).after(begin), media_type="text/event-stream; charset=utf-8", headers=HEADERS
    )


def _position(text: str | None) -> int | None:
    if text is None or not text.strip():
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise InvalidRequest(f"{text[:40]!r} is no position of the log.", hint="Send the id of the last event you saw.")
    return int(text)
