"""A Temporal server of the bench, as the product starts its own, but on an address that the bench chooses."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from temporalio.client import Client

from jobctrl.runtime.temporal_server import binary
from jobctrl.runtime.workspace import Workspace
from tests.acceptance.chaos.manifest import Manifest

STARTS_WITHIN = 60.0


def spawn_server(
    manifest: Manifest, workspace: Workspace, port: int, environment: Mapping[str, str], said: Path
) -> subprocess.Popen[bytes]:
    """Start the server over the workspace's own history."""
    flags = [
        f"--dynamic-config-value=history.{name}ProcessorMaxPollRPS=1000" for name in ("transfer", "timer", "visibility")
    ]
    command = [
        *(binary(), "server", "start-dev", "--ip=127.0.0.1", f"--port={port}", "--headless", "--log-level=error"),
        *(f"--db-filename={workspace.temporal_database}", "--sqlite-pragma=journal_mode=wal"),
        *("--sqlite-pragma=synchronous=normal", *flags),
    ]
    return manifest.spawn("temporal server", command, cwd=workspace.path, environment=environment, said=said)


def comes_up(process: subprocess.Popen[bytes], address: str) -> bool:
    """Wait until the server answers, and stays; False when it has ended or does not answer in time."""
    deadline = time.monotonic() + STARTS_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        if asyncio.run(_answers(address)):
            # One of its own parts may have taken the port of another: then it ends a moment after it has answered.
            time.sleep(0.5)
            return process.poll() is None
        time.sleep(0.1)
    return False


async def _answers(address: str) -> bool:
    try:
        async with asyncio.timeout(2):
            client = await Client.connect(address)
            return await client.service_client.check_health()
    except (RuntimeError, TimeoutError):
        return False
