"""Every desk opens on a demo, an empty and a missing workspace, and opening it writes nothing."""

from __future__ import annotations

import ast
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.notebooks.conftest import DESKS, desk, reads


def recorded(workspace: Path) -> tuple[int, int]:
    """How many facts and contents the workspace holds."""
    with closing(sqlite3.connect(workspace / "jobctrl.db")) as connection:
        row: tuple[int, int] = connection.execute(
            "SELECT (SELECT COALESCE(MAX(position), 0) FROM job_events), (SELECT COUNT(*) FROM contents)"
        ).fetchone()
    return row


@pytest.mark.parametrize("name", DESKS)
def test_opening_a_desk_shows_something_and_records_nothing(name, demo_like, monkeypatch):
    monkeypatch.setenv("JOBCTRL_DIR", str(demo_like))
    before = recorded(demo_like)

    outputs, defined = desk(name).app.run()

    assert recorded(demo_like) == before
    assert reads(defined)
    assert sum(output is not None for output in outputs) >= 4


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_over_an_empty_workspace_opens_and_records_nothing(name, empty, monkeypatch):
    monkeypatch.setenv("JOBCTRL_DIR", str(empty))

    outputs, defined = desk(name).app.run()

    assert reads(defined)
    assert any(output is not None for output in outputs)
    assert recorded(empty) == (0, 0)


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_over_no_workspace_says_so(name, tmp_path, monkeypatch):
    monkeypatch.setenv("JOBCTRL_DIR", str(tmp_path / "nowhere"))

    outputs, _ = desk(name).app.run()

    assert any("jobctrl init" in getattr(output, "text", "") for output in outputs)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_reaches_for_analytics_the_operator_and_the_runtime_alone(name):
    tree = ast.parse((ROOT / "notebooks" / f"{name}.py").read_text())
    taken = {
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("jobctrl")
    }

    allowed = ("jobctrl.analytics", "jobctrl.operator", "jobctrl.runtime")
    assert all(module.startswith(allowed) for module in taken if module)


def test_marimo_finds_nothing_to_say_about_the_desks():
    checked = subprocess.run(
        [sys.executable, "-m", "marimo", "check", "--strict", *(f"notebooks/{name}.py" for name in DESKS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
