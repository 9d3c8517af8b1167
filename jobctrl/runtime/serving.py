"""Staying up: the server and worker of a workspace, or one more worker, until they are told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from jobctrl.runtime.session import running, serve_worker
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment

Tell = Callable[[str], None]


def up(tell: Tell) -> None:
    """Host the workspace until SIGINT or SIGTERM. Raises WorkspaceBusy when another process does."""

    async def serve() -> None:
        stop = _stopping()
        async with running(named_workspace().path, Environment(), host=True) as session:
            tell(f"{named_workspace().path} runs; Temporal answers at {session.address}. Ctrl-C stops it.")
            await stop.wait()
            tell("Stopping; what is under way goes on at the next start.")

    asyncio.run(serve())


def worker(tell: Tell) -> None:
    """One more worker until SIGINT or SIGTERM. Raises TransientNetwork when no server answers."""

    async def serve() -> None:
        stop = _stopping()
        await serve_worker(
            named_workspace().path, Environment(), stop, lambda: tell("The worker waits for work. Ctrl-C stops it.")
        )
        await asyncio.sleep(0.3)

    asyncio.run(serve())


def _stopping() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
