"""Two hundred searches with a known curve from score to interview: how often intervals hold it, and whether the map
forecasts better than the raw score. Fixed seeds; the figures stand in docs/warehouse.md."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from jobctrl.analytics.calibration.forecasts import RAW, brier_of
from jobctrl.analytics.calibration.map import SCORES, by_score, fitted, fitted_interval
from jobctrl.analytics.intervals import jeffreys
from tests.conftest import ROOT

SEEDS = 200
CURVE = np.array((0.02, 0.03, 0.04, 0.06, 0.09, 0.14, 0.22, 0.32, 0.45, 0.60))
SIZES = (60, 150, 400)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Found:
    rates: float
    """The share of the intervals of rates by score that hold the truth."""
    curve: float
    """The same of the map's."""
    better: float
    """The share of searches in which the map's Brier score on later applications is below the raw score's."""
    gain: float
    """By how much it is below it, on average."""


def search(applications: int, seed: int, curve: Floats) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    dice = np.random.default_rng(seed)
    scores = dice.integers(1, 11, applications)
    return scores, dice.random(applications) < curve[scores - 1]


def searched(applications: int, curve: Floats = CURVE) -> Found:
    held, held_by_map, gains = [], [], []
    for seed in range(SEEDS):
        scores, successes = search(applications, seed, curve)
        n, k = by_score(scores, successes)
        low, high = jeffreys(k[n > 0], n[n > 0])
        held.append((low <= curve[n > 0]) & (curve[n > 0] <= high))
        low, high = fitted_interval(n, k)
        held_by_map.append((low <= curve) & (curve <= high))
        cut = int(applications * 0.7)
        learned, later = by_score(scores[:cut], successes[:cut]), by_score(scores[cut:], successes[cut:])
        gains.append(brier_of(RAW, *later) - brier_of(fitted(*learned), *later))
    told = np.array(gains)
    return Found(
        float(np.concatenate(held).mean()), float(np.mean(held_by_map)), float((told > 0).mean()), float(told.mean())
    )


@pytest.fixture(scope="module", params=SIZES)
def found(request: pytest.FixtureRequest) -> tuple[int, Found]:
    return request.param, searched(request.param)


def test_intervals_hold_the_truth_between_92_and_98_times_in_a_hundred(found: tuple[int, Found]):
    assert 0.92 <= found[1].rates <= 0.98
    assert 0.92 <= found[1].curve <= 0.98


def test_the_map_learned_on_the_past_forecasts_later_applications_better_than_the_raw_score(found: tuple[int, Found]):
    assert found[1].better > 0.9
    assert found[1].gain > 0.05


def test_the_page_says_what_was_found(found: tuple[int, Found]):
    size, told = found
    row = f"| {size} | {told.rates:.1%} | {told.curve:.1%} | {told.better:.1%} | {told.gain:.3f} |"

    assert row in (ROOT / "docs" / "warehouse.md").read_text()


@given(
    st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), min_size=10, max_size=10).filter(
        lambda told: 0 < sum(round(n * share) for n, share in told) < sum(n for n, _ in told)
    )
)
@settings(max_examples=40, deadline=None)
def test_the_map_never_falls_and_lies_in_its_interval(told):
    n = np.array([n for n, _ in told], dtype=float)
    k = np.array([round(n * share) for n, share in told], dtype=float)

    fit, (low, high) = fitted(n, k), fitted_interval(n, k)

    assert (np.diff(fit) >= -1e-12).all()
    assert ((low <= fit) & (fit <= high)).all()
    assert ((fit >= 0) & (fit <= 1)).all()


@pytest.mark.parametrize("known", [(1, 2, 3, 4, 5), (6, 7, 8, 9, 10), (1, 2, 9, 10)])
def test_a_score_that_nobody_applied_with_is_only_as_sure_as_its_neighbours_allow(known):
    n = np.where(np.isin(SCORES, known), 20.0, 0.0)
    k = np.where(n > 0, np.minimum(SCORES, 8.0) * 2, 0.0)

    low, high = fitted_interval(n, k)

    for score in SCORES[n == 0]:
        below = [low[other - 1] for other in known if other < score]
        above = [high[other - 1] for other in known if other > score]
        assert low[score - 1] == (below[-1] if below else 0)
        assert high[score - 1] == (above[0] if above else 1)
