"""The command line, run as a person runs it, on workspaces of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jobctrl.cli import main

ROOT = Path(__file__).resolve().parents[2]
SAMPLE_WEB = f"recorded:{ROOT / 'data' / 'sample_web'}"
PROFILE = ROOT / "data" / "sample_profile.json"
PROGRAM = [sys.executable, "-c", "from jobctrl.cli import main; main()"]
OUTSIDE = ("JOBCTRL_WEB", "TEMPORAL_ADDRESS", "JOBCTRL_TASK_QUEUE", "JOBCTRL_API_HOST", "JOBCTRL_API_PORT")


@dataclass(frozen=True)
class Said:
    """What a command said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        import json

        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def jobctrl(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run one command in this process; its workspace is a new one unless `--workspace` names another."""
    for name in OUTSIDE:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path) -> Said:
        monkeypatch.setenv("JOBCTRL_DIR", str(tmp_path / "workspace"))
        monkeypatch.setattr(sys, "argv", ["jobctrl", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return Said(int(end.value.code or 0), said.out, said.err)

    return run


def program(*arguments: str | Path, workspace: Path) -> Said:
    """Run one command as a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name not in OUTSIDE}
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        env={**environment, "JOBCTRL_DIR": str(workspace)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True)
class Journey:
    """What a newcomer's first commands said, and the workspace they left behind."""

    workspace: Path
    init: Said
    added: Said
    discovered: Said
    again: Said


BOARDS = ("greenhouse:quorlmere", "ashby:quorlmere", "ashby:lumenquarry", "lever:gatewick-mills")


@pytest.fixture(scope="session")
def journey(tmp_path_factory: pytest.TempPathFactory) -> Journey:
    """A profile, four boards, and two Discover runs. Two boards show the same postings, one answers with markup."""
    workspace = tmp_path_factory.mktemp("cli") / "workspace"
    return Journey(
        workspace,
        program("init", "--profile", PROFILE, workspace=workspace),
        program("sources", "add", *BOARDS, workspace=workspace),
        program("discover", "--web", SAMPLE_WEB, "--limit", "3", workspace=workspace),
        program("discover", "--web", SAMPLE_WEB, "--no-prepare", "--json", workspace=workspace),
    )


@pytest.fixture
def searched(journey: Journey, tmp_path: Path, jobctrl: Run) -> Run:
    """Commands on a private copy of the workspace that the journey left."""
    shutil.copytree(journey.workspace, tmp_path / "workspace")
    return jobctrl
