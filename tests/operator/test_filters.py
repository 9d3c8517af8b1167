"""Filters of the job list that a person named are kept in the workspace, and are no history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.operations.saved_filters import BoardFilter
from jobctrl.operator import Operator
from tests.runtime.searching import new_house, operator_in

SENIORS = BoardFilter(words="senior", min_score=7, bands=("strong", "excellent"), countries=("PL",), sort="employer")


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    house = new_house(tmp_path / "ws", profile=False)
    yield operator_in(house)
    house.close()


def kept(operator: Operator) -> dict[str, BoardFilter]:
    return {each.name: each.filter for each in operator.saved_filters()}


def test_a_filter_comes_back_as_it_was_saved_and_records_no_fact(operator):
    position = operator.store.position()

    assert operator.save_filter("  The   seniors ", SENIORS) == "Saved as The seniors."

    assert kept(operator) == {"The seniors": SENIORS}
    assert operator.store.position() == position


def test_saving_under_a_name_that_is_there_replaces_it(operator):
    operator.save_filter("near", BoardFilter())
    operator.save_filter("near", SENIORS)

    assert kept(operator) == {"near": SENIORS}


def test_a_filter_is_renamed_and_deleted(operator):
    operator.save_filter("near", SENIORS)
    assert operator.rename_filter("near", "far") == "near is now far."
    assert kept(operator) == {"far": SENIORS}

    operator.delete_filter("far")

    assert kept(operator) == {}


def test_a_name_that_is_taken_stays_with_who_has_it(operator):
    operator.save_filter("near", SENIORS)
    operator.save_filter("far", BoardFilter())

    with pytest.raises(InvalidRequest, match="already"):
        operator.rename_filter("near", "far")

    assert kept(operator) == {"far": BoardFilter(), "near": SENIORS}


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_a_filter_has_a_name_of_some_length(operator, name):
    with pytest.raises(InvalidRequest, match="name"):
        operator.save_filter(name, SENIORS)


def test_what_is_not_there_is_neither_renamed_nor_deleted(operator):
    with pytest.raises(NotFound, match="no saved filter"):
        operator.rename_filter("near", "far")
    with pytest.raises(NotFound, match="no saved filter"):
        operator.delete_filter("near")


def test_a_filter_that_this_version_cannot_read_keeps_all(operator):
    with operator.store.writer() as tx:
        tx.connection.execute("INSERT INTO saved_filters VALUES ('new', '{\"colours\": [\"red\"]}', 'now')")

    assert kept(operator) == {"new": BoardFilter()}
