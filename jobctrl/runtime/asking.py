"""Short questions to the Temporal server of a workspace, for commands that otherwise need none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar
from zoneinfo import ZoneInfo

from temporalio.client import Client

from jobctrl.errors import TransientNetwork
from jobctrl.runtime.loops import in_a_loop
from jobctrl.runtime.reporting import REPORT_SCHEDULE
from jobctrl.runtime.schedule import SCHEDULE, next_times
from jobctrl.runtime.starting import present_address
from jobctrl.runtime.temporal_server import connect
from jobctrl.runtime.workspace import Workspace
from jobctrl.settings.config import load_settings
from jobctrl.settings.environment import Environment

T = TypeVar("T")
PATIENCE_SECONDS = 5.0


def answer_seconds(workspace: Workspace) -> float:
    """How long the server takes to say that it is well. Raises TransientNetwork when it does not."""

    async def ask(client: Client) -> float:
        began = time.monotonic()
        if not await client.service_client.check_health():
            raise TransientNetwork("The Temporal server says that it is not well.", hint="Start `jobctrl up` again.")
        return time.monotonic() - began

    return _asked(workspace, ask)


def next_discoveries(workspace: Workspace) -> list[datetime]:
    """When the discovery schedule is due next, by its zone's clock. Raises TransientNetwork when nobody answers."""
    return _next(workspace, SCHEDULE)


def next_reports(workspace: Workspace) -> list[datetime]:
    """The same of the weekly report."""
    return _next(workspace, REPORT_SCHEDULE)


def _next(workspace: Workspace, schedule_id: str) -> list[datetime]:
    zone = ZoneInfo(load_settings(workspace.config).schedule_zone)
    return [at.astimezone(zone) for at in _asked(workspace, lambda client: next_times(client, schedule_id))]


def _asked(workspace: Workspace, question: Callable[[Client], Awaitable[T]]) -> T:
    async def ask() -> T:
        environment = Environment()
        address = present_address(workspace, environment)
        if address is None:
            raise TransientNetwork("Nothing runs this workspace now.", hint="Start it with `jobctrl up`.")
        client = await connect(address, environment.temporal_namespace)
        try:
            return await question(client)
        finally:
            # A client that is dropped while its last answer is being delivered can bring the interpreter down at exit.
            await asyncio.sleep(0.05)

    async def in_time() -> T:
        try:
            return await asyncio.wait_for(ask(), PATIENCE_SECONDS)
        except TimeoutError as error:
            raise TransientNetwork(
                f"The Temporal server did not answer within {PATIENCE_SECONDS:g} s.", hint="Start `jobctrl up` again."
            ) from error

    return in_a_loop(in_time())
