"""Labels against readings: one verdict a label, the same for the corpus and for the project's own case files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

CASES = Path(__file__).parent / "cases"


class Verdict(StrEnum):
    RIGHT = "right"
    MISSED = "missed"
    """The reading is silent where the label states a value."""
    WRONG = "wrong"
    """The reading states what the label does not."""


@dataclass(frozen=True)
class Line:
    """The verdict on one label: a whole line (`field` empty) or one field of it."""

    where: str
    field: str
    verdict: Verdict
    want: Any
    got: Any
    sure: bool = True


class Table(Protocol):
    """One truth table. `lines` reads `<folder>/<name>.jsonl`; files named in it are relative to `root`."""

    name: str

    def lines(self, labels: Path, root: Path) -> Iterable[Line]: ...


@dataclass(frozen=True)
class Score:
    right: int
    missed: int
    wrong: int

    @property
    def total(self) -> int:
        return self.right + self.missed + self.wrong

    def share(self, verdict: Verdict) -> float:
        return getattr(self, verdict.value) / self.total if self.total else 0.0


def score(lines: Iterable[Line]) -> Score:
    counts = Counter(line.verdict for line in lines)
    return Score(counts[Verdict.RIGHT], counts[Verdict.MISSED], counts[Verdict.WRONG])


def labels(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON Lines file, in order."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def judge(want: Any, got: Any, *, accept: Iterable[Any] = ()) -> Verdict:
    """Right when *got* is the wanted or an accepted value, missed when it is silent, wrong otherwise."""
    if got == want or got in tuple(accept):
        return Verdict.RIGHT
    return Verdict.MISSED if got is None else Verdict.WRONG
