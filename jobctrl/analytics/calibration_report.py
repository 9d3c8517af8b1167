"""The report on calibration: what scores led to, what they mean, how steady they are, and whom that speaks for."""

from __future__ import annotations

from duckdb import DuckDBPyConnection

from jobctrl.analytics import charts_calibration as charts
from jobctrl.analytics.applications import applications
from jobctrl.analytics.calibration import (
    agreement,
    applied_share,
    backtest,
    brier,
    calibration,
    correction_bias,
    enough,
    explorations,
    propensities,
    score_changes,
    score_map,
    selection,
    stability,
)
from jobctrl.analytics.sections import Report, Section

_AGAIN = (
    "settled = applications.filter(~pl.col('waiting') & pl.col('score').is_not_null())\n"
    "again = settled.group_by('{by}').agg(pl.len().cast(pl.Int64).alias('n'), "
    "pl.col('success').sum().cast(pl.Int64).alias('successes'))\n"
    "assert again.sort('{by}').equals({name}.select('{by}', 'n', 'successes').sort('{by}'))\n"
    "again.with_columns(rate=pl.col('successes') / pl.col('n')).sort('{by}')"
)
_NONE = "Nobody has applied yet, or every application is too young to count."
_MEASURED = ("n", "successes", "rate", "low", "high")
_NEVER_TWICE = "No job was scored twice on the same text."
_NEVER_CORRECTED = "Nobody has corrected a score."


def calibration_report(db: DuckDBPyConnection) -> Report:
    return Report(
        "Is the score worth its number?",
        f"{enough(db).says} {selection(db).says}",
        (
            *_rates(db),
            *_forecasts(db),
            *_steadiness(db),
            *_selection(db),
            Section(
                "applications",
                "Applications",
                "Every application with its score and whether an interview came of it.",
                applications(db),
                applications,
                "Nobody has applied yet.",
            ),
        ),
    )


def band_section(db: DuckDBPyConnection) -> Section:
    """How often an interview came of each band of scores."""
    bands = calibration(db)
    return Section(
        "calibration_by_band",
        "By band",
        "How often an interview came of each band of scores.",
        bands,
        calibration,
        _NONE,
        shown=("band", *_MEASURED, "mean_score", "simulated"),
        chart=None if bands.is_empty() else charts.band_rates(bands, outcome="interview"),
        redo=_AGAIN.format(by="band", name="calibration_by_band"),
        ground="applications",
    )


def _rates(db: DuckDBPyConnection) -> tuple[Section, ...]:
    by_score, tenths, curve = calibration(db, by="score"), calibration(db, by="decile"), score_map(db)
    return (
        band_section(db),
        Section(
            "calibration_by_score",
            "By score",
            "How often an interview came of each score.",
            by_score,
            calibration,
            _NONE,
            shown=("score", *_MEASURED, "simulated"),
            chart=None if by_score.is_empty() else charts.reliability(by_score, outcome="interview", curve=curve),
            redo=_AGAIN.format(by="score", name="calibration_by_score"),
            ground="applications",
        ),
        Section(
            "calibration_by_decile",
            "By tenth",
            "The applications from the lowest to the highest scores, cut into tenths; equal scores stay together.",
            tenths,
            calibration,
            _NONE,
            shown=("decile", "score_low", "score_high", *_MEASURED, "simulated"),
            chart=None if tenths.is_empty() else charts.decile_rates(tenths, outcome="interview"),
        ),
        Section("score_map", "What a score means", "Probability of an interview.", curve, score_map, enough(db).says),
    )


def _forecasts(db: DuckDBPyConnection) -> tuple[Section, ...]:
    none = enough(db).says
    return (
        Section(
            "brier",
            "How good the forecasts are",
            "On the applications they were made from, which flatters all but the raw score.",
            brier(db),
            brier,
            none,
        ),
        Section(
            "backtest",
            "Learned on the past, judged on what came later",
            "The first 70% of applications teach, the others judge.",
            backtest(db),
            backtest,
            none,
        ),
    )


def _steadiness(db: DuckDBPyConnection) -> tuple[Section, ...]:
    changes, bias = score_changes(db), correction_bias(db)
    return (
        Section(
            "stability",
            "How steady scores are",
            "Jobs that were scored again on the same text, by what had changed meanwhile.",
            stability(db),
            stability,
            _NEVER_TWICE,
            chart=None if changes.is_empty() else charts.score_moves(changes),
        ),
        Section(
            "agreement",
            "Agreement with a person",
            "Scores that a person put in place of ours. People correct what looks wrong: no sample of all scores.",
            agreement(db),
            agreement,
            _NEVER_CORRECTED,
        ),
        Section(
            "correction_bias",
            "Where a person scores otherwise",
            "By the band of our score.",
            bias,
            correction_bias,
            _NEVER_CORRECTED,
            chart=None if bias.is_empty() else charts.correction_bars(bias),
        ),
    )


def _selection(db: DuckDBPyConnection) -> tuple[Section, ...]:
    shares, weighted = applied_share(db), propensities(db)
    chosen = explorations(db).drop("title", "employer", "url")
    return (
        Section(
            "applied_share",
            "For whom this speaks",
            "How many of the jobs with each score were applied to.",
            shares,
            applied_share,
            "Nothing is scored yet.",
            chart=None if shares.is_empty() else charts.applied_bars(shares),
        ),
        Section(
            "propensities",
            "Without the choice of what to apply to",
            "The rate over all scored jobs, from applications weighted by how unlikely each was.",
            weighted,
            propensities,
            selection(db).why_no_estimate,
            chart=None if weighted.is_empty() else charts.weighted_rates(weighted, outcome="interview"),
        ),
        Section(
            "explorations",
            "Chosen by chance",
            "Jobs below the threshold that were prepared all the same.",
            chosen,
            explorations,
            "No job was let through by chance.",
            shown=("score", "threshold", "propensity", "chosen_at", "applied_at", "interview_at", "simulated"),
        ),
    )
