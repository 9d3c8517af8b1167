"""The command line starts fast, and what it can do is written down."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest
import typer.main

from jobctrl.cli.app import app
from tests.cli.conftest import ROOT, Run

HEAVY = ("temporalio", "duckdb", "polars", "marimo", "anthropic", "openai", "pandas", "pydantic", "rich", "sqlite3")
HELP = {"sources", "jobs", "explain"}


def commands(group: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in sorted(getattr(group, "commands", {}).items()):
        yield (*path, name), command
        yield from commands(command, (*path, name))


ALL = dict(commands(typer.main.get_command(app)))


def test_nothing_heavy_is_imported_before_a_command_runs() -> None:
    code = f"import sys, jobctrl.cli; print([name for name in {HEAVY} if name in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_explains_itself(jobctrl: Run, path: tuple[str, ...]) -> None:
    said = jobctrl(*path, "--help")

    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: jobctrl {' '.join(path)}")


@pytest.mark.parametrize("path", [path for path in ALL if path != ("explain",)], ids=" ".join)
def test_every_command_speaks_json(path: tuple[str, ...]) -> None:
    assert "--json" in {option for parameter in ALL[path].params for option in parameter.opts}


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_has_its_section_with_an_example(path: tuple[str, ...]) -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    heading = f"{'#' * (1 + len(path))} jobctrl {' '.join(path)}\n"

    assert heading in page
    section = page.split(heading)[1].split("\n## ")[0].split("\n### ")[0]
    assert f"jobctrl {' '.join(path)}" in section or path == ("explain",)


def test_every_section_is_about_a_command() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    written = {line.lstrip("# ") for line in page.splitlines() if line.startswith("#") and "jobctrl " in line}

    assert written == {f"jobctrl {' '.join(path)}" for path in ALL}


@pytest.mark.parametrize("arguments", [(), ("explain",)])
def test_without_a_command_the_help_is_shown(jobctrl: Run, arguments: tuple[str, ...]) -> None:
    said = jobctrl(*arguments)

    assert (said.code, said.err) == (0, "")
    assert "Commands:" in said.out
