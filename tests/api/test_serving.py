"""The API as a program of its own: its port, its token, its stream over a real connection."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from jobctrl.api.guard import COOKIE
from jobctrl.api.serving import listen
from jobctrl.api.token import api_token
from jobctrl.errors import ConfigurationError, WorkspaceError
from tests.api.searches import JOBS, opened

PROGRAM = [sys.executable, "-c", "from jobctrl.cli import main; main()"]


@contextmanager
def served(workspace: Path, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a real `jobctrl api`."""
    environment = {**os.environ, "JOBCTRL_DIR": str(workspace)}
    process = subprocess.Popen(
        [*PROGRAM, "api", "--port", "0", *options], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        said = process.stderr.readline()
        found = re.search(r"http://\S+?:\d+", said)
        assert found, said + process.stderr.read()
        yield found[0], process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def ids_of(address: str, token: str, count: int, **headers: str) -> list[int]:
    """The ids of the next *count* events."""
    found: list[int] = []
    with httpx.stream(
        "GET", f"{address}/v1/events/stream", headers={"Authorization": f"Bearer {token}", **headers}, timeout=10
    ) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for line in answer.iter_lines():
            if line.startswith("id: "):
                found.append(int(line[4:]))
            if len(found) == count:
                break
    return found


def test_a_stream_is_resumed_where_it_broke_off(workspace: Path) -> None:
    with served(workspace) as (address, process):
        token = (workspace / "api-token").read_text()
        first = ids_of(address, token, 4, **{"Last-Event-ID": "0"})
        # What is recorded while nobody listens, by another process, is not lost.
        with opened(workspace) as (operator, _):
            operator.dismiss_job(JOBS[2])
            last = operator.store.position()
        second = ids_of(address, token, last - 4, **{"Last-Event-ID": str(first[-1])})

        assert first + second == list(range(1, last + 1))
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0


def test_an_open_desk_does_not_keep_the_server_from_ending(workspace: Path) -> None:
    with served(workspace) as (address, process):
        desk, token = f"{address}/desk/jobs", (workspace / "api-token").read_text()
        with httpx.Client(follow_redirects=True, timeout=30) as browser:
            assert browser.get(f"{desk}/").status_code == 401
            page = browser.get(f"{desk}/", params={"token": token})
            ours = {"Cookie": f"{COOKIE}={browser.cookies[COOKIE]}", "Origin": address}
        assert (page.status_code, "<title>" in page.text) == (200, True)
        with connect(f"{desk.replace('http', 'ws')}/ws?session_id=s_test01", additional_headers=ours) as kernel:
            while "completed-run" not in str(kernel.recv(timeout=30)):
                continue

            process.send_signal(signal.SIGINT)

            assert process.wait(timeout=20) == 0


def test_it_says_where_it_answers_and_keeps_its_logs_off_the_terminal(workspace: Path) -> None:
    with served(workspace) as (address, process):
        assert httpx.get(f"{address}/v1/health").json()["ok"] is True
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)

        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "example.org", ""])
def test_another_machine_is_never_served(host: str) -> None:
    with pytest.raises(ConfigurationError, match="this machine only"):
        listen(host, 0)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.8.8.8"])
def test_this_machine_is_served(host: str) -> None:
    with listen(host, 0) as listening:
        assert listening.getsockname()[1] > 0


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=f"{port} is taken") as caught:
            listen("127.0.0.1", port)

    assert "--port" in (caught.value.hint or "")


def test_a_port_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot be listened on"):
        listen("127.0.0.1", 70_000)


def test_the_token_is_made_once_and_is_the_owners_alone(tmp_path: Path) -> None:
    first, again = api_token(tmp_path / "api-token"), api_token(tmp_path / "api-token")

    assert first == again
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}", first)
    assert stat.S_IMODE((tmp_path / "api-token").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["api-token"]


@pytest.mark.parametrize("kept", [b"", b"short\n", b"\xff" * 50])
def test_a_damaged_token_is_never_used(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "api-token").write_bytes(kept)

    with pytest.raises(WorkspaceError, match="token") as caught:
        api_token(tmp_path / "api-token")

    assert caught.value.hint


def test_runs_go_to_the_host_of_the_moment(workspace: Path) -> None:
    from jobctrl.errors import TransientNetwork
    from jobctrl.runtime import open_operator

    operator = open_operator(workspace)
    try:
        with pytest.raises(TransientNetwork, match="Nothing runs this workspace"):
            operator.cancel_run("discover")
    finally:
        operator.close()
