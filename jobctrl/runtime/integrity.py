"""Whether a database file is whole, and how far the log in it has come. Looks only: no table is made or mended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from jobctrl.errors import WorkspaceError
from jobctrl.runtime.tables import TABLES
from jobctrl.store.faults import workspace_errors
from jobctrl.store.read_table import Folds

BUSY_SECONDS = 15.0


@dataclass(frozen=True)
class LogState:
    """What a log says of itself."""

    workspace_id: str
    position: int
    schema: int
    folded: int | None
    """How far this version's read tables have come; None when it has never folded them here."""


@contextmanager
def looking_at(database: Path, *, called: Path | None = None) -> Iterator[sqlite3.Connection]:
    """A connection that can only read. Raises WorkspaceError when the file cannot be read as a database."""
    with (
        workspace_errors(called or database),
        closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as connection,
    ):
        yield connection


def require_whole(database: Path, *, thorough: bool = False, called: Path | None = None) -> None:
    """Raises WorkspaceError unless every page hangs together; *thorough* compares indexes too.

    A copy is *called* by the name of what it was copied from.
    """
    name = called or database
    check = "integrity_check" if thorough else "quick_check"
    with looking_at(database, called=name) as connection:
        said = [str(row[0]) for row in connection.execute(f"PRAGMA {check}(3)")]
    if said != ["ok"]:
        raise WorkspaceError(
            f"{name} is damaged: {'; '.join(said)[:300]}", hint="Restore a backup: `jobctrl restore FOLDER`."
        )


def log_state(database: Path) -> LogState:
    """Raises WorkspaceError when there is no log in the file."""
    with looking_at(database) as connection:
        (workspace_id,) = connection.execute("SELECT id FROM workspace").fetchone()
        (position,) = connection.execute("SELECT COALESCE(MAX(position), 0) FROM job_events").fetchone()
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
        folded = connection.execute(
            "SELECT position FROM fold_positions WHERE folds = ?", (Folds(TABLES).digest,)
        ).fetchone()
    return LogState(str(workspace_id), int(position), int(schema), folded[0] if folded else None)
