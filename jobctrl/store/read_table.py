"""A read table: a fold over the log with a row for each key. Drop it, refold it, and it is the same, row for row."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Generic, TypeVar

from jobctrl.events import Event, Recorded
from jobctrl.ids import digest_of
from jobctrl.store.statements import split

Row = TypeVar("Row")
Key = tuple[Any, ...]
Tally = tuple[str, int]


@dataclass(frozen=True)
class ReadTable(Generic[Row]):
    """`row` is a frozen dataclass whose fields are the columns of `sql`, in order; `key` names the primary key."""

    name: str
    version: int
    sql: str
    row: type[Row]
    key: tuple[str, ...]
    handles: tuple[type[Event], ...]
    keys: Callable[[Recorded], Iterable[Key]]
    """The rows that a fact touches."""
    fold: Callable[[Row | None, Recorded], Row | None]
    """The row as it stands after the fact. Pure and total; None means no row."""
    tallies: Callable[[Row], Iterable[str]] | None = None
    """The counters that a row adds one to; kept in `tallies` as rows come, change and go."""

    @cached_property
    def event_types(self) -> frozenset[str]:
        return frozenset(event.__name__ for event in self.handles)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(field.name for field in fields(self.row))  # type: ignore[arg-type]

    @cached_property
    def _where(self) -> str:
        return " AND ".join(f"{column} = ?" for column in self.key)

    @cached_property
    def _select(self) -> str:
        return f"SELECT {', '.join(self.columns)} FROM {self.name}"

    @cached_property
    def _save(self) -> str:
        marks = ", ".join("?" * len(self.columns))
        return f"INSERT OR REPLACE INTO {self.name} ({', '.join(self.columns)}) VALUES ({marks})"

    def get(self, connection: sqlite3.Connection, *key: Any) -> Row | None:
        """The row under *key*, or None."""
        values = connection.execute(f"{self._select} WHERE {self._where}", key).fetchone()
        return None if values is None else self.row(*values)

    def all(self, connection: sqlite3.Connection, where: str = "", parameters: Collection[Any] = ()) -> list[Row]:
        """The rows that the SQL condition *where* keeps, with its *parameters* bound."""
        condition = f" WHERE {where}" if where else ""
        return [self.row(*values) for values in connection.execute(self._select + condition, tuple(parameters))]

    def save(self, connection: sqlite3.Connection, rows: Iterable[Row]) -> None:
        connection.executemany(self._save, (self.values(row) for row in rows))

    def delete(self, connection: sqlite3.Connection, keys: Iterable[Key]) -> None:
        connection.executemany(f"DELETE FROM {self.name} WHERE {self._where}", keys)

    def values(self, row: Row) -> tuple[Any, ...]:
        return tuple(getattr(row, column) for column in self.columns)


TALLIES_SQL = """
CREATE TABLE tallies (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""


class Folds:
    """All read tables of a workspace, fed in log order."""

    def __init__(self, tables: Sequence[ReadTable[Any]]) -> None:
        self.tables = tuple(tables)
        self.digest = digest_of(sorted([table.name, table.version, table.sql] for table in tables))[:32]
        self._by_type: dict[str, list[ReadTable[Any]]] = {}
        for table in tables:
            for event_type in table.event_types:
                self._by_type.setdefault(event_type, []).append(table)

    def apply(self, connection: sqlite3.Connection, fact: Recorded) -> None:
        """Fold one new fact into the tables, inside the caller's transaction."""
        if not isinstance(fact.event, Event):
            return
        for table in self._by_type.get(fact.event_type, ()):
            for key in table.keys(fact):
                old = table.get(connection, *key)
                new = table.fold(old, fact)
                if new == old:
                    continue
                if new is None:
                    table.delete(connection, [key])
                else:
                    connection.execute(table._save, table.values(new))
                if table.tallies is not None:
                    _tally(connection, _difference(table, old, new))

    def create(self, connection: sqlite3.Connection) -> None:
        """Empty tables in place of whatever stands there."""
        for name, *_ in connection.execute("SELECT name FROM read_tables").fetchall():
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute("DELETE FROM read_tables")
        connection.execute("DROP TABLE IF EXISTS tallies")
        connection.execute(TALLIES_SQL)
        for table in self.tables:
            connection.execute(f"DROP TABLE IF EXISTS {table.name}")
            for statement in split(table.sql):
                connection.execute(statement)
            connection.execute("INSERT INTO read_tables VALUES (?, ?)", (table.name, table.version))

    def refold(self, connection: sqlite3.Connection, facts: Iterable[Recorded]) -> int:
        """Fold *facts* into freshly made tables; returns how many there were. The caller owns the transaction."""
        self.create(connection)
        states: dict[str, dict[Key, Any]] = {table.name: {} for table in self.tables}
        count = 0
        for fact in facts:
            count += 1
            for table in self._by_type.get(fact.event_type, ()):
                if not isinstance(fact.event, Event):
                    break
                rows = states[table.name]
                for key in table.keys(fact):
                    new = table.fold(rows.get(key), fact)
                    if new is None:
                        rows.pop(key, None)
                    else:
                        rows[key] = new
        totals: dict[str, int] = {}
        for table in self.tables:
            table.save(connection, states[table.name].values())
            if table.tallies is not None:
                for row in states[table.name].values():
                    for name in table.tallies(row):
                        totals[name] = totals.get(name, 0) + 1
        _tally(connection, totals.items())
        return count


def _difference(table: ReadTable[Any], old: Any, new: Any) -> Iterable[Tally]:
    assert table.tallies is not None
    changes: dict[str, int] = {}
    for row, step in ((old, -1), (new, 1)):
        if row is not None:
            for name in table.tallies(row):
                changes[name] = changes.get(name, 0) + step
    return [(name, step) for name, step in changes.items() if step]


def _tally(connection: sqlite3.Connection, changes: Iterable[Tally]) -> None:
    for name, step in changes:
        connection.execute(
            "INSERT INTO tallies VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            (name, step),
        )
        # A counter at zero and a counter that never was are the same thing, live or refolded.
        connection.execute("DELETE FROM tallies WHERE name = ? AND value = 0", (name,))
