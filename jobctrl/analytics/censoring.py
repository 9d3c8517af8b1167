"""Curves of how long something lasts when not every end was seen: still waiting, or seen only between two looks."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from jobctrl.analytics.intervals import CONFIDENCE, SEED, jeffreys

Floats = NDArray[np.float64]
EDGES = np.array([*range(29), *range(35, 183, 7), *range(210, 741, 30)], dtype=float)
"""Looks are told apart by the day at first, then by the week, then by the month."""
_DRAWS = 200
_STEPS, _STILL = 2000, 1e-6
_AGAIN, _STILL_AGAIN = 150, 1e-4


@dataclass(frozen=True)
class Curve:
    """The share that lasts longer than each time, with its interval; `n` is how many it rests on there."""

    times: Floats
    share: Floats
    low: Floats
    high: Floats
    n: NDArray[np.int64]

    def reached(self, share: float = 0.5) -> tuple[float | None, float | None, float | None]:
        """When the curve is down at *share*, and between when and when that is (None: not reached)."""
        first, low, high = (self._first(line <= share) for line in (self.share, self.low, self.high))
        return first, low, high

    def at(self, time: float) -> tuple[float | None, float | None, float | None]:
        """The share that lasts longer than *time*, with its interval; None beyond what was seen."""
        place = int(np.searchsorted(self.times, time, side="right")) - 1
        if self.n[place] == 0 or (time > self.times[-1] and self.share[-1] > 0):
            return None, None, None
        return float(self.share[place]), float(self.low[place]), float(self.high[place])

    def _first(self, holds: NDArray[np.bool_]) -> float | None:
        places = np.flatnonzero(holds & (self.n > 0))
        return float(self.times[places[0]]) if places.size else None


def kaplan_meier(times: Floats, waiting: NDArray[np.bool_], *, confidence: float = CONFIDENCE) -> Curve:
    """Kaplan and Meier's curve with log-log intervals; *waiting* says whose end was not seen by its time.

    Begins at time 0. Where the formula has no interval (nothing ended yet, or everything did) it is Jeffreys'.
    """
    told = stats.ecdf(stats.CensoredData.right_censored(times, waiting)).sf
    with warnings.catch_warnings():
        # Undefined at 0 and 1; those are filled below.
        warnings.filterwarnings("ignore", message="The confidence interval is undefined")
        interval = told.confidence_interval(confidence, method="log-log")
    at, share = told.quantiles, told.probabilities
    n = times.size - np.searchsorted(np.sort(times), at, side="left")
    flat_low, flat_high = jeffreys(np.where(share >= 1, n, 0), n, confidence=confidence)
    unsure = (share >= 1) | (share <= 0)
    low = np.where(unsure, flat_low, interval.low.probabilities)
    high = np.where(unsure, flat_high, interval.high.probabilities)
    at_first = jeffreys([times.size], [times.size], confidence=confidence)[0]
    return Curve(
        np.append(0.0, at),
        np.append(1.0, share),
        np.append(at_first, low),
        # An end that was filled in must not rise above the one before.
        np.minimum.accumulate(np.append(1.0, high)),
        np.append(times.size, n),
    )


def turnbull(opened: Floats, closed: Floats, *, confidence: float = CONFIDENCE) -> Curve:
    """Turnbull's curve of ends that lie between two looks: the last that found it open, the first that found it closed.

    *closed* is inf where no look found it so. Looks are put into the buckets of EDGES; the curve says, at the middle of
    each, what share a look then would find open. It ends (n is 0) with the last look that found any open. The interval
    is a bootstrap over the units; where nothing ended yet it is Jeffreys' over those whose state is known then.
    """
    buckets = EDGES.size - 1
    left = np.searchsorted(EDGES, opened, side="right") - 1
    right = np.where(closed < EDGES[-1], np.searchsorted(EDGES, closed, side="right") - 1, buckets)
    # Found open and found closed in the same bucket: it ended there.
    left = np.minimum(left, right - 1)
    pairs, counts = np.unique(np.stack([left, right]), axis=1, return_counts=True)
    lefts, rights = pairs[0], pairs[1]
    even = _support(lefts, rights, buckets)
    best = _self_consistent(even, counts[None, :].astype(float), lefts, rights, _STEPS, _STILL)
    drawn = np.random.default_rng(SEED).multinomial(counts.sum(), counts / counts.sum(), _DRAWS).astype(float)
    # A draw may need what the whole sample gives nothing to: the start leaves it a little.
    start = np.repeat(0.9 * best + 0.1 * even, _DRAWS, axis=0)
    again = _lasting(_self_consistent(start, drawn, lefts, rights, _AGAIN, _STILL_AGAIN))
    tail = (1 - confidence) / 2
    low, high = np.quantile(again, [tail, 1 - tail], axis=0)
    share = _lasting(best)[0]
    n = np.array([int(counts[(lefts >= bucket) | (rights <= bucket)].sum()) for bucket in range(buckets)])
    # Behind the last look that found any open, closings alone would speak, and nobody knows of the others.
    n[max(int(lefts.max()), 0) + 1 :] = 0
    flat_low, flat_high = jeffreys(np.where(share > 0.5, n, 0), n, confidence=confidence)
    low = np.where(share > 1 - _STILL, flat_low, np.minimum(low, share))
    high = np.where(share < _STILL, flat_high, np.maximum(high, share))
    return Curve((EDGES[:-1] + EDGES[1:]) / 2, share, low, high, n)


def _support(lefts: NDArray[np.int64], rights: NDArray[np.int64], buckets: int) -> Floats:
    """An even start over the cells that can have mass: Turnbull's innermost intervals, from a left to the next right.

    A cell is a bucket; the one behind the last is for what outlasts them all, and takes all that is beyond the last
    closing.
    """
    cells = np.zeros((1, buckets + 1))
    known = np.unique(lefts)
    reached = -2
    for right in np.unique(rights):
        left = int(known[np.searchsorted(known, right) - 1])
        if left >= reached:
            cells[0, slice(left + 1, right + 1) if right < buckets else buckets] = 1
        reached = int(right)
    even: Floats = cells / cells.sum()
    return even


def _self_consistent(
    mass: Floats, weights: Floats, lefts: NDArray[np.int64], rights: NDArray[np.int64], steps: int, still: float
) -> Floats:
    """The mass of each cell to which Turnbull's equations lead, a row for each row of *weights*.

    An end in the cells l+1 to r is shared out over them as their mass stands.
    """
    by_right = np.argsort(rights, kind="stable")
    left_at, left_from = np.unique(lefts, return_index=True)
    right_at, right_from = np.unique(rights[by_right], return_index=True)
    total = weights.sum(axis=1, keepdims=True)
    nothing = np.zeros((weights.shape[0], 1))
    for _ in range(steps):
        upto = np.concatenate([nothing, np.cumsum(mass, axis=1)], axis=1)
        each = weights / np.maximum(upto[:, rights + 1] - upto[:, lefts + 1], 1e-300)
        edge = np.zeros((weights.shape[0], mass.shape[1] + 1))
        edge[:, left_at + 1] += np.add.reduceat(each, left_from, axis=1)
        edge[:, right_at + 1] -= np.add.reduceat(each[:, by_right], right_from, axis=1)
        before, mass = mass, mass * np.cumsum(edge, axis=1)[:, :-1] / total
        if np.abs(mass - before).max() < still:
            break
    return mass


def _lasting(mass: Floats) -> Floats:
    """What a look in each bucket would find open."""
    open_then: Floats = np.clip(1 - np.cumsum(mass, axis=1)[:, :-1], 0, 1)
    return open_then
