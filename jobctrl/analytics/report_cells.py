"""The cells of a report's tables as a person reads them: a number with its interval, a dash for what is unknown."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import polars as pl

from jobctrl.analytics.sections import Section

ROWS = 15
"""As many rows stand in the text; all of them are in the data beside it."""
UNKNOWN = "–"
_SHARES = ("rate", "probability", "share", "before", "now")
_PLAIN_ENDS = ("rate", "probability", "now")


@dataclass(frozen=True)
class Column:
    heading: str
    is_number: bool


@dataclass(frozen=True)
class Shown:
    """A section's table in words."""

    columns: list[Column]
    rows: list[list[str]]
    more: int
    """Rows that are only in the data."""


def shown(section: Section) -> Shown:
    """The table of *section*: its columns for the page, each number together with the interval it came with."""
    frame = section.frame.select(section.shown) if section.shown else section.frame
    measured = [name for name, kind in frame.schema.items() if kind.is_float()]
    ends = {name: found for name in measured if (found := _interval(name, section.frame.columns))}
    merged = {end for pair in ends.values() for end in pair}
    names = [name for name in frame.columns if name not in merged]
    columns = [
        Column(name.replace("_", " ") + (" (95%)" if name in ends else ""), section.frame.schema[name].is_numeric())
        for name in names
    ]
    rows = [
        [_told(row, name, ends.get(name)) for name in names] for row in section.frame.head(ROWS).iter_rows(named=True)
    ]
    return Shown(columns, rows, max(0, len(frame) - ROWS))


def _interval(name: str, columns: Collection[str]) -> tuple[str, str] | None:
    """The columns of the interval of *name*, by the ways in which questions name them."""
    stems = [name.removesuffix("_rate").removesuffix("_each"), name.partition("_")[0] if name[:5] == "mean_" else name]
    pairs = [(f"{stem}_low", f"{stem}_high") for stem in stems if f"{stem}_each" not in columns or stem != name]
    if name in _PLAIN_ENDS:
        pairs.append(("low", "high"))
    return next((pair for pair in pairs if pair[0] in columns and pair[1] in columns), None)


def _told(row: dict[str, Any], name: str, ends: tuple[str, str] | None) -> str:
    value = cell(row[name], name)
    if ends is None or row[name] is None:
        return value
    low, high = (cell(row[end], name) for end in ends)
    return f"{value} ({low} to {high})"


def cell(value: Any, column: str) -> str:
    """*value* in words; a missing one is a dash, never a zero."""
    match value:
        case None:
            return UNKNOWN
        case bool():
            return "yes" if value else "no"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case date():
            return value.isoformat()
        case float() if "usd" in column:
            return f"${value:,.4f}" if abs(value) < 1 else f"${value:,.2f}"
        case float() if column in _SHARES or "_rate" in column:
            return f"{value:.1%}"
        case float():
            return f"{value:,.3f}".rstrip("0").rstrip(".")
        case int() if "position" not in column:
            return f"{value:,}"
        case list():
            return ", ".join(cell(each, column) for each in value)
        case _:
            return str(value)


def made_up(frame: pl.DataFrame) -> bool:
    """Whether *frame* rests on made-up applications."""
    return "simulated" in frame.columns and bool(frame["simulated"].any())
