"""An export holds every table, reads back the same in Polars and DuckDB, and never overwrites by accident."""

from __future__ import annotations

import json
import os
import random

import duckdb
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from jobctrl.analytics import export as module
from jobctrl.analytics.ask import in_utc
from jobctrl.analytics.export import export_parquet
from jobctrl.analytics.tables import tables
from jobctrl.errors import InvalidRequest, WorkspaceError
from tests.analytics.test_warehouse import tell_something


@pytest.fixture
def told(search, warehouse):
    dice, jobs = random.Random(11), []
    search.source("greenhouse:acme")
    for _ in range(12):
        tell_something(search, dice, jobs)
        warehouse.refresh()
    return warehouse


def test_polars_and_duckdb_read_it_back_equal_to_what_was_asked(told, tmp_path):
    done = export_parquet(told, tmp_path / "out")

    db, bare = told.connect(), duckdb.connect()
    assert set(done.rows) == {table.name for table in tables()}
    for table in tables():
        file = tmp_path / "out" / f"{table.name}.parquet"
        asked = in_utc(pl.DataFrame(db.sql(f"SELECT * FROM {table.name} ORDER BY ALL")))
        by_polars = pl.read_parquet(file)
        by_duckdb = in_utc(pl.DataFrame(bare.sql(f"SELECT * FROM read_parquet('{file}')")))
        assert by_polars.schema == table.schema
        assert_frame_equal(by_polars, asked)
        assert_frame_equal(by_duckdb, asked)


def test_its_dictionary_names_every_file_with_its_columns_and_rows(told, tmp_path):
    done = export_parquet(told, tmp_path / "out")

    about = json.loads((tmp_path / "out" / "dictionary.json").read_text())
    assert about["position"] == done.position == told.position
    for entry in about["tables"]:
        frame = pl.read_parquet(tmp_path / "out" / f"{entry['table']}.parquet")
        assert [column["name"] for column in entry["columns"]] == frame.columns
        assert entry["rows"] == len(frame)
    assert "### jobs" in (tmp_path / "out" / "dictionary.md").read_text()


def test_an_export_that_stands_is_replaced_only_when_asked(told, tmp_path):
    export_parquet(told, tmp_path / "out")
    with pytest.raises(InvalidRequest, match="holds an export already"):
        export_parquet(told, tmp_path / "out")

    (tmp_path / "out" / "jobs.parquet").unlink()
    export_parquet(told, tmp_path / "out", replace=True)

    assert (tmp_path / "out" / "jobs.parquet").exists()
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name] == ["out"]


@pytest.mark.parametrize("replace", [False, True])
def test_a_folder_with_anything_else_in_it_is_never_touched(told, tmp_path, replace):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("words")

    with pytest.raises(InvalidRequest, match="something else"):
        export_parquet(told, tmp_path / "thesis", replace=replace)

    assert [path.name for path in (tmp_path / "thesis").iterdir()] == ["chapter.txt"]


def test_a_failure_midway_leaves_what_stood_there(told, tmp_path, monkeypatch):
    export_parquet(told, tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "put", full)
    with pytest.raises(WorkspaceError, match="No space left"):
        export_parquet(told, tmp_path / "out", replace=True)

    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(told, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)

    with pytest.raises(WorkspaceError, match="cannot be written"):
        export_parquet(told, tmp_path / "locked" / "out")


def test_an_earlier_state_is_exported_as_well(told, tmp_path):
    done = export_parquet(told.as_of(5), tmp_path / "out")

    assert (done.position, done.rows["events"]) == (5, 5)
