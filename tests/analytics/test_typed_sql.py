"""A person's own SQL: answers that a frame holds, errors with their place, and no way out of the snapshots."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import polars as pl
import pytest

from jobctrl.analytics.typed_sql import answer_to, encoded
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.errors import InvalidRequest
from tests.analytics.searches import Search


@pytest.fixture
def told(search: Search, warehouse: Warehouse) -> Warehouse:
    for number in range(3):
        search.score(search.find(f"j{number}", employer="Żółć"), 6 + number)
    search.tell()
    warehouse.refresh()
    return warehouse


def test_a_query_is_answered_from_the_tables(told):
    answer = answer_to(told, "SELECT title, fit_score, discovered_at FROM jobs ORDER BY fit_score DESC LIMIT 2;")

    assert answer["fit_score"].to_list() == [8, 7]
    assert answer.schema["discovered_at"] == pl.Datetime("ms", "UTC")


@pytest.mark.parametrize("sql", ["SHOW TABLES", "DESCRIBE jobs", "FROM jobs", "VALUES (1)", "SUMMARIZE jobs"])
def test_looking_around_is_a_query_too(told, sql):
    assert not answer_to(told, sql).is_empty()


@pytest.mark.parametrize(
    ("sql", "place", "says"),
    [
        ("SELECT * FRM jobs x", "line 1, column 14", "syntax error"),
        ("SELECT title,\n       nope\nFROM jobs", "line 2, column 8", '"nope" not found'),
        ("SELECT 'żółć', nope FROM jobs", "line 1, column 16", '"nope" not found'),
        ("SELECT * FROM nowhere", "line 1, column 15", "nowhere does not exist"),
        ("SELECT foo(1)", "line 1, column 8", "foo does not exist"),
        ("SELECT title::INTEGER FROM jobs", "line 1, column 13", "Could not convert"),
        ("SELECT fit_score FROM jobs GROUP BY title", "line 1, column 8", "GROUP BY"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(told, sql, place, says):
    with pytest.raises(InvalidRequest) as wrong:
        answer_to(told, sql)

    assert place in wrong.value.message
    assert says in wrong.value.message
    assert wrong.value.hint


def test_a_table_that_is_not_there_is_answered_with_those_that_are(told):
    with pytest.raises(InvalidRequest) as wrong:
        answer_to(told, "FROM job")

    assert "job_scores" in (wrong.value.hint or "")


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "-- nothing",
        "SELECT 1; SELECT 2",
        "COPY jobs TO 'out.csv'",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW jobs",
        "SET threads = 1",
        "ATTACH 'other.db'",
        "INSTALL httpfs",
        "LOAD spatial",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "EXPLAIN ANALYZE SELECT 1",
    ],
)
def test_only_one_select_is_taken(told, tmp_path, monkeypatch, sql):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.rglob("*"))

    with pytest.raises(InvalidRequest, match="One SELECT"):
        answer_to(told, sql)

    assert set(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{outside}')",
        "SELECT * FROM '{outside}'",
        "SELECT * FROM read_csv('{outside}')",
        "SELECT * FROM glob('{folder}/*')",
        "SELECT * FROM read_parquet('https://example.org/x.parquet')",
        "SELECT * FROM query('COPY (SELECT 1) TO ''{folder}/out.csv''')",
        "SELECT * FROM read_blob('{database}')",
    ],
)
def test_nothing_outside_the_snapshots_can_be_reached(told, tmp_path, sql):
    outside = tmp_path / "secret.csv"
    outside.write_text("a\n1\n")
    names = {"outside": outside, "folder": tmp_path, "database": told.workspace / "jobctrl.db"}

    with pytest.raises(InvalidRequest):
        answer_to(told, sql.format(**names))

    assert not (tmp_path / "out.csv").exists()


def test_types_that_a_frame_has_nothing_for_become_text_and_equal_names_get_numbers(told):
    answer = answer_to(
        told,
        """SELECT 1 AS a, 2 AS a, 3 AS a_1, INTERVAL 1 DAY AS span, '{"k": 1}'::JSON AS j, BITSTRING '101' AS bits,
                  sum(fit_score) AS total, TIMETZ '10:00:00+02' AS clock, [INTERVAL 1 DAY] AS spans
           FROM jobs ORDER BY 1""",
    )

    assert answer.columns == ["a", "a_2", "a_1", "span", "j", "bits", "total", "clock", "spans"]
    assert answer.row(0)[:6] == (1, 2, 3, "1 day", '{"k": 1}', "101")
    assert int(answer["total"].item()) == 21


def test_the_order_of_the_query_is_kept_when_names_are_mended(told):
    answer = answer_to(told, "SELECT range AS n, range AS n FROM range(5000) ORDER BY n DESC")

    assert answer["n"].to_list() == list(range(4999, -1, -1))


def test_an_answer_is_written_as_csv_json_and_parquet(told, tmp_path):
    answer = answer_to(told, "SELECT employer, fit_score, discovered_at, 1.5::DECIMAL(4, 2) AS d FROM jobs ORDER BY 2")

    rows = json.loads(encoded(answer, "json"))
    (tmp_path / "a.parquet").write_bytes(encoded(answer, "parquet"))

    assert rows[0] == {"employer": "Żółć", "fit_score": 6, "discovered_at": "2026-03-02T09:00:00.000Z", "d": 1.5}
    assert encoded(answer, "csv").decode().splitlines()[1] == "Żółć,6,2026-03-02T09:00:00.000Z,1.50"
    assert pl.read_parquet(tmp_path / "a.parquet").equals(answer)


def test_a_list_has_no_place_in_csv(told):
    with pytest.raises(InvalidRequest, match="CSV has no notation for many"):
        encoded(answer_to(told, "SELECT [1, 2] AS many"), "csv")


def test_it_asks_an_earlier_state_as_well(search, told):
    search.now = datetime(2026, 4, 1, tzinfo=UTC)
    search.find("later")
    search.tell()

    assert answer_to(told.as_of(9), "SELECT count(*) AS n FROM jobs")["n"].item() == 3
