"""Boards are added by whatever names them, once; a pause keeps them out of every run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.operator import Operator
from tests.runtime.searching import new_house, operator_in


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    house = new_house(tmp_path / "ws", profile=False)
    yield operator_in(house)
    house.close()


def test_two_ways_of_naming_a_board_add_it_once(operator: Operator) -> None:
    first, is_new = operator.add_source("https://boards.greenhouse.io/northmill")
    again, is_new_again = operator.add_source("greenhouse:northmill")

    assert (first, is_new, is_new_again) == (again, True, False)
    assert [row.source_id for row in operator.sources()] == ["greenhouse:northmill"]


@pytest.mark.parametrize("text", ["", "https://example.org/careers", "nobody:x", "greenhouse:"])
def test_what_names_no_board_is_refused(operator: Operator, text: str) -> None:
    with pytest.raises(InvalidRequest):
        operator.add_source(text)

    assert operator.sources() == []


def test_a_paused_board_can_be_resumed(operator: Operator) -> None:
    operator.add_source("lever:northmill")

    operator.pause_source("lever:northmill")
    assert operator.sources()[0].state == "disabled"
    operator.resume_source("lever:northmill")
    assert operator.sources()[0].state == "active"

    with pytest.raises(NotFound):
        operator.pause_source("lever:nobody")
