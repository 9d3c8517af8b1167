"""Dates of a resume, as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.profile.dates import read_date, read_period


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Jan 2020 to date", "2020-01", ""),
        ("Jan 2020 to date (5 years)", "2020-01", ""),
        ("Jan 2020 - Till date", "2020-01", ""),
        ("2019 – heute", "2019", ""),
        ("seit März 2019", "2019-03", ""),
        ("since 2019", "2019", ""),
        ("2019 –", "2019", ""),
        ("03/2021 - present", "2021-03", ""),
        ("from March 2019 until now", "2019-03", ""),
        ("2019 à aujourd’hui", "2019", ""),
        ("sty 2020 – obecnie", "2020-01", ""),
        ("2020年4月 – 現在", "2020-04", ""),
        ("2021-03 – 2022-05", "2021-03", "2022-05"),
        ("2018-2020", "2018", "2020"),
        ("2018—2020", "2018", "2020"),
        ("Sept 2018 – May 2023", "2018-09", "2023-05"),
        ("Mar '19 - Apr '21", "2019-03", "2021-04"),
        ("01.02.2020 - 31.03.2021", "2020-02", "2021-03"),
        ("01.2020 – 03.2021", "2020-01", "2021-03"),
        ("de enero de 2020 a marzo de 2021", "2020-01", "2021-03"),
        ("Summer 2020 – Fall 2021", "2020", "2021"),
        ("Engineer, Acme – Austin, TX June 2023 – present", "2023-06", ""),
    ],
)
def test_a_period_is_read_however_it_is_written(text, start, end):
    period = read_period(text)

    assert period is not None
    assert (period.start, period.end) == (start, end)


@pytest.mark.parametrize("text", ["5 years", "2M events", "Room 2019", "10-15 people", "1,200 – 2,000 users", ""])
def test_what_is_no_period_is_none(text):
    assert read_period(text) is None


def test_the_span_is_where_the_period_stands():
    text = "Engineer | Jan 2020 to date | Remote"
    period = read_period(text)

    assert period is not None
    assert text[slice(*period.span)] == "Jan 2020 to date"


@pytest.mark.parametrize(
    ("text", "value"), [("B.Sc., Some School, 2018", "2018"), ("Jan 2021", "2021-01"), ("2015-06-30", "2015-06")]
)
def test_a_single_date_is_read(text, value):
    read = read_date(text)

    assert read is not None
    assert read.start == value


def test_a_number_is_not_a_year():
    assert read_date("2000+ users and $2015") is None


@given(st.text(max_size=80))
def test_reading_never_raises_and_gives_valid_months(text):
    for read in (read_period(text), read_date(text)):
        if read is not None:
            assert all(len(value) in (0, 4, 7) for value in (read.start, read.end))
            assert 0 <= read.span[0] < read.span[1] <= len(text)
