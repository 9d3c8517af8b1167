"""Backup and restore: the pair is whole and in step, whoever writes meanwhile; what is damaged is refused by name."""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jobctrl.errors import WorkspaceBusy, WorkspaceError
from jobctrl.ids import digest_of, sha256
from jobctrl.profile.state import Profiles
from jobctrl.runtime.backup import Backup, backup, default_folder, restore
from jobctrl.runtime.house import open_house
from jobctrl.runtime.manifest import MANIFEST, read_manifest
from jobctrl.runtime.tables import TABLES, open_store
from jobctrl.runtime.workspace import Workspace, hosting, lock
from jobctrl.settings.config import change_settings, load_settings
from tests.runtime.searching import admit, listing, new_house, person
from tests.store.workspace import tables_of

NOW = datetime(2026, 3, 9, 12, 30, tzinfo=UTC)
DOCUMENT = b"%PDF-1.7 a resume"


@dataclass(frozen=True)
class Kept:
    """A workspace, a backup of it, and a place where it can be restored."""

    workspace: Workspace
    backup: Backup
    target: Workspace

    @property
    def folder(self) -> Path:
        return self.backup.folder

    def restore(self, **choices: bool) -> None:
        restore(self.folder, self.target, NOW, **choices)


def make_workspace(path: Path) -> Workspace:
    """A workspace with two jobs, a document, a setting, and a database in the place of Temporal's history."""
    house = new_house(path)
    admit(house.store, [listing(1), listing(2, "Analytics Engineer")])
    house.files.keep(DOCUMENT)
    house.close()
    workspace = Workspace(path)
    change_settings(workspace.config, {"min_fit_score": 8})
    with closing(sqlite3.connect(workspace.temporal_database)) as history:
        history.execute("PRAGMA journal_mode = WAL")
        history.execute("CREATE TABLE executions (id TEXT, data BLOB)")
        history.executemany("INSERT INTO executions VALUES (?, zeroblob(3000))", [(str(n),) for n in range(50)])
        history.commit()
    return workspace


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    workspace = make_workspace(tmp_path / "ws")
    made = backup(workspace, tmp_path / "kept", NOW)
    return Kept(workspace, made, Workspace(tmp_path / "restored"))


def log_of(workspace: Workspace) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(workspace.database)) as connection:
        return connection.execute("SELECT * FROM job_events ORDER BY position").fetchall()


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if "draft" in path.name)


def test_what_is_restored_is_what_was_backed_up(kept: Kept) -> None:
    kept.restore()

    assert log_of(kept.target) == log_of(kept.workspace)
    assert load_settings(kept.target.config).min_fit_score == 8
    house = open_house(kept.target)
    assert house.files.read(sha256(DOCUMENT)) == DOCUMENT
    assert house.profiles.required().profile == person()
    live = tables_of(house.store, TABLES)
    house.store.rebuild()
    assert tables_of(house.store, TABLES) == live
    house.close()
    with closing(sqlite3.connect(kept.target.temporal_database)) as history:
        assert history.execute("SELECT COUNT(*) FROM executions").fetchone() == (50,)


def test_the_manifest_says_where_the_log_stood_and_what_each_file_is(kept: Kept) -> None:
    said = read_manifest(kept.folder)

    store = open_store(kept.workspace)
    assert (said.log_position, said.workspace_id) == (store.position(), store.workspace_id)
    store.close()
    assert said.has_history
    assert {"jobctrl", "python", "sqlite", "temporalio"} <= set(said.versions)
    assert {file.path: file.sha256 for file in said.files} == {
        str(path.relative_to(kept.folder)): sha256(path.read_bytes())
        for path in kept.folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }


def test_keys_tokens_logs_and_unfinished_documents_are_not_backed_up(kept: Kept, tmp_path: Path) -> None:
    kept.workspace.token.write_text("a token")
    (kept.workspace.logs / "worker.log").write_text("words")
    (kept.workspace.artifacts / "ab").mkdir()
    (kept.workspace.artifacts / "ab" / "tmpx81k").write_bytes(b"half a doc")

    made = backup(kept.workspace, tmp_path / "again", NOW)

    assert {file.path for file in made.manifest.files} == {file.path for file in kept.backup.manifest.files}


