"""The discovery schedule's times: what Temporal takes is taken, what it refuses is refused with the field's name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.settings.cron import checked_cron
from jobctrl.settings.model import Settings
from tests.settings.crons import REFUSED, TAKEN


@pytest.mark.parametrize("text", TAKEN)
def test_a_cron_expression_is_taken_as_it_stands(text: str) -> None:
    assert checked_cron(text) == text


def test_spaces_between_the_fields_do_not_matter() -> None:
    assert checked_cron("  0  7\t* * * ") == "0 7 * * *"


@pytest.mark.parametrize(("text", "named"), REFUSED)
def test_a_field_that_is_wrong_is_named(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        checked_cron(text)


@given(st.text(alphabet="0123456789*/-, abc", max_size=24) | st.text(max_size=12))
def test_any_text_is_a_cron_expression_or_a_value_error(text: str) -> None:
    try:
        checked = checked_cron(text)
    except ValueError:
        return
    assert checked_cron(checked) == checked


def test_without_a_zone_of_its_own_the_schedule_goes_by_the_persons() -> None:
    assert Settings(time_zone="Europe/Warsaw").schedule_zone == "Europe/Warsaw"
    assert Settings(time_zone="Europe/Warsaw", schedule_time_zone="Asia/Tokyo").schedule_zone == "Asia/Tokyo"
