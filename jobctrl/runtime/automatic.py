"""While a workspace is up, what waits or may be tried again is prepared by itself: one new run a pass, at most."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from temporalio.client import Client
from temporalio.service import RPCError

from jobctrl.errors import AuthenticationError, BudgetExceeded, ConfigurationError, TransientNetwork
from jobctrl.network.open import absolute_web
from jobctrl.operator.dispatch import Started
from jobctrl.pipeline.automatic import STAGES
from jobctrl.pipeline.reservations import (
    Reservation,
    is_stopped,
    left_over,
    release_declined,
    release_unstarted,
    reserve,
    room_left,
    settle_ended,
    unstarted,
)
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.pipeline.unrendered import unrendered
from jobctrl.pipeline.waiting import best_waiting
from jobctrl.runtime.house import House
from jobctrl.runtime.periodic import PASS_SECONDS, periodic
from jobctrl.runtime.starting import Starter
from jobctrl.settings.credentials import secret
from jobctrl.settings.environment import Environment
from jobctrl.stages.model import Stage
from jobctrl.workflows.ids import TARGET_VERSION, preparation_key
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class AutomaticPreparation:
    """Takes up saved work, without Discover and without Apply."""

    house: House
    client: Client
    task_queue: str
    web: str

    async def step(self) -> Started | None:
        """One pass: settle what ended runs left, then start what is reserved, else what goes first of what waits."""
        await asyncio.to_thread(self._settle)
        if not self.house.settings.automatic_preparation:
            return None
        if await asyncio.to_thread(self._is_stopped):
            return None
        try:
            if await self._unknown_runs():
                return None
            reserved = await asyncio.to_thread(self._reserved)
            return await self._start(*reserved) if reserved else await self._finish()
        except TransientNetwork:
            # The reservation stands; a later pass starts it.
            return None

    def _settle(self) -> None:
        store, is_on = self.house.store, self.house.settings.automatic_preparation
        with store.reader() as connection:
            nothing = not left_over(connection) and not unstarted(connection)
        if nothing:
            return
        with store.writer() as tx:
            settle_ended(tx)
            (release_declined if is_on else release_unstarted)(tx)

    def _is_stopped(self) -> bool:
        with self.house.store.reader() as connection:
            return is_stopped(connection)

    async def _unknown_runs(self) -> bool:
        """Whether the server runs anything here that the log does not know: nobody can say which jobs that is about.

        Raises TransientNetwork when the server does not say.
        """
        running = f'TaskQueue = "{self.task_queue}" AND ExecutionStatus = "Running"'
        try:
            found = [(run.id, run.run_id) async for run in self.client.list_workflows(running)]
        except RPCError as error:
            raise TransientNetwork("The Temporal server did not say what runs.") from error
        with self.house.store.reader() as connection:
            reserved = {each.workflow_id for each in unstarted(connection)}
            return any(WORKFLOW_RUNS.get(connection, *run) is None for run in found if run[0] not in reserved)

    def _reserved(self) -> tuple[Reservation, int] | None:
        """What is to be started now, and how many of its jobs may be under way at once."""
        house, concurrency = self.house, self.house.settings.pipeline_internal_concurrency
        with house.store.reader() as connection:
            room = room_left(connection, concurrency)
            lost = unstarted(connection)
        if not room or not self._has_key():
            return None
        for reservation in lost:
            if self._within_budget(reservation.stage):
                return reservation, min(room, len(reservation.job_ids))
        current = house.profiles.current()
        profile, min_score = current.profile if current else None, house.min_score()
        for stage in STAGES:
            if not self._within_budget(stage):
                continue
            job_ids = best_waiting(house.store, stage, profile=profile, min_score=min_score, now=house.store.clock())
            if not job_ids:
                continue
            workspace = house.store.workspace_id
            with house.store.writer() as tx:
                return reserve(tx, workspace, stage, job_ids, concurrency=concurrency, min_score=min_score)
        return None

    def _within_budget(self, stage: Stage) -> bool:
        try:
            self.house.ledger.check(stage.value)
        except BudgetExceeded:
            return False
        return True

    def _has_key(self) -> bool:
        provider = self.house.settings.provider
        try:
            return provider == "local" or bool(secret(provider))
        except (AuthenticationError, ConfigurationError):
            return False

    async def _finish(self) -> Started | None:
        """Render what only lacks its PDF: a run a job, each under the id of what it finishes."""
        with self.house.store.reader() as connection:
            found = unrendered(connection, now=self.house.store.clock())
        starter = Starter(self.client, self.house.store, self.task_queue)
        started = await starter.prepare(
            [
                PreparationInput(
                    self.house.store.workspace_id,
                    target.job_id,
                    list(target.steps),
                    preparation_key(target.job_id, target.kind, TARGET_VERSION, target.source_event_id),
                )
                for target in found
            ]
        )
        return started[0] if started else None

    async def _start(self, reserved: Reservation, workers: int) -> Started:
        input = PipelineInput(
            self.house.store.workspace_id,
            [reserved.stage.value],
            self.web,
            list(reserved.job_ids),
            workers=workers,
            automatic=True,
        )
        starter = Starter(self.client, self.house.store, self.task_queue)
        started = await starter.automatic(input, reserved.workflow_id)
        log.info("Preparing by itself: %s of %d jobs", reserved.stage.value, len(reserved.job_ids))
        return started


def preparing(
    house: House, client: Client, environment: Environment, *, every: float = PASS_SECONDS
) -> AbstractAsyncContextManager[None]:
    """Take up saved work now, and again every *every* seconds for as long as the block runs."""
    automatic = AutomaticPreparation(house, client, environment.task_queue, absolute_web(environment.web))
    return periodic("what waits", automatic.step, every=every)
