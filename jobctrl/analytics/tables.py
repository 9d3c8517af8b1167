"""What the warehouse holds: each table with its typed columns and their meaning, read from `tables.txt`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import polars as pl

from jobctrl.store import script

_HEAD = re.compile(r"\[(\w+) \| (\w+) \| (fact|dimension): ([\w ]+)\] (.+)")
_RAW: dict[str, Any] = {"integer": pl.Int64, "flag": pl.Int64, "number": pl.Float64}
_TYPED: dict[str, Any] = {
    "text": pl.String,
    "integer": pl.Int64,
    "number": pl.Float64,
    "flag": pl.Boolean,
    "moment": pl.Datetime("ms", "UTC"),
    "day": pl.Date,
}
_TOLD_BY_PEOPLE = frozenset({"applied_at", "replied_at", "interview_at", "offer_at", "rejected_at"})
"""Moments that came in from outside, in any ISO 8601 notation; the log writes its own in one."""

CANONICAL = {"discovery_receipts": "recorded_at"}
"""Tables that are no fold of the log, and the column that says when a row was written; rows are only ever added."""


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    says: str


@dataclass(frozen=True)
class Table:
    name: str
    kept: str
    """The column whose values the log's new facts name, so that only its rows are read again; `whole` when all are
    read again; `facts` when rows are only ever added."""
    role: str
    """Of the star: a fact, or a dimension that facts are grouped by."""
    key: tuple[str, ...]
    """No two rows have the same."""
    says: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> dict[str, Any]:
        return {column.name: _TYPED[column.kind] for column in self.columns}

    @property
    def select(self) -> str:
        """The rows of the read table of this name, in the shape that `frame` takes."""
        parts = (
            f"strftime('%Y-%m-%dT%H:%M:%fZ', {name}) AS {name}" if name in _TOLD_BY_PEOPLE else name
            for name in (column.name for column in self.columns)
        )
        return f"SELECT {', '.join(parts)} FROM {self.name}"

    def frame(self, rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
        """SQLite's rows with the warehouse's types. What is no moment or day by its notation becomes null."""
        raw = {column.name: _RAW.get(column.kind, pl.String) for column in self.columns}
        return pl.DataFrame(rows, schema=raw, orient="row").with_columns(
            _typed(column) for column in self.columns if column.kind in ("flag", "moment", "day")
        )


def _typed(column: Column) -> pl.Expr:
    value = pl.col(column.name)
    match column.kind:
        case "moment":
            return value.str.to_datetime("%Y-%m-%dT%H:%M:%S%.3fZ", time_unit="ms", time_zone="UTC", strict=False)
        case "day":
            return value.str.to_date("%Y-%m-%d", strict=False)
        case _:
            return value.cast(pl.Boolean)


@cache
def tables() -> tuple[Table, ...]:
    """Every table of the warehouse."""
    found: list[Table] = []
    for line in script("jobctrl.analytics", "tables.txt").splitlines():
        if head := _HEAD.fullmatch(line):
            found.append(Table(head[1], head[2], head[3], tuple(head[4].split()), head[5], ()))
        elif line.startswith("["):
            raise ValueError(f"{line!r} is not [table | how it is kept | fact or dimension: its key] what a row is")
        elif line and not line.startswith("#"):
            name, kind, says = line.split(maxsplit=2)
            last = found.pop()
            found.append(replace(last, columns=(*last.columns, Column(name, kind, says))))
    return tuple(found)


def table(name: str) -> Table:
    return next(each for each in tables() if each.name == name)


def data_dictionary() -> list[dict[str, Any]]:
    """The tables, their columns and what each means, as plain data."""
    return [
        {
            "table": each.name,
            "role": each.role,
            "key": list(each.key),
            "says": each.says,
            "columns": [{"name": c.name, "kind": c.kind, "says": c.says} for c in each.columns],
        }
        for each in tables()
    ]
