"""What scenarios have in common: a ground of their own, and waiting for what they need to see."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.acceptance.chaos.bench import Run
from tests.acceptance.chaos.ground import Ground, prepared_ground
from tests.acceptance.chaos.looking import standing
from tests.acceptance.chaos.world import build_web

PATIENCE = 300.0
SOME: dict[str, Any] = {"boards": 2, "each": 3, "pages": 1}


@contextmanager
def ground_of(run: Run, *, boards: int, each: int, pages: int = 0, **settings: Any) -> Iterator[Ground]:
    """A fresh workspace over a web of its own; whatever it started is killed at the end."""
    web = build_web(run.folder / "web", seed=run.seed, boards=boards, each=each, pages=pages)
    ground = prepared_ground(run.folder / "bench", web, **settings)
    try:
        yield ground
    finally:
        ground.close()


def wait_for(seen: Callable[[], object], *, within: float = 90.0) -> None:
    deadline = time.monotonic() + within
    while not seen():
        assert time.monotonic() < deadline, "what the scenario waits for has not come"
        time.sleep(0.1)


def recorded(ground: Ground, event_type: str) -> int:
    """How many facts of that type there are."""
    with ground.house.store.reader() as connection:
        row = connection.execute("SELECT COUNT(*) FROM job_events WHERE event_type = ?", (event_type,)).fetchone()
    return int(row[0])


def completed(ground: Ground) -> int:
    """How many jobs were brought to their end."""
    return len(standing(ground.house.store).prepared())
