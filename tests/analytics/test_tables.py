"""What the warehouse says of its tables is so: types, keys, and which of them are facts."""

from __future__ import annotations

import random

import pytest

from jobctrl.analytics.dictionary import dictionary_text, put_into
from jobctrl.analytics.folded import FOLDED
from jobctrl.analytics.tables import CANONICAL, data_dictionary, tables
from tests.analytics.test_warehouse import tell_something

EACH = pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)


@EACH
def test_every_column_is_named_once_typed_and_explained(table):
    names = [column.name for column in table.columns]

    assert len(names) == len(set(names))
    assert list(table.schema) == names
    assert all(column.says for column in table.columns)


@EACH
def test_a_key_is_made_of_its_columns(table):
    assert set(table.key) <= set(table.schema)
    assert table.role == "fact" or table.kept != "facts"


def test_keys_are_those_of_the_read_tables():
    keys = {table.name: table.key for table in tables()}

    assert {fold.name: keys[fold.name] for fold in FOLDED} == {fold.name: fold.key for fold in FOLDED}


def test_no_two_rows_have_the_same_key(search, warehouse):
    dice, jobs = random.Random(3), []
    for source in ("greenhouse:acme", "lever:beta", "ashby:gamma"):
        search.source(source)
    for _ in range(15):
        tell_something(search, dice, jobs)
    warehouse.refresh()
    db = warehouse.connect()

    for table in tables():
        key = ", ".join(table.key)
        [(rows, keys)] = db.sql(f"SELECT count(*), count(DISTINCT ({key})) FROM {table.name}").fetchall()
        assert rows == keys, table.name


def test_the_dictionary_says_of_every_table_what_it_is_and_what_it_joins():
    text = dictionary_text()

    assert text.count("A fact; its key is") + text.count("A dimension; its key is") == len(tables())
    assert "A fact; its key is `position`. Joins `jobs` by `job_id`." in text
    assert {entry["role"] for entry in data_dictionary()} == {"fact", "dimension"}
    assert set(CANONICAL) <= {entry["table"] for entry in data_dictionary()}


def test_it_is_put_between_the_marks_and_leaves_the_rest_as_it_was():
    page = "before\n<!-- dictionary -->\nold\n<!-- end -->\nafter\n"

    assert put_into(page) == f"before\n<!-- dictionary -->\n{dictionary_text()}\n<!-- end -->\nafter\n"
