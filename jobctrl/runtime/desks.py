"""Which desks there are. Each says on its first line what it is for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
HOME = "home"
"""The desk that a person begins at."""


@dataclass(frozen=True)
class DeskFile:
    name: str
    path: Path
    title: str
    says: str


def desks() -> list[DeskFile]:
    """Every desk, the first one to begin at, the others by name."""
    found = [_desk(path) for path in sorted(NOTEBOOKS.glob("*.py"))]
    return sorted(found, key=lambda desk: (desk.name != HOME, desk.name))


def _desk(path: Path) -> DeskFile:
    with path.open(encoding="utf-8") as file:
        title, _, says = file.readline().lstrip("# ").strip().partition(": ")
    return DeskFile(path.stem, path, title or path.stem, says)
