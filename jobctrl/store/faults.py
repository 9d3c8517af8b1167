"""SQLite's errors in the words of the workspace."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jobctrl.errors import Conflict, JobCtrlError, WorkspaceBusy, WorkspaceError


@contextmanager
def workspace_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite raises about the file at *path* into a WorkspaceError, WorkspaceBusy or Conflict."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path) from error


def _translate(error: sqlite3.Error, path: Path) -> JobCtrlError:
    text = str(error).lower()
    if isinstance(error, sqlite3.IntegrityError) and "job_events.stream" in text:
        return Conflict("Another process appended to the same stream first.")
    if "locked" in text or "busy" in text:
        return WorkspaceBusy(
            f"{path} is held by another process.", hint="Wait for it to finish, or see `jobctrl doctor`."
        )
    if "disk is full" in text or "disk i/o error" in text:
        return WorkspaceError(
            f"{path} could not be written: {error}.", hint="Free space on the disk; nothing that was written is lost."
        )
    if "readonly" in text or "read-only" in text:
        return WorkspaceError(f"{path} is read-only.", hint="Give yourself write access to the folder and its files.")
    if "unable to open" in text:
        return WorkspaceError(f"{path} cannot be opened.", hint="Does the folder exist, and may you write in it?")
    if "not a database" in text or "malformed" in text:
        return WorkspaceError(
            f"{path} is damaged: {error}.",
            hint="Restore a backup, or move the file away and run `jobctrl init`. Do not delete it yet.",
        )
    return WorkspaceError(f"{path}: {error}.")
