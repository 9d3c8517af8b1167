"""The funnel report: how far jobs come, and how long that takes."""

from __future__ import annotations

from datetime import datetime

from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts_time
from jobctrl.analytics.funnel import funnel, latency
from jobctrl.analytics.sections import Report, Section
from jobctrl.analytics.survival import posting_curve, reply_curve, reply_time


def funnel_report(db: DuckDBPyConnection) -> Report:
    return Report(
        "How far do jobs come?",
        "From found to offer, how long stages and answers take, and how long postings stay open.",
        (*funnel_sections(db, None), *_waiting_sections(db)),
    )


def funnel_sections(db: DuckDBPyConnection, since: datetime | None) -> tuple[Section, ...]:
    """How far jobs first seen since *since* came, and how long the attempts made since then took."""
    steps, took = funnel(db, since=since), latency(db, since=since)
    return (
        Section(
            "funnel",
            "Funnel",
            "Answers are held against applications.",
            steps,
            funnel,
            "Nothing was found.",
            chart=charts_time.funnel_bars(steps),
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
            took,
            latency,
            "No attempt has ended.",
            chart=charts_time.latency_points(took) if took["succeeded"].any() else None,
        ),
    )


def _waiting_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    times, replies, lasting = reply_time(db), reply_curve(db), posting_curve(db)
    return (
        Section(
            "reply_time",
            "How long an answer takes",
            "Applications that still wait count for as long as they have waited.",
            times,
            reply_time,
            "Nobody has applied yet.",
        ),
        Section(
            "reply_curve",
            "Waiting for a reply",
            "The share of applications without a reply yet, by the days since they were made.",
            replies,
            reply_curve,
            "Nobody has applied yet.",
            chart=None if replies.is_empty() else charts_time.waiting_curve(replies, outcome="a reply"),
        ),
        Section(
            "posting_curve",
            "How long postings stay open",
            "The share still open by the days since the first sight; a closing lies somewhere between two looks.",
            lasting,
            posting_curve,
            "No posting was seen.",
            chart=None if lasting.is_empty() else charts_time.open_curve(lasting),
        ),
    )
