"""From what is ready to prepare to one preparation run a job, planned first, in batches, under deterministic ids."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from temporalio import activity

from jobctrl.pipeline.coverage import membership_digest
from jobctrl.pipeline.membership import planned_jobs
from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.targets import Target, derive_targets, targets_among
from jobctrl.pipeline.work_plans import Asked, close_plans, plan
from jobctrl.profile.state import CurrentProfile
from jobctrl.store import Execution, Store, acting_execution
from jobctrl.work import Blocking, Pulse
from jobctrl.workflows.ids import TARGET_VERSION, key_of_preparation, preparation_id, preparation_key
from jobctrl.workflows.preparation import PreparationInput

BATCH = 25


@dataclass(frozen=True)
class FanoutInput:
    workspace: str
    item: str = "terminal"
    """backlog, streaming:pass-N or terminal: its name among the steps of the execution."""
    limit: int = 0
    """How many jobs the execution prepares at most, all its passes together; 0 is all."""
    scores_only: bool = False
    """Whether only jobs without a score are taken."""
    closes: bool = False
    """Whether a decision is made about every member that is left: nothing is handed on after it."""
    prepare: bool = True


@dataclass(frozen=True)
class FanoutResult:
    started: int = 0
    """Runs that were started or joined."""
    planned: int = 0
    """Members of the execution whose preparation is planned, by all its passes until now."""
    members: int = 0
    members_digest: str = ""
    """Of the execution's members, when it closes: what its history proves about them."""


@dataclass
class FanoutActivities:
    """`start` starts preparation runs, or joins those that have the same ids."""

    store: Store
    blocking: Blocking
    start: Callable[[Sequence[PreparationInput]], Awaitable[object]]
    min_score: Callable[[], int]
    profile: Callable[[], CurrentProfile | None]

    @activity.defn
    async def discovery_preparation_fanout(self, fanout: FanoutInput) -> FanoutResult:
        """Start the preparation of every job that can go a step further. A repeat starts nothing twice."""
        execution = acting_execution("handing jobs on")
        planned = await self.blocking(lambda pulse: self._plan(fanout, execution, pulse)) if fanout.prepare else []
        await self._start(planned)
        return await self.blocking(lambda pulse: self._result(fanout, execution, len(planned), pulse))

    async def hand_on(self, workspace: str, job_ids: Sequence[str]) -> int:
        """Start scoring those of the jobs that can be scored; returns how many."""
        execution = acting_execution("handing jobs on")
        planned = await self.blocking(lambda pulse: self._plan_scores(workspace, job_ids, execution))
        await self._start(planned)
        return len(planned)

    def _plan(self, fanout: FanoutInput, execution: Execution, pulse: Pulse) -> list[PreparationInput]:
        found = derive_targets(self.store, min_score=self.min_score())
        if fanout.scores_only:
            found = [target for target in found if target.kind == "score_job"]
        current = self.profile()
        if current is None or not found:
            return []
        with self.store.reader() as connection:
            planned = planned_jobs(connection, execution)
        # What was planned before its start was lost is no choice any longer.
        chosen = [target for target in found if target.job_id in planned]
        new = [target for target in found if target.job_id not in planned]
        if not fanout.limit:
            chosen += preselected(self.store, current.profile, new, limit=0, now=self.store.clock())
        elif room := max(0, fanout.limit - len(planned)):
            chosen += preselected(self.store, current.profile, new, limit=room, now=self.store.clock())
        inputs: list[PreparationInput] = []
        for first in range(0, len(chosen), BATCH):
            pulse.beat(fanout.item, first)
            inputs += self._keep(fanout.workspace, chosen[first : first + BATCH], execution)
        return inputs

    def _plan_scores(self, workspace: str, job_ids: Sequence[str], execution: Execution) -> list[PreparationInput]:
        if self.profile() is None:
            return []
        with self.store.reader() as connection:
            found = targets_among(connection, job_ids)
        return self._keep(workspace, found, execution)

    def _keep(self, workspace: str, targets: Sequence[Target], execution: Execution) -> list[PreparationInput]:
        """The plans, kept before anything is started; without those whose run has ended already."""
        inputs = []
        with self.store.writer() as tx:
            for target in targets:
                key = preparation_key(target.job_id, target.kind, TARGET_VERSION, target.source_event_id)
                if kept := plan(tx, execution, target, preparation_id(key)):
                    steps, preparation = kept
                    inputs.append(
                        PreparationInput(workspace, target.job_id, steps, key_of_preparation(preparation), execution)
                    )
        return inputs

    async def _start(self, planned: Sequence[PreparationInput]) -> None:
        for first in range(0, len(planned), BATCH):
            activity.heartbeat(first)
            await self.start(planned[first : first + BATCH])

    def _result(self, fanout: FanoutInput, execution: Execution, started: int, pulse: Pulse) -> FanoutResult:
        members, digest = 0, ""
        if fanout.closes:
            asked = Asked(fanout.prepare, self.profile() is not None)
            close_plans(self.store, execution, asked, min_score=self.min_score(), pulse=pulse)
        with self.store.reader() as connection:
            if fanout.closes:
                members, digest = membership_digest(connection, execution)
            return FanoutResult(started, len(planned_jobs(connection, execution)), members, digest)
