"""Staying up: the server and worker of a workspace, one more worker, or the desks, until they are told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from jobctrl.errors import NotFound
from jobctrl.runtime.session import running, serve_worker
from jobctrl.runtime.temporal_server import free_port
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment

Tell = Callable[[str], None]
NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"


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


def desk(name: str, port: int, tell: Tell) -> None:
    """Serve one desk, or the folder of all. Raises NotFound for an unknown desk."""
    desks = sorted(path.stem for path in NOTEBOOKS.glob("*.py"))
    target = NOTEBOOKS / f"{name}.py" if name else NOTEBOOKS
    if name and name not in desks:
        raise NotFound(f"There is no desk {name!r}.", hint=f"These are: {', '.join(desks)}.")
    chosen = port or free_port()
    tell(f"The desk opens at http://127.0.0.1:{chosen}/. Ctrl-C stops it.")
    command = [sys.executable, "-m", "marimo", "-q", "run", "--headless", "--no-token", "--host", "127.0.0.1"]
    environment = {**os.environ, "JOBCTRL_DIR": str(named_workspace().path)}
    subprocess.run([*command, "--port", str(chosen), str(target)], env=environment, check=False)


def _stopping() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
