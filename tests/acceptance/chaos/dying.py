"""Workers that die: at a chosen line, during a second try, at each attempt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.acceptance.chaos.bench import Run, Scenario, Told
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import standing
from tests.acceptance.chaos.staging import PATIENCE, SOME, ground_of, wait_for
from tests.acceptance.chaos.watch import until_rest


def killed(fault: str) -> Scenario:
    """The worker dies of *fault* during a discovery with everything that follows, and is started again."""

    @contextmanager
    def scenario(run: Run) -> Iterator[Told]:
        with ground_of(run, **SOME) as ground:
            ground.start_server()
            ground.start_worker(fault)
            ground.discover()
            ground.restart_worker_when_it_dies()
            yield Told(ground, until_rest(ground, within=PATIENCE))

    return scenario


@contextmanager
def killed_tailoring_again(run: Run) -> Iterator[Told]:
    """The worker dies while it makes a second resume; the first one, which was accepted, stands meanwhile."""
    with ground_of(run, boards=1, each=3) as ground:
        ground.start_server()
        ground.start_worker()
        ground.discover()
        first = until_rest(ground, within=PATIENCE)
        job = sorted(standing(ground.house.store).complete)[0]
        before = _documents(ground, job)
        ground.stop_worker()
        ground.start_worker("ResumeApproved:before:kill")
        ground.asked_again = {job}
        ground.begin("run", "tailor", "cover", "--retailor", "--job", job)
        wait_for(lambda: not ground.worker_runs())
        wrong = [] if _documents(ground, job) == before else ["the accepted resume was gone while another was made"]
        ground.restart_worker_when_it_dies()
        watched = until_rest(ground, within=PATIENCE)
        after = _documents(ground, job)
        if not set(before) < set(after):
            wrong.append("the second resume did not come beside the first")
        if not first.rested:
            wrong.append(f"the first preparation did not come to rest: {first.why_not}")
        yield Told(ground, watched, tuple(wrong))


def _documents(ground: Ground, job: str) -> list[tuple[str, str]]:
    with ground.house.store.reader() as connection:
        sql = "SELECT artifact_id, content_ref FROM artifacts WHERE job_id = ? ORDER BY artifact_id"
        return [(row[0], row[1]) for row in connection.execute(sql, (job,))]


def worker_absent(fault: str) -> Scenario:
    """The worker dies of each attempt at one score until none is left: the job goes on by itself."""

    @contextmanager
    def scenario(run: Run) -> Iterator[Told]:
        with ground_of(run, boards=1, each=1) as ground:
            ground.start_server()
            ground.start_worker(fault)
            ground.discover()
            for _ in range(3):
                ground.restart_worker_when_it_dies(PATIENCE, fault)
            yield Told(ground, until_rest(ground, within=PATIENCE, done=lambda seen: len(seen.prepared()) == 1))

    return scenario


def killed_reserving(fault: str) -> Scenario:
    """The worker dies of *fault* while it reserves by itself what a discovery has left to it."""

    @contextmanager
    def scenario(run: Run) -> Iterator[Told]:
        with ground_of(run, **SOME) as ground:
            ground.start_server()
            ground.start_worker(fault)
            ground.discover("--no-prepare")
            ground.restart_worker_when_it_dies()
            everything = ground.web.postings
            yield Told(
                ground, until_rest(ground, within=PATIENCE, done=lambda seen: len(seen.prepared()) == everything)
            )

    return scenario
