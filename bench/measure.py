"""What a measurement is, and the clocks it is taken with."""

from __future__ import annotations

import gc
import math
import os
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Argument = TypeVar("Argument")


@dataclass(frozen=True)
class Row:
    """One line of the table. A ratio is ours to the baseline: below one we are faster."""

    task: str
    ours: str
    baseline: str = ""
    ratio: float | None = None
    growth: float | None = None
    goal: str = ""
    met: bool | None = None
    """None when there is no goal, or nothing could be measured."""


@dataclass(frozen=True)
class Scale:
    """How much is measured: all of it, or as much as fits into a minute or so."""

    quick: bool = False

    def of(self, full: int, quick: int) -> int:
        return quick if self.quick else full


Clock = Callable[[], float]
wall: Clock = time.perf_counter
busy: Clock = time.process_time
"""Processor time of this process: what others on the machine disturb least. Waiting for a disk does not count in it."""


def seconds(work: Callable[[], object], *, clock: Clock = busy, repeat: int = 3) -> float:
    """The best of several runs: the others were disturbed by somebody else on the machine."""
    return min(once(work, clock=clock) for _ in range(repeat))


def once(work: Callable[[], object], *, clock: Clock = wall) -> float:
    gc.collect()
    began = clock()
    work()
    return clock() - began


def each(work: Callable[[Argument], object], arguments: Sequence[Argument], *, repeat: int = 3) -> float:
    """Seconds of the processor for one call, over all *arguments*."""

    def run() -> None:
        for argument in arguments:
            work(argument)

    return seconds(run, repeat=repeat) / max(1, len(arguments))


def side_by_side(works: Sequence[Callable[[], object]], *, rounds: int = 5) -> list[float]:
    """The best time of each, taken in turns, so that a disk that is busy for a while is busy for all of them."""
    best = [math.inf] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            best[index] = min(best[index], once(work))
    return best


def command(arguments: Sequence[str], *, repeat: int = 7, **environment: str) -> float:
    """Seconds from the start of a process to its end. Raises CalledProcessError when it fails."""

    def run() -> None:
        subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, **environment})

    return seconds(run, clock=wall, repeat=repeat)


def growth(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The exponent with which the time grows with the size: 0 is flat, 1 in proportion, 2 with the square."""
    return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])


def peak_mib(process: str) -> float | None:
    """The most memory a process has had since it began, in MiB; None where the system does not say."""
    status = Path("/proc") / process / "status"
    if not status.exists():
        return None
    peak = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM"))
    return int(peak.split()[1]) / 1024


def rate(per_call: float) -> str:
    """Calls in a second, as a person reads them."""
    number = 1 / per_call
    return f"{number / 1000:,.1f}k/s" if number >= 10_000 else f"{number:,.0f}/s"


def ms(duration: float) -> str:
    return f"{duration * 1000:,.2f} ms" if duration < 0.1 else f"{duration * 1000:,.0f} ms"
