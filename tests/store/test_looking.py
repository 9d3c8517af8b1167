"""Looking at one table: only where it stands as this version folds it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from jobctrl.errors import WorkspaceError
from jobctrl.store import Store, Table
from jobctrl.store.looking import look
from tests.store.parcels import PARCELS, Parcel, ParcelSent
from tests.store.workspace import write_raw

LIST = Table(name=PARCELS.name, version=PARCELS.version, row=Parcel, key=PARCELS.key)


def test_a_table_in_step_with_the_log_is_seen(store: Store, path: Path) -> None:
    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="Lublin"))

    with look(path, LIST) as connection:
        assert connection is not None
        assert LIST.all(connection) == [Parcel("a", "Lublin", None, 1)]


def test_a_table_behind_the_log_is_not_seen(store: Store, path: Path) -> None:
    with store.writer() as tx:
        write_raw(tx.connection, "ParcelSent", {"parcel": "a", "town": "Lublin"})

    with look(path, LIST) as connection:
        assert connection is None


@pytest.mark.parametrize("wanted", [replace(LIST, version=2), replace(LIST, name="letters")])
def test_a_table_of_another_version_or_none_at_all_is_not_seen(store: Store, path: Path, wanted: Table[Parcel]) -> None:
    with look(path, wanted) as connection:
        assert connection is None


def test_a_file_of_another_schema_is_left_to_the_store(store: Store, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")

    with look(path, LIST) as seen:
        assert seen is None


def test_no_file_is_made_by_looking(tmp_path: Path) -> None:
    with look(tmp_path / "none.db", LIST) as connection:
        assert connection is None

    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    path.write_bytes(b"this is no database" * 100)

    with pytest.raises(WorkspaceError, match="damaged"), look(path, LIST):
        pass
