"""The log: an append in a commit of its own, the same with every read table folded along, and a rebuild."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from bench.measure import Row, Scale, growth, rate, seconds, side_by_side
from bench.world import World, scored, world
from jobctrl.store import Store


def rows(scale: Scale, scratch: Path) -> Iterable[Row]:
    count = scale.of(300, 100)
    counts = [100, 5_000] + ([] if scale.quick else [50_000])
    with ExitStack() as stack:
        works = [_bare(scratch / "bare.db", count, stack), _plain(scratch / "plain.db", count, stack)]
        works += [_folded(world(scratch, jobs), count, stack) for jobs in counts]
        bare, plain, *folded = (took / count for took in side_by_side(works))
    yield Row(
        "append, one fact a commit", rate(plain), rate(bare), plain / bare, goal="<= 1.5x", met=plain / bare <= 1.5
    )
    flat = growth(counts, folded)
    for jobs, one in zip(counts, folded, strict=True):
        last = jobs == counts[-1]
        yield Row(
            f"append + live folds, {jobs:,} jobs",
            rate(one),
            rate(bare),
            one / bare,
            flat if last else None,
            "<= 2x" if jobs == 5_000 else ("growth <= 0.1" if last else ""),
            one / bare <= 2 if jobs == 5_000 else (flat <= 0.1 if last else None),
        )

    small, large = scale.of(500, 100), scale.of(5_000, 1_000)
    worlds = [world(scratch, small, prepared=True), world(scratch, large, prepared=True)]
    took = [seconds(partial(_rebuild, each), repeat=2) for each in worlds]
    decoded = seconds(lambda: _decode(worlds[-1]))
    facts = worlds[-1].facts
    grows = growth([each.facts for each in worlds], took)
    speed = facts / took[-1]
    yield Row(
        f"rebuild of {facts:,} facts against json.loads of them",
        rate(took[-1] / facts),
        rate(decoded / facts),
        took[-1] / decoded,
        grows,
        ">= 50k/s, growth <= 1.05",
        speed >= 50_000 and grows <= 1.05,
    )


def _bare(path: Path, count: int, stack: ExitStack) -> Callable[[], None]:
    connection = stack.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE facts (position INTEGER PRIMARY KEY, payload TEXT NOT NULL)")
    payload = scored("0" * 36, 1).model_dump_json(by_alias=True)

    def run() -> None:
        for _ in range(count):
            connection.execute("INSERT INTO facts (payload) VALUES (?)", (payload,))

    return run


def _plain(path: Path, count: int, stack: ExitStack) -> Callable[[], None]:
    store = Store(path, ())
    stack.callback(store.close)
    return lambda: _append(store, ["any"] * count)


def _folded(place: World, count: int, stack: ExitStack) -> Callable[[], None]:
    store = place.open()
    stack.callback(store.close)
    step = max(1, len(place.jobs) // count)
    chosen = [place.jobs[number * step % len(place.jobs)] for number in range(count)]
    return lambda: _append(store, chosen)


def _append(store: Store, jobs: Sequence[str]) -> None:
    for job_id in jobs:
        with store.writer() as tx:
            tx.append(f"job/{job_id}", scored(job_id, 1))


def _rebuild(place: World) -> None:
    store = place.open()
    store.rebuild()
    store.close()


def _decode(place: World) -> None:
    with closing(sqlite3.connect(place.folder / "jobctrl.db")) as connection:
        for (payload,) in connection.execute("SELECT payload FROM job_events ORDER BY position"):
            json.loads(payload)
