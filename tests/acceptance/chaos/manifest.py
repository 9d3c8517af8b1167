"""The processes that the bench has started, each by its pid and its start time; no other is ever signalled."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

MARK = "JOBCTRL_CHAOS"
"""Every process of a bench, and every child of one, has this variable with the name of its bench."""


_open: list[Manifest] = []


class Foreign(Exception):
    """The bench did not start this process, or the process that it started has ended and the pid is another's now."""


@dataclass(frozen=True)
class Started:
    """One line of the manifest."""

    pid: int
    started: int
    """Clock ticks since the machine's start, as /proc/PID/stat has them: with the pid, the name of one process."""
    what: str
    bench: str


class Manifest:
    """Kept as a file too, so that whoever finds a process can see whose it is."""

    def __init__(self, file: Path, bench: str) -> None:
        self.file = file
        self.bench = bench
        self._started: dict[int, Started] = {}
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        _open.append(self)

    def spawn(
        self, what: str, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], said: Path
    ) -> subprocess.Popen[bytes]:
        """Start *command*; what it says on either stream goes to the end of the file *said*."""
        with said.open("ab") as out:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**environment, MARK: self.bench},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        with self._lock:
            self._children[process.pid] = process
        self._keep(process.pid, what)
        return process

    def adopt(self, pid: int, what: str) -> None:
        """Take in a process that one of ours has started. Raises Foreign when its environment does not say so."""
        try:
            inherited = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError as error:
            raise Foreign(f"There is no process {pid} to take in.") from error
        if f"{MARK}={self.bench}".encode() not in inherited:
            raise Foreign(f"The process {pid} was not started by this bench.")
        self._keep(pid, what)

    def send(self, pid: int, number: int) -> None:
        """Send a signal. Raises Foreign for a process that this bench has not started."""
        entry = self._started.get(pid)
        if entry is None:
            raise Foreign(f"The process {pid} is not in the manifest.")
        try:
            # The descriptor names one process for good: the pid cannot pass to another between the look and the signal.
            handle = os.pidfd_open(pid)
        except ProcessLookupError as error:
            raise Foreign(f"The process {pid} has ended.") from error
        try:
            if start_time(pid) != entry.started:
                raise Foreign(f"The pid {pid} is another process's by now.")
            signal.pidfd_send_signal(handle, number)
        except ProcessLookupError as error:
            raise Foreign(f"The process {pid} has ended.") from error
        finally:
            os.close(handle)

    def end(self, pid: int, number: int = signal.SIGKILL, *, within: float = 30.0) -> None:
        """Signal a process of ours and wait until it has ended; one that does not heed *number* in time is killed."""
        try:
            self.send(pid, number)
            if not self.ended(pid, within=within):
                self.send(pid, signal.SIGKILL)
                self.ended(pid, within=within)
        except Foreign:
            if pid not in self._started:
                raise
            self.ended(pid, within=within)

    def ended(self, pid: int, *, within: float = 0.0) -> bool:
        """Whether the process has ended; waits for it."""
        deadline = time.monotonic() + within
        while self.alive(pid):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def alive(self, pid: int) -> bool:
        """Whether a process of ours runs now."""
        child = self._children.get(pid)
        if child is not None:
            return child.poll() is None
        entry = self._started.get(pid)
        return entry is not None and start_time(pid) == entry.started

    def end_all(self) -> None:
        """Kill what is left of ours."""
        for entry in reversed(list(self._started.values())):
            self.end(entry.pid)

    def _keep(self, pid: int, what: str) -> None:
        started = start_time(pid)
        if started is None:
            return
        entry = Started(pid, started, what, self.bench)
        with self._lock, self.file.open("a", encoding="utf-8") as lines:
            self._started[pid] = entry
            lines.write(json.dumps(asdict(entry)) + "\n")


def end_everything() -> None:
    """Kill what is left of every bench of this process: it is being stopped itself."""
    for manifest in list(_open):
        manifest.end_all()


def start_time(pid: int) -> int | None:
    """When the process was started; None when there is none, or only what is left of one that has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name may hold blanks and brackets: what follows its last bracket is in columns.
    columns = stat[stat.rindex(")") + 2 :].split()
    return None if columns[0] in "ZX" else int(columns[19])
