"""A workspace that cannot be used says so, says what to do, and loses nothing."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from jobctrl.errors import Conflict, JobCtrlError, WorkspaceBusy, WorkspaceError
from jobctrl.store import Store
from jobctrl.store import store as store_module
from jobctrl.store.faults import workspace_errors
from tests.store.parcels import ParcelSent
from tests.store.workspace import open_workspace, tables_of

ROOT = Path(__file__).resolve().parents[2]

TRY_TO_WRITE = """
import sys
from pathlib import Path
from jobctrl.errors import JobCtrlError
from tests.store.parcels import ParcelSent
from tests.store.workspace import open_workspace
try:
    store = open_workspace(Path(sys.argv[1]))
    for number in range(400):
        with store.writer() as tx:
            tx.append("parcel/a", ParcelSent(parcel=str(number), town="X" * 2000))
        print("kept", number)
except JobCtrlError as error:
    print(type(error).__name__, "|", error.message, "|", error.hint)
try:
    print("position", store.position(), len(store.stream("parcel/a")))
except NameError:
    print("never opened")
"""


def record(store: Store, number: int = 1) -> None:
    with store.writer() as tx:
        for one in range(number):
            tx.append("parcel/a", ParcelSent(parcel=f"{store.position()}-{one}", town="X" * 500))


def in_a_mount_namespace(setup: str, *arguments: str) -> list[str]:
    """Try to write in a child whose own mounts *setup* makes; they end with it."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        pytest.skip("mounts of one's own need unshare and root")
    made = subprocess.run(["unshare", "-m", "sh", "-c", setup, "sh", *arguments], capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"this machine lets nobody mount: {made.stderr.strip()}")
    command = f'{setup} && exec "$PYTHON" -c "$SCRIPT" "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", command, "sh", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable, "SCRIPT": TRY_TO_WRITE},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout.splitlines()


def test_a_workspace_of_a_newer_version_is_left_alone(store: Store, path: Path) -> None:
    record(store)
    with store.writer() as tx:
        tx.connection.execute("PRAGMA user_version = 999")
    store.close()
    before = path.read_bytes()

    with pytest.raises(WorkspaceError, match="newer") as caught:
        open_workspace(path)

    assert caught.value.hint
    assert "999" in caught.value.message
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database, but a letter to a friend. " * 50, b"\x00" * 4096, b"SQLite f"])
def test_a_file_that_is_no_database_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(WorkspaceError, match=r"workspace\.db") as caught:
        open_workspace(path)

    assert caught.value.hint
    assert path.read_bytes() == content


def test_a_damaged_file_is_named_as_damaged(store: Store, path: Path) -> None:
    record(store, 200)
    store.close()
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(reversed(data[4096:]))
    path.write_bytes(data)

    with pytest.raises(WorkspaceError, match="damaged") as caught:
        open_workspace(path).since(0, limit=1000)

    assert "backup" in (caught.value.hint or "")


def test_a_file_cut_short_is_named_as_damaged(store: Store, path: Path) -> None:
    record(store, 200)
    store.close()
    os.truncate(path, path.stat().st_size // 2)

    with pytest.raises(WorkspaceError, match="damaged"):
        open_workspace(path).since(0, limit=1000)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot be opened") as caught:
        open_workspace(tmp_path / "nowhere" / "workspace.db")

    assert "folder" in (caught.value.hint or "")


def test_a_folder_in_place_of_the_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError):
        open_workspace(tmp_path)


def test_a_full_disk_keeps_all_that_was_committed_and_goes_on_when_there_is_room(store: Store) -> None:
    record(store, 20)
    before = tables_of(store)
    with store.reader() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    with store.writer() as tx:
        tx.connection.execute(f"PRAGMA max_page_count = {pages + 2}")

    with pytest.raises(WorkspaceError, match="full") as caught:
        record(store, 100)

    assert "space" in (caught.value.hint or "")
    assert store.position() == 20
    assert tables_of(store) == before
    with store.writer() as tx:
        tx.connection.execute("PRAGMA max_page_count = 1000000")
    record(store)
    assert store.position() == 21
    store.rebuild()
    assert len(tables_of(store)["parcels"]) == 21


def test_a_really_full_disk_keeps_all_that_was_committed(tmp_path: Path) -> None:
    lines = in_a_mount_namespace('mount -t tmpfs -o size=700k tmpfs "${1%/*}"', str(tmp_path / "workspace.db"))

    kept = sum(line.startswith("kept") for line in lines)
    assert kept > 0
    assert lines[kept].startswith("WorkspaceError | ")
    assert "Free space" in lines[kept]
    assert lines[kept + 1] == f"position {kept} {kept}"


@pytest.mark.parametrize("existing", [True, False])
def test_a_read_only_folder_is_said(tmp_path: Path, existing: bool) -> None:
    path = tmp_path / "folder" / "workspace.db"
    path.parent.mkdir()
    if existing:
        store = open_workspace(path)
        record(store)
        store.close()

    lines = in_a_mount_namespace('mount --bind "${1%/*}" "${1%/*}" && mount -o remount,ro,bind "${1%/*}"', str(path))

    assert lines[0].startswith("WorkspaceError | ")
    assert "write" in lines[0]
    if existing:
        again = open_workspace(path)
        assert again.position() == 1
        again.close()


def test_a_read_only_connection_is_said(store: Store) -> None:
    with store.reader() as connection:
        connection.execute("PRAGMA query_only = ON")

    with pytest.raises(WorkspaceError, match="read-only") as caught:
        record(store)

    assert caught.value.hint


def test_a_workspace_held_by_another_for_too_long_is_busy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "BUSY_TIMEOUT_MS", 50)
    store, other = open_workspace(path), open_workspace(path)

    with store.writer(), pytest.raises(WorkspaceBusy) as caught:
        record(other)

    assert caught.value.retryable
    record(other)
    assert store.position() == 1
    store.close()
    other.close()


def test_a_failed_open_leaves_no_lock_behind(path: Path) -> None:
    path.write_bytes(b"x" * 8192)
    with pytest.raises(WorkspaceError):
        open_workspace(path)
    path.unlink()

    store = open_workspace(path)
    done = threading.Event()
    thread = threading.Thread(target=lambda: (record(store), done.set()))
    thread.start()
    thread.join(10)

    assert done.is_set()
    store.close()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (sqlite3.OperationalError("database is locked"), WorkspaceBusy),
        (sqlite3.OperationalError("database table is locked"), WorkspaceBusy),
        (sqlite3.OperationalError("database or disk is full"), WorkspaceError),
        (sqlite3.OperationalError("disk I/O error"), WorkspaceError),
        (sqlite3.OperationalError("attempt to write a readonly database"), WorkspaceError),
        (sqlite3.OperationalError("unable to open database file"), WorkspaceError),
        (sqlite3.DatabaseError("file is not a database"), WorkspaceError),
        (sqlite3.DatabaseError("database disk image is malformed"), WorkspaceError),
        (sqlite3.OperationalError("no such table: parcels"), WorkspaceError),
        (
            sqlite3.IntegrityError("UNIQUE constraint failed: job_events.stream, job_events.stream_version"),
            Conflict,
        ),
    ],
)
def test_what_sqlite_raises_becomes_an_error_of_ours(error: sqlite3.Error, expected: type[JobCtrlError]) -> None:
    with pytest.raises(expected) as caught, workspace_errors(Path("w.db")):
        raise error

    assert caught.value.__cause__ is error
    assert isinstance(caught.value, Conflict) or "w.db" in caught.value.message
