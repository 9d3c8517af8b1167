"""What each report says: its sections, each an answer with its picture and the code that makes it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from inspect import getdoc
from typing import Any

import polars as pl
from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts
from jobctrl.analytics.applications import applications
from jobctrl.analytics.ask import ask
from jobctrl.analytics.board import standing
from jobctrl.analytics.calibration import backtest, brier, calibration, enough, score_map
from jobctrl.analytics.funnel import funnel, latency
from jobctrl.analytics.source_quality import drift_alarms, source_overlap, source_quality, turned_away
from jobctrl.analytics.spend import charges, spend, spend_days, unit_costs


@dataclass(frozen=True)
class Section:
    key: str
    """The name of its data files."""
    title: str
    says: str
    frame: pl.DataFrame
    question: Callable[..., pl.DataFrame]
    empty: str
    shown: tuple[str, ...] = ()
    """The columns of the page's table; all of them when empty."""
    chart: Any = None
    redo: str = ""
    """Python that makes the table again from the data beside the notebook."""
    ground: str = ""
    """The section whose data that takes."""

    @property
    def explained(self) -> str:
        return getdoc(self.question) or ""


@dataclass(frozen=True)
class Report:
    title: str
    says: str
    sections: tuple[Section, ...]


def moment_of(db: DuckDBPyConnection) -> tuple[int, datetime | None]:
    """The position and the moment of the newest fact."""
    row = ask(db, "newest_fact").row(0)
    return row[0], row[1]


def calibration_report(db: DuckDBPyConnection) -> Report:
    verdict = enough(db)
    told = applications(db).drop("job_id")
    by_score, curve = calibration(db, by="score"), score_map(db)
    bands = calibration(db)
    redo = (
        "settled = applications.filter(~pl.col('waiting') & pl.col('score').is_not_null())\n"
        "again = settled.group_by('{by}').agg(pl.len().cast(pl.Int64).alias('n'), "
        "pl.col('success').sum().cast(pl.Int64).alias('successes'))\n"
        "assert again.sort('{by}').equals({name}.select('{by}', 'n', 'successes').sort('{by}'))\n"
        "again.with_columns(rate=pl.col('successes') / pl.col('n')).sort('{by}')"
    )
    none = "Nobody has applied yet, or every application is too young to count."
    return Report(
        "Is the score worth its number?",
        f"{verdict.says} Outcomes exist only for jobs that were applied to; the others' are not known.",
        (
            Section(
                "calibration_by_band",
                "By band",
                "How often an interview came of each band of scores.",
                bands,
                calibration,
                none,
                chart=None if bands.is_empty() else charts.band_rates(bands, outcome="interview"),
                redo=redo.format(by="band", name="calibration_by_band"),
                ground="applications",
            ),
            Section(
                "calibration_by_score",
                "By score",
                "How often an interview came of each score.",
                by_score,
                calibration,
                none,
                chart=None if by_score.is_empty() else charts.reliability(by_score, outcome="interview", curve=curve),
                redo=redo.format(by="score", name="calibration_by_score"),
                ground="applications",
            ),
            Section("score_map", "What a score means", "Probability of an interview.", curve, score_map, verdict.says),
            Section("brier", "How good the forecasts are", "On all applications.", brier(db), brier, verdict.says),
            Section(
                "backtest",
                "Learned on the past, judged on what came later",
                "The first 70% of applications teach, the others judge.",
                backtest(db),
                backtest,
                verdict.says,
            ),
            Section(
                "applications",
                "Applications",
                "Every application with its score and whether an interview came of it. No names and no texts.",
                told,
                applications,
                "Nobody has applied yet.",
            ),
        ),
    )


def sources_report(db: DuckDBPyConnection) -> Report:
    return Report(
        "Which sources are worth reading?",
        "What each board returned, what only it shows, and what came of it.",
        _source_sections(db),
    )


