"""A table whose rows are read by key or by condition, without knowing how they came to be."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any, Generic, TypeVar

import msgspec


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row. Its fields are the columns, in order: plain values alone, which the garbage collector may pass over."""


R = TypeVar("R", bound=Row)
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Table(Generic[R]):
    """`key` names the primary key."""

    name: str
    version: int
    row: type[R]
    key: tuple[str, ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return self.row.__struct_fields__

    @cached_property
    def where(self) -> str:
        return " AND ".join(f"{column} = ?" for column in self.key)

    @cached_property
    def _select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    @cached_property
    def _get(self) -> str:
        return f"{self._select} WHERE {self.where}"

    def get(self, connection: sqlite3.Connection, *key: Any) -> R | None:
        """The row under *key*, or None."""
        values = connection.execute(self._get, key).fetchone()
        return None if values is None else self.row(*values)

    def all(self, connection: sqlite3.Connection, where: str = "", parameters: Collection[Any] = ()) -> list[R]:
        """The rows that the SQL condition *where* keeps, with its *parameters* bound."""
        condition = f" WHERE {where}" if where else ""
        return list(starmap(self.row, connection.execute(self._select + condition, tuple(parameters))))
