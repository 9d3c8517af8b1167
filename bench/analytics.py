"""The warehouse: built whole, brought in step after new facts, and taken as of an earlier position."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.measure import Row, Scale, ms, once, rate
from bench.world import made_up, scored
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at

NEW = 1_000
"""New facts, each about another job: the most rows that so many can touch."""


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    made = made_up(scratch, scale.of(50_000, 2_000))
    yield Row(
        f"a made-up search of {made.jobs:,} jobs, {made.facts:,} facts told and folded", rate(made.seconds / made.facts)
    )
    warehouse = Warehouse(made.folder)
    whole = min(once(lambda: warehouse.refresh(whole=True)) for _ in range(2))
    yield Row("warehouse built from all of them", ms(whole))
    few = _after_new_facts(made.folder, warehouse)
    yield Row(
        f"warehouse in step after {NEW:,} new facts, against building it",
        ms(few),
        ms(whole),
        few / whole,
        goal="" if scale.quick else "<= 0.02x at 1M",
        met=None if scale.quick else few / whole <= 0.02,
    )
    first = once(lambda: warehouse.as_of(made.facts // 2))
    again = once(lambda: warehouse.as_of(made.facts // 2))
    yield Row("as of the middle of the log, against building the warehouse", ms(first), ms(whole), first / whole)
    yield Row("the same state again, against the first time", ms(again), ms(first), again / first)


def _after_new_facts(folder: Path, warehouse: Warehouse) -> float:
    """The median of five refreshes; in some of them a table's changes are put together with its base."""
    store = open_store(workspace_at(folder))
    with store.reader() as connection:
        jobs = [row[0] for row in connection.execute("SELECT job_id FROM jobs ORDER BY job_id LIMIT ?", (5 * NEW,))]
    times = []
    for turn in range(5):
        with store.writer() as tx:
            for job_id in [jobs[(turn * NEW + number) % len(jobs)] for number in range(NEW)]:
                tx.append(f"job/{job_id}", scored(job_id, 90 + turn))
        times.append(once(warehouse.refresh))
    store.close()
    return sorted(times)[2]
