"""Models that cost money: they answer nonsense, refuse, are cut off, or there is no money left."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.acceptance.chaos.bench import Run, Told
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import facts, standing
from tests.acceptance.chaos.provider import Paid, malformed, paid_model, too_many
from tests.acceptance.chaos.staging import PATIENCE, ground_of, recorded, wait_for
from tests.acceptance.chaos.watch import until_rest


@contextmanager
def model_misbehaves(run: Run) -> Iterator[Told]:
    """The paid model answers nonsense, then that it is asked too often, then nonsense again, and then well."""
    with paid_model(malformed(), too_many(3), too_many(2), malformed()) as paid, _paid_ground(run, paid) as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        watched = until_rest(ground, within=PATIENCE)
        ground.faults += paid.failed
        seen = standing(ground.house.store)
        wrong = [f"{job} rests at {seen.rest(job)}" for job in set(seen.stages) - seen.prepared()]
        yield Told(ground, watched, (*wrong, *_paid_twice(paid)))


@contextmanager
def model_killed(run: Run) -> Iterator[Told]:
    """The worker dies after the model was paid for and before its answer is kept: that one answer is paid again."""
    with paid_model() as paid, _paid_ground(run, paid) as ground:
        ground.calls_cut_off = True
        ground.start_server()
        ground.start_worker("JobScored:before:kill")
        ground.discover()
        wait_for(lambda: not ground.worker_runs())
        kept = {fact.job_id for fact in facts(ground.house.store) if fact.event_type == "JobScored"}
        under_way = {key for key in paid.answered if key[1] not in kept}
        ground.restart_worker_when_it_dies()
        watched = until_rest(ground, within=PATIENCE)
        seen = standing(ground.house.store)
        wrong = [f"{job} rests at {seen.rest(job)}" for job in set(seen.stages) - seen.prepared()]
        again = {key for key, times in paid.answered.items() if times > 1}
        wrong += [f"{prompt} for {job} was paid again, and its answer was kept" for prompt, job in again - under_way]
        wrong += [f"{key} was paid {paid.answered[key]} times" for key in under_way if paid.answered[key] > 2]
        yield Told(ground, watched, tuple(wrong))


@contextmanager
def budget_exhausted(run: Run) -> Iterator[Told]:
    """The day's money is used up in the middle; what is not done says so, and goes on when there is more."""
    with paid_model() as paid, _paid_ground(run, paid, daily_budget_usd="0.05") as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        first = until_rest(ground, within=60)
        ground.fault()
        before = recorded(ground, "ModelCallSettled")
        seen = standing(ground.house.store)
        wrong = [] if len(seen.prepared()) < ground.web.postings else ["the money was enough for everything"]
        with ground.house.store.reader() as connection:
            (spent,) = connection.execute("SELECT COALESCE(SUM(usd_micros), 0) FROM llm_spend").fetchone()
        wrong += [f"{spent} millionths were spent of 50000"] if spent > 50_000 else []
        ground.configure(daily_budget_usd="25")
        ground.begin("retry", "all", "--failed", "--run")
        time.sleep(5)
        ground.begin("prepare")
        everything = ground.web.postings
        watched = until_rest(ground, within=PATIENCE, done=lambda seen: len(seen.prepared()) == everything)
        wrong += [] if recorded(ground, "ModelCallSettled") > before else ["nothing was paid for afterwards"]
        if not first.rested:
            wrong.append(f"without money it did not come to rest: {first.why_not}")
        yield Told(ground, watched, (*wrong, *_paid_twice(paid)))


@contextmanager
def _paid_ground(run: Run, paid: Paid, **settings: Any) -> Iterator[Ground]:
    chosen: dict[str, Any] = {"provider": "openai", "provider_base_url": paid.url, "model": "gpt-4o-test", **settings}
    with ground_of(run, boards=1, each=4, **chosen) as ground:
        ground.environment["JOBCTRL_OPENAI_API_KEY"] = "sk-chaos"
        yield ground


def _paid_twice(paid: Paid) -> list[str]:
    return [f"{prompt} for {job} was paid {times} times" for (prompt, job), times in paid.answered.items() if times > 1]
