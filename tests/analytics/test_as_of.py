"""The warehouse as it stood: what was known then and nothing else, beside a workspace that nobody touches."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from jobctrl.analytics import as_of as module
from jobctrl.analytics.as_of import KEPT, read_when
from jobctrl.analytics.folded import FOLDED
from jobctrl.analytics.report import write_report
from jobctrl.analytics.reports import REPORTS
from jobctrl.analytics.tables import CANONICAL, tables
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.runtime.tables import TABLES
from tests.analytics.searches import Search
from tests.analytics.test_warehouse import all_rows, tell_something


def told_at_random(search: Search, dice: random.Random, jobs: list[str], *, turns: int = 6) -> None:
    for _ in range(turns):
        tell_something(search, dice, jobs)
        search.later(hours=dice.randint(1, 40))


@pytest.mark.parametrize("seed", range(3))
def test_an_earlier_position_holds_what_a_whole_build_held_there(search, warehouse, seed):
    dice, jobs = random.Random(seed), []
    for source in ("greenhouse:acme", "lever:beta", "ashby:gamma"):
        search.source(source)
    told_at_random(search, dice, jobs)
    warehouse.refresh()
    then, position = all_rows(warehouse), search.store.position()
    told_at_random(search, dice, jobs)
    warehouse.refresh()

    earlier = warehouse.as_of(position)

    assert earlier.position == position
    assert all_rows(earlier) == then
    assert all_rows(warehouse.as_of(search.store.position())) == all_rows(warehouse)


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_a_report_as_of_an_earlier_position_equals_the_one_taken_there(search, warehouse, tmp_path, name):
    dice, jobs = random.Random(5), []
    for source in ("greenhouse:acme", "lever:beta", "ashby:gamma"):
        search.source(source)
    for turn in range(14):
        told_at_random(search, dice, jobs, turns=1)
        for number in range(4):
            job = search.find(f"applied-{turn}-{number}")
            search.score(job, dice.randint(1, 10))
            search.call("score", 1234, job_id=job)
            search.apply(job, dice.randint(1, 10), days_ago=30)
            if dice.random() < 0.4:
                search.answer(job, "interview")
        search.tell()
        warehouse.refresh()
    formats = ("html", "ipynb", "parquet", "csv")
    taken = write_report(warehouse, name, tmp_path / "then", formats)
    position = search.store.position()
    told_at_random(search, dice, jobs)
    write_report(warehouse, name, tmp_path / "now", formats)

    again = write_report(warehouse, name, tmp_path / "again", formats, as_of=position)

    names = [file.relative_to(tmp_path / "then") for file in taken]
    assert [file.relative_to(tmp_path / "again") for file in again] == names
    for file in names:
        if file.suffix != ".html":
            assert (tmp_path / "again" / file).read_bytes() == (tmp_path / "then" / file).read_bytes(), file


def test_the_workspace_is_neither_changed_nor_held(search, warehouse):
    search.find("a")
    search.tell()
    position = search.store.position()
    with search.store.writer() as tx:
        before = tx.connection.total_changes
        warehouse.as_of(position)
        assert tx.connection.total_changes == before
    search.find("b")
    search.tell()

    assert search.store.position() == position + 2
    assert {path.name for path in search.folder.iterdir()} >= {"jobctrl.db", "warehouse"}


def test_what_was_folded_once_is_there_the_next_time(search, warehouse, monkeypatch):
    search.find("a")
    search.tell()
    first = warehouse.as_of(2)
    files = set(first.folder.iterdir())
    search.find("b")
    search.tell()

    def never(*_):
        raise AssertionError("it was folded again")

    monkeypatch.setattr(module, "_fold", never)

    assert set(warehouse.as_of(2).folder.iterdir()) == files


@pytest.mark.parametrize("damage", ["manifest", "file", "version", "log"])
def test_what_holds_no_more_is_folded_again(search, warehouse, monkeypatch, damage):
    search.find("a")
    search.tell()
    folder = warehouse.as_of(2).folder
    if damage == "manifest":
        (folder / "manifest.json").write_text("{")
    elif damage == "file":
        next(folder.glob("jobs-*")).unlink()
    elif damage == "version":
        monkeypatch.setattr(module, "_versions", lambda: {"jobs": 99})
    else:
        search.store.close()
        for file in search.folder.glob("jobctrl.db*"):
            file.unlink()
        other = Search(search.folder)
        other.find("other")
        other.close()
    before = set(folder.iterdir())

    again = warehouse.as_of(2)

    assert not before & set(folder.glob("*.parquet"))
    assert len(all_rows(again)["jobs"]) == 1


def test_few_earlier_states_are_kept_and_the_oldest_goes(search, warehouse):
    for number in range(KEPT + 2):
        search.find(f"j{number}")
    search.tell()
    folders = [warehouse.as_of(position + 1).folder for position in range(KEPT)]
    long_ago = time.time() - 2 * module.IDLE_SECONDS
    for number, folder in enumerate(folders):
        os.utime(folder, (long_ago + number, long_ago + number))
    warehouse.as_of(1)

    warehouse.as_of(KEPT + 1)

    assert [folder.exists() for folder in folders] == [True, False, *[True] * (KEPT - 2)]


def test_states_in_use_stay_up_to_a_bound(search, warehouse, monkeypatch):
    monkeypatch.setattr(module, "MOST", KEPT + 1)
    for number in range(KEPT + 2):
        search.find(f"j{number}")
    search.tell()
    folders = []
    for position in range(KEPT + 3):
        folders.append(warehouse.as_of(position).folder)
        os.utime(folders[-1], (time.time() - 100 + position,) * 2)

    standing = [folder for folder in folders if folder.exists()]

    assert len(standing) == KEPT + 1
    assert standing == folders[2:]


def test_a_day_means_its_end_where_the_person_lives(search, warehouse):
    (search.folder / "config.json").write_text('{"time_zone": "Pacific/Auckland"}')
    search.now = datetime(2026, 3, 2, 10, 30, tzinfo=UTC)
    search.find("monday-in-auckland")
    search.tell()
    search.now = datetime(2026, 3, 2, 11, 30, tzinfo=UTC)
    search.find("tuesday-in-auckland")
    search.tell()

    assert warehouse.as_of(date(2026, 3, 1)).position == 0
    assert warehouse.as_of(date(2026, 3, 2)).position == 2
    assert warehouse.as_of(date(2026, 3, 3)).position == 4
    assert warehouse.as_of(datetime(2026, 3, 2, 23, 30)).position == 2
    assert warehouse.as_of(datetime(2026, 3, 2, 11, 30, tzinfo=UTC)).position == 4
    assert warehouse.as_of(datetime(2026, 3, 2, 11, 29, 59, tzinfo=UTC)).position == 2


def test_before_the_first_fact_every_table_is_empty(search, warehouse):
    search.find("a")
    search.tell()

    assert not any(all_rows(warehouse.as_of(0)).values())


def test_receipts_written_later_are_left_out(search, warehouse):
    search.find("a")
    search.tell()
    moments = [search.now + timedelta(minutes=minutes) for minutes in (-5, 0, 5)]
    with search.store.writer() as tx:
        for at in moments:
            tx.connection.execute(
                "INSERT INTO discovery_receipts VALUES ('w', 'r', 's', ?, 'filtered', 'title', NULL, 'T', ?)",
                (str(at), at.strftime("%Y-%m-%dT%H:%M:%S.000Z")),
            )

    rows = warehouse.as_of(2).connect().sql("SELECT recorded_at FROM discovery_receipts ORDER BY 1").fetchall()

    assert [row[0] for row in rows] == moments[:2]


@pytest.mark.parametrize("position", [-1, 3])
def test_a_position_the_log_does_not_have_is_refused(search, warehouse, position):
    search.find("a")
    search.tell()

    with pytest.raises(InvalidRequest, match="newest fact is 2"):
        warehouse.as_of(position)


def test_without_a_workspace_it_says_so(tmp_path, warehouse):
    shutil.rmtree(warehouse.workspace)

    with pytest.raises(NotFound, match="no workspace"):
        warehouse.as_of(1)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("17", 17),
        ("2026-05-01", date(2026, 5, 1)),
        ("2026-05-01T12:30", datetime(2026, 5, 1, 12, 30)),
        ("2026-05-01 12:30Z", datetime(2026, 5, 1, 12, 30, tzinfo=UTC)),
    ],
)
def test_a_person_types_a_position_a_day_or_a_moment(text, means):
    assert read_when(text) == means


@pytest.mark.parametrize("text", ["", "yesterday", "-3", "2026-13-01", "1.5"])
def test_other_words_are_refused_with_examples(text):
    with pytest.raises(InvalidRequest, match="no position, day or moment"):
        read_when(text)


def test_every_table_is_a_fold_that_is_known_here_or_cut_by_its_own_moments():
    keyed = {each.name for each in tables() if each.kept != "facts"}

    assert {each.name for each in FOLDED} == keyed - set(CANONICAL)
    assert set(FOLDED) <= set(TABLES)


def _ask(folder: Path) -> None:
    assert len(all_rows(Warehouse(folder).as_of(2))["jobs"]) == 1


def test_several_processes_may_ask_for_the_same_state_at_once(search, warehouse):
    search.find("a")
    search.tell()
    spawn = multiprocessing.get_context("spawn")
    asking = [spawn.Process(target=_ask, args=(search.folder,)) for _ in range(3)]
    for process in asking:
        process.start()
    for process in asking:
        process.join()

    assert [process.exitcode for process in asking] == [0, 0, 0]
