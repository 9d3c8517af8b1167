"""The snapshots say what the read tables say, at the price of what is new, and survive what may happen to them."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import random
import sqlite3
import time
from pathlib import Path

import polars as pl
import pytest

from jobctrl.analytics import parquet
from jobctrl.analytics import warehouse as module
from jobctrl.analytics.board import BoardFilter, jobs_board
from jobctrl.analytics.tables import tables
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.errors import NotFound, WorkspaceError
from tests.analytics.searches import TABLES, Search


def all_rows(warehouse: Warehouse) -> dict[str, list[tuple]]:
    db = warehouse.connect()
    return {each.name: sorted(db.sql(f"SELECT * FROM {each.name}").fetchall(), key=repr) for each in tables()}


def tell_something(search: Search, dice: random.Random, jobs: list[str]) -> None:
    """A random stretch of a search."""
    for _ in range(dice.randint(1, 12)):
        job = dice.choice(jobs) if jobs else None
        match dice.randint(0, 9):
            case 0 | 1 | 2:
                jobs.append(search.find(f"j{len(jobs)}", dice.choice(["greenhouse:acme", "lever:beta"])))
            case 3 if job:
                search.score(job, dice.randint(1, 10), version=search.store.position() + dice.randint(1, 10**6))
            case 4 if job:
                search.also_shown(job, f"d{dice.random()}", "ashby:gamma")
            case 5 if job:
                search.apply(job, dice.randint(1, 10), simulated=dice.random() < 0.5)
            case 6:
                search.call("score", dice.randint(0, 9000), job_id=job, ends=dice.choice(["settled", "held", "open"]))
            case 7:
                search.run(f"discover-{dice.random()}", ends=dice.choice(["succeeded", "failed", None]))
            case 8:
                search.reading("greenhouse:acme", returned=dice.randint(0, 40), field_nulls={"pay": 3})
            case 9 if job:
                search.stage(job, "enrich", fails=dice.choice([None, "source_unavailable"]))
    search.tell()


@pytest.mark.parametrize("seed", range(4))
def test_refreshed_bit_by_bit_it_holds_what_a_whole_build_holds(search, warehouse, monkeypatch, seed):
    monkeypatch.setattr(parquet, "SMALL_DELTA", 5)
    monkeypatch.setattr(parquet, "OPEN_PART_ROWS", 40)
    dice, jobs = random.Random(seed), []
    for source in ("greenhouse:acme", "lever:beta", "ashby:gamma"):
        search.source(source)

    built = []
    for _ in range(12):
        tell_something(search, dice, jobs)
        built.append(warehouse.refresh().built)
    bit_by_bit = all_rows(warehouse)
    warehouse.refresh(whole=True)

    assert built == ["whole"] + ["part"] * 11
    assert bit_by_bit == all_rows(warehouse)
    assert len(bit_by_bit["events"]) == search.store.position()


def test_it_holds_every_row_of_the_read_tables(search, warehouse):
    dice, jobs = random.Random(7), []
    for _ in range(10):
        tell_something(search, dice, jobs)
    warehouse.refresh()

    held = all_rows(warehouse)

    with search.store.reader() as connection:
        for each in TABLES:
            if each.name in held:
                assert len(held[each.name]) == len(each.all(connection)), each.name


def test_an_unchanged_log_costs_no_rows(search, warehouse):
    search.find("a")
    search.tell()
    warehouse.refresh()
    files = set(warehouse.folder.iterdir())

    again = warehouse.refresh()

    assert (again.built, again.rows) == ("nothing", 0)
    assert set(warehouse.folder.iterdir()) == files


def test_a_new_fact_costs_its_own_rows_and_not_the_whole_table(search, warehouse):
    jobs = [search.find(f"j{number}") for number in range(300)]
    search.tell()
    whole = warehouse.refresh()
    search.score(jobs[17], 8)
    search.tell()

    part = warehouse.refresh()

    assert whole.rows >= 1200
    assert part.built == "part"
    assert part.rows < 10
    rows = jobs_board(warehouse.connect(), wanted=BoardFilter(min_score=8))
    assert rows["job_id"].to_list() == [jobs[17]]


def test_every_moment_is_utc_and_typed_whatever_notation_it_was_told_in(search, warehouse):
    job = search.find("a", published="2026-02-28")
    search.tell()
    with search.store.writer() as tx:
        tx.append(
            f"job/{job}",
            ApplicationManuallyMarked(job_id=job, applied_at="2026-03-05T01:30:00+02:00", fit_score=8, score_version=1),
        )
    warehouse.refresh()

    row = pl.DataFrame(warehouse.connect().sql("SELECT applied_at, published, discovered_at, hidden FROM jobs"))

    assert row.schema["published"] == pl.Date
    assert row.schema["hidden"] == pl.Boolean
    assert row["applied_at"].dt.epoch("s").item() == 1_772_667_000


def test_a_crash_before_the_manifest_is_swapped_leaves_the_last_good_state(search, warehouse, monkeypatch):
    search.find("a")
    search.tell()
    warehouse.refresh()
    before = all_rows(warehouse)
    search.find("b")
    search.tell()

    def crash(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(module, "swap", crash)
        with pytest.raises(WorkspaceError, match="No space left"):
            warehouse.refresh()

    assert all_rows(warehouse) == before
    assert warehouse.refresh().built == "part"
    assert len(all_rows(warehouse)["jobs"]) == 2


def test_a_damaged_manifest_or_a_missing_file_means_a_whole_build(search, warehouse):
    search.find("a")
    search.tell()
    warehouse.refresh()
    (warehouse.folder / "manifest.json").write_text("{ half")
    assert warehouse.refresh().built == "whole"

    for file in warehouse.folder.glob("jobs-*.parquet"):
        file.unlink()

    assert warehouse.refresh().built == "whole"


def test_another_log_in_the_same_folder_means_a_whole_build(tmp_path):
    first = Search(tmp_path / "w")
    first.find("a")
    first.close()
    warehouse = Warehouse(tmp_path / "w")
    warehouse.refresh()
    for file in (tmp_path / "w").glob("jobctrl.db*"):
        file.unlink()
    second = Search(tmp_path / "w")
    for name in ("b", "c"):
        second.find(name)
    second.close()

    assert warehouse.refresh().built == "whole"
    assert len(all_rows(warehouse)["jobs"]) == 2


def test_a_workspace_that_is_closed_or_not_there_is_said_plainly(tmp_path, search, warehouse):
    search.find("a")
    search.close()

    assert warehouse.refresh().built == "whole"
    with pytest.raises(NotFound, match="no workspace"):
        Warehouse(tmp_path / "nowhere").refresh()
    with pytest.raises(NotFound, match="no snapshots"):
        Warehouse(tmp_path / "nowhere").connect()


def test_a_workspace_that_lacks_a_read_table_says_to_rebuild(search, warehouse):
    search.tell()
    with sqlite3.connect(search.store.path) as connection:
        connection.execute("DELETE FROM read_tables WHERE name = 'charges'")

    with pytest.raises(WorkspaceError, match="charges"):
        warehouse.refresh()


def test_reading_it_writes_nothing_to_the_workspace(search, warehouse):
    search.find("a")
    search.tell()
    position = search.store.position()

    warehouse.refresh()
    all_rows(warehouse)

    assert search.store.position() == position


def test_while_another_refreshes_the_last_good_state_is_used(search, warehouse):
    search.find("a")
    search.tell()
    warehouse.refresh()
    search.find("b")
    search.tell()

    with (warehouse.folder / "refresh.lock").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        meanwhile = warehouse.refresh()

    assert meanwhile.built == "nothing"
    assert len(all_rows(warehouse)["jobs"]) == 1
    assert warehouse.refresh().built == "part"


def _refresh_often(folder: Path, seconds: float) -> None:
    warehouse = Warehouse(folder)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        warehouse.refresh()
        db = warehouse.connect()
        [(jobs, events)] = db.sql("SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM events)").fetchall()
        assert jobs * 2 == events
        time.sleep(0.01)


def test_several_processes_refresh_and_read_while_one_writes(search, warehouse):
    search.find("first")
    search.tell()
    warehouse.refresh()
    spawn = multiprocessing.get_context("spawn")
    readers = [spawn.Process(target=_refresh_often, args=(search.folder, 1.5)) for _ in range(2)]
    for reader in readers:
        reader.start()
    number = 0
    while any(reader.is_alive() for reader in readers):
        number += 1
        search.find(f"j{number}")
        search.tell()
        time.sleep(0.02)

    assert [reader.exitcode for reader in readers] == [0, 0]
    warehouse.refresh()
    assert len(all_rows(warehouse)["jobs"]) == number + 1


def test_files_that_nothing_names_go_when_nobody_can_have_them_open(search, warehouse):
    search.find("a")
    search.tell()
    warehouse.refresh()
    first = set(warehouse.folder.glob("*.parquet"))
    warehouse.refresh(whole=True)
    assert first <= set(warehouse.folder.iterdir())
    for path in first:
        os.utime(path, (0, 0))

    warehouse.refresh(whole=True)

    assert not first & set(warehouse.folder.iterdir())
