"""What a person can meet is in the docs: commands, events, settings, tables, desks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobctrl.apply.events
import jobctrl.outcomes.events
from jobctrl.events import CATALOG
from jobctrl.runtime.tables import TABLES
from jobctrl.settings.environment import Environment
from jobctrl.settings.model import Settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BASES = {"WorkflowFact", "StepFact", jobctrl.events.Event.__name__}


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def commands() -> Iterator[str]:
    import typer

    from jobctrl.cli.app import app

    def walk(command: object, path: tuple[str, ...]) -> Iterator[str]:
        children = getattr(command, "commands", {})
        if path:
            yield " ".join(path)
        for name, child in children.items():
            yield from walk(child, (*path, name))

    yield from walk(typer.main.get_command(app), ())


@pytest.mark.parametrize(
    "name", sorted(n for n, cls in CATALOG.items() if cls.__module__.startswith("jobctrl.") and n not in BASES)
)
def test_every_event_is_in_the_docs(name):
    assert f"`{name}`" in page("events.md")


@pytest.mark.parametrize("name", sorted(table.name for table in TABLES))
def test_every_read_table_is_in_the_docs(name):
    assert f"`{name}`" in page("events.md")


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_in_the_docs(name):
    assert f"`{name}`" in page("settings.md")


@pytest.mark.parametrize("name", sorted(str(field.validation_alias) for field in Environment.model_fields.values()))
def test_every_environment_variable_is_in_the_docs(name):
    assert f"`{name}`" in page("settings.md")


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_is_in_the_docs(name):
    assert f"jobctrl {name}" in page("commands.md")


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "notebooks").glob("*.py")))
def test_every_desk_is_in_the_docs(name):
    assert f"`{name}`" in page("notebooks.md")


def test_links_between_pages_lead_somewhere():
    broken = []
    for source in [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", source.read_text(encoding="utf-8")):
            if not (source.parent / target).exists():
                broken.append(f"{source.relative_to(ROOT)}: {target}")

    assert broken == []


def test_paths_named_in_the_map_exist():
    named = set(re.findall(r"`((?:jobctrl|tests|docs|data|notebooks|bench)/[\w./-]*)`", page("map.md")))
    missing = [path for path in sorted(named) if not (ROOT / path).exists()]

    assert missing == []
