"""`jobctrl` in processes of its own, as a person starts it and as a crash ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data"
COMMAND = [sys.executable, "-c", "from jobctrl.cli import main; main()"]
PATIENCE = 120.0


def environment(workspace: Path, **more: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("JOBCTRL_", "TEMPORAL_"))}
    return {**inherited, "JOBCTRL_DIR": str(workspace), **more}


def jobctrl(workspace: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """One command, run to its end."""
    return subprocess.run(
        [*COMMAND, *words], cwd=ROOT, env=environment(workspace, **more), capture_output=True, text=True, timeout=300
    )


@dataclass
class Up:
    """A running `jobctrl up`."""

    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def kill(self) -> None:
        """As a crash or the kernel would: no goodbye."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """As Ctrl-C would; returns the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


@contextmanager
def up(workspace: Path) -> Iterator[Up]:
    """`jobctrl up`, from when it says that it runs."""
    with subprocess.Popen(
        [*COMMAND, "up"], cwd=ROOT, env=environment(workspace), stderr=subprocess.PIPE, text=True
    ) as process:
        running = Up(process)
        ready = threading.Event()

        def listen() -> None:
            assert process.stderr is not None
            for line in process.stderr:
                running.said.append(line)
                if "Temporal answers at" in line:
                    ready.set()
            ready.set()

        threading.Thread(target=listen, daemon=True).start()
        assert ready.wait(PATIENCE)
        assert process.poll() is None, "".join(running.said)
        try:
            yield running
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def starting(workspace: Path) -> Iterator[None]:
    """`jobctrl up`, from the first moment; stopped in good order at the end."""
    with subprocess.Popen(
        [*COMMAND, "up"], cwd=ROOT, env=environment(workspace), stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            yield
        finally:
            Up(process).stop()


def until(seen: Callable[[], bool]) -> None:
    """Wait until *seen*; fails when that takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.02)


class Gate:
    """A file that whoever reads it waits at, until the gate is opened."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._content = file.read_bytes()
        self._end: int | None = None
        file.unlink()
        os.mkfifo(file)

    def wait_for_a_reader(self) -> None:
        until(self._has_a_reader)

    def _has_a_reader(self) -> bool:
        try:
            self._end = os.open(self._file, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return False
        return True

    def open(self, *, hand_over: bool) -> None:
        """Let the next readers in; *hand_over* gives the one that waits what it waits for."""
        assert self._end is not None
        if hand_over:
            os.set_blocking(self._end, True)
            os.write(self._end, self._content)
        os.close(self._end)
        self._file.unlink()
        self._file.write_bytes(self._content)


def kill_process(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    """Whether the process runs; one that ended and was not waited for does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
