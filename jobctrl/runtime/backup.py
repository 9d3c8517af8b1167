"""Backup and restore of a workspace: the log, Temporal's history, the settings and the documents, as one pair."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jobctrl.errors import WorkspaceBusy, WorkspaceError
from jobctrl.runtime.integrity import log_state, looking_at, require_whole
from jobctrl.runtime.manifest import (
    CONFIG,
    HISTORY,
    LOG,
    MANIFEST,
    BackupFile,
    Manifest,
    read_manifest,
    sealed,
    versions,
)
from jobctrl.runtime.tables import TABLES
from jobctrl.runtime.workspace import Workspace, hosting, lock
from jobctrl.store import Store, moment
from jobctrl.store.faults import workspace_errors

_DOCUMENT = re.compile(r"[0-9a-f]{64}\.[a-z]+")
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Backup:
    """A backup that stands in `folder`, and documents whose content is not what their name says, if any."""

    folder: Path
    manifest: Manifest
    damaged_documents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Restored:
    workspace: Path
    manifest: Manifest
    moved_aside: Path | None = None
    """Where the workspace that stood there before is now."""


def default_folder(workspace: Workspace, now: datetime) -> Path:
    """Beside the workspace, so that it outlives it."""
    return workspace.path.with_name(f"{workspace.path.name}-backups") / now.strftime("%Y%m%dT%H%M%SZ")


def backup(workspace: Workspace, folder: Path, now: datetime) -> Backup:
    """Copy a workspace into *folder*, also while it runs. Raises WorkspaceError; *folder* is then as it was.

    The history is copied before the log: a restored server repeats what the log has already, which changes nothing.
    The other way round it would take for done what the log never saw.
    """
    if not workspace.exists:
        raise WorkspaceError(f"There is no workspace in {workspace.path}.", hint="Name one with --workspace.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WorkspaceError(f"{folder} is not empty.", hint="Name a folder that is not there yet.")
    with _drafted(folder) as draft:
        copies = [_copy_database(workspace.temporal_database, draft / HISTORY)]
        copies.append(_copy_database(workspace.database, draft / LOG))
        if workspace.config.exists():
            copies.append(_copy_file(workspace.config, draft / CONFIG))
        documents = list(_documents(workspace))
        copies += [_keep_document(document, draft) for document in documents]
        state = log_state(draft / LOG)
        manifest = Manifest(
            made_at=moment(now),
            workspace_id=state.workspace_id,
            log_position=state.position,
            log_schema=state.schema,
            versions=versions(),
            files=tuple(
                BackupFile(path=str(each.path.relative_to(draft)), bytes=each.size, sha256=each.sha256)
                for each in copies
                if each is not None
            ),
        )
        _write(draft / MANIFEST, sealed(manifest))
    damaged = [file.path for file in manifest.files if file.path.startswith("artifacts/") and not _named_rightly(file)]
    return Backup(folder, manifest, tuple(damaged))


def restore(folder: Path, workspace: Workspace, now: datetime, *, replace: bool = False) -> Restored:
    """Put a backup where *workspace* is to be. Everything is verified in a draft beside it before anything is moved.

    Raises WorkspaceError for a backup that is damaged, naming the file, and for a workspace that stands there already
    unless *replace* moves it aside; WorkspaceBusy while something uses that one.
    """
    manifest = read_manifest(folder)
    with ExitStack() as stack:
        occupied = _occupied(workspace)
        if occupied and not replace:
            raise WorkspaceError(
                f"{workspace.path} is not empty.",
                hint="--replace moves what is there aside; --to names another folder.",
            )
        if workspace.path.exists():
            _take_over(workspace, stack)
        aside = workspace.path.with_name(f"{workspace.path.name}.replaced-{now:%Y%m%dT%H%M%SZ}") if occupied else None
        with _drafted(workspace.path, aside) as draft:
            _copy_verified(folder, manifest, draft)
            _require_usable(folder, manifest, draft)
    return Restored(workspace.path, manifest, aside)


@dataclass(frozen=True)
class _Copy:
    path: Path
    size: int
    sha256: str


def _copy_database(source: Path, target: Path) -> _Copy | None:
    """A copy made by SQLite itself, whoever writes meanwhile. A live database is never read as a file."""
    if not source.exists():
        return None
    with looking_at(source) as live, workspace_errors(target), closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
        # One file, without a log of its own beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
    target.chmod(0o600)
    require_whole(target, called=source)
    return _hashed(target)


def _keep_document(document: Path, draft: Path) -> _Copy:
    """Documents are never changed under their name, so another name for the same file is a copy of it."""
    target = draft / "artifacts" / document.parent.name / document.name
    with _file_errors(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(document, target)
        except OSError:
            # Another disk, or one without links.
            return _copy_file(document, target)
    return _hashed(target)


def _documents(workspace: Workspace) -> Iterator[Path]:
    for file in sorted(workspace.artifacts.glob("??/*")):
        # Anything else is a draft of a document that is being written.
        if _DOCUMENT.fullmatch(file.name):
            yield file


def _named_rightly(file: BackupFile) -> bool:
    return Path(file.path).stem == file.sha256


def _copy_file(source: Path, target: Path) -> _Copy:
    digest = hashlib.sha256()
    with _file_errors(source):
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as reading, target.open("wb") as writing:
            while chunk := reading.read(_CHUNK):
                digest.update(chunk)
                writing.write(chunk)
            writing.flush()
            os.fsync(writing.fileno())
        target.chmod(0o600)
    return _Copy(target, target.stat().st_size, digest.hexdigest())


def _hashed(file: Path) -> _Copy:
    with _file_errors(file), file.open("rb") as reading:
        digest = hashlib.file_digest(reading, "sha256").hexdigest()
    return _Copy(file, file.stat().st_size, digest)


def _write(file: Path, text: str) -> None:
    with _file_errors(file), file.open("w", encoding="utf-8") as writing:
        writing.write(text)
        writing.flush()
        os.fsync(writing.fileno())
    file.chmod(0o600)


def _copy_verified(folder: Path, manifest: Manifest, draft: Path) -> None:
    for file in manifest.files:
        source = folder / file.path
        if not source.is_file():
            raise _refused(source, "it is missing")
        if source.stat().st_size != file.bytes:
            raise _refused(source, f"it has {source.stat().st_size:,} bytes; {file.bytes:,} were written")
        if _copy_file(source, draft / file.path).sha256 != file.sha256:
            raise _refused(source, "its content is not what was written")


def _require_usable(folder: Path, manifest: Manifest, draft: Path) -> None:
    """Whether the copies open, hang together and stand where the manifest says. This version's tables are made too."""
    for name in (LOG, HISTORY) if manifest.has_history else (LOG,):
        require_whole(draft / name, thorough=True, called=folder / name)
    state = log_state(draft / LOG)
    if (state.workspace_id, state.position) != (manifest.workspace_id, manifest.log_position):
        raise _refused(folder / LOG, f"its log stands at {state.position:,}, not {manifest.log_position:,}")
    Store(draft / LOG, TABLES).close()


