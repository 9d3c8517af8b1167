"""The market report: pay as far as it is stated, what jobs that fit ask for, and the gaps that cost most."""

from __future__ import annotations

from typing import Literal

from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts_market
from jobctrl.analytics.market_pay import pay_bands, pay_stated, units
from jobctrl.analytics.market_skills import gaps, wanted
from jobctrl.analytics.sections import Report, Section


def market_report(db: DuckDBPyConnection) -> Report:
    """What the person asks is theirs alone: posted pay is held against it on the desk only."""
    return Report(
        "What does the market pay, and what does it want?",
        "Nothing is estimated: currencies and periods stay apart, and what is missing is counted.",
        (*_pay_sections(db), *_skill_sections(db)),
    )


def _pay_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    said = pay_stated(db)
    return (
        *(_bands(db, key, title, by) for key, title, by in _BANDS),
        Section(
            "pay_stated",
            "Who states a pay",
            "By kind of work; a job of two kinds counts in both.",
            said,
            pay_stated,
            "No job was found yet.",
            chart=None if said.is_empty() else charts_market.pay_said(said),
            redo=(
                "states = pl.sum_horizontal('stated', 'not_stated', 'ambiguous', 'unparseable')\n"
                "assert pay_stated.filter(states != pl.col('n')).is_empty()\n"
                "pay_stated.select('group', 'n', rate=pl.col('stated') / pl.col('n'))"
            ),
            ground="pay_stated",
        ),
    )


_BANDS: tuple[tuple[str, str, Literal["family", "level", "country"]], ...] = (
    ("pay_by_kind_of_work", "Pay by kind of work", "family"),
    ("pay_by_level", "Pay by level", "level"),
    ("pay_by_country", "Pay by country", "country"),
)


def _bands(db: DuckDBPyConnection, key: str, title: str, by: Literal["family", "level", "country"]) -> Section:
    bands = pay_bands(db, by=by)
    chart = None
    if not bands.is_empty():
        currency, period = next(iter(units(bands).values()))
        chart = charts_market.pay_ranges(bands, currency=currency, period=period)
    return Section(
        key,
        title,
        "The middle of what postings state; the picture shows the most frequent currency and period.",
        bands,
        pay_bands,
        "No posting states a pay.",
        chart=chart,
    )


def _skill_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    asked, lacking = wanted(db), gaps(db)
    return (
        Section(
            "wanted_skills",
            "What jobs that fit ask for",
            "Skills that jobs with a good score name in their requirements.",
            asked,
            wanted,
            "No job that fits was read yet.",
            chart=None if asked.is_empty() else charts_market.wanted_bars(asked, "skill"),
            redo=(
                "assert ((wanted_skills['jobs'] / wanted_skills['n'] - wanted_skills['rate']).abs() < 1e-12).all()\n"
                "wanted_skills.select('skill', 'jobs', 'met', 'partly', 'missing')"
            ),
            ground="wanted_skills",
        ),
        Section(
            "gaps",
            "The gaps that cost most fit",
            "Over all scored jobs. Losses do not add up: a requirement may name several skills.",
            lacking,
            gaps,
            "No score counts anything as missing.",
            chart=None if lacking.is_empty() else charts_market.gap_bars(lacking, "skill"),
        ),
    )
