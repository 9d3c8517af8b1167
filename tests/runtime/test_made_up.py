"""A made-up search is the same for the same seed, whole in itself, and says of what it made up that it did."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import WorkspaceError
from jobctrl.events import CATALOG, read
from jobctrl.materials.files import ArtifactFiles
from jobctrl.operations.job_list import JobFilter
from jobctrl.operator.reading import Reading
from jobctrl.runtime.made_up import MadeUp, made_up_search
from jobctrl.runtime.made_up.trades import GONE_QUIET
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeUp:
    return made_up_search(tmp_path_factory.mktemp("made-up") / "workspace", jobs=400, seed=3)


@pytest.fixture(scope="module")
def db(made: MadeUp):
    warehouse = Warehouse(made.folder)
    warehouse.refresh()
    return warehouse.connect()


def log_of(folder: Path) -> list[tuple]:
    columns = "stream, stream_version, event_type, occurred_at, workflow_id, payload"
    with closing(sqlite3.connect(folder / "jobctrl.db")) as connection:
        return connection.execute(f"SELECT {columns} FROM job_events ORDER BY position").fetchall()


def test_the_same_seed_tells_the_same_search(made, tmp_path):
    again = made_up_search(tmp_path / "again", jobs=400, seed=3)
    other = made_up_search(tmp_path / "other", jobs=400, seed=4)

    assert log_of(again.folder) == log_of(made.folder)
    assert log_of(other.folder) != log_of(made.folder)


def test_it_has_as_many_jobs_as_asked_for_and_all_of_it_in_order(made, db):
    [(jobs, facts)] = db.sql("SELECT (SELECT count(*) FROM jobs), (SELECT count(*) FROM events)").fetchall()
    moments = [row[3] for row in log_of(made.folder)]

    assert (jobs, facts) == (made.jobs, made.facts) == (400, len(moments))
    assert moments == sorted(moments)


def test_every_fact_reads_back_as_what_it_is(made):
    with closing(sqlite3.connect(made.folder / "jobctrl.db")) as connection:
        rows = connection.execute("SELECT event_type, schema_version, payload FROM job_events").fetchall()

    assert all(isinstance(read(*row), CATALOG[row[0]]) for row in rows)


def test_its_answers_are_marked_as_simulated(db):
    [(applied, marked)] = db.sql("SELECT count(applied_at), count(*) FILTER (simulated) FROM jobs").fetchall()
    [(answers, told)] = db.sql("SELECT count(*), count(*) FILTER (simulated) FROM outcomes").fetchall()

    assert applied == marked > 10
    assert answers == told > 5


def test_the_ledger_and_the_charges_agree_to_the_millionth(made):
    with closing(sqlite3.connect(made.folder / "jobctrl.db")) as connection:
        ledger = connection.execute("SELECT sum(calls), sum(usd_micros) FROM llm_spend").fetchone()
        charged = connection.execute("SELECT count(*), sum(usd_micros) FROM charges WHERE state = 'settled'").fetchone()
        aside = connection.execute("SELECT count(*) FROM spend_reservations").fetchone()
        open_ = connection.execute("SELECT count(*) FROM charges WHERE state IN ('reserved', 'held')").fetchone()

    assert ledger == charged
    assert aside == open_


def test_any_job_can_be_looked_at_in_full(made):
    store = open_store(workspace_at(made.folder))
    reading = Reading(store, ArtifactFiles(made.folder / "artifacts"))
    try:
        jobs = reading.jobs(JobFilter(limit=0))
        views = [reading.show_job(job.job_id) for job in random.Random(1).sample(jobs, 60)]
    finally:
        store.close()

    assert {job.current_stage for job in jobs} >= {"enrich", "apply"}
    assert all(view.description and view.facts for view in views)
    assert any(view.requirements for view in views)
    assert any(view.materials and view.materials["provenance"] for view in views)


def test_a_higher_fit_is_invited_more_often(db):
    rows = db.sql(
        "SELECT applied_score >= 8 AS high, avg((interview_at IS NOT NULL)::INTEGER) FROM jobs "
        "WHERE applied_at IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()

    assert rows[0][1] < rows[1][1]


def test_the_board_that_lost_a_field_is_found_out(db):
    silent = db.sql(
        "SELECT sum(nulls) / sum(returned) FROM source_fields "
        f"WHERE source_id = '{GONE_QUIET}' AND field = 'pay' AND read_at > '2025-12-01'"
    ).fetchall()

    assert silent[0][0] > 0.95


def test_a_part_of_it_can_be_found_only(tmp_path):
    brief = made_up_search(tmp_path / "brief", jobs=400, seed=3, worked=0.1)
    store = open_store(workspace_at(brief.folder))
    with store.reader() as connection:
        [(scored,)] = connection.execute("SELECT count(*) FROM jobs WHERE fit_score IS NOT NULL").fetchall()
    store.close()

    assert 10 < scored < 90


def test_it_never_writes_into_a_workspace_that_is_there(made):
    with pytest.raises(WorkspaceError, match="already"):
        made_up_search(made.folder, jobs=1)
