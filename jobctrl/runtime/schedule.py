"""The discovery schedule: kept on the server as the settings say, and looked after for as long as a workspace runs."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta

from temporalio.client import (
    Client,
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleDescription,
    ScheduleHandle,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleSpec,
    ScheduleState,
    ScheduleUpdate,
    ScheduleUpdateInput,
)
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.errors import TransientNetwork
from jobctrl.ids import TENANT, digest_of
from jobctrl.network.open import absolute_web
from jobctrl.runtime.house import House
from jobctrl.runtime.periodic import PASS_SECONDS, periodic
from jobctrl.settings.environment import Environment
from jobctrl.settings.model import Settings
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import DISCOVER
from jobctrl.workflows.scheduled import ScheduledDiscoverWorkflow

SCHEDULE = f"jobctrl-discovery-{TENANT}"
SCHEDULED_RUN = f"{DISCOVER}-scheduled"
"""Temporal puts the time of each run behind it."""


def scheduling(
    house: House, client: Client, environment: Environment, *, every: float = PASS_SECONDS
) -> AbstractAsyncContextManager[None]:
    """Keep the schedule as the settings say, now and while the block runs: a change of them needs no restart."""
    return periodic("the discovery schedule", lambda: keep_schedule(house, client, environment), every=every)


async def keep_schedule(house: House, client: Client, environment: Environment) -> str | None:
    """Make the server's schedule what the settings say. What was done: created, changed, deleted; None for nothing.

    Raises TransientNetwork when the server does not take it.
    """
    handle = client.get_schedule_handle(SCHEDULE)
    settings = house.settings
    try:
        standing = await _described(handle)
        if not settings.scheduling_enabled:
            if standing is None:
                return None
            await handle.delete()
            return "deleted"
        wanted = discovery_schedule(settings, _input(house, environment), environment.task_queue)
        if standing is None:
            await client.create_schedule(SCHEDULE, wanted)
            return "created"
        if standing.schedule.state.note == wanted.state.note:
            return None
        await handle.update(lambda now: _changed(now, wanted))
        return "changed"
    except RPCError as error:
        raise TransientNetwork(f"The Temporal server did not take the discovery schedule: {error.message}.") from error


async def next_times(client: Client) -> list[datetime]:
    """When the server will start the next runs, in UTC; none without a schedule."""
    try:
        standing = await _described(client.get_schedule_handle(SCHEDULE))
    except RPCError as error:
        raise TransientNetwork("The Temporal server did not say when the next runs are due.") from error
    return list(standing.info.next_action_times) if standing else []


def discovery_schedule(settings: Settings, input: DiscoverInput, task_queue: str) -> Schedule:
    """The schedule of these settings: in the named zone's clock, never two at a time, late by some hours at most."""
    spec = ScheduleSpec(cron_expressions=[settings.schedule_cron], time_zone_name=settings.schedule_zone)
    hours = settings.schedule_catchup_hours
    return Schedule(
        action=ScheduleActionStartWorkflow(
            ScheduledDiscoverWorkflow.run, input, id=SCHEDULED_RUN, task_queue=task_queue
        ),
        spec=spec,
        policy=SchedulePolicy(overlap=ScheduleOverlapPolicy.SKIP, catchup_window=timedelta(hours=hours)),
        # The server rewrites a cron expression; the note is how we know again what was asked of it.
        state=ScheduleState(note=_note(settings, input, task_queue)),
    )


def _note(settings: Settings, input: DiscoverInput, task_queue: str) -> str:
    said = [settings.schedule_cron, settings.schedule_zone, settings.schedule_catchup_hours]
    digest = digest_of([*said, vars(input), task_queue])
    return f"{said[0]} in {said[1]}, made up for {said[2]} h ({digest[:12]})"


def _changed(now: ScheduleUpdateInput, wanted: Schedule) -> ScheduleUpdate:
    # Whoever paused it by other means wants it paused.
    wanted.state.paused = now.description.schedule.state.paused
    return ScheduleUpdate(wanted)


def _input(house: House, environment: Environment) -> DiscoverInput:
    settings = house.settings
    return DiscoverInput(
        house.store.workspace_id,
        absolute_web(environment.web),
        workers=settings.pipeline_internal_concurrency,
        prepare=house.profiles.current() is not None,
    )


async def _described(handle: ScheduleHandle) -> ScheduleDescription | None:
    try:
        return await handle.describe()
    except RPCError as error:
        if error.status == RPCStatusCode.NOT_FOUND:
            return None
        raise
