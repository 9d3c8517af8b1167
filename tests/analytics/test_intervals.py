"""Intervals hold the truth about as often as they say."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from jobctrl.analytics.intervals import jeffreys, percentiles, ratio_interval, redrawn, with_rate


@pytest.mark.parametrize(("truth", "n"), [(0.1, 60), (0.3, 40), (0.5, 30), (0.8, 100)])
def test_a_rate_lies_in_its_interval_about_nineteen_times_in_twenty(truth, n):
    successes = np.random.default_rng(1).binomial(n, truth, 4000)

    low, high = jeffreys(successes, np.full(4000, n))

    assert 0.92 <= np.mean((low <= truth) & (truth <= high)) <= 0.98


def test_nothing_seen_gives_no_rate_and_all_or_none_gives_a_closed_end():
    rated = with_rate(pl.DataFrame({"k": [0, 0, 5], "n": [0, 5, 5]}), "k", "n")

    assert rated.row(0)[2:] == (None, None, None)
    assert rated["low"][1] == 0
    assert 0 < rated["high"][1] < 0.5
    assert rated["high"][2] == 1


@pytest.mark.parametrize("jobs", [400, 5000])
def test_a_cost_per_interview_lies_in_its_interval_about_as_often_as_it_says(jobs):
    held = 0
    for seed in range(40):
        dice = np.random.default_rng(seed)
        cost = dice.exponential(0.05, jobs)
        interview = dice.random(jobs) < 0.1
        low, high = ratio_interval(cost, interview)
        held += low <= 0.5 <= high

    assert held >= 35


def test_a_cost_without_any_interview_has_no_interval():
    assert ratio_interval([1.0, 2.0], [0, 0]) == (None, None)


def test_with_a_single_interview_the_cost_has_no_upper_bound():
    low, high = ratio_interval([1.0] * 20, [1] + [0] * 19)

    assert low is not None
    assert high is None


def test_units_drawn_again_are_as_many_as_there_were_and_spread_as_luck_has_it():
    draws = redrawn([30, 0, 70])

    assert (draws.sum(1) == 100).all()
    assert (draws[:, 1] == 0).all()
    low, high = percentiles(draws[:, 0] / 100)
    assert low == pytest.approx(0.3 - 1.96 * 0.0458, abs=0.02)
    assert high == pytest.approx(0.3 + 1.96 * 0.0458, abs=0.02)
    assert (redrawn([30, 0, 70]) == draws).all()