def test_a_workspace_that_never_ran_has_no_history_to_keep(tmp_path: Path) -> None:
    new_house(tmp_path / "ws").close()

    made = backup(Workspace(tmp_path / "ws"), tmp_path / "kept", NOW)
    restore(tmp_path / "kept", Workspace(tmp_path / "restored"), NOW)

    assert not made.manifest.has_history
    assert not Workspace(tmp_path / "restored").temporal_database.exists()


def test_a_document_that_was_damaged_before_is_told(kept: Kept, tmp_path: Path) -> None:
    [document] = kept.workspace.artifacts.rglob("*.pdf")
    document.write_bytes(b"%PDF-1.7 something else")

    made = backup(kept.workspace, tmp_path / "again", NOW)

    assert made.damaged_documents == (f"artifacts/{document.parent.name}/{document.name}",)


def test_the_default_place_is_beside_the_workspace(tmp_path: Path) -> None:
    assert default_folder(Workspace(tmp_path / "ws"), NOW) == tmp_path / "ws-backups" / "20260309T123000Z"


def test_a_backup_overwrites_nothing(kept: Kept) -> None:
    with pytest.raises(WorkspaceError, match="not empty") as caught:
        backup(kept.workspace, kept.folder, NOW)

    assert caught.value.hint
    assert read_manifest(kept.folder) == kept.backup.manifest


def test_there_is_nothing_to_back_up_without_a_workspace(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="no workspace"):
        backup(Workspace(tmp_path / "none"), tmp_path / "kept", NOW)

    assert list(tmp_path.iterdir()) == []


def test_a_damaged_workspace_is_named_and_leaves_no_backup(kept: Kept, tmp_path: Path) -> None:
    spoil(kept.workspace.temporal_database, 9000)

    with pytest.raises(WorkspaceError, match=r"ws/temporal\.db is damaged"):
        backup(kept.workspace, tmp_path / "again", NOW)

    assert not (tmp_path / "again").exists()
    assert leftovers(tmp_path) == []


def spoil(file: Path, at: int, length: int = 4096) -> None:
    content = bytearray(file.read_bytes())
    content[at : at + length] = b"\xa5" * len(content[at : at + length])
    file.write_bytes(content)


def resealed(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """A manifest that somebody wrote anew, with a seal that fits."""
    said = json.loads((folder / MANIFEST).read_text())
    del said["seal"]
    change(said)
    (folder / MANIFEST).write_text(json.dumps({**said, "seal": digest_of(said)}))


def manifest_edit(old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / MANIFEST).read_text()
        assert old in text
        (folder / MANIFEST).write_text(text.replace(old, new, 1))

    return edit


def other_log(folder: Path) -> None:
    """The log of another moment, and a manifest that was made to fit its bytes but not its position."""
    with closing(sqlite3.connect(folder / "jobctrl.db")) as connection:
        connection.execute("PRAGMA user_version = 1")
    content = (folder / "jobctrl.db").read_bytes()

    def change(said: dict[str, Any]) -> None:
        [file] = [each for each in said["files"] if each["path"] == "jobctrl.db"]
        file.update(sha256=sha256(content), bytes=len(content))
        said["log_position"] += 1

    resealed(folder, change)


def newer(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "jobctrl.db")) as connection:
        connection.execute("PRAGMA user_version = 999")
    content = (folder / "jobctrl.db").read_bytes()

    def change(said: dict[str, Any]) -> None:
        [file] = [each for each in said["files"] if each["path"] == "jobctrl.db"]
        file.update(sha256=sha256(content), bytes=len(content))

    resealed(folder, change)


def rotten(folder: Path) -> None:
    """Damaged before it was hashed: every hash fits."""
    spoil(folder / "temporal.db", 9000)
    content = (folder / "temporal.db").read_bytes()

    def change(said: dict[str, Any]) -> None:
        [file] = [each for each in said["files"] if each["path"] == "temporal.db"]
        file.update(sha256=sha256(content))

    resealed(folder, change)


