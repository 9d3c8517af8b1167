"""Cues: which words tell what a statement is about. They are data, in `cues.txt`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from jobctrl.scoring.terms import words_of


def speaks_of(cue: str, text: str) -> bool:
    """Whether *text* holds a cue of that name; its single words are looked for first when there are any."""
    gate = words(cue)
    return not (gate and gate.isdisjoint(words_of(text))) and pattern(cue).search(text) is not None


@cache
def pattern(cue: str) -> re.Pattern[str]:
    """Any of the alternatives, as whole words."""
    return re.compile(rf"\b(?:{'|'.join(_cues()[cue])})(?!\w)", re.IGNORECASE)


@cache
def opening(cue: str) -> re.Pattern[str]:
    """Any of the alternatives at the beginning of a statement."""
    return re.compile(rf"^\W*(?:{'|'.join(_cues()[cue])})\b", re.IGNORECASE)


@cache
def words(cue: str) -> frozenset[str]:
    """The single words of that name; empty when there are none."""
    return frozenset(_cues().get(f"words: {cue}", ()))


@cache
def _cues() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in (files("jobctrl.scoring") / "cues.txt").read_text(encoding="utf-8").splitlines():
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if entry.startswith("[") and entry.endswith("]") and " / " not in entry:
            name = entry[1:-1]
            continue
        parts = entry.split() if name.startswith("words: ") else entry.split(" / ")
        found.setdefault(name, []).extend(part.strip() for part in parts if part.strip())
    return {cue: tuple(parts) for cue, parts in found.items()}
