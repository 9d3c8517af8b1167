"""What the server starts by the clock: kept there as the settings say, and looked after while a workspace runs."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import datetime

from temporalio.client import Client, Schedule, ScheduleDescription, ScheduleHandle, ScheduleUpdate, ScheduleUpdateInput
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.errors import TransientNetwork
from jobctrl.ids import TENANT
from jobctrl.network.open import absolute_web
from jobctrl.runtime.house import House
from jobctrl.runtime.periodic import PASS_SECONDS, periodic
from jobctrl.runtime.planned import Planned
from jobctrl.runtime.reporting import weekly_report
from jobctrl.settings.environment import Environment
from jobctrl.settings.model import Settings
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import DISCOVER
from jobctrl.workflows.scheduled import ScheduledDiscoverWorkflow

SCHEDULE = f"jobctrl-discovery-{TENANT}"


def scheduling(
    house: House, client: Client, environment: Environment, *, every: float = PASS_SECONDS
) -> AbstractAsyncContextManager[None]:
    """Keep the schedules as the settings say, now and while the block runs: a change of them needs no restart."""
    return periodic("the schedules", lambda: keep_schedules(house, client, environment), every=every)


async def keep_schedules(house: House, client: Client, environment: Environment) -> list[str | None]:
    """Make every schedule of the server what the settings say; what was done with each, as `keep_schedule` tells it."""
    plans = (discovery(house, environment), weekly_report(house, environment))
    return [await keep_schedule(client, planned) for planned in plans]


async def keep_schedule(client: Client, planned: Planned) -> str | None:
    """Make the server's schedule what is planned. What was done: created, changed, deleted; None for nothing.

    Raises TransientNetwork when the server does not take it.
    """
    handle = client.get_schedule_handle(planned.schedule_id)
    try:
        standing = await _described(handle)
        if not planned.enabled:
            if standing is None:
                return None
            await handle.delete()
            return "deleted"
        wanted = planned.schedule()
        if standing is None:
            await client.create_schedule(planned.schedule_id, wanted)
            return "created"
        if standing.schedule.state.note == wanted.state.note:
            return None
        await handle.update(lambda now: _changed(now, wanted))
        return "changed"
    except RPCError as error:
        raise TransientNetwork(f"The Temporal server did not take {planned.what}: {error.message}.") from error


async def next_times(client: Client, schedule_id: str) -> list[datetime]:
    """When the server will start the next runs, in UTC; none without a schedule."""
    try:
        standing = await _described(client.get_schedule_handle(schedule_id))
    except RPCError as error:
        raise TransientNetwork("The Temporal server did not say when the next runs are due.") from error
    return list(standing.info.next_action_times) if standing else []


def discovery(house: House, environment: Environment) -> Planned:
    """The reading of the boards, as the settings ask for it."""
    settings = house.settings
    input = DiscoverInput(
        house.store.workspace_id,
        absolute_web(environment.web),
        workers=settings.pipeline_internal_concurrency,
        prepare=house.profiles.current() is not None,
    )
    return discovery_plan(settings, input, environment.task_queue)


def discovery_plan(settings: Settings, input: DiscoverInput, task_queue: str) -> Planned:
    return Planned(
        schedule_id=SCHEDULE,
        what="the discovery schedule",
        enabled=settings.scheduling_enabled,
        cron=settings.schedule_cron,
        zone=settings.schedule_zone,
        catchup_hours=settings.schedule_catchup_hours,
        run=ScheduledDiscoverWorkflow.run,
        input=input,
        workflow_id=f"{DISCOVER}-scheduled",
        task_queue=task_queue,
    )


def _changed(now: ScheduleUpdateInput, wanted: Schedule) -> ScheduleUpdate:
    # Whoever paused it by other means wants it paused.
    wanted.state.paused = now.description.schedule.state.paused
    return ScheduleUpdate(wanted)


async def _described(handle: ScheduleHandle) -> ScheduleDescription | None:
    try:
        return await handle.describe()
    except RPCError as error:
        if error.status == RPCStatusCode.NOT_FOUND:
            return None
        raise
