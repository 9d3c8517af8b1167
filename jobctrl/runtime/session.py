"""A running workspace: its server and its worker, ours for the time of a command or somebody else's `up`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from temporalio.client import Client
from temporalio.worker import Worker

from jobctrl.errors import TransientNetwork
from jobctrl.operations.board import open_runs
from jobctrl.operator import Operator, Started
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.automatic import preparing
from jobctrl.runtime.beating import abandoned_threads, beating
from jobctrl.runtime.blocking import BlockingPool
from jobctrl.runtime.house import House, open_house
from jobctrl.runtime.logs import WORKER_LOG, logging_to
from jobctrl.runtime.periodic import periodic
from jobctrl.runtime.reconciling import prove_all, reconciling
from jobctrl.runtime.schedule import scheduling
from jobctrl.runtime.starting import Starter, TemporalDispatch
from jobctrl.runtime.telemetry import Inventory
from jobctrl.runtime.temporal_server import START_SECONDS, TemporalServer, connect
from jobctrl.runtime.wiring import activities, operator_of
from jobctrl.runtime.worker import build_worker
from jobctrl.runtime.workspace import hosting, is_hosted, named_workspace, workspace_at
from jobctrl.settings.environment import Environment

POLL_SECONDS = 0.1
WATCH_SECONDS = 1.0


@dataclass
class Session:
    """What a command works with while the workspace runs."""

    house: House
    operator: Operator
    address: str
    client: Client
    hosted: bool = False
    """Whether another process runs the workspace."""

    async def ended(self, started: Started, progress: Callable[[], None] = lambda: None) -> Run:
        """Wait for one exact run to end, by its own terminal fact; *progress* is called now and then.

        Raises TransientNetwork when the process that runs the workspace has gone.
        """
        while True:
            with self.house.store.reader() as connection:
                run = WORKFLOW_RUNS.get(connection, started.workflow_id, started.run_id)
            if run is not None and run.status != "in_progress":
                return run
            await self._pause(progress)

    async def idle(self, progress: Callable[[], None] = lambda: None) -> None:
        """Wait until no preparation run is open."""
        while True:
            with self.house.store.reader() as connection:
                if open_runs(connection, "JobPreparationWorkflow") == 0:
                    return
            await self._pause(progress)

    async def _pause(self, progress: Callable[[], None]) -> None:
        if self.hosted and not is_hosted(self.house.workspace):
            raise TransientNetwork(
                "The process that ran this workspace has ended.",
                hint="Start it again with `jobctrl up`: what was under way goes on there.",
            )
        progress()
        await asyncio.sleep(POLL_SECONDS)


@asynccontextmanager
async def running(path: Path, environment: Environment, *, host: bool = False) -> AsyncIterator[Session]:
    """The workspace, running. An `up` that runs it already is used, unless *host* says to be that process.

    Raises WorkspaceBusy when *host* is wanted and somebody else hosts it.
    """
    async with AsyncExitStack() as stack:
        house = open_house(workspace_at(path))
        stack.callback(house.close)
        stack.enter_context(logging_to(house.workspace.logs / WORKER_LOG))
        hosted = not host and is_hosted(house.workspace)
        if hosted:
            address, client = await _join(house, environment)
        else:
            stack.enter_context(hosting(house.workspace))
            address = await _server(house, environment, stack)
            client = await connect(address, environment.temporal_namespace)
            await stack.enter_async_context(_worker(house, client, environment))
            await stack.enter_async_context(reconciling(house, client))
            await stack.enter_async_context(scheduling(house, client, environment))
            if host:
                # A command that brings its own worker does what it was asked for, and nothing else.
                await stack.enter_async_context(preparing(house, client, environment))
        dispatch = TemporalDispatch(house.workspace, house.store, environment)
        yield Session(house, operator_of(house, dispatch), address, client, hosted)
        if not host and not hosted:
            await prove_all(house, client)
        # Let the client's last answers arrive before it is dropped.
        await asyncio.sleep(0.3)


async def serve_worker(
    path: Path, environment: Environment, stop: asyncio.Event, ready: Callable[[], None] = lambda: None
) -> None:
    """A worker in its own process, for a server that runs elsewhere, until *stop* is set; *ready* is called once."""
    house = open_house(workspace_at(path))
    try:
        address = environment.temporal_address or house.workspace.server_address()
        client = await connect(address or "", environment.temporal_namespace)
        with logging_to(house.workspace.logs / WORKER_LOG):
            async with (
                _worker(house, client, environment),
                reconciling(house, client),
                preparing(house, client, environment),
            ):
                ready()
                await stop.wait()
    finally:
        house.close()


async def _join(house: House, environment: Environment) -> tuple[str, Client]:
    """The server of the process that hosts the workspace, which may be starting it just now."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        address = environment.temporal_address or house.workspace.server_address() or ""
        try:
            return address, await connect(address, environment.temporal_namespace)
        except TransientNetwork:
            if time.monotonic() > deadline or not is_hosted(house.workspace):
                raise
        await asyncio.sleep(POLL_SECONDS)


async def _server(house: House, environment: Environment, stack: AsyncExitStack) -> str:
    if environment.temporal_address:
        return environment.temporal_address
    server = TemporalServer(house.workspace)
    stack.callback(server.stop)
    address = await server.start()
    await stack.enter_async_context(periodic("the server", server.keep, every=WATCH_SECONDS))
    return address


@asynccontextmanager
async def _worker(house: House, client: Client, environment: Environment) -> AsyncIterator[Worker]:
    slots = house.settings.worker_activity_slots
    pool = BlockingPool(slots, abandoned=abandoned_threads(house.store))
    inventory = Inventory(house.store.clock)
    starter = Starter(client, house.store, environment.task_queue)
    worker = build_worker(
        client,
        task_queue=environment.task_queue,
        activities=activities(house, pool, starter.prepare),
        workspace=house.store.workspace_id,
        slots=slots,
        inventory=inventory,
    )
    queue, threads = environment.task_queue, pool.threads
    try:
        async with beating(house.store, client, inventory, task_queue=queue, slots=slots, threads=threads), worker:
            yield worker
    finally:
        pool.close()


def open_operator(path: Path | None = None) -> Operator:
    """The Operator of a workspace (`JOBCTRL_DIR`, else `~/.jobctrl`). Its runs go to whatever runs the workspace.

    Raises WorkspaceError when there is no workspace.
    """
    environment = Environment()
    house = open_house(workspace_at(path) if path else named_workspace())
    dispatch = TemporalDispatch(house.workspace, house.store, environment)
    return operator_of(house, dispatch)


def workspace_path() -> Path:
    """The folder of the workspace the environment names."""
    return named_workspace().path
