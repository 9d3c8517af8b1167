"""The days of a made-up search: which postings each brings, and every fact in the order in which it happened."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

from jobctrl.discovery.events import DiscoveryRunStarted
from jobctrl.events import Event
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepStarted,
    StepKind,
    WorkflowCompleted,
    WorkflowStarted,
)
from jobctrl.runtime.made_up.contents import Contents
from jobctrl.runtime.made_up.finding import SOURCES, Find, find, found, no_answer, reading
from jobctrl.runtime.made_up.paying import Calls
from jobctrl.runtime.made_up.preparing import Life
from jobctrl.runtime.made_up.told import Told
from jobctrl.runtime.made_up.trades import BROKEN
from jobctrl.store import Execution

BEGINS = datetime(2025, 9, 1, 6, 0, tzinfo=UTC)
DAYS = 150
_QUIET_FROM = 80
_BROKEN_ON = range(60, 66)
_FIRST_HAUL = 0.12
"""The share of all postings that the first day brings; the boards had them for long."""
_STEPS: tuple[tuple[StepKind, str, float], ...] = (
    ("source_planning", "all", 0.01),
    ("source_family", "ats_api", 0.6),
    ("enrichment_pass", "all", 0.9),
    ("preparation_fanout", "all", 1.0),
)
"""The steps of a Discover execution, and when in its two hours each is done."""


def in_order(jobs: int, seed: int, worked: float, contents: dict[str, Contents]) -> Iterator[Told]:
    """Every fact of the search up to its last day; what would come later is left out."""
    waiting: list[tuple[datetime, int, Told]] = []
    number = count()
    for day, facts in enumerate(_days(jobs, seed, worked, contents)):
        for told in facts:
            heapq.heappush(waiting, (told.at, next(number), told))
        # Nothing that later days bring is earlier than they are.
        tomorrow = BEGINS + timedelta(days=day + 1)
        while waiting and waiting[0][0] < tomorrow:
            yield heapq.heappop(waiting)[2]


def _days(jobs: int, seed: int, worked: float, contents: dict[str, Contents]) -> Iterator[Iterable[Told]]:
    dice, calls, standing = random.Random(seed), Calls(), Counter[str]()
    first = 0
    for day, new in enumerate(_hauls(jobs)):
        at = BEGINS + timedelta(days=day)
        run = Execution("discover-local", f"run-{day:03d}")
        finds = [
            find(dice, number, at + timedelta(minutes=dice.uniform(5, 70)), contents, quiet=day >= _QUIET_FROM)
            for number in range(first, first + new)
        ]
        first += new
        yield _day(dice, day, at, run, finds, standing, worked, contents, calls)
        standing = Counter({source: round(left * 0.97) for source, left in standing.items()})
        standing.update(each.source_id for each in finds)


def _hauls(jobs: int) -> list[int]:
    """How many postings each day brings: many at first, few at weekends; they add up."""
    weights = [0.3 if (BEGINS + timedelta(days=day)).weekday() > 4 else 1.0 for day in range(DAYS)]
    weights[0] = _FIRST_HAUL / (1 - _FIRST_HAUL) * sum(weights[1:])
    share = jobs / sum(weights)
    hauls, owed = [], 0.0
    for weight in weights:
        owed += weight * share
        hauls.append(int(owed))
        owed -= hauls[-1]
    hauls[-1] += jobs - sum(hauls)
    return hauls


def _day(
    dice: random.Random,
    day: int,
    at: datetime,
    run: Execution,
    finds: list[Find],
    standing: Counter[str],
    worked: float,
    contents: dict[str, Contents],
    calls: Calls,
) -> Iterator[Told]:
    yield from _run(at, run, len(finds))
    for source_id in SOURCES:
        stream, run_id = f"source/{source_id}", f"{run.run_id}/{source_id}"
        started = DiscoveryRunStarted(run_id=run_id, source_id=source_id)
        yield Told(at + timedelta(minutes=1), stream, started, execution=run)
        silent = source_id == BROKEN and day in _BROKEN_ON
        done: Event = (
            no_answer(source_id, run_id)
            if silent
            else reading(dice, source_id, finds, run_id, standing[source_id], quiet=day >= _QUIET_FROM)
        )
        yield Told(at + timedelta(minutes=90), stream, done, execution=run)
    for each in finds:
        works = dice.random() < worked
        yield from found(each, run, briefly=not works)
        if works:
            yield from Life(dice, each, contents[each.trade.title], calls).told(run)


def _run(at: datetime, run: Execution, finds: int) -> Iterator[Told]:
    """The Discover execution itself."""
    stream = f"run/{run.workflow_id}/{run.run_id}"
    names = {"workflow_id": run.workflow_id, "workflow_type": "DiscoverWorkflow", "temporal_run_id": run.run_id}
    execution = ExecutionRef(workflow_id=run.workflow_id, temporal_run_id=run.run_id)
    hours = timedelta(hours=2)
    yield Told(at, stream, WorkflowStarted(**names), execution=run)
    began = at
    for kind, item, share in _STEPS:
        step = {"execution": execution, "step_kind": kind, "item_key": item, "attempt": 1}
        ended = at + hours * share
        yield Told(began, stream, PipelineStepStarted(**step), execution=run)
        took = int((ended - began).total_seconds() * 1000)
        yield Told(ended, stream, PipelineStepCompleted(**step, duration_ms=took, item_count=finds), execution=run)
        began = ended
    yield Told(began, stream, WorkflowCompleted(**names, duration_ms=7_200_000), execution=run)
