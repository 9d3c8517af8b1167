"""Typed Parquet snapshots of the read tables, kept in step with the log by position. The workspace is only read."""

from __future__ import annotations

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jobctrl.analytics.manifest import LAYOUT, Keyed, Manifest, Part, load, swap
from jobctrl.analytics.parquet import SQL, ParquetFolder
from jobctrl.analytics.snapshots import Snapshots
from jobctrl.analytics.tables import CANONICAL, tables
from jobctrl.errors import NotFound, WorkspaceError
from jobctrl.store.faults import workspace_errors

if TYPE_CHECKING:
    from jobctrl.analytics.as_of import When

DATABASE = "jobctrl.db"
KEEP_SECONDS = 3600
"""Files that nothing names any more stay for those who opened them a while ago."""


@dataclass(frozen=True)
class Refreshed:
    """What a refresh did."""

    position: int
    built: Literal["nothing", "part", "whole"]
    rows: int
    """Rows read from the workspace."""
    seconds: float


class Warehouse(Snapshots):
    """The snapshots of one workspace, in `warehouse/` beside it. One refresher at a time, any number of readers."""

    def __init__(self, workspace: Path) -> None:
        super().__init__(workspace / "warehouse")
        self.workspace = workspace
        self._database = workspace / DATABASE

    def refresh(self, *, whole: bool = False) -> Refreshed:
        """Bring the snapshots in step with the log: nothing when no fact is new, else what the new facts name.

        While another process refreshes, its last good state stands. *whole* reads everything again. Raises NotFound
        without a workspace, WorkspaceError when it cannot be read or the folder cannot be written.
        """
        began = time.monotonic()
        with self._reading() as log:
            if not whole and (standing := self._in_step(log)):
                return Refreshed(standing.position, "nothing", 0, time.monotonic() - began)
        with self._writing():
            self.folder.mkdir(exist_ok=True)
            with self._alone() as free:
                standing = load(self.folder)
                if not free and standing:
                    return Refreshed(standing.position, "nothing", 0, time.monotonic() - began)
                return self._bring_in_step(None if whole else standing, began)

    def as_of(self, when: When) -> Snapshots:
        """The warehouse as it stood at a position of the log, at a moment, or at the end of a day in the person's zone.

        The log up to there is folded into a scratch file of this process; the snapshots that come of it are kept for
        the next time. Raises InvalidRequest for a position the log does not have.
        """
        from jobctrl.analytics.as_of import position_of, snapshots_at
        from jobctrl.settings.config import load_settings

        zone = load_settings(self.workspace / "config.json").time_zone
        with self._reading() as log, self._writing():
            return snapshots_at(log, self.folder / "as_of", position_of(log, when, zone))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that cannot write. Raises NotFound without a workspace."""
        if not self._database.exists():
            raise NotFound(f"There is no workspace at {self.workspace}.", hint="Make one with `jobctrl init`.")
        with workspace_errors(self._database):
            uri = f"{self._database.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=15, isolation_level=None)) as connection:
                yield connection

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise WorkspaceError(
                f"The warehouse at {self.folder} cannot be written: {error.strerror}.",
                hint="Give yourself write access and free space; the workspace itself is untouched.",
            ) from error

    @contextmanager
    def _alone(self) -> Iterator[bool]:
        """True when this is the one refresher; while another is at work, False if there is a state to use meanwhile."""
        with (self.folder / "refresh.lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if load(self.folder):
                    yield False
                    return
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield True

    def _in_step(self, log: sqlite3.Connection) -> Manifest | None:
        """The manifest that stands, when it is of this log and no fact is newer."""
        standing = load(self.folder)
        if standing is None:
            return None
        position, event_id = _position(log)
        same = (standing.position, standing.event_id) == (position, event_id)
        return standing if same and standing.versions == _versions(log) else None

    def _bring_in_step(self, standing: Manifest | None, began: float) -> Refreshed:
        with self._reading() as log:
            log.execute("BEGIN")
            position, event_id = _position(log)
            versions = _versions(log)
            if standing is not None and not _continues(log, standing, position, versions):
                standing = None
            after = standing.position if standing else 0
            files = ParquetFolder(self.folder)
            keyed: dict[str, Keyed] = {}
            rows = 0
            for each in tables():
                if each.kept != "facts":
                    if standing is None or each.kept == "whole":
                        keyed[each.name], read = files.whole(log, each)
                    else:
                        keyed[each.name], read = files.changed(log, each, standing.keyed[each.name], after, position)
                    rows += read
            # What is recorded never changes: the facts need no steady view, and the log is not held up for them.
            log.execute("COMMIT")
            facts: dict[str, list[Part]] = {}
            for each in tables():
                if each.kept == "facts":
                    parts = standing.facts[each.name] if standing else []
                    facts[each.name], read = files.facts(log, each, parts, after, position)
                    rows += read
        manifest = Manifest(LAYOUT, position, event_id, versions, keyed, facts)
        swap(self.folder, manifest)
        self._sweep(manifest)
        return Refreshed(position, "part" if standing else "whole", rows, time.monotonic() - began)

    def _sweep(self, manifest: Manifest) -> None:
        """Remove what nothing names and nobody can have opened lately."""
        named = manifest.files
        for path in self.folder.iterdir():
            stale = path.suffix in (".parquet", ".partial") and path.name not in named
            if stale and time.time() - path.stat().st_mtime > KEEP_SECONDS:
                path.unlink(missing_ok=True)


def _position(log: sqlite3.Connection) -> tuple[int, str | None]:
    """How far the read tables have come, and the fact that stands there."""
    (position,) = log.execute(SQL["folded"]).fetchone()
    row = log.execute(SQL["event_at"], {"position": position}).fetchone()
    return position, row[0] if row else None


def _versions(log: sqlite3.Connection) -> dict[str, int]:
    """The versions of the read tables that the warehouse reads. Raises WorkspaceError when one is missing."""
    known = {each.name for each in tables() if each.kept != "facts"}
    versions = {name: version for name, version in log.execute(SQL["versions"]) if name in known}
    if missing := known - set(versions) - set(CANONICAL):
        raise WorkspaceError(
            f"The workspace has no table {', '.join(sorted(missing))}; another version of JobCtrl wrote it.",
            hint="Bring it up to date with `jobctrl rebuild`.",
        )
    return versions


def _continues(log: sqlite3.Connection, standing: Manifest, position: int, versions: dict[str, int]) -> bool:
    """Whether the log goes on from where *standing* stopped, with the same read tables."""
    if standing.versions != versions or standing.position > position:
        return False
    row = log.execute(SQL["event_at"], {"position": standing.position}).fetchone()
    return (row[0] if row else None) == standing.event_id
