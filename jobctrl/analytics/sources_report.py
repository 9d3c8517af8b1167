"""The sources report: what each returned, what only it shows, what it costs, and what has changed."""

from __future__ import annotations

from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts_sources
from jobctrl.analytics.sections import Report, Section
from jobctrl.analytics.source_quality import drift_alarms, source_overlap, source_quality, turned_away
from jobctrl.analytics.source_worth import first_sight, lost_without, source_costs
from jobctrl.analytics.survival import posting_life


def sources_report(db: DuckDBPyConnection) -> Report:
    return Report(
        "Which sources are worth reading?",
        "What each board returned, what only it shows, and what came of it.",
        source_sections(db),
    )


def source_sections(db: DuckDBPyConnection) -> tuple[Section, ...]:
    """Alarms and the sources themselves come first."""
    quality, alarms, lost, sight = source_quality(db), drift_alarms(db), lost_without(db), first_sight(db)
    costs = source_costs(db)
    return (
        Section(
            "drift_alarms",
            "Alarms",
            "Fields that went empty, rows that cannot be read and sizes that jumped since the readings before.",
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
            chart=None if quality.is_empty() else charts_sources.source_yield(quality),
            redo=(
                "sums = pl.col('admitted') + pl.col('merged') + pl.col('filtered') + pl.col('rejected')\n"
                "assert source_quality.filter(sums != pl.col('returned')).is_empty()\n"
                "source_quality.select('source_id', 'jobs', 'unique_jobs', "
                "unique_share=pl.col('unique_jobs') / pl.col('jobs'))"
            ),
            ground="source_quality",
        ),
        Section(
            "lost_without",
            "What would be lost without a source",
            "What is expected: an interview by what a score means, had one applied to each good job only it shows.",
            lost,
            lost_without,
            "Every job is shown by more than one source.",
            chart=None if lost.is_empty() else charts_sources.lost_bars(lost),
            redo=(
                "assert (lost_without['jobs'].sum() <= lost_without['n']).all()\n"
                "lost_without.select('source_id', 'jobs', again=pl.col('jobs') / pl.col('n'))"
            ),
            ground="lost_without",
        ),
        Section(
            "first_sight",
            "How soon a new posting is seen",
            "From the stated day of publication, and against the other sources that show it too.",
            sight,
            first_sight,
            "No source has shown a job.",
            shown=(
                "source_id", "new", "n", "p50_days", "p50_days_low", "p50_days_high", "p90_days", "p90_days_low",
                "p90_days_high", "shared", "ahead", "rate", "low", "high", "p50_hours",
            ),
            chart=charts_sources.first_sight_points(sight) if sight["n"].sum() else None,
        ),
        Section(
            "source_costs",
            "What it costs",
            "All money spent on the jobs a source showed first, over what came of them.",
            costs,
            source_costs,
            "No job was found.",
            chart=charts_sources.cost_points(costs, "good job") if costs["usd"].sum() else None,
        ),
        Section(
            "posting_life",
            "How long its postings stay open",
            "From the first sight on; all sources together first.",
            posting_life(db),
            posting_life,
            "No posting was seen.",
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