def no_log(folder: Path) -> None:
    resealed(folder, lambda said: said.update(files=[f for f in said["files"] if f["path"] != "jobctrl.db"]))


def a_way_out(folder: Path) -> None:
    resealed(folder, lambda said: said["files"][0].update(path="artifacts/../../stolen.pdf"))


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "a changed log": (lambda folder: spoil(folder / "jobctrl.db", 8192, 1), r"kept/jobctrl\.db is damaged"),
    "a cut history": (lambda folder: spoil_end(folder / "temporal.db"), r"kept/temporal\.db is damaged.*bytes"),
    "a missing history": (lambda folder: (folder / "temporal.db").unlink(), r"kept/temporal\.db is damaged.*missing"),
    "a changed setting": (
        lambda folder: (folder / "config.json").write_text('{\n  "min_fit_score": 9\n}'),
        r"kept/config\.json is damaged",
    ),
    "a missing document": (
        lambda folder: next((folder / "artifacts").rglob("*.pdf")).unlink(),
        r"kept/artifacts/.*\.pdf is damaged",
    ),
    "a rotten history": (rotten, r"kept/temporal\.db is damaged"),
    "another log": (other_log, r"kept/jobctrl\.db is damaged: its log stands at"),
    "a log of a newer version": (newer, "newer JobCtrl"),
    "no manifest": (lambda folder: (folder / MANIFEST).unlink(), "no backup"),
    "half a manifest": (lambda folder: spoil_end(folder / MANIFEST), r"kept/manifest\.json is damaged"),
    "no object": (lambda folder: (folder / MANIFEST).write_text("[]"), r"kept/manifest\.json is damaged"),
    "a changed manifest": (manifest_edit('"log_position": ', '"log_position": 1'), r"manifest\.json is damaged"),
    "a later format": (manifest_edit('"format": 1', '"format": 2'), r"manifest\.json is damaged: format"),
    "a log it does not name": (no_log, r"manifest\.json is damaged: it names no jobctrl\.db"),
    "a way out of the folder": (a_way_out, r"manifest\.json is damaged: files\.0\.path"),
}


