"""A read table: a fold over the log with a row for each key. Drop it, refold it, and it is the same, row for row."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any

from msgspec.structs import astuple

from jobctrl.events import Event, Recorded
from jobctrl.ids import digest_of
from jobctrl.store.statements import split
from jobctrl.store.table import Key, R, Table


@dataclass(frozen=True)
class ReadTable(Table[R]):
    """The first statement of `sql` makes the table; those behind it, its indexes, wait until a refold has filled it."""

    sql: str
    handles: tuple[type[Event], ...]
    keys: Callable[[Recorded], Iterable[Key]]
    """The rows that a fact touches."""
    fold: Callable[[R | None, Recorded], R | None]
    """The row as it stands after the fact. Pure and total; None means no row."""
    tallies: Callable[[R], Iterable[str]] | None = None
    """The counters that a row adds one to; kept in `tallies` as rows come, change and go."""

    @cached_property
    def event_types(self) -> frozenset[str]:
        return frozenset(event.__name__ for event in self.handles)

    @cached_property
    def _save(self) -> str:
        marks = ", ".join("?" * len(self.columns))
        return f"INSERT OR REPLACE INTO {self.name} ({', '.join(self.columns)}) VALUES ({marks})"

    def save(self, connection: sqlite3.Connection, rows: Iterable[R]) -> None:
        connection.executemany(self._save, map(astuple, rows))

    def delete(self, connection: sqlite3.Connection, keys: Iterable[Key]) -> None:
        connection.executemany(f"DELETE FROM {self.name} WHERE {self.where}", keys)


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

    def of_type(self, event_type: str) -> Sequence[ReadTable[Any]]:
        """The tables that facts of this type touch."""
        return self._by_type.get(event_type, ())

    def create(self, connection: sqlite3.Connection) -> None:
        """Empty tables in place of whatever stands there."""
        for name, *_ in connection.execute("SELECT name FROM read_tables").fetchall():
            connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute("DELETE FROM read_tables")
        connection.execute("DROP TABLE IF EXISTS tallies")
        connection.execute(TALLIES_SQL)
        for table in self.tables:
            connection.execute(f"DROP TABLE IF EXISTS {table.name}")
            connection.execute(next(split(table.sql)))
            connection.execute("INSERT INTO read_tables VALUES (?, ?)", (table.name, table.version))

    def refold(self, connection: sqlite3.Connection, facts: Iterable[Recorded]) -> int:
        """Fold *facts* into freshly made tables; returns how many there were. The caller owns the transaction."""
        self.create(connection)
        states: dict[str, dict[Key, Any]] = {table.name: {} for table in self.tables}
        folding = {
            event_type: [(table.keys, table.fold, states[table.name]) for table in tables]
            for event_type, tables in self._by_type.items()
        }
        count = 0
        for fact in facts:
            count += 1
            touched = folding.get(fact.event_type)
            if touched is None or not isinstance(fact.event, Event):
                continue
            for keys, fold, rows in touched:
                for key in keys(fact):
                    row = fold(rows.get(key), fact)
                    if row is None:
                        rows.pop(key, None)
                    else:
                        rows[key] = row
        totals: Counter[str] = Counter()
        for table in self.tables:
            rows = states[table.name]
            # A table filled in the order of its key, and indexed afterwards, stays as fast however long it grows.
            table.save(connection, (rows[key] for key in sorted(rows)))
            for statement in islice(split(table.sql), 1, None):
                connection.execute(statement)
            if table.tallies is not None:
                totals.update(chain.from_iterable(map(table.tallies, rows.values())))
        _tally(connection, totals)
        return count


class LiveRows:
    """The rows of one transaction, folded in memory and written when somebody wants to look at the tables.

    A new job is folded five times over before anyone asks for it: its rows are read and written once all the same.
    """

    def __init__(self, folds: Folds, connection: sqlite3.Connection) -> None:
        self._folds = folds
        self._connection = connection
        self._rows: dict[str, tuple[ReadTable[Any], dict[Key, _Held]]] = {}

    def row(self, table: ReadTable[R], *key: Any) -> R | None:
        """The row under *key* as it stands now, or None."""
        return self._held(table, key).now  # type: ignore[no-any-return]

    def apply(self, fact: Recorded) -> None:
        """Fold one new fact into the rows it touches."""
        if not isinstance(fact.event, Event):
            return
        for table in self._folds.of_type(fact.event_type):
            for key in table.keys(fact):
                held = self._held(table, key)
                held.now = table.fold(held.now, fact)

    def write(self) -> None:
        """Bring the tables up to the rows, and let go of them."""
        if not self._rows:
            return
        touched, self._rows = self._rows, {}
        changes: dict[str, int] = {}
        for table, rows in touched.values():
            changed = [(key, held) for key, held in rows.items() if held.now != held.before]
            if not changed:
                continue
            table.save(self._connection, [held.now for _, held in changed if held.now is not None])
            table.delete(self._connection, [key for key, held in changed if held.now is None])
            for _, held in changed:
                _count(changes, table, held.before, -1)
                _count(changes, table, held.now, 1)
        _tally(self._connection, changes)

    def _held(self, table: ReadTable[Any], key: Key) -> _Held:
        _, rows = self._rows.setdefault(table.name, (table, {}))
        held = rows.get(key)
        if held is None:
            row = table.get(self._connection, *key)
            held = rows[key] = _Held(row, row)
        return held


@dataclass
class _Held:
    before: Any
    """As the table has it."""
    now: Any


def _count(changes: dict[str, int], table: ReadTable[Any], row: Any, step: int) -> None:
    if row is not None and table.tallies is not None:
        for name in table.tallies(row):
            changes[name] = changes.get(name, 0) + step


def _tally(connection: sqlite3.Connection, changes: Mapping[str, int]) -> None:
    if not changes:
        return
    connection.executemany(
        "INSERT INTO tallies VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
        [(name, step) for name, step in changes.items() if step],
    )
    # A counter at zero and a counter that never was are the same thing, live or refolded.
    connection.executemany(
        "DELETE FROM tallies WHERE name = ? AND value = 0", [(name,) for name, step in changes.items() if step < 0]
    )
