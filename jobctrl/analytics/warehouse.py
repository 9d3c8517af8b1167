"""Typed Parquet snapshots of the read tables, kept in step with the log by position. The workspace is only read."""

from __future__ import annotations

import fcntl
import io
import json
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import polars as pl
from duckdb import DuckDBPyConnection, connect

from jobctrl.analytics.manifest import LAYOUT, Keyed, Manifest, Part, load, put, swap
from jobctrl.analytics.tables import Table, table, tables
from jobctrl.errors import NotFound, WorkspaceError
from jobctrl.store import script, statements
from jobctrl.store.faults import workspace_errors

SQL = statements("jobctrl.analytics", "reading.sql")
DATABASE = "jobctrl.db"
OPEN_PART_ROWS = 50_000
"""A part of a fact table takes new rows until it holds so many; then the next begins."""
SMALL_DELTA = 2_000
"""Changed keys that are kept beside a base of any size; beyond it, a tenth of the base."""
KEEP_SECONDS = 3600
"""Files that nothing names any more stay for those who opened them a while ago."""
_CHUNK = 100_000


@dataclass(frozen=True)
class Refreshed:
    """What a refresh did."""

    position: int
    built: Literal["nothing", "part", "whole"]
    rows: int
    """Rows read from the workspace."""
    seconds: float


