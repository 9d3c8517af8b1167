"""What a person has picked at a desk, kept while tables and controls are made anew around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import polars as pl

from jobctrl.operations.saved_filters import BoardFilter, SavedFilter

T = TypeVar("T")


@dataclass
class Once(Generic[T]):
    """What is opened when it is needed first, and then kept, however often a desk is made anew around it."""

    opens: Callable[[], T]
    opened: T | None = None

    def __call__(self) -> T:
        """Raises what opening raises, and opens again the next time."""
        if self.opened is None:
            self.opened = self.opens()
        return self.opened


@dataclass
class Picked:
    """The rows of a list by their ids. A table made anew begins with those of them that it still holds."""

    key: str = "job_id"
    ids: tuple[str, ...] | None = None
    row: int = 0
    """Where the first of them stood."""
    part: str | None = None
    """The part of the open one that is looked at."""

    def keep(self, frame: pl.DataFrame, chosen: Sequence[str]) -> None:
        """Remember what was picked in the table of *frame*. Nothing picked is remembered where there was a choice."""
        if frame.is_empty() or (not chosen and not self.rows(frame)):
            return
        self.ids = tuple(chosen)
        rows = frame[self.key].is_in(self.ids).arg_true()
        if len(rows):
            self.row = int(rows[0])

    def rows(self, frame: pl.DataFrame) -> list[int]:
        """Those that are still there; the first row before anything was picked."""
        if frame.is_empty():
            return []
        if self.ids is None:
            return [0]
        return frame[self.key].is_in(self.ids).arg_true().to_list()

    def rows_or_next(self, frame: pl.DataFrame) -> list[int]:
        """The same, or what has taken their place: who decides on one job goes on with the next."""
        if frame.is_empty() or self.ids == ():
            return []
        return self.rows(frame) or [min(self.row, len(frame) - 1)]

    def skip(self, frame: pl.DataFrame) -> None:
        """Pick the row behind the first that was picked; after the last the first."""
        if not frame.is_empty():
            self.row = (self.row + 1) % len(frame)
            self.ids = (str(frame[self.key][self.row]),)


HEADS = {
    "fit_score": "score",
    "fit_band": "band",
    "discovered_at": "found",
    "active_state": "posting",
    "current_stage": "stage",
    "current_state": "state",
    "error_code": "error",
    "has_pdf": "PDF",
    "applied_at": "applied",
    "source_id": "source",
    "observations": "seen at",
    "feedback": "you",
    "snoozed_until": "put off until",
    "simulated": "made up",
}


def headed(frame: pl.DataFrame) -> pl.DataFrame:
    """*frame* under the words that a person reads above a list of jobs. Its `job_id` keeps its name."""
    return frame.rename({name: head for name, head in HEADS.items() if name in frame.columns})


FACETS = {
    "bands": "band",
    "states": "state",
    "sources": "source",
    "countries": "country",
    "modes": "mode",
    "pays": "pay",
    "ages": "age",
}
"""The parts of a filter that are chosen from values, and the facet that counts them."""
LABELS = {
    "bands": "Score",
    "states": "State",
    "sources": "Source",
    "countries": "Place",
    "modes": "Mode",
    "pays": "Pay",
    "ages": "Age",
}


@dataclass
class Filtering:
    """The filter that stands at a desk. Choosing a saved one puts it in its place; typing goes on from there."""

    filter: BoardFilter = field(default_factory=BoardFilter)
    name: str | None = None

    def choose(self, name: str | None, saved: Sequence[SavedFilter]) -> BoardFilter:
        """The filter that the controls begin with when *name* is chosen; with the same name, what was typed since."""
        if name != self.name:
            self.name = name
            self.filter = next((each.filter for each in saved if each.name == name), BoardFilter())
        return self.filter


def options(counts: pl.DataFrame, part: str, chosen: Sequence[str]) -> dict[str, str]:
    """The values of one facet under what a person reads, with how many jobs have each. What is chosen is never left
    out."""
    of = counts.filter(facet=FACETS[part])
    known = dict(zip(of["value"].to_list(), of["jobs"].to_list(), strict=True))
    found = {**known, **{value: 0 for value in chosen if value not in known}}
    return {f"{spelled(part, value)} ({jobs:,})": value for value, jobs in found.items()}


def labels_of(offered: Mapping[str, str], chosen: Sequence[str]) -> list[str]:
    """The options that stand for the chosen values."""
    return [label for label, value in offered.items() if value in chosen]


def counted(counts: pl.DataFrame, *, most: int = 6) -> list[tuple[str, str]]:
    """Each facet with its most frequent values and their counts, in words."""
    told = []
    for part, facet in FACETS.items():
        of = counts.filter(facet=facet)
        values = [f"{spelled(part, value)} {jobs:,}" for value, jobs in of.select("value", "jobs").head(most).rows()]
        more = f" · {len(of) - most} more" if len(of) > most else ""
        told.append((LABELS[part], " · ".join(values) + more))
    return told


def spelled(part: str, value: str) -> str:
    """A value as a person reads it: countries by name, marks as blanks."""
    if part == "countries" and value != "unknown":
        import pycountry

        country = pycountry.countries.get(alpha_2=value)
        return str(country.name) if country else value
    return value if part == "sources" else value.replace("_", " ")
