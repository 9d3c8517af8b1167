"""The command line from a cold start: a process that begins, answers and ends."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from bench.measure import Row, Scale, command, growth, ms
from bench.world import world

_JOBCTRL = "from jobctrl.cli import main; main()"


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    repeat = scale.of(9, 3)
    nothing = command([sys.executable, "-c", "pass"], repeat=repeat)
    typer = command([sys.executable, "-c", "import typer"], repeat=repeat)
    yield Row('python -c "import typer", for comparison', ms(typer), ms(nothing), typer / nothing)
    for option in ("--version", "--help"):
        took = _jobctrl(option, repeat=repeat)
        yield Row(
            f"jobctrl {option}, against python -c pass",
            ms(took),
            ms(nothing),
            took / nothing,
            goal="<= 7x",
            met=took / nothing <= 7,
        )
    sizes = (500, 5_000)
    took_jobs = [_jobctrl("--workspace", str(world(scratch, jobs).folder), "jobs", repeat=repeat) for jobs in sizes]
    grows = growth(sizes, took_jobs)
    ratio = took_jobs[-1] / nothing
    yield Row(
        "jobctrl jobs with 5,000 jobs, against python -c pass",
        ms(took_jobs[-1]),
        ms(nothing),
        ratio,
        grows,
        "<= 12x, growth <= 0.1",
        ratio <= 12 and grows <= 0.1,
    )


def _jobctrl(*arguments: str, repeat: int) -> float:
    return command([sys.executable, "-c", _JOBCTRL, *arguments], repeat=repeat)
