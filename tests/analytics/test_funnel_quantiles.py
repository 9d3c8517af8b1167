"""Quantiles are known as far as the number of values lets them be, and no further."""

from __future__ import annotations

import numpy as np
import pytest

from jobctrl.analytics.quantiles import quantile


@pytest.mark.parametrize("q", [0.5, 0.9])
def test_the_interval_of_a_quantile_holds_the_truth_as_often_as_it_says(q):
    dice = np.random.default_rng(3)
    truth = -np.log(1 - q)

    held = []
    for _ in range(400):
        _, low, high = quantile(dice.exponential(1, 60), q)
        held.append((low or 0) <= truth <= (high or np.inf))

    assert 0.93 <= np.mean(held) <= 0.99


def test_with_few_values_an_end_is_not_known():
    middle, low, high = quantile([1.0, 2.0, 3.0], 0.9)

    assert middle == pytest.approx(2.8)
    assert (low, high) == (1.0, None)
    assert quantile([1.0, 2.0, 3.0], 0.5)[1:] == (None, None)
    assert quantile([], 0.5) == (None, None, None)


def test_the_order_of_the_values_says_nothing():
    values = [5.0, 1.0, 4.0, 2.0, 3.0] * 4

    assert quantile(values, 0.5) == quantile(sorted(values), 0.5) == (3.0, 2.0, 4.0)
