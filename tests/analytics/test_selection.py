"""Where selection bends the plain rate, jobs chosen by chance set it straight; without them nothing is claimed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from jobctrl.analytics.calibration import applied_share, explorations, propensities, selection
from jobctrl.analytics.calibration.selection import weighted_interval
from tests.analytics.conftest import asked

CURVE = np.array((0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.20, 0.30, 0.45, 0.60))
THRESHOLD, SHARE, SEEDS = 7, 0.2, 200


def tell(search, jobs: int, *, share: float, seed: int = 5, picky: float = 1.0) -> float:
    """A search that applies to what was let through, to a chosen job *picky* times as often; returns the true rate."""
    dice = np.random.default_rng(seed)
    truth = 0.0
    for number in range(jobs):
        job = search.find(f"j{number}")
        score = int(dice.integers(1, 11))
        truth += CURVE[score - 1]
        search.score(job, score)
        chosen = score < THRESHOLD and dice.random() < share
        if chosen:
            search.explore(job, score, share, threshold=THRESHOLD)
        if (score >= THRESHOLD and dice.random() < 0.8) or (chosen and dice.random() < 0.8 * picky):
            search.apply(job, score, days_ago=30, simulated=True)
            if dice.random() < CURVE[score - 1]:
                search.answer(job, "interview", simulated=True)
    return truth / jobs


@pytest.mark.parametrize("picky", [1.0, 0.4])
def test_the_plain_rate_is_bent_by_selection_and_the_weighted_one_covers_the_truth(search, picky):
    truth = tell(search, 900, share=SHARE, picky=picky)

    told = propensities(asked(search))

    of = {row["estimate"]: row for row in told.iter_rows(named=True)}
    assert of["plain"]["low"] > truth
    assert of["weighted"]["low"] <= truth <= of["weighted"]["high"]
    assert abs(of["weighted"]["rate"] - truth) < abs(of["plain"]["rate"] - truth) / 2
    assert of["plain"]["n"] == of["weighted"]["n"]
    assert of["weighted"]["effective_n"] < of["weighted"]["n"]
    assert told["simulated"].all()


def test_over_two_hundred_searches_the_weighted_interval_holds_the_truth_about_as_often_as_it_says():
    held, plain = 0, 0
    for seed in range(SEEDS):
        dice = np.random.default_rng(seed)
        scores = dice.integers(1, 11, 1500)
        below = scores < THRESHOLD
        seen = (~below | (dice.random(1500) < SHARE)) & (dice.random(1500) < 0.5)
        success = dice.random(1500) < CURVE[scores - 1]
        groups = [seen & ~below, seen & below]
        n = np.array([group.sum() for group in groups], dtype=float)
        k = np.array([(group & success).sum() for group in groups], dtype=float)
        low, high = weighted_interval(n, k, np.array([1.0, 1 / SHARE]))
        truth = CURVE[scores - 1].mean()
        held += low <= truth <= high
        plain += abs(k.sum() / n.sum() - truth) < 0.05

    assert 0.92 <= held / SEEDS <= 0.98
    assert plain == 0


def test_without_logged_chances_there_is_no_estimate_and_a_reason(search):
    tell(search, 60, share=0)
    db = asked(search)

    assert propensities(db).is_empty()
    assert "exploration_share" in selection(db).why_no_estimate
    assert "only for jobs that were applied to" in selection(db).says


def test_a_few_chosen_jobs_are_not_enough_and_it_says_how_many_are_missing(search):
    for number in range(12):
        job = search.find(f"j{number}")
        score = 8 if number < 8 else 3
        search.score(job, score)
        if score == 3:
            search.explore(job, score, 0.1)
        if number < 10:
            search.apply(job, score, days_ago=20)
    db = asked(search)

    told = selection(db)

    assert (told.scored, told.applied, told.below, told.explored, told.told) == (12, 10, 2, 4, 2)
    assert "need about 3 more" in told.why_no_estimate
    assert propensities(db).is_empty()
    assert propensities(db).schema["simulated"] == pl.Boolean


def test_what_is_ruled_out_or_was_pushed_through_by_hand_is_not_counted_as_chance(search):
    ruled_out, by_hand, corrected = search.find("a"), search.find("b"), search.find("c")
    search.score(ruled_out, 8, eligibility="blocked")
    search.score(by_hand, 4)
    search.apply(by_hand, 4, days_ago=20)
    search.score(corrected, 5)
    search.explore(corrected, 5, 0.1)
    search.score(corrected, 2, version=2, corrected_from=5)
    db = asked(search)

    told = selection(db)

    assert (told.scored, told.applied, told.below, told.explored) == (2, 1, 1, 0)


def test_the_share_applied_to_is_told_for_each_score_with_its_interval(search):
    for number in range(10):
        job = search.find(f"j{number}")
        search.score(job, 8 if number < 6 else 4)
        if number < 3:
            search.apply(job, 8, days_ago=1)
    search.explore(job, 4, 0.1)

    shares = applied_share(asked(search))

    assert shares.select("score", "n", "applied", "explored").rows() == [(4, 4, 0, 1), (8, 6, 3, 0)]
    assert shares["rate"].to_list() == [0.0, 0.5]
    assert (shares["low"] < shares["high"]).all()


def test_the_jobs_that_chance_let_through_are_listed_with_what_came_of_them(search):
    job, other = search.find("a"), search.find("b")
    for each in (job, other):
        search.score(each, 4)
        search.explore(each, 4, 0.15)
        search.later(minutes=1)
    search.apply(job, 4, days_ago=0)
    search.answer(job, "interview")

    listed = explorations(asked(search))

    assert listed["job_id"].to_list() == [other, job]
    assert listed.select("score", "threshold", "propensity").rows() == [(4, 7, 0.15)] * 2
    assert listed["interview_at"].is_not_null().to_list() == [False, True]


def test_an_empty_search_is_empty_and_typed(search):
    search.find("a")
    db = asked(search)

    assert applied_share(db).is_empty()
    assert explorations(db).is_empty()
    assert propensities(db).is_empty()
    assert selection(db).scored == 0
