"""Dates as vendors and pages write them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.dates import AMBIGUOUS_ORDER, NO_OFFSET, RELATIVE, read_date

NOW = datetime(2026, 9, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-07-16", date(2026, 7, 16)),
        ("2026-07-16T23:55:32-04:00", date(2026, 7, 16)),
        ("2026-04-07 10:00:00 UTC", date(2026, 4, 7)),
        ("20260407", date(2026, 4, 7)),
        ("1754000000", date(2025, 7, 31)),
        ("1754000000123", date(2025, 7, 31)),
        ("Tue, 07 Apr 2026 10:00:00 +0000", date(2026, 4, 7)),
        ("Published on 5 May 2026", date(2026, 5, 5)),
        ("Sept 3rd, 2026", date(2026, 9, 3)),
        ("17/08/2026", date(2026, 8, 17)),
        ("10.11.2026", date(2026, 11, 10)),
        ("2026年4月7日", date(2026, 4, 7)),
        ("12 août 2026", date(2026, 8, 12)),
        ("7. Oktober 2025", date(2025, 10, 7)),
        ("25 de março de 2026", date(2026, 3, 25)),
    ],
)
def test_the_day_is_the_one_that_stands_in_the_text(text, day):
    assert read_date(text, now=NOW).day == day


def test_the_day_stays_in_the_stated_offset_and_the_moment_is_utc():
    reading = read_date("2026-07-16T23:55:32-04:00", now=NOW)

    assert reading.day == date(2026, 7, 16)
    assert reading.at == datetime(2026, 7, 17, 3, 55, 32, tzinfo=UTC)


def test_a_time_without_an_offset_names_no_moment():
    reading = read_date("2026-07-16T11:55:32", now=NOW)

    assert reading.at is None
    assert NO_OFFSET in reading.warnings


@pytest.mark.parametrize(
    ("text", "day", "bound"),
    [
        ("Posted Today", date(2026, 9, 1), None),
        ("Posted Yesterday", date(2026, 8, 31), None),
        ("3 days ago", date(2026, 8, 29), None),
        ("vor 3 Tagen", date(2026, 8, 29), None),
        ("Posted 30+ Days Ago", date(2026, 8, 2), "before"),
        ("more than 2 months ago", date(2026, 7, 3), "before"),
        ("1 week ago", date(2026, 8, 25), "before"),
    ],
)
def test_a_relative_date_is_marked_and_what_only_bounds_is_a_bound(text, day, bound):
    reading = read_date(text, now=NOW)

    assert (reading.day, reading.bound) == (day, bound)
    assert RELATIVE in reading.warnings


def test_a_day_and_a_month_that_could_change_places_give_no_day():
    reading = read_date("07/08/2026", now=NOW)

    assert reading.day is None
    assert AMBIGUOUS_ORDER in reading.warnings


@pytest.mark.parametrize("text", ["", "Negotiable", "2026-02-31", "9" * 40, "12", "10 per week", "Rolling", "May"])
def test_what_is_no_date_is_no_day_and_no_error(text):
    assert read_date(text, now=NOW).day is None


@given(st.text(alphabet="0123456789-/.:TZ+ ago dys", max_size=30))
def test_no_text_makes_the_reader_fail(text):
    reading = read_date(text, now=NOW)

    if reading.span is not None:
        assert text[reading.span.start : reading.span.end] == reading.span.text
