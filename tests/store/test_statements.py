"""SQL files: named statements, and scripts cut into their statements."""

from __future__ import annotations

import sqlite3

import pytest

from jobctrl.store.statements import split, statements

TRIGGER = """
CREATE TABLE a (x);
CREATE TRIGGER t BEFORE DELETE ON a
BEGIN
  SELECT 1;
  SELECT 2;
END;
CREATE INDEX i ON a (x)
"""


def test_each_statement_stands_under_its_name() -> None:
    found = statements("jobctrl.store", "store.sql")

    assert found["head"].startswith("SELECT COALESCE(MAX(stream_version)")
    assert all("-- name:" not in sql for sql in found.values())


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("", 0),
        ("\n\n", 0),
        ("CREATE TABLE a (x);", 1),
        ("CREATE TABLE a (x);\nCREATE TABLE b (x);\n", 2),
        ("CREATE TABLE a (x);\nCREATE TABLE b (x)\n", 2),
        ("-- one; two\nCREATE TABLE a (x);", 1),
        ("CREATE TABLE a (x TEXT DEFAULT ';\n;');", 1),
        (TRIGGER, 3),
    ],
)
def test_a_script_is_cut_where_its_statements_end(script: str, count: int) -> None:
    parts = list(split(script))

    assert len(parts) == count
    assert "".join(parts).strip() == script.strip()
    connection = sqlite3.connect(":memory:")
    for part in parts:
        connection.execute(part)
