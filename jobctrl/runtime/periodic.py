"""Something that is looked after now and then while a block runs; one pass that fails is followed by the next."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

log = logging.getLogger(__name__)
PASS_SECONDS = 15.0
STOP_SECONDS = 5.0


@asynccontextmanager
async def periodic(what: str, action: Callable[[], Awaitable[object]], *, every: float) -> AsyncIterator[None]:
    """Do *action* now, and again every *every* seconds for as long as the block runs."""
    stop = asyncio.Event()
    task = asyncio.create_task(_passes(what, action, every, stop))
    try:
        yield
    finally:
        stop.set()
        # A pass that is writing ends first; one that waits for a server that is gone does not hold us up.
        await asyncio.wait({task}, timeout=STOP_SECONDS)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _passes(what: str, action: Callable[[], Awaitable[object]], every: float, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await action()
        except Exception:
            # Whatever it was, the next pass finds again what this one left.
            log.exception("A pass over %s did not end", what)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), every)
