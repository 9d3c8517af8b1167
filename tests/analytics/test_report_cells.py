"""The cells of a report: numbers in the words of their unit, with the interval they came with."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest

from jobctrl.analytics.report_cells import cell, shown
from jobctrl.analytics.sections import Section


def section(frame: pl.DataFrame, *columns: str) -> Section:
    return Section("key", "Title", "Says.", frame, lambda: frame, "Empty.", shown=columns)


@pytest.mark.parametrize(
    ("value", "column", "words"),
    [
        (None, "rate", "–"),
        (True, "simulated", "yes"),
        (0.1234, "rate", "12.3%"),
        (0.1234, "duplicate_rate", "12.3%"),
        (0.5, "usd", "$0.5000"),
        (1234.5, "usd_each", "$1,234.50"),
        (4.0, "mean_score", "4"),
        (2.5, "p50_seconds", "2.5"),
        (1234, "jobs", "1,234"),
        (1234, "position", "1234"),
        (date(2026, 3, 9), "day", "2026-03-09"),
        (datetime(2026, 3, 9, 12, 5, tzinfo=UTC), "read_at", "2026-03-09 12:05"),
        (["PL", "PT"], "countries", "PL, PT"),
    ],
)
def test_a_value_is_told_in_the_words_of_its_column(value: Any, column: str, words: str) -> None:
    assert cell(value, column) == words


@pytest.mark.parametrize(
    ("row", "headings", "words"),
    [
        (
            {"band": "strong", "n": 8, "rate": 0.5, "low": 0.2, "high": 0.8},
            ["band", "n", "rate (95%)"],
            ["strong", "8", "50.0% (20.0% to 80.0%)"],
        ),
        ({"n": 0, "rate": None, "low": None, "high": None}, ["n", "rate (95%)"], ["0", "–"]),
        ({"p50": 1.5, "p50_low": 1.0, "p50_high": None}, ["p50 (95%)"], ["1.5 (1 to –)"]),
        # What was spent is exact; what one of each costs is not.
        (
            {"usd": 12.0, "usd_each": 3.0, "usd_low": 2.0, "usd_high": 5.0},
            ["usd", "usd each (95%)"],
            ["$12.00", "$3.00 ($2.00 to $5.00)"],
        ),
        ({"mean_lost": 1.0, "mean_low": 0.5, "mean_high": 1.5}, ["mean lost (95%)"], ["1 (0.5 to 1.5)"]),
        # The ends of a range of whole scores are no interval.
        ({"score": 4, "score_low": 3, "score_high": 5}, ["score", "score low", "score high"], ["4", "3", "5"]),
    ],
)
def test_a_number_stands_with_its_interval(row: dict[str, Any], headings: list[str], words: list[str]) -> None:
    told = shown(section(pl.DataFrame([row], schema_overrides=dict.fromkeys(("rate", "low", "high"), pl.Float64))))

    assert [column.heading for column in told.columns] == headings
    assert told.rows == [words]


def test_an_interval_comes_with_its_number_though_only_the_number_is_named() -> None:
    frame = pl.DataFrame({"source_id": ["a"], "rate": [0.5], "low": [0.2], "high": [0.8]})

    assert shown(section(frame, "source_id", "rate")).rows == [["a", "50.0% (20.0% to 80.0%)"]]


def test_long_tables_say_how_much_more_there_is() -> None:
    told = shown(section(pl.DataFrame({"n": range(40)})))

    assert (len(told.rows), told.more) == (15, 25)