class Warehouse:
    """The snapshots of one workspace, in `warehouse/` beside it. One refresher at a time, any number of readers."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace
        self.folder = workspace / "warehouse"
        self._database = workspace / DATABASE

    @property
    def position(self) -> int:
        """How far into the log the snapshots reach; 0 before the first."""
        manifest = load(self.folder)
        return manifest.position if manifest else 0

    def refresh(self, *, whole: bool = False) -> Refreshed:
        """Bring the snapshots in step with the log: nothing when no fact is new, else what the new facts name.

        While another process refreshes, its last good state stands. *whole* reads everything again. Raises NotFound
        without a workspace, WorkspaceError when it cannot be read or the folder cannot be written.
        """
        began = time.monotonic()
        if not self._database.exists():
            raise NotFound(f"There is no workspace at {self.workspace}.", hint="Make one with `jobctrl init`.")
        try:
            with self._reading() as log:
                if not whole and (standing := self._in_step(log)):
                    return Refreshed(standing.position, "nothing", 0, time.monotonic() - began)
            self.folder.mkdir(exist_ok=True)
            with self._alone() as free:
                standing = load(self.folder)
                if not free and standing:
                    return Refreshed(standing.position, "nothing", 0, time.monotonic() - began)
                return self._bring_in_step(None if whole else standing, began)
        except OSError as error:
            raise WorkspaceError(
                f"The warehouse at {self.folder} cannot be written: {error.strerror}.",
                hint="Give yourself write access and free space; the workspace itself is untouched.",
            ) from error

    def connect(self) -> DuckDBPyConnection:
        """An in-memory DuckDB with a view for each table of the warehouse, as of the snapshots that stand now.

        Connect again after a refresh. Raises NotFound before the first one.
        """
        manifest = load(self.folder)
        if manifest is None:
            raise NotFound(f"There are no snapshots at {self.folder} yet.", hint="Call `refresh()` first.")
        db = connect(":memory:")
        db.execute("SET GLOBAL TimeZone = 'UTC'")
        for name, kept in manifest.keyed.items():
            db.execute(f"CREATE VIEW {name} AS {self._rows_of(table(name), kept)}")
        for name, parts in manifest.facts.items():
            files = ", ".join(self._quoted(part.file) for part in parts)
            db.execute(f"CREATE VIEW {name} AS SELECT * FROM read_parquet([{files}])")
        return db

    def _rows_of(self, of: Table, kept: Keyed) -> str:
        base = f"SELECT * FROM read_parquet({self._quoted(kept.base)})"
        if kept.delta is None or kept.touched is None:
            return base
        touched = f"SELECT {of.kept} FROM read_parquet({self._quoted(kept.touched)})"
        return (
            f"{base} WHERE {of.kept} NOT IN ({touched})"
            f" UNION ALL SELECT * FROM read_parquet({self._quoted(kept.delta)})"
        )

    def _quoted(self, name: str) -> str:
        path = str(self.folder / name).replace("'", "''")
        return f"'{path}'"

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that cannot write."""
        with workspace_errors(self._database):
            uri = f"{self._database.resolve().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=15, isolation_level=None)) as connection:
                yield connection

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
            keyed: dict[str, Keyed] = {}
            rows = 0
            for each in tables():
                if each.kept != "facts":
                    kept = standing.keyed[each.name] if standing else None
                    keyed[each.name], read = self._read_table(log, each, kept, after, position)
                    rows += read
            # What is recorded never changes: the facts need no steady view, and the log is not held up for them.
            log.execute("COMMIT")
            facts: dict[str, list[Part]] = {}
            for each in tables():
                if each.kept == "facts":
                    parts = standing.facts[each.name] if standing else []
                    facts[each.name], read = self._read_facts(log, each, parts, after, position)
                    rows += read
        manifest = Manifest(LAYOUT, position, event_id, versions, keyed, facts)
        swap(self.folder, manifest)
        self._sweep(manifest)
        return Refreshed(position, "part" if standing else "whole", rows, time.monotonic() - began)

    def _read_table(
        self, log: sqlite3.Connection, of: Table, kept: Keyed | None, after: int, upto: int
    ) -> tuple[Keyed, int]:
        if kept is None or of.kept == "whole":
            frame = of.frame(log.execute(of.select).fetchall())
            return Keyed(self._write(of.name, frame), len(frame)), len(frame)
        keys = [key for (key,) in log.execute(SQL[f"touched_{of.kept}"], {"after": after, "upto": upto})]
        if not keys:
            return kept, 0
        some = f"{of.select} WHERE {of.kept} IN (SELECT value FROM json_each(:keys))"
        fresh = of.frame(log.execute(some, {"keys": json.dumps(keys)}).fetchall())
        touched = pl.DataFrame({of.kept: keys}, schema={of.kept: pl.String})
        delta = fresh
        if kept.delta and kept.touched:
            delta = pl.concat([self._read(kept.delta).join(touched, on=of.kept, how="anti"), fresh])
            touched = pl.concat([self._read(kept.touched), touched]).unique(maintain_order=True)
        if len(touched) > max(SMALL_DELTA, kept.base_rows // 10):
            base = pl.concat([self._read(kept.base).join(touched, on=of.kept, how="anti"), delta])
            return Keyed(self._write(of.name, base), len(base)), len(fresh)
        changed = Keyed(
            kept.base, kept.base_rows, self._write(f"{of.name}-delta", delta), self._write(f"{of.name}-keys", touched)
        )
        return changed, len(fresh)

    def _read_facts(
        self, log: sqlite3.Connection, of: Table, parts: list[Part], after: int, upto: int
    ) -> tuple[list[Part], int]:
        parts, read = list(parts), 0
        query = script("jobctrl.analytics", f"sql/facts/{of.name}.sql")
        while after < upto:
            end = min(after + _CHUNK, upto)
            frame = of.frame(log.execute(query, {"after": after, "upto": end}).fetchall())
            after = end
            read += len(frame)
            if frame.is_empty() and parts:
                continue
            if parts and parts[-1].rows + len(frame) <= OPEN_PART_ROWS:
                frame = pl.concat([self._read(parts.pop().file), frame])
            parts.append(Part(self._write(of.name, frame), len(frame)))
        if not parts:
            parts.append(Part(self._write(of.name, of.frame([])), 0))
        return parts, read

    def _read(self, name: str) -> pl.DataFrame:
        return pl.read_parquet(self.folder / name)

    def _write(self, name: str, frame: pl.DataFrame) -> str:
        content = io.BytesIO()
        frame.write_parquet(content, compression="zstd")
        file = f"{name}-{uuid.uuid4().hex[:12]}.parquet"
        put(self.folder, file, content.getvalue())
        return file

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
    if missing := known - set(versions) - {"discovery_receipts"}:
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
