"""The workspace file: the log, the contents, and the read tables folded in the same transaction."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from jobctrl.errors import Conflict, NotFound, WorkspaceError
from jobctrl.events import Event, Recorded
from jobctrl.ids import ContentHash, new_event_id, sha256
from jobctrl.store.execution import current_execution
from jobctrl.store.faults import workspace_errors
from jobctrl.store.read_table import Folds, ReadTable
from jobctrl.store.statements import statements

SQL = statements("jobctrl.store", "store.sql")
BUSY_TIMEOUT_MS = 15_000
_BATCH = 20_000


def utc_now() -> datetime:
    return datetime.now(UTC)


def moment(at: datetime) -> str:
    """UTC, ISO 8601 with milliseconds, as the log writes it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Transaction:
    """One BEGIN IMMEDIATE: read what you decide on, append, commit. No network, model or file work inside."""

    def __init__(self, connection: sqlite3.Connection, folds: Folds, now: datetime) -> None:
        self.connection = connection
        self.now = now
        self._folds = folds
        self._first: int | None = None
        self._last: int | None = None

    def append(
        self,
        stream: str,
        *events: Event,
        expected: int | None = None,
        key: str | None = None,
        job_id: str | None = None,
    ) -> list[Recorded]:
        """Append *events* and fold them. Empty when *key* was used before: the same key twice is one fact.

        Raises Conflict when *expected* is given and is not the version the stream is at.
        """
        if key is not None and self.connection.execute(SQL["seen"], {"key": key}).fetchone():
            return []
        version = self.version(stream)
        if expected is not None and expected != version:
            raise Conflict(f"The stream {stream} is at version {version}, not {expected}.")
        if job_id is None and stream.startswith("job/"):
            job_id = stream.removeprefix("job/")
        recorded = []
        for number, event in enumerate(events):
            event_key = key if key is None or number == 0 else f"{key}#{number}"
            recorded.append(self._append_one(stream, version + 1 + number, event, event_key, job_id))
        return recorded

    def _append_one(self, stream: str, version: int, event: Event, key: str | None, job_id: str | None) -> Recorded:
        execution = current_execution()
        row: dict[str, Any] = {
            "event_id": new_event_id(),
            "stream": stream,
            "stream_version": version,
            "event_type": event.event_type,
            "schema_version": event.schema_version,
            "job_id": job_id,
            "stage": getattr(event, "stage", None),
            "workflow_id": execution.workflow_id if execution else None,
            "run_id": execution.run_id if execution else None,
            "occurred_at": moment(self.now),
            "payload": event.model_dump_json(by_alias=True),
        }
        cursor = self.connection.execute(SQL["append"], {**row, "level": event.level, "idempotency_key": key})
        assert cursor.lastrowid is not None
        self._first = self._first or cursor.lastrowid
        self._last = cursor.lastrowid
        fact = Recorded(position=cursor.lastrowid, **row)
        fact.__dict__["event"] = event
        self._folds.apply(self.connection, fact)
        return fact

    def version(self, stream: str) -> int:
        """How many facts the stream holds."""
        return int(self.connection.execute(SQL["head"], {"stream": stream}).fetchone()[0])

    def put(self, content: bytes | str, media_type: str = "text/plain") -> ContentHash:
        """Keep *content* and return its hash. Keeping it twice keeps it once."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        digest = sha256(data)
        self.connection.execute(
            SQL["put_content"], {"sha256": digest, "media_type": media_type, "bytes": data, "at": moment(self.now)}
        )
        return digest

    def _finish(self) -> None:
        if self._first is None:
            return
        # Tables that missed a fact, written by a process with other folds, stay behind: the next open refolds them.
        self.connection.execute(
            SQL["advance_fold_position"],
            {"folds": self._folds.digest, "before": self._first - 1, "position": self._last},
        )


class Store:
    """An open workspace file. One object a process; safe to use from any of its threads."""

    def __init__(
        self, path: Path, tables: Sequence[ReadTable[Any]], *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self.path = path
        self.clock = clock
        self._folds = Folds(tables)
        self._local = threading.local()
        self._writing = threading.Lock()
        self._opened: list[sqlite3.Connection] = []
        with workspace_errors(path):
            self._migrate()
            self._catch_up()

    @contextmanager
    def writer(self) -> Iterator[Transaction]:
        """One immediate transaction: all of it is kept, or none. Not re-entrant."""
        with self._writing, workspace_errors(self.path):
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            transaction = Transaction(connection, self._folds, self.clock())
            try:
                yield transaction
                transaction._finish()
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """A steady view of one moment. Readers never wait for writers."""
        with workspace_errors(self.path):
            connection = self._connection()
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    def stream(self, name: str) -> list[Recorded]:
        """All facts of one stream, oldest first."""
        with self.reader() as connection:
            return [Recorded(*row) for row in connection.execute(SQL["read_stream"], {"stream": name})]

    def job_history(self, job_id: str) -> list[Recorded]:
        """All facts that name this job, in log order."""
        with self.reader() as connection:
            return [Recorded(*row) for row in connection.execute(SQL["read_job"], {"job_id": job_id})]

    def since(self, position: int, limit: int = 1000) -> list[Recorded]:
        """At most *limit* facts after *position*, in log order."""
        with self.reader() as connection:
            rows = connection.execute(SQL["read_since"], {"after": position, "limit": limit})
            return [Recorded(*row) for row in rows]

    def position(self) -> int:
        """The position of the newest fact; 0 when there is none."""
        with self.reader() as connection:
            return int(connection.execute(SQL["last_position"]).fetchone()[0])

    def content(self, digest: str) -> bytes:
        """A kept content. Raises NotFound when it was never kept or has been erased."""
        with self.reader() as connection:
            row = connection.execute(SQL["get_content"], {"sha256": digest}).fetchone()
        if row is None:
            raise NotFound(f"No content {digest[:12]}… is kept in {self.path}.")
        return bytes(row[0])

    def rebuild(self) -> int:
        """Drop all read tables and fold the whole log again, in one transaction; returns the number of facts."""
        with self.writer() as transaction:
            return self._refold(transaction.connection)

    def backup(self, target: Path) -> None:
        """A consistent copy at *target*, made by SQLite itself."""
        with workspace_errors(self.path):
            self._connection().execute("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        for connection in self._opened:
            connection.close()
        self._opened.clear()
        self._local = threading.local()

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.path, timeout=BUSY_TIMEOUT_MS / 1000, isolation_level=None, check_same_thread=False
            )
            self._opened.append(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
        return connection

    def _migrate(self) -> None:
        connection = self._connection()
        known = _migrations()
        at = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if at > len(known):
            raise WorkspaceError(
                f"{self.path} was written by a newer JobCtrl (schema {at}; this version knows {len(known)}).",
                hint="Install the newer version, or open another workspace with --workspace.",
            )
        if at == len(known):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have migrated between the look above and the lock.
            at = int(connection.execute("PRAGMA user_version").fetchone()[0])
            for sql in known[at:]:
                for statement in _statements_of(sql):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(known)}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise

    def _catch_up(self) -> None:
        """Refold when these read tables, in these versions, do not stand at the end of the log."""
        if self._in_step(self._connection()):
            return
        with self.writer() as transaction:
            if not self._in_step(transaction.connection):
                self._refold(transaction.connection)

    def _in_step(self, connection: sqlite3.Connection) -> bool:
        row = connection.execute(SQL["fold_position"], {"folds": self._folds.digest}).fetchone()
        return row is not None and row[0] == connection.execute(SQL["last_position"]).fetchone()[0]

    def _refold(self, connection: sqlite3.Connection) -> int:
        count = self._folds.refold(connection, _facts(connection))
        connection.execute(SQL["forget_fold_positions"])
        last = connection.execute(SQL["last_position"]).fetchone()[0]
        connection.execute(SQL["set_fold_position"], {"folds": self._folds.digest, "position": last})
        return count


def _facts(connection: sqlite3.Connection) -> Iterator[Recorded]:
    after = 0
    while True:
        rows = connection.execute(SQL["read_since"], {"after": after, "limit": _BATCH}).fetchall()
        if not rows:
            return
        for row in rows:
            yield Recorded(*row)
        after = rows[-1][0]


def _migrations() -> list[str]:
    folder = files("jobctrl.store").joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if re.fullmatch(r"\d{4}_\w+\.sql", entry.name))
    return [folder.joinpath(name).read_text(encoding="utf-8") for name in names]


def _statements_of(sql: str) -> Iterator[str]:
    """The statements of a script; a trigger's own semicolons do not end it."""
    part = ""
    for line in sql.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part
            part = ""