def spoil_end(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_backup_is_refused_by_the_name_of_the_file(kept: Kept, damage: str) -> None:
    harm, words = DAMAGE[damage]
    harm(kept.folder)

    with pytest.raises(WorkspaceError, match=words) as caught:
        kept.restore()

    assert caught.value.hint
    assert not kept.target.path.exists()
    assert leftovers(kept.target.path.parent) == []
    assert not (kept.target.path.parent / "stolen.pdf").exists()


def test_a_damaged_backup_leaves_the_workspace_that_it_was_to_replace(kept: Kept) -> None:
    before = log_of(kept.workspace)
    spoil(kept.folder / "jobctrl.db", 8192, 1)

    with pytest.raises(WorkspaceError, match="damaged"):
        restore(kept.folder, kept.workspace, NOW, replace=True)

    assert log_of(kept.workspace) == before
    open_house(kept.workspace).close()


def test_a_file_that_lies_beside_the_backups_own_is_not_taken_for_part_of_it(kept: Kept) -> None:
    (kept.folder / "jobctrl.db-wal").write_bytes(b"somebody opened it")
    kept.restore()

    assert log_of(kept.target) == log_of(kept.workspace)


def test_a_workspace_that_stands_there_is_refused_and_replaced_only_when_asked(kept: Kept) -> None:
    later = open_house(kept.workspace)
    admit(later.store, [listing(3)])
    later.close()
    changed = log_of(kept.workspace)

    with pytest.raises(WorkspaceError, match="not empty") as caught:
        restore(kept.folder, kept.workspace, NOW)
    done = restore(kept.folder, kept.workspace, NOW, replace=True)

    assert "--replace" in (caught.value.hint or "")
    assert done.moved_aside is not None
    assert log_of(Workspace(done.moved_aside)) == changed
    assert len(log_of(kept.workspace)) == kept.backup.manifest.log_position < len(changed)


def test_a_backup_inside_the_workspace_can_replace_it(kept: Kept) -> None:
    inside = backup(kept.workspace, kept.workspace.path / "backups" / "one", NOW)

    done = restore(inside.folder, kept.workspace, NOW, replace=True)

    assert done.moved_aside is not None
    assert read_manifest(done.moved_aside / "backups" / "one") == inside.manifest


def test_a_damaged_workspace_can_be_replaced(kept: Kept) -> None:
    kept.workspace.database.write_bytes(b"no database at all")

    restore(kept.folder, kept.workspace, NOW, replace=True)

    assert len(log_of(kept.workspace)) == kept.backup.manifest.log_position


def test_a_folder_that_holds_nothing_but_old_locks_is_empty(kept: Kept) -> None:
    kept.target.path.mkdir()
    (kept.target.path / ".up.lock").touch()

    kept.restore()

    assert log_of(kept.target) == log_of(kept.workspace)


def test_a_file_in_the_place_of_the_workspace_is_said(kept: Kept) -> None:
    kept.target.path.write_text("a file")

    with pytest.raises(WorkspaceError, match="is a file"):
        kept.restore(replace=True)


def test_a_workspace_that_runs_is_not_replaced(kept: Kept) -> None:
    with hosting(kept.workspace), pytest.raises(WorkspaceBusy, match="jobctrl up"):
        restore(kept.folder, kept.workspace, NOW, replace=True)


def test_a_workspace_whose_server_was_left_behind_is_not_replaced(kept: Kept) -> None:
    held = lock(kept.workspace.path / ".temporal.lock")
    assert held is not None

    with pytest.raises(WorkspaceBusy, match="Temporal server") as caught:
        restore(kept.folder, kept.workspace, NOW, replace=True)

    held.close()
    assert "jobctrl up" in (caught.value.hint or "")


def test_a_workspace_that_a_desk_has_open_is_not_replaced(kept: Kept) -> None:
    house = open_house(kept.workspace)
    with pytest.raises(WorkspaceBusy, match="open in another process"):
        restore(kept.folder, kept.workspace, NOW, replace=True)
    admit(house.store, [listing(9)])
    house.close()

    restore(kept.folder, kept.workspace, NOW, replace=True)


def test_a_folder_that_cannot_be_written_is_said(kept: Kept) -> None:
    (kept.target.path.parent / "file").write_text("x")

    with pytest.raises(WorkspaceError, match="cannot be used"):
        restore(kept.folder, Workspace(kept.target.path.parent / "file" / "ws"), NOW)
    with pytest.raises(WorkspaceError, match="cannot be used"):
        backup(kept.workspace, kept.target.path.parent / "file" / "kept", NOW)


@pytest.fixture
def writers(tmp_path: Path) -> Iterator[tuple[Workspace, list[int]]]:
    """A workspace that three threads write to, and the positions that they were told are kept."""
    workspace = make_workspace(tmp_path / "ws")
    told: list[int] = []
    stop = threading.Event()
    begun = threading.Barrier(4, timeout=20)

    def write(number: int) -> None:
        house = open_house(workspace)
        profiles = Profiles(house.store)
        begun.wait()
        turn = 0
        while not stop.is_set():
            turn += 1
            admit(house.store, [listing(f"{number}-{turn}")])
            profiles.save(person())
            told.append(house.store.position())
        house.close()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    begun.wait()
    yield workspace, told
    stop.set()
    for thread in threads:
        thread.join()


def test_a_backup_that_is_taken_while_writers_run_is_of_one_moment(
    writers: tuple[Workspace, list[int]], tmp_path: Path
) -> None:
    workspace, told = writers
    for number in range(4):
        kept_before = max(told, default=0)
        made = backup(workspace, tmp_path / f"kept-{number}", NOW)
        target = Workspace(tmp_path / f"restored-{number}")
        restore(made.folder, target, NOW)

        position = made.manifest.log_position
        assert position >= kept_before
        assert [row[0] for row in log_of(target)] == list(range(1, position + 1))
        assert log_of(workspace)[:position] == log_of(target)
        house = open_house(target)
        live = tables_of(house.store, TABLES)
        house.store.rebuild()
        assert tables_of(house.store, TABLES) == live
        house.close()
        shutil.rmtree(target.path)
    assert made.manifest.log_position > read_manifest(tmp_path / "kept-0").log_position
