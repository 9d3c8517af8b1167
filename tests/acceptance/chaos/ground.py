"""A workspace of the bench with its parts: a server, a worker with faults, commands; each a process of the manifest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from jobctrl.runtime.house import House, open_house
from jobctrl.runtime.temporal_server import free_port
from jobctrl.runtime.workspace import Workspace, workspace_at
from jobctrl.settings.config import change_settings
from tests.acceptance.chaos.faults import happened
from tests.acceptance.chaos.manifest import Foreign, Manifest
from tests.acceptance.chaos.server import STARTS_WITHIN, comes_up, spawn_server
from tests.acceptance.chaos.world import DATA, Web

ROOT = Path(__file__).resolve().parents[3]
JOBCTRL = [sys.executable, "-c", "from jobctrl.cli import main; main()"]


@dataclass
class Ground:
    """Where one scenario takes place. Nothing of it outlives `close`."""

    folder: Path
    web: Web
    manifest: Manifest
    environment: dict[str, str] = field(default_factory=dict)
    port: int = 0
    server: int | None = None
    worker: int | None = None
    faults: int = 0
    """Injected from outside, beside those that the workers have met."""
    canceled_cohort: set[str] = field(default_factory=set)
    """The jobs that a person's cancellation was about."""
    asked_again: set[str] = field(default_factory=set)
    """The jobs for which a person wants another resume beside the one there is."""
    last_fault: float = 0.0
    """When the last fault came from outside, in seconds of the wall clock."""
    calls_cut_off: bool = False
    """Whether paid calls were cut off: then their money stays set aside until it is sure that nobody answers."""

    @property
    def workspace(self) -> Workspace:
        return workspace_at(self.folder / "ws")

    @property
    def marks(self) -> Path:
        return self.folder / "marks"

    @property
    def injected(self) -> int:
        return self.faults + happened(self.marks)

    def fault(self) -> None:
        """Count something that the bench does to the workspace from outside."""
        self.faults += 1
        self.last_fault = time.time()

    @cached_property
    def house(self) -> House:
        """The bench's own eyes on the workspace, in this process."""
        return open_house(self.workspace)

    # The server

    def start_server(self) -> None:
        """The product's server as it starts it, but on an address that stays: it can go and come back alone."""
        for attempt in range(3):
            if not self.port or attempt:
                self.port = free_port()
            if self._server_started():
                return
        raise AssertionError(f"the Temporal server does not start: see {self.folder / 'server.log'}")

    def _server_started(self) -> bool:
        process = spawn_server(self.manifest, self.workspace, self.port, self.variables(), self.folder / "server.log")
        self.server = process.pid
        return comes_up(process, self.address)

    def stop_server(self) -> None:
        assert self.server is not None
        self.manifest.end(self.server)
        self.server = None
        self.fault()

    def lose_history(self) -> None:
        """The server stops, and what it kept is gone when it comes back."""
        self.stop_server()
        for name in ("temporal.db", "temporal.db-wal", "temporal.db-shm"):
            (self.workspace.path / name).unlink(missing_ok=True)
        self.start_server()

    @property
    def address(self) -> str:
        """Where the server answers: the bench's own, or the one that `jobctrl up` has started for itself."""
        return f"127.0.0.1:{self.port}" if self.port else self.workspace.server_address() or ""

    def adopt_server(self) -> None:
        """Take the server that the worker has started for itself into the manifest."""
        self.server = json.loads(self.workspace.server_record.read_text())["pid"]
        self.manifest.adopt(self.server, "temporal server of the worker")

    # The worker

    def start_worker(self, *faults: str) -> None:
        """`jobctrl up` on the server of this ground, with faults in it. It may die of one before it has said a word."""
        words = [word for fault in faults for word in ("--fault", fault)]
        said = self.folder / "worker.log"
        before = said.stat().st_size if said.exists() else 0
        process = self.manifest.spawn(
            "worker",
            [sys.executable, "-m", "tests.acceptance.chaos.worker", "--marks", str(self.marks), *words],
            cwd=ROOT,
            environment=self.variables(),
            said=said,
        )
        self.worker = process.pid
        deadline = time.monotonic() + STARTS_WITHIN
        while b"Temporal answers at" not in said.read_bytes()[before:]:
            if process.poll() == -signal.SIGKILL:
                return
            assert process.poll() is None, said.read_bytes()[before:].decode()[-600:]
            assert time.monotonic() < deadline, "the worker does not come up"
            time.sleep(0.05)

    def try_worker(self) -> None:
        """Start a worker where it cannot come up; it ends with a word about it."""
        with suppress(AssertionError):
            self.start_worker()

    def kill_worker(self) -> None:
        assert self.worker is not None
        self.manifest.end(self.worker)
        self.fault()

    def stop_worker(self) -> None:
        """In good order, as Ctrl-C does."""
        assert self.worker is not None
        self.manifest.end(self.worker, signal.SIGINT)

    def worker_runs(self) -> bool:
        return self.worker is not None and self.manifest.alive(self.worker)

    def keep_a_worker(self, *faults: str) -> None:
        """Start the worker again when it has died, as whoever looks after a machine would."""
        if not self.worker_runs():
            self.start_worker(*faults)

    def restart_worker_when_it_dies(self, within: float = 90.0, *faults: str) -> None:
        """Wait for the fault that kills the worker, and start it again with *faults*."""
        assert self.worker is not None
        assert self.manifest.ended(self.worker, within=within), "the fault did not kill the worker"
        self.start_worker(*faults)

    # Commands

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One `jobctrl` command, run to its end."""
        return self.run(f"jobctrl {words[0]}", *JOBCTRL, *words)

    def run(self, what: str, *command: str) -> subprocess.CompletedProcess[str]:
        """A program, run to its end. What it says on stdout is kept apart from the rest."""
        name = f"command-{uuid.uuid4().hex[:8]}"
        out, err = self.folder / f"{name}.out", self.folder / f"{name}.err"
        process = self.manifest.spawn(
            what,
            ["/bin/sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", str(out), *command],
            cwd=ROOT,
            environment=self.variables(),
            said=err,
        )
        code = process.wait(timeout=300)
        said = out.read_text(encoding="utf-8") if out.exists() else ""
        return subprocess.CompletedProcess(command, code, said, err.read_text(errors="replace"))

    def asked(self, *words: str) -> Any:
        """The JSON that a command prints."""
        done = self.command(*words, "--json")
        assert done.returncode == 0, f"{words}: {done.stderr[-1000:]}"
        return json.loads(done.stdout)

    def begin(self, *words: str) -> int:
        """A command that goes on by itself, and that may end in an error when the worker dies under it."""
        return self.manifest.spawn(
            f"jobctrl {words[0]}",
            [*JOBCTRL, *words],
            cwd=ROOT,
            environment=self.variables(),
            said=self.folder / "begun.log",
        ).pid

    def configure(self, **changes: Any) -> None:
        change_settings(self.workspace.config, changes)

    def discover(self, *more: str) -> None:
        self.begin("discover", "--web", self.web.mode, *more)

    def close(self) -> None:
        if self.workspace.server_record.exists():
            with suppress(Foreign):
                self.adopt_server()
        self.manifest.end_all()
        if "house" in self.__dict__:
            self.house.close()

    def variables(self) -> Mapping[str, str]:
        """The environment of every process of this ground."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("JOBCTRL_", "TEMPORAL_"))}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        ours = {"JOBCTRL_DIR": str(self.workspace.path), "TEMPORAL_ADDRESS": self.address if self.port else ""}
        return {**kept, **{name: value for name, value in ours.items() if value}, **self.environment}


def prepared_ground(folder: Path, web: Web, **settings: Any) -> Ground:
    """A fresh workspace with a profile and settings; nothing runs yet."""
    folder.mkdir(parents=True, exist_ok=True)
    ground = Ground(folder, web, Manifest(folder / "manifest.jsonl", f"chaos-{uuid.uuid4().hex[:12]}"))
    ground.marks.mkdir()
    done = ground.command("init", "--profile", str(DATA / "sample_profile.json"))
    assert done.returncode == 0, done.stderr
    if settings:
        ground.configure(**settings)
    return ground
