"""A person stops work: one of two runs, and a call that does not listen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from tests.acceptance.chaos.bench import Run, Told
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import standing
from tests.acceptance.chaos.staging import PATIENCE, ground_of, recorded, wait_for
from tests.acceptance.chaos.watch import until_rest


@contextmanager
def cohort_canceled(run: Run) -> Iterator[Told]:
    """Of two runs over chosen jobs one is canceled; the other goes on."""
    with ground_of(run, boards=2, each=3) as ground:
        ground.start_server()
        ground.start_worker("score_job:writer2:block=8x6")
        jobs = _found_only(ground)
        stopped, kept = set(jobs[:3]), set(jobs[3:])
        for cohort in (stopped, kept):
            words = [word for job in sorted(cohort) for word in ("--job", job)]
            ground.begin("run", "score", "tailor", "cover", "--workers", "2", *words)
        name, said = _cancel(ground, stopped)
        watched = until_rest(ground, within=PATIENCE, done=lambda seen: kept <= seen.prepared())
        ends = {each.status for each in standing(ground.house.store).runs if each.workflow_id == name}
        wrong = [] if ends == {"canceled"} else [f"the canceled run is {ends}: {said}"]
        yield Told(ground, watched, tuple(wrong))


def _found_only(ground: Ground) -> list[str]:
    """The jobs of a discovery that prepares nothing, after it has ended."""
    # Nothing goes on by itself: each run is a person's.
    ground.configure(automatic_preparation=False)
    ground.discover("--no-prepare")
    wait_for(lambda: [each.status for each in standing(ground.house.store).runs] == ["succeeded"])
    return sorted(standing(ground.house.store).stages)


def _cancel(ground: Ground, jobs: set[str]) -> tuple[str, str]:
    """A person cancels the run that has taken one of *jobs*; returns its id, and what the command says."""

    def owners() -> list[str]:
        rows = standing(ground.house.store).running()
        return [row.owner_workflow for job, row in rows if job in jobs and row.owner_workflow]

    wait_for(owners)
    ground.canceled_cohort |= jobs
    ground.fault()
    name = owners()[0]
    done = ground.command("runs", "--cancel", name)
    return name, done.stdout + done.stderr


@contextmanager
def cancellation_ignored(run: Run) -> Iterator[Told]:
    """A call that heeds nothing for 45 s is left behind; what it brings afterwards is not taken."""
    with ground_of(run, boards=1, each=2) as ground:
        ground.start_server()
        ground.start_worker("score_job:writer2:block=45")
        job = _found_only(ground)[0]
        ground.begin("run", "score", "--job", job)
        wait_for(lambda: any(ground.marks.iterdir()))
        freed_at = time.monotonic() + 47
        _, said = _cancel(ground, {job})
        wait_for(partial(_no_run_is_open, ground), within=60)
        wrong = [] if time.monotonic() < freed_at else ["the run waited for the call"]
        state = standing(ground.house.store).stages[job]["score"]
        if state.state != "canceled":
            wrong.append(f"the stage of the canceled run is {state.state} ({state.error_code}): {said}")
        time.sleep(max(0.0, freed_at - time.monotonic()))
        wrong += [f"{late} late results were taken"] if (late := recorded(ground, "JobScored")) else []
        with ground.house.store.reader() as connection:
            sql = "SELECT COUNT(*) FROM operational_attempt_metrics WHERE attempt_kind = 'abandoned_thread'"
            (left,) = connection.execute(sql).fetchone()
        wrong += [f"{left} threads were counted as left behind"] if left != 1 else []
        ground.begin("prepare")
        watched = until_rest(ground, within=PATIENCE, done=lambda seen: len(seen.prepared()) >= 1)
        yield Told(ground, watched, tuple(wrong))


def _no_run_is_open(ground: Ground) -> bool:
    return all(each.status != "in_progress" for each in standing(ground.house.store).runs)
