"""Planted lifetimes are found again, whether their ends were not seen or only seen between two looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.analytics.censoring import EDGES, Curve, kaplan_meier, turnbull

DAYS = 20.0
MEDIAN = DAYS * np.log(2)


def with_censoring(seed: int, n: int = 150) -> tuple[Curve, np.ndarray]:
    """Exponential lives of which some are not over when they are looked at."""
    dice = np.random.default_rng(seed)
    lives, until = dice.exponential(DAYS, n), dice.uniform(5, 60, n)
    return kaplan_meier(np.minimum(lives, until), lives > until), lives


def between_looks(seed: int, n: int = 150) -> Curve:
    """Exponential lives that are looked at every six days or so, for a while."""
    dice = np.random.default_rng(seed)
    lives = dice.exponential(DAYS, n)
    opened, closed = np.zeros(n), np.full(n, np.inf)
    for unit, life in enumerate(lives):
        looks = np.cumsum(dice.exponential(6, 30))
        looks = looks[looks < dice.uniform(20, 80)]
        opened[unit] = max(looks[looks < life], default=0.0)
        closed[unit] = min(looks[looks >= life], default=np.inf)
    return turnbull(opened, closed)


def held(curve: Curve, days: np.ndarray) -> np.ndarray:
    """Where the curve's interval has the truth in it."""
    place = np.searchsorted(curve.times, days, side="right") - 1
    truth = np.exp(-days / DAYS)
    return (curve.low[place] <= truth) & (truth <= curve.high[place])


@pytest.mark.parametrize(("plant", "seeds"), [(lambda seed: with_censoring(seed)[0], 60), (between_looks, 24)])
def test_the_curve_of_planted_lives_is_recovered_and_its_interval_holds_as_often_as_it_says(plant, seeds):
    days = np.array([3.5, 7.5, 14.5, 21.5, 31.5])
    curves = [plant(seed) for seed in range(seeds)]

    covered = np.mean([held(curve, days) for curve in curves])
    medians = [curve.reached() for curve in curves]
    mean = np.mean([[curve.at(day)[0] for day in days] for curve in curves], axis=0)

    assert np.abs(mean - np.exp(-days / DAYS)).max() < 0.03
    assert 0.9 <= covered <= 0.985
    assert np.mean([low <= MEDIAN and (high is None or high >= MEDIAN) for _, low, high in medians]) > 0.87


def test_taking_those_who_wait_for_answered_would_be_wrong_and_is_not_done():
    curve, lives = with_censoring(3, n=2000)

    assert curve.reached()[0] == pytest.approx(MEDIAN, rel=0.1)
    assert np.median(lives) == pytest.approx(MEDIAN, rel=0.1)
    assert curve.times[-1] <= 60


def test_a_median_that_was_not_reached_is_none():
    few = kaplan_meier(np.array([1.0, 5.0, 9.0, 9.0]), np.array([False, True, True, True]))

    assert few.reached()[0] is None
    assert few.at(100) == (None, None, None)


def test_before_anything_ended_the_interval_is_not_of_width_zero():
    nothing = kaplan_meier(np.full(20, 14.0), np.full(20, True))

    share, low, high = nothing.at(14)
    assert (share, high) == (1.0, 1.0)
    assert 0.8 < low < 1


def test_with_exact_looks_turnbull_is_kaplan_and_meier():
    days = np.array([1, 2, 2, 3, 5, 8, 13, 13, 20], dtype=float) + 0.5
    waiting = np.array([0, 0, 1, 0, 1, 0, 0, 1, 1], dtype=bool)

    exact = kaplan_meier(days, waiting)
    looked = turnbull(np.where(waiting, days, days - 1), np.where(waiting, np.inf, days))

    for day in (1.5, 2.5, 3.5, 8.5, 13.5):
        assert looked.at(day)[0] == pytest.approx(exact.at(day)[0], abs=2e-3)


def test_beyond_the_last_look_that_found_any_open_nobody_knows():
    curve = turnbull(np.array([0.0, 4.0, 6.0]), np.array([2.0, np.inf, np.inf]))

    assert curve.n[EDGES[:-1] > 6].sum() == 0
    assert curve.at(30) == (None, None, None)
    assert curve.at(6.5)[0] == pytest.approx(2 / 3, abs=1e-3)


def test_when_only_closings_are_looked_up_later_the_curve_does_not_pretend_that_all_close():
    closings = np.linspace(5, 100, 30)
    curve = turnbull(np.zeros(100), np.concatenate([closings, np.full(70, np.inf)]))

    assert curve.at(50) == (None, None, None)
    assert curve.reached() == (None, None, None)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0, 900), st.one_of(st.none(), st.floats(0, 400))),
        min_size=1,
        max_size=25,
    )
)
def test_a_curve_never_rises_and_lies_within_its_interval(lives):
    opened = np.array([start for start, _ in lives])
    closed = np.array([np.inf if more is None else start + more for start, more in lives])

    curve = turnbull(opened, closed)
    low, share, high = (line[curve.n > 0] for line in (curve.low, curve.share, curve.high))

    assert (np.diff(curve.share) <= 1e-9).all()
    assert ((low >= 0) & (low <= share) & (share <= high) & (high <= 1)).all()
    assert (low == turnbull(opened, closed).low[curve.n > 0]).all()
