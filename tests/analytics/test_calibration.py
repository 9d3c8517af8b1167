"""A planted curve from score to interview is recovered, with intervals that hold it, and nothing is said too early."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import polars as pl
import pytest

from jobctrl.analytics.applications import applications
from jobctrl.analytics.calibration import backtest, brier, calibration, enough, score_map
from tests.analytics.conftest import asked

TRUTH = dict(zip(range(1, 11), (0.02, 0.03, 0.04, 0.06, 0.09, 0.14, 0.22, 0.32, 0.45, 0.60), strict=True))


def plant(search, n: int, *, seed: int = 3, days_ago: float = 30, simulated: bool = True) -> None:
    """*n* applications whose interviews come by `TRUTH`, the earliest first."""
    dice = np.random.default_rng(seed)
    for number in range(n):
        job = search.find(f"j{number}-{simulated}")
        score = int(dice.integers(1, 11))
        search.score(job, score)
        search.apply(job, score, days_ago=days_ago + (n - number) / n, simulated=simulated)
        if dice.random() < TRUTH[score]:
            search.answer(job, "interview", simulated=simulated)


def test_the_planted_curve_is_recovered(search):
    plant(search, 900)
    db = asked(search)

    by_score = calibration(db, by="score")
    curve = score_map(db)

    held = [low <= TRUTH[score] <= high for score, low, high in by_score.select("score", "low", "high").rows()]
    assert sum(held) >= 9
    assert by_score["n"].sum() == 900
    assert curve["probability"].is_sorted()
    assert np.abs(curve["probability"].to_numpy() - np.array(list(TRUTH.values()))).max() < 0.10
    assert (curve["low"] <= curve["probability"] + 1e-9).all()
    assert (curve["probability"] <= curve["high"] + 1e-9).all()
    assert by_score["simulated"].all()
    assert curve["simulated"].all()


def test_bands_hold_the_scores_that_belong_to_them(search):
    for score in range(1, 11):
        search.apply(search.find(f"j{score}"), score, days_ago=20)

    bands = calibration(asked(search))

    assert bands.select("band", "n", "mean_score").rows() == [
        ("poor", 2, 1.5),
        ("stretch", 2, 3.5),
        ("plausible", 2, 5.5),
        ("strong", 2, 7.5),
        ("excellent", 2, 9.5),
    ]


def test_tenths_never_part_equal_scores(search):
    scores = [2] * 5 + [6] * 11 + [7] * 2 + [9] * 2
    for number, score in enumerate(scores):
        search.apply(search.find(f"j{number}"), score, days_ago=20)

    tenths = calibration(asked(search), by="decile")

    assert tenths.select("decile", "n", "score_low", "score_high").rows() == [
        (2, 5, 2, 2),
        (6, 11, 6, 6),
        (9, 2, 7, 7),
        (10, 2, 9, 9),
    ]


def test_scores_that_share_a_tenth_are_told_together(search):
    for number in range(100):
        search.apply(search.find(f"j{number}"), min(10, 1 + number // 2 if number < 6 else 8), days_ago=20)

    tenths = calibration(asked(search), by="decile")

    assert tenths.select("decile", "n", "score_low", "score_high").rows() == [(1, 6, 1, 3), (6, 94, 8, 8)]


def test_a_forecast_is_held_against_the_raw_score_on_the_same_applications_with_an_interval(search):
    plant(search, 600)
    db = asked(search)

    for judged in (brier(db), backtest(db)):
        of = {row["forecast"]: row for row in judged.iter_rows(named=True)}
        assert of["score"]["against_score"] is None
        assert of["map"]["against_score"] == pytest.approx(of["map"]["brier"] - of["score"]["brier"])
        assert of["map"]["against_score_low"] < of["map"]["against_score"] < of["map"]["against_score_high"] < 0


def test_the_parts_of_the_brier_score_add_up_and_the_map_is_better_than_the_raw_score(search):
    plant(search, 600)

    judged = brier(asked(search))

    parts = judged["reliability"] - judged["resolution"] + judged["uncertainty"]
    assert (parts - judged["brier"]).abs().max() < 1e-9
    of = dict(judged.select("forecast", "brier").rows())
    assert of["map"] < of["overall"] < of["score"]


def test_learned_on_the_past_the_map_is_better_on_the_later_applications_too(search):
    plant(search, 900)

    judged = backtest(asked(search))

    of = {row["forecast"]: row for row in judged.iter_rows(named=True)}
    assert of["map"]["n"] == 270
    assert of["map"]["brier"] < of["overall"]["brier"]
    assert of["map"]["brier"] < of["score"]["brier"]
    assert of["map"]["expected_calibration_error"] < of["score"]["expected_calibration_error"]


def test_a_score_is_held_against_the_score_that_was_current_at_the_application(search):
    job = search.find("a")
    search.score(job, 4)
    search.apply(job, 4, days_ago=20)
    search.score(job, 9, version=2)

    assert calibration(asked(search), by="score")["score"].to_list() == [4]


def test_below_the_floor_it_says_about_how_many_are_missing_and_draws_no_curve(search):
    for number in range(20):
        job = search.find(f"j{number}")
        search.apply(job, 7, days_ago=20)
        if number < 2:
            search.answer(job, "interview")
    db = asked(search)

    verdict = enough(db)

    assert (verdict.n, verdict.successes) == (20, 2)
    assert 10 <= verdict.need_more <= 40
    assert "need about" in verdict.says
    for answer in (score_map(db), brier(db), backtest(db)):
        assert answer.is_empty()
        assert "simulated" in answer.columns
    assert calibration(db)["n"].sum() == 20


def test_young_applications_wait_whether_they_were_answered_or_not(search):
    for number in range(4):
        job = search.find(f"j{number}")
        search.apply(job, 8, days_ago=3)
        if number == 0:
            search.answer(job, "interview")
    db = asked(search)

    assert calibration(db).is_empty()
    assert enough(db).waiting == 4
    assert calibration(db, wait_days=0)["n"].to_list() == [4]
    assert calibration(db, now=search.now + timedelta(days=12))["successes"].to_list() == [1]


def test_made_up_and_real_applications_are_never_mixed(search):
    plant(search, 40, simulated=True)
    plant(search, 10, simulated=False)
    db = asked(search)

    assert len(applications(db)) == 10
    assert len(applications(db, simulated=True)) == 40
    assert calibration(db, simulated=True)["simulated"].all()
    assert not calibration(db)["simulated"].any()


def test_an_application_with_a_made_up_answer_is_made_up(search):
    job = search.find("a")
    search.apply(job, 8, days_ago=20)
    search.answer(job, "offer", simulated=True)

    assert applications(asked(search))["simulated"].to_list() == [True]


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        ("rejection", {"reply": 1, "interview": 0, "offer": 0}),
        ("interview", {"reply": 1, "interview": 1, "offer": 0}),
        ("offer", {"reply": 1, "interview": 1, "offer": 1}),
        ("no_response", {"reply": 0, "interview": 0, "offer": 0}),
    ],
)
def test_an_answer_counts_for_all_that_it_implies(search, kind, counts):
    job = search.find("a")
    search.apply(job, 8, days_ago=20)
    search.answer(job, kind)
    db = asked(search)

    assert {outcome: applications(db, outcome=outcome)["success"].sum() for outcome in counts} == counts


def test_without_applications_every_answer_is_empty_and_typed(search):
    search.find("a")
    db = asked(search)

    for answer in (applications(db), calibration(db), score_map(db), brier(db), backtest(db)):
        assert answer.is_empty()
        assert answer.schema["simulated"] == pl.Boolean
    assert enough(db).need_more >= 30
