"""A thousand postings, and a worker that never lives longer than 20 seconds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.acceptance.chaos.bench import Run, Told
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import standing
from tests.acceptance.chaos.staging import ground_of
from tests.acceptance.chaos.watch import until_rest


@contextmanager
def thousand_postings(run: Run) -> Iterator[Told]:
    """A thousand postings are prepared while the worker is killed every 20 seconds, and started again."""
    with ground_of(run, boards=10, each=100, pages=5) as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        next_kill = time.monotonic() + 20

        def keep() -> None:
            nonlocal next_kill
            if time.monotonic() > next_kill and not _all_rest(ground):
                ground.kill_worker()
                ground.keep_a_worker()
                next_kill = time.monotonic() + 20

        watched = until_rest(ground, within=3600, keep=keep)
        jobs = len(standing(ground.house.store).stages)
        wrong = [] if jobs == ground.web.postings else [f"{jobs} jobs of {ground.web.postings} postings"]
        yield Told(ground, watched, tuple(wrong))


def _all_rest(ground: Ground) -> bool:
    resting = standing(ground.house.store).resting()
    return len(resting) == ground.web.postings and all(resting.values())
