"""Looking at one table of a workspace without the folds of all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from jobctrl.store.faults import workspace_errors
from jobctrl.store.schema import migrations
from jobctrl.store.statements import statements
from jobctrl.store.table import Table

SQL = statements("jobctrl.store", "store.sql")


@contextmanager
def look(path: Path, table: Table[Any]) -> Iterator[sqlite3.Connection | None]:
    """A steady view of one moment, or None when *table* does not stand there in this version, with every fact in it."""
    if not path.exists():
        yield None
        return
    with workspace_errors(path), closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        yield connection if _stands(connection, table) else None


def _stands(connection: sqlite3.Connection, table: Table[Any]) -> bool:
    if connection.execute("PRAGMA user_version").fetchone()[0] != len(migrations()):
        return False
    version, folded, last = connection.execute(SQL["standing"], {"table": table.name}).fetchone()
    return bool(version == table.version and folded == last)