def _refused(file: Path, why: str) -> WorkspaceError:
    return WorkspaceError(f"{file} is damaged: {why}.", hint="Use another backup; nothing was restored.")


def _occupied(workspace: Workspace) -> bool:
    """Whether there is anything but the locks of those who looked whether somebody is there."""
    if not workspace.path.exists():
        return False
    if not workspace.path.is_dir():
        raise WorkspaceError(f"{workspace.path} is a file.", hint="--to names another folder.")
    return any(not entry.name.endswith(".lock") for entry in workspace.path.iterdir())


def _take_over(workspace: Workspace, stack: ExitStack) -> None:
    """Make sure that nothing uses the workspace, and that nothing begins to. Raises WorkspaceBusy."""
    stack.enter_context(hosting(workspace))
    held = lock(workspace.path / ".temporal.lock")
    if held is None:
        raise WorkspaceBusy(
            f"A Temporal server that an earlier `up` left behind still runs in {workspace.path}.",
            hint="Start `jobctrl up` there and end it with Ctrl-C: the server stops with it.",
        )
    stack.callback(held.close)
    if workspace.exists and _in_use(workspace.database):
        raise WorkspaceBusy(
            f"{workspace.database} is open in another process.", hint="Close its desks and its API, then try again."
        )


def _in_use(database: Path) -> bool:
    """Whether another connection is open: SQLite leaves WAL mode only for the last one."""
    try:
        with closing(sqlite3.connect(database, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    except sqlite3.DatabaseError:
        # Damaged, which is why it is replaced.
        return False
    return False


@contextmanager
def _drafted(folder: Path, aside: Path | None = None) -> Iterator[Path]:
    """A folder to fill that becomes *folder* only when all of it is there. What stood there is moved to *aside*."""
    draft = folder.with_name(f".{folder.name}.{os.getpid()}.draft")
    try:
        with _file_errors(draft):
            draft.mkdir(parents=True, mode=0o700)
        yield draft
        with _file_errors(folder):
            _swap(draft, folder, aside)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _swap(draft: Path, folder: Path, aside: Path | None) -> None:
    if aside is None:
        # Empty, or nothing but locks that nobody holds.
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(draft, folder)
        return
    os.rename(folder, aside)
    try:
        os.rename(draft, folder)
    except OSError:
        os.rename(aside, folder)
        raise


@contextmanager
def _file_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkspaceError(
            f"{file} cannot be used: {error.strerror}.", hint="Has the disk room, and are both folders yours?"
        ) from error
