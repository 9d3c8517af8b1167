"""What each report says: its sections, each an answer with its picture and the code that makes it again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from duckdb import DuckDBPyConnection

from jobctrl.analytics.ask import ask
from jobctrl.analytics.board import standing
from jobctrl.analytics.calibration_report import band_section, calibration_report
from jobctrl.analytics.funnel_report import funnel_report, funnel_sections
from jobctrl.analytics.market_report import market_report
from jobctrl.analytics.sections import Report, Section
from jobctrl.analytics.sources_report import source_sections, sources_report
from jobctrl.analytics.spend_report import spend_report, spend_sections


def moment_of(db: DuckDBPyConnection) -> tuple[int, datetime | None]:
    """The position and the moment of the newest fact."""
    row = ask(db, "newest_fact").row(0)
    return row[0], row[1]


def weekly_report(db: DuckDBPyConnection) -> Report:
    _, newest = moment_of(db)
    since = newest - timedelta(days=7) if newest else None
    week = funnel_sections(db, since)
    return Report(
        "The week",
        "Jobs first seen in the seven days before the newest fact; money and sources over the whole search.",
        (
            Section("standing", "Where it stands", "Counts over all jobs.", standing(db), standing, "Nothing yet."),
            *week,
            *source_sections(db)[:2],
            *(section for section in spend_sections(db) if section.key in ("spend_by_day", "unit_costs")),
            band_section(db),
        ),
    )


REPORTS: dict[str, Callable[[DuckDBPyConnection], Report]] = {
    "weekly": weekly_report,
    "calibration": calibration_report,
    "sources": sources_report,
    "spend": spend_report,
    "funnel": funnel_report,
    "market": market_report,
}
