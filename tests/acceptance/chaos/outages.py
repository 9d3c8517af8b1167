"""What a worker depends on goes away: the server, its history, the database's lock, everything in turn."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from jobctrl.pipeline.runs import NOT_FOUND
from jobctrl.pipeline.runs import Run as WorkflowRun
from tests.acceptance.chaos.bench import Run, Told
from tests.acceptance.chaos.looking import standing
from tests.acceptance.chaos.staging import PATIENCE, SOME, completed, ground_of, recorded, wait_for
from tests.acceptance.chaos.watch import until_rest


@contextmanager
def server_restarted(run: Run) -> Iterator[Told]:
    """Temporal is killed in the middle of a discovery, twice, and comes back with its history."""
    with ground_of(run, **SOME) as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        for event_type in ("JobDiscovered", "JobScored"):
            wait_for(partial(recorded, ground, event_type))
            ground.stop_server()
            time.sleep(3)
            ground.start_server()
            ground.keep_a_worker()
        yield Told(ground, until_rest(ground, within=PATIENCE, keep=ground.keep_a_worker))


@contextmanager
def history_lost(run: Run) -> Iterator[Told]:
    """Temporal comes back without its history: open runs are told as gone, and their jobs go on under others."""
    with ground_of(run, **SOME) as ground:
        ground.start_server()
        # Whoever tailors waits there, so that preparations are open when the history goes.
        ground.start_worker("tailor_job:writer2:block=15x6")
        ground.discover()
        wait_for(lambda: [each for each in standing(ground.house.store).runs if _is_over(each, "DiscoverWorkflow")])
        wait_for(lambda: any(ground.marks.iterdir()))
        ground.kill_worker()
        ground.lose_history()
        ground.start_worker()
        wait_for(lambda: [each for each in standing(ground.house.store).runs if each.error_code == NOT_FOUND])
        everything = ground.web.postings
        yield Told(ground, until_rest(ground, within=PATIENCE, done=lambda seen: len(seen.prepared()) == everything))


def _is_over(run: WorkflowRun, kind: str) -> bool:
    return run.workflow_type == kind and run.status != "in_progress"


@contextmanager
def own_server_orphaned(run: Run) -> Iterator[Told]:
    """`jobctrl up` with a server of its own is killed: the next one takes the orphan over; then both are killed."""
    with ground_of(run, **SOME) as ground:
        ground.start_worker()
        ground.adopt_server()
        ground.discover()
        wait_for(partial(recorded, ground, "JobDiscovered"))
        ground.kill_worker()
        orphan = ground.server
        ground.start_worker()
        ground.adopt_server()
        wrong = [] if ground.server == orphan else ["a second server was started beside the orphan"]
        wait_for(partial(recorded, ground, "JobScored"))
        ground.kill_worker()
        ground.stop_server()
        ground.start_worker()
        ground.adopt_server()
        yield Told(ground, until_rest(ground, within=PATIENCE), tuple(wrong))


@contextmanager
def own_server_killed(run: Run) -> Iterator[Told]:
    """The server of a `jobctrl up` is killed, and that `up` is not: it brings up another one, or ends."""
    with ground_of(run, **SOME) as ground:
        ground.start_worker()
        ground.adopt_server()
        ground.discover()
        wait_for(partial(recorded, ground, "JobScored"))
        ground.stop_server()
        yield Told(ground, until_rest(ground, within=PATIENCE, keep=ground.keep_a_worker))


@contextmanager
def database_locked(run: Run) -> Iterator[Told]:
    """Another process holds the database for longer than anybody waits, just when a result is to be committed."""
    with ground_of(run, **SOME) as ground:
        ground.start_server()
        ground.start_worker(
            "score_job:writer2:lock=8", "tailor_job:writer2:lock=8", "discovery_source_family:writer2:lock=8"
        )
        ground.discover()
        watched = until_rest(ground, within=PATIENCE)
        done = completed(ground) == ground.web.postings
        yield Told(ground, watched, () if done else ("a lock of some seconds has cost a job its documents",))


@contextmanager
def shuffled_restarts(run: Run) -> Iterator[Told]:
    """All parts are killed and started again, each time in another order."""
    draw = random.Random(run.seed)
    with ground_of(run, boards=3, each=4, pages=1) as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        wait_for(partial(recorded, ground, "WorkflowStarted"))
        for _ in range(4):
            time.sleep(draw.uniform(0, 5))
            parts = [ground.kill_worker, ground.stop_server]
            draw.shuffle(parts)
            for stop in parts:
                stop()
            if draw.random() < 0.5:
                # A worker that finds no server says so and ends: whoever looks after it starts it again.
                ground.try_worker()
            ground.start_server()
            ground.keep_a_worker()
        yield Told(ground, until_rest(ground, within=PATIENCE, keep=ground.keep_a_worker))
