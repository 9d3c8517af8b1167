"""Kinds of work by the titles they go under, and which are near each other."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from jobctrl.postings.folding import fold
from jobctrl.scoring.cues import pattern
from jobctrl.scoring.model import Seniority

_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_GENERAL = "software"
"""Said beside a narrower kind of work ("Frontend Developer"), it adds nothing."""
_BY_RANK = (
    Seniority.C_LEVEL,
    Seniority.VP,
    Seniority.DIRECTOR,
    Seniority.PRINCIPAL,
    Seniority.STAFF,
    Seniority.LEAD,
    Seniority.SENIOR,
    Seniority.INTERN,
    Seniority.JUNIOR,
    Seniority.MID,
)
"""The order in which levels are looked for: the weightier word of a title counts."""


@lru_cache(maxsize=4096)
def seniority_of(title: str) -> Seniority | None:
    """The level a title states, or None."""
    folded = fold(title)
    return next((level for level in _BY_RANK if pattern(f"level {level.value}").search(folded)), None)


@lru_cache(maxsize=4096)
def families_of(title: str) -> frozenset[str]:
    """The kinds of work that *title* names; the most specific phrases count, and none is guessed."""
    found = _named(_ASIDE.sub(" ", title)) or _named(title)
    specific = found - {_GENERAL}
    return frozenset(specific or found)


def _named(title: str) -> set[str]:
    folded = f" {fold(title)} "
    found: set[str] = set()
    for phrase, family in _phrases():
        if f" {phrase} " in folded:
            found.add(family)
            folded = folded.replace(f" {phrase} ", "  ")
    return found


def every_family() -> tuple[str, ...]:
    """All kinds of work that are known."""
    return tuple(family for family, _ in _table())


def nearness(wanted: frozenset[str], have: frozenset[str]) -> float:
    """1.0 for a kind of work in common, 0.85 for the same under a wider name, 0.6 for near ones, 0.0 for strangers."""
    if wanted & have:
        return 1.0
    for value, pairs in ((0.85, _pairs("=")), (0.6, _pairs("~"))):
        if any((a, b) in pairs for a in wanted for b in have):
            return value
    return 0.0


@cache
def _phrases() -> tuple[tuple[str, str], ...]:
    pairs = [(fold(phrase), family) for family, phrases in _table() for phrase in phrases]
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


@cache
def _pairs(sign: str) -> frozenset[tuple[str, str]]:
    pairs: set[tuple[str, str]] = set()
    for line in _lines():
        if line.startswith(sign):
            a, *others = [part.strip() for part in line[1:].split("/")]
            pairs.update((a, b) for b in others)
            pairs.update((b, a) for b in others)
    return frozenset(pairs)


@cache
def _table() -> tuple[tuple[str, tuple[str, ...]], ...]:
    rows = []
    for line in _lines():
        if line[0] not in "~=":
            family, _, phrases = line.partition(" = ")
            rows.append((family.strip(), tuple(p.strip() for p in phrases.split(","))))
    return tuple(rows)


def _lines() -> list[str]:
    source = (files("jobctrl.scoring") / "roles.txt").read_text(encoding="utf-8")
    return [line.strip() for line in source.splitlines() if line.strip() and not line.startswith("#")]
