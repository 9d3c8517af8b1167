"""From what is ready to prepare to one preparation run a job, in batches, each under its own deterministic id."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from temporalio import activity

from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.targets import Target, derive_targets
from jobctrl.profile.state import CurrentProfile
from jobctrl.store import Store
from jobctrl.workflows.ids import TARGET_VERSION, preparation_key
from jobctrl.workflows.preparation import PreparationInput

BATCH = 25


@dataclass(frozen=True)
class FanoutInput:
    workspace: str
    limit: int = 0
    discover_workflow_id: str | None = None
    discover_run_id: str | None = None


@dataclass(frozen=True)
class FanoutResult:
    targets: int = 0
    started: int = 0
    """Runs that were started or joined."""


@dataclass
class FanoutActivities:
    """`start` starts a preparation run, or joins the one that has the same id."""

    store: Store
    start: Callable[[PreparationInput], Awaitable[None]]
    min_score: Callable[[], int]
    profile: Callable[[], CurrentProfile | None]

    @activity.defn
    async def discovery_preparation_fanout(self, fanout: FanoutInput) -> FanoutResult:
        """Start the preparation of every job that can go a step further. A repeat starts nothing twice."""
        found = await asyncio.to_thread(self._chosen, fanout.limit)
        for first in range(0, len(found), BATCH):
            activity.heartbeat(first)
            await asyncio.gather(*(self._start(target, fanout) for target in found[first : first + BATCH]))
        return FanoutResult(len(found), len(found))

    def _chosen(self, limit: int) -> list[Target]:
        found = derive_targets(self.store, min_score=self.min_score())
        current = self.profile()
        if current is None or not found:
            return []
        return preselected(self.store, current.profile, found, limit=limit, now=self.store.clock())

    async def _start(self, target: Target, fanout: FanoutInput) -> None:
        await self.start(
            PreparationInput(
                workspace=fanout.workspace,
                job_id=target.job_id,
                steps=list(target.steps),
                key=preparation_key(target.job_id, target.kind, TARGET_VERSION, target.source_event_id),
                discover_workflow_id=fanout.discover_workflow_id,
                discover_run_id=fanout.discover_run_id,
            )
        )