def _source_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    quality, alarms = source_quality(db), drift_alarms(db)
    quality = quality.drop("last_error")
    return (
        Section(
            "drift_alarms",
            "Alarms",
            "Fields that went empty and boards that shrank since the readings before.",
            alarms,
            drift_alarms,
            "No alarm: every board says as much as it did.",
            shown=("source_id", "what", "says", "read_at"),
        ),
        Section(
            "source_quality",
            "Sources",
            "The jobs only one source shows are what would be lost without it.",
            quality,
            source_quality,
            "No source was added yet.",
            shown=(
                "source_id", "state", "recommended_state", "evidence", "returned", "admitted", "merged", "filtered",
                "rejected", "jobs", "unique_jobs", "good", "good_lost_without", "applied", "interviews", "usd",
            ),
            chart=None if quality.is_empty() else charts.source_yield(quality),
            redo=(
                "sums = pl.col('admitted') + pl.col('merged') + pl.col('filtered') + pl.col('rejected')\n"
                "assert source_quality.filter(sums != pl.col('returned')).is_empty()\n"
                "source_quality.select('source_id', 'jobs', 'unique_jobs', "
                "unique_share=pl.col('unique_jobs') / pl.col('jobs'))"
            ),
            ground="source_quality",
        ),
        Section(
            "source_overlap",
            "Overlap",
            "Pairs of sources that show the same jobs.",
            source_overlap(db),
            source_overlap,
            "No job is shown by two sources.",
        ),
        Section(
            "turned_away",
            "Turned away",
            "Why rows of the last reading did not become jobs.",
            turned_away(db),
            turned_away,
            "Every row was wanted and readable.",
        ),
    )  # fmt: skip


def spend_report(db: DuckDBPyConnection) -> Report:
    ledger = charges(db)
    return Report(
        "What does the search cost?",
        f"{len(ledger)} paid calls, ${spend(db)['total_usd'].sum():,.2f} spent or set aside.",
        (
            *_spend_sections(db),
            Section("charges", "Calls", "Every paid call. No job is named.", ledger, charges, "No call was paid for."),
        ),
    )


def _spend_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    days, by_lane, each = spend_days(db), spend(db, by="lane"), unit_costs(db)
    none = "No call was paid for."
    redo = (
        "again = charges.group_by('{by}').agg(pl.col('total_usd_micros').sum()).sort('{by}')\n"
        "assert again.equals({name}.select('{by}', 'total_usd_micros').sort('{by}'))\n"
        "again.with_columns(usd=pl.col('total_usd_micros') / 1e6)"
    )
    return (
        Section(
            "spend_by_day",
            "By day",
            "UTC days.",
            spend(db),
            spend,
            none,
            chart=None if days.is_empty() else charts.spend_by_day(days),
            redo=redo.format(by="day", name="spend_by_day"),
            ground="charges",
        ),
        Section(
            "spend_by_lane",
            "By stage",
            "A lane is named after the stage that it works for.",
            by_lane,
            spend,
            none,
            chart=None if by_lane.is_empty() else charts.spend_bars(by_lane, "lane"),
            redo=redo.format(by="lane", name="spend_by_lane"),
            ground="charges",
        ),
        Section("spend_by_model", "By model", "As the provider names it.", spend(db, by="model"), spend, none),
        Section(
            "unit_costs",
            "What one of each costs",
            "All money, discarded and failed work included, over what came of it.",
            each,
            unit_costs,
            none,
            chart=None if days.is_empty() else charts.unit_cost_bars(each),
        ),
    )


def funnel_report(db: DuckDBPyConnection) -> Report:
    return Report("How far do jobs come?", "From found to offer, and how long stages take.", _funnel_sections(db, None))


def _funnel_sections(db: DuckDBPyConnection, since: datetime | None) -> tuple[Section, ...]:
    steps = funnel(db, since=since)
    return (
        Section(
            "funnel",
            "Funnel",
            "Answers are held against applications.",
            steps,
            funnel,
            "Nothing was found.",
            chart=charts.funnel_bars(steps),
            redo=(
                "again = funnel.with_columns(again=pl.col('reached') / pl.col('n')).filter(pl.col('n') > 0)\n"
                "assert ((again['again'] - again['rate']).abs() < 1e-12).all()\n"
                "funnel.select('step', 'jobs', 'of', 'rate', 'low', 'high')"
            ),
            ground="funnel",
        ),
        Section(
            "latency",
            "How long stages take",
            "From the start of an attempt to its own end.",
            latency(db, since=since),
            latency,
            "No attempt has ended.",
        ),
    )


def weekly_report(db: DuckDBPyConnection) -> Report:
    _, newest = moment_of(db)
    since = newest - timedelta(days=7) if newest else None
    week = _funnel_sections(db, since)
    return Report(
        "The week",
        "Jobs first seen in the seven days before the newest fact; money and sources over the whole search.",
        (
            Section("standing", "Where it stands", "Counts over all jobs.", standing(db), standing, "Nothing yet."),
            *week,
            *_source_sections(db)[:2],
            *(section for section in _spend_sections(db) if section.key in ("spend_by_day", "unit_costs")),
            *(section for section in calibration_report(db).sections if section.key == "calibration_by_band"),
        ),
    )


REPORTS: dict[str, Callable[[DuckDBPyConnection], Report]] = {
    "weekly": weekly_report,
    "calibration": calibration_report,
    "sources": sources_report,
    "spend": spend_report,
    "funnel": funnel_report,
}
