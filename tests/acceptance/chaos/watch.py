"""Waiting until a workspace has come to rest by itself, and noticing what is seen on the way."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from temporalio.service import RPCError

from jobctrl.errors import TransientNetwork
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import Standing, described, listed, standing

QUIET_SECONDS = 6.0
"""At rest is what has not moved for that long, with nothing open, neither here nor there."""
ORPHAN_SECONDS = 60.0
"""How long a stage may be held by a run that has ended: two passes of the reconciler, and room."""
LOOKS_EVERY = 0.5
Done = Callable[[Standing], bool]


@dataclass
class Watched:
    """What was seen on the way to rest."""

    rested: bool = False
    seconds: float = 0.0
    """From the last fault to the last fact."""
    why_not: str = ""
    kept: set[str] = field(default_factory=set)
    """Every fact that was read at some moment, by its id."""
    position: int = 0
    orphans: dict[tuple[str, str, str], float] = field(default_factory=dict)
    """Stages whose owner Temporal does not show as running, since when."""
    longest_orphan: float = 0.0

    def look(self, ground: Ground) -> Standing:
        """One look at the log: what was accepted by now has to be there at the end."""
        for fact in ground.house.store.since(self.position, 1_000_000):
            self.kept.add(fact.event_id)
            self.position = fact.position
        return standing(ground.house.store)

    def check_owners(self, ground: Ground, seen: Standing) -> None:
        """Compare the stages that are held with Temporal; a server that is away cannot be asked."""
        held = [(job, row) for job, row in seen.running() if row.owner_workflow and row.owner_run]
        try:
            said = described(ground, [(row.owner_workflow or "", row.owner_run or "") for _, row in held])
        except (TransientNetwork, RPCError):
            return
        now = time.monotonic()
        orphans = {
            (job, row.stage, row.owner_run or ""): self.orphans.get((job, row.stage, row.owner_run or ""), now)
            for job, row in held
            if said[row.owner_workflow or "", row.owner_run or ""] != "in_progress"
        }
        if not ground.worker_runs():
            # Nobody is there who could clear up: the time runs from when somebody is.
            orphans = dict.fromkeys(orphans, now)
        self.orphans = orphans
        self.longest_orphan = max([self.longest_orphan, *(now - since for since in orphans.values())])


def until_rest(
    ground: Ground, *, within: float, done: Done | None = None, keep: Callable[[], None] | None = None
) -> Watched:
    """Watch until nothing is open and every job rests; *done* asks for more, *keep* is called at each look."""
    watched = Watched()
    deadline = time.monotonic() + within
    quiet_since, at = time.monotonic(), -1
    next_owners = 0.0
    while time.monotonic() < deadline:
        if keep is not None:
            keep()
        seen = watched.look(ground)
        if watched.position != at:
            at, quiet_since = watched.position, time.monotonic()
        if time.monotonic() > next_owners:
            watched.check_owners(ground, seen)
            next_owners = time.monotonic() + 2
        watched.why_not = _open(ground, seen, done)
        if not watched.why_not and time.monotonic() - quiet_since > QUIET_SECONDS:
            watched.rested = True
            break
        time.sleep(LOOKS_EVERY)
    watched.seconds = max(0.0, _last_fact(ground) - _last_fault(ground))
    return watched


def _open(ground: Ground, seen: Standing, done: Done | None) -> str:
    """Why this is not rest; empty when it is."""
    if not seen.stages:
        return "no job was admitted yet"
    open_runs = [run.workflow_id for run in seen.runs if run.status == "in_progress"]
    if open_runs:
        return f"{len(open_runs)} runs are open in the log: {open_runs[0]}"
    waiting = seen.waiting(ground.canceled_cohort)
    if waiting:
        states = Counter(_states(seen, job) for job in waiting)
        return f"{len(waiting)} jobs wait for somebody: {states.most_common(3)}"
    if done is not None and not done(seen):
        return "what the scenario waits for has not come yet"
    try:
        still = [exact for exact, status in listed(ground).items() if status == "in_progress"]
    except (TransientNetwork, RPCError):
        return "the server does not answer"
    return f"{len(still)} executions are open in Temporal: {still[0]}" if still else ""


def _states(seen: Standing, job_id: str) -> str:
    return " ".join(f"{stage}={row.state}" for stage, row in sorted(seen.stages[job_id].items()) if stage != "discover")


def _last_fact(ground: Ground) -> float:
    return _when(ground, "MAX")


def _last_fault(ground: Ground) -> float:
    """When the last fault happened; the time of the first fact when none was injected from here."""
    times = [mark.stat().st_mtime for mark in ground.marks.iterdir()]
    return max([ground.last_fault, *times]) or _when(ground, "MIN")


def _when(ground: Ground, which: str) -> float:
    with ground.house.store.reader() as connection:
        (at,) = connection.execute(f"SELECT {which}(occurred_at) FROM job_events").fetchone()
    return datetime.fromisoformat(at).timestamp() if at else 0.0
