"""The warehouse: bringing it in step after a few new facts, against reading everything again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bench.measure import Row, Scale, ms, once
from bench.world import scored, world
from jobctrl.analytics.warehouse import Warehouse


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    jobs = scale.of(50_000, 1_000)
    place = world(scratch, jobs, prepared=True)
    warehouse = Warehouse(place.folder)
    whole = once(lambda: warehouse.refresh(whole=True))
    store = place.open()
    times = []
    for turn in range(3):
        with store.writer() as tx:
            for job_id in place.jobs[turn * 100 : turn * 100 + 100]:
                tx.append(f"job/{job_id}", scored(job_id, 3))
        times.append(once(warehouse.refresh))
    store.close()
    few = min(times)
    yield Row(
        f"warehouse in step after 100 new facts of {place.facts:,}, against a whole refresh",
        ms(few),
        ms(whole),
        few / whole,
        goal="<= 0.1x at 1M" if not scale.quick else "",
        met=None if scale.quick else few / whole <= 0.1,
    )
