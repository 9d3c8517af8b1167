"""The workspace file: the log, the contents, and the read tables folded in the same transaction."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from itertools import starmap
from pathlib import Path
from typing import Any

from pydantic_core import PydanticSerializationError

from jobctrl.errors import Conflict, InvalidRequest, NotFound, WorkspaceBusy, WorkspaceError
from jobctrl.events import Event, Recorded, read
from jobctrl.ids import ContentHash, new_event_id, sha256
from jobctrl.store.execution import current_execution
from jobctrl.store.faults import workspace_errors
from jobctrl.store.read_table import Folds, LiveRows, ReadTable
from jobctrl.store.schema import migrations
from jobctrl.store.statements import split, statements
from jobctrl.store.table import R

SQL = statements("jobctrl.store", "store.sql")
BUSY_TIMEOUT_MS = 15_000


def utc_now() -> datetime:
    return datetime.now(UTC)


def moment(at: datetime) -> str:
    """UTC, ISO 8601 with milliseconds, as the log writes it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Transaction:
    """One BEGIN IMMEDIATE: read what you decide on, append, commit. No network, model or file work inside."""

    def __init__(self, connection: sqlite3.Connection, folds: Folds, now: datetime) -> None:
        self.now = now
        self.moment = moment(now)
        self._connection = connection
        self._folds = folds
        self._rows = LiveRows(folds, connection)
        self._heads: dict[str, int] = {}
        self._positions: list[int] = []

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, with every row folded so far in its table. `row` is cheaper for one row."""
        self._rows.write()
        # Whoever has the connection may write past `append`.
        self._heads.clear()
        return self._connection

    def row(self, table: ReadTable[R], *key: Any) -> R | None:
        """The row of *table* under *key* as it stands now, or None."""
        return self._rows.row(table, *key)

    def append(
        self,
        stream: str,
        *events: Event,
        expected: int | None = None,
        key: str | None = None,
        job_id: str | None = None,
    ) -> list[Recorded]:
        """Append *events* and fold them. Empty when *key* was used before: the same key twice is one fact.

        Raises Conflict when *expected* is given and is not the version the stream is at, InvalidRequest when an event
        would not come back from its own payload.
        """
        if key is not None and self._connection.execute(SQL["seen"], {"key": key}).fetchone():
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
        payload, event = _as_read_back(event)
        columns = (
            new_event_id(),
            stream,
            version,
            event.event_type,
            event.schema_version,
            job_id,
            vars(event).get("stage"),
            execution.workflow_id if execution else None,
            execution.run_id if execution else None,
            self.moment,
            payload,
        )
        cursor = self._connection.execute(SQL["append"], (*columns, event.level, key))
        assert cursor.lastrowid is not None
        self._positions.append(cursor.lastrowid)
        fact = Recorded(cursor.lastrowid, *columns)
        fact.__dict__["event"] = event
        self._heads[stream] = version
        self._rows.apply(fact)
        return fact

    def version(self, stream: str) -> int:
        """How many facts the stream holds."""
        head = self._heads.get(stream)
        if head is None:
            head = self._heads[stream] = int(self._connection.execute(SQL["head"], {"stream": stream}).fetchone()[0])
        return head

    def put(self, content: bytes | str, media_type: str = "text/plain") -> ContentHash:
        """Keep *content* and return its hash. Keeping it twice keeps it once."""
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        digest = sha256(data)
        self._connection.execute(
            SQL["put_content"], {"sha256": digest, "media_type": media_type, "bytes": data, "at": self.moment}
        )
        return digest

    def content(self, digest: str) -> bytes:
        """A kept content. Raises NotFound when it was never kept or has been erased."""
        return _content(self._connection, digest)

    def _finish(self) -> None:
        self._rows.write()
        if not self._positions:
            return
        first, last = self._positions[0], self._positions[-1]
        # Tables that missed a fact, one written past `append`, stay behind: the next writer or open refolds them.
        if last - first + 1 == len(self._positions):
            self._connection.execute(
                SQL["advance_fold_position"], {"folds": self._folds.digest, "before": first - 1, "position": last}
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
        try:
            with workspace_errors(path):
                self._migrate()
                self._catch_up()
        except BaseException:
            self.close()
            raise

    @contextmanager
    def writer(self) -> Iterator[Transaction]:
        """One immediate transaction: all of it is kept, or none.

        Raises InvalidRequest inside another transaction of this thread, WorkspaceBusy when another version of JobCtrl
        keeps the read tables by now.
        """
        with self._immediate() as connection:
            self._keep_in_step(connection)
            transaction = Transaction(connection, self._folds, self.clock())
            self._local.transaction = transaction
            try:
                yield transaction
                transaction._finish()
            finally:
                self._local.transaction = None

    @contextmanager
    def _immediate(self) -> Iterator[sqlite3.Connection]:
        with workspace_errors(self.path):
            connection = self._connection()
            if connection.in_transaction:
                raise InvalidRequest("This thread has a transaction on the workspace open; it cannot begin another.")
            with self._writing:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    _roll_back(connection)
                    raise

    @contextmanager
    def reader(self) -> Iterator[sqlite3.Connection]:
        """A steady view of one moment. Readers never wait for writers."""
        with workspace_errors(self.path):
            connection = self._connection()
            if connection.in_transaction:
                writing: Transaction | None = getattr(self._local, "transaction", None)
                yield connection if writing is None else writing.connection
                return
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                _roll_back(connection)

    def stream(self, name: str) -> list[Recorded]:
        """All facts of one stream, oldest first."""
        with self.reader() as connection:
            return list(starmap(Recorded, connection.execute(SQL["read_stream"], {"stream": name})))

    def job_history(self, job_id: str) -> list[Recorded]:
        """All facts that name this job, in log order."""
        with self.reader() as connection:
            return list(starmap(Recorded, connection.execute(SQL["read_job"], {"job_id": job_id})))

    def since(self, position: int, limit: int = 1000) -> list[Recorded]:
        """At most *limit* facts after *position*, in log order."""
        with self.reader() as connection:
            return list(starmap(Recorded, connection.execute(SQL["read_since"], {"after": position, "limit": limit})))

    def position(self) -> int:
        """The position of the newest fact; 0 when there is none."""
        with self.reader() as connection:
            return int(connection.execute(SQL["last_position"]).fetchone()[0])

    def content(self, digest: str) -> bytes:
        """A kept content. Raises NotFound when it was never kept or has been erased."""
        with self.reader() as connection:
            return _content(connection, digest)

    @cached_property
    def workspace_id(self) -> str:
        """Which workspace this is, wherever its folder lies."""
        with self.reader() as connection:
            return str(connection.execute("SELECT id FROM workspace").fetchone()[0])

    def rebuild(self) -> int:
        """Drop all read tables and fold the whole log again, in one transaction; returns the number of facts."""
        with self._immediate() as connection:
            return self._refold(connection)

    def backup(self, target: Path) -> None:
        """A consistent copy at *target*, made by SQLite itself. Raises WorkspaceError when something stands there."""
        if target.exists():
            raise WorkspaceError(f"{target} exists already.", hint="Choose another name, or move the old file away.")
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
            _use_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            # Hot pages of indexes are written to the file once in 16 MB of log, and read from memory.
            connection.execute("PRAGMA wal_autocheckpoint = 4000")
            connection.execute("PRAGMA cache_size = -16000")
            self._local.connection = connection
        return connection

    def _migrate(self) -> None:
        connection = self._connection()
        known = migrations()
        at = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if at > len(known):
            raise WorkspaceError(
                f"{self.path} was written by a newer JobCtrl (schema {at}; this version knows {len(known)}).",
                hint="Install the newer version, or open another workspace with --workspace.",
            )
        if at == len(known):
            return
        with self._immediate():
            # Another process may have migrated between the look above and the lock.
            at = int(connection.execute("PRAGMA user_version").fetchone()[0])
            for sql in known[at:]:
                for statement in split(sql):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {max(at, len(known))}")

    def _catch_up(self) -> None:
        """Refold when these read tables, in these versions, do not stand at the end of the log."""
        if self._in_step(self._connection()):
            return
        with self._immediate() as connection:
            if not self._in_step(connection):
                self._refold(connection)

    def _keep_in_step(self, connection: sqlite3.Connection) -> None:
        """Folding onto tables that missed a fact, or that other folds made, would leave them wrong for good."""
        folded, last = self._positions(connection)
        if folded is None:
            raise WorkspaceBusy(
                f"The read tables of {self.path} are kept by another version of JobCtrl now.",
                hint="Restart this process with that version, or stop the other one and restart.",
            )
        if folded != last:
            self._refold(connection)

    def _in_step(self, connection: sqlite3.Connection) -> bool:
        folded, last = self._positions(connection)
        return folded == last

    def _positions(self, connection: sqlite3.Connection) -> tuple[int | None, int]:
        """How far these folds have come, None when they never did, and how far the log has."""
        folded, last = connection.execute(SQL["positions"], {"folds": self._folds.digest}).fetchone()
        return folded, last

    def _refold(self, connection: sqlite3.Connection) -> int:
        count = self._folds.refold(connection, _facts(connection))
        connection.execute(SQL["forget_fold_positions"])
        last = connection.execute(SQL["last_position"]).fetchone()[0]
        connection.execute(SQL["set_fold_position"], {"folds": self._folds.digest, "position": last})
        return count


def _as_read_back(event: Event) -> tuple[str, Event]:
    """The payload of *event*, and the event that it will be for every later reader: the one the live folds see too."""
    try:
        payload = event.model_dump_json(by_alias=True)
        kept = read(event.event_type, event.schema_version, payload)
    except PydanticSerializationError as error:
        raise InvalidRequest(f"{event.event_type} cannot be written down: {error}.") from error
    if not isinstance(kept, Event):
        raise InvalidRequest(f"{event.event_type} cannot be read back from what would be written: {payload[:200]}")
    return payload, kept


def _roll_back(connection: sqlite3.Connection) -> None:
    # A full disk or a failing one has ended the transaction by itself.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _use_wal(connection: sqlite3.Connection) -> None:
    """Of two processes that switch a new file at once SQLite turns one away without waiting: it asks again."""
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.02)


def _content(connection: sqlite3.Connection, digest: str) -> bytes:
    row = connection.execute(SQL["get_content"], {"sha256": digest}).fetchone()
    if row is None:
        raise NotFound(f"No content {digest[:12]}… is kept in this workspace.")
    return bytes(row[0])


def _facts(connection: sqlite3.Connection) -> Iterator[Recorded]:
    yield from starmap(Recorded, connection.execute(SQL["read_since"], {"after": 0, "limit": -1}))
