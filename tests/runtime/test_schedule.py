"""The schedules on the real server: as the settings say, by the clock of a named zone, one run at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from temporalio.client import Client, ScheduleActionStartWorkflow, ScheduleDescription, ScheduleOverlapPolicy
from temporalio.common import WorkflowIDConflictPolicy

from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.house import House
from jobctrl.runtime.reporting import REPORT_SCHEDULE
from jobctrl.runtime.schedule import (
    SCHEDULE,
    discovery,
    discovery_plan,
    keep_schedule,
    keep_schedules,
    next_times,
    scheduling,
)
from jobctrl.runtime.temporal_server import TemporalServer, connect
from jobctrl.runtime.workspace import Workspace
from jobctrl.settings.config import change_settings
from jobctrl.settings.environment import Environment
from jobctrl.settings.model import Settings
from jobctrl.workflows.discover import DiscoverInput, DiscoverWorkflow
from jobctrl.workflows.ids import DISCOVER
from tests.runtime.searching import new_house
from tests.settings.crons import TAKEN
from tests.workflows.fakes import Bench, FakeBoards, UntilStopped

pytestmark = pytest.mark.temporal


def on_queue(queue: str) -> Environment:
    return Environment(web="recorded:/nowhere", task_queue=queue)


ELSEWHERE = on_queue("nobody")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own: there is one discovery schedule on each."""
    workspace = Workspace(tmp_path_factory.mktemp("schedule"))
    workspace.create()
    server = TemporalServer(workspace)
    yield asyncio.run(server.start())
    server.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
async def client(server: str, house: House) -> AsyncIterator[Client]:
    client = await connect(server)
    yield client
    change_settings(house.workspace.config, {"scheduling_enabled": False, "weekly_report_enabled": False})
    await keep_schedules(house, client, ELSEWHERE)


def settle(house: House, **changes: object) -> None:
    change_settings(house.workspace.config, {"scheduling_enabled": True, **changes})


async def keep(house: House, client: Client, environment: Environment) -> str | None:
    return await keep_schedule(client, discovery(house, environment))


async def standing(client: Client) -> ScheduleDescription:
    return await client.get_schedule_handle(SCHEDULE).describe()


async def test_a_new_workspace_has_no_schedule(house: House, client: Client) -> None:
    assert await keep(house, client, ELSEWHERE) is None
    assert await next_times(client, SCHEDULE) == []


async def test_the_schedule_is_what_the_settings_say(house: House, client: Client) -> None:
    settle(house, schedule_cron="15 6 * * *", time_zone="Europe/Warsaw", schedule_catchup_hours=5)

    assert await keep(house, client, ELSEWHERE) == "created"
    found = (await standing(client)).schedule

    assert isinstance(found.action, ScheduleActionStartWorkflow)
    assert found.action.id.startswith(DISCOVER)
    assert found.policy.overlap == ScheduleOverlapPolicy.SKIP
    assert found.policy.catchup_window == timedelta(hours=5)
    assert found.spec.time_zone_name == "Europe/Warsaw"
    assert {t.astimezone(ZoneInfo("Europe/Warsaw")).time() for t in await next_times(client, SCHEDULE)} == {time(6, 15)}


async def test_the_weekly_report_has_a_schedule_of_its_own_in_the_same_zone(house: House, client: Client) -> None:
    settings = {"weekly_report_enabled": True, "weekly_report_cron": "30 6 * * fri", "weekly_report_catchup_hours": 100}
    change_settings(house.workspace.config, {**settings, "schedule_time_zone": "Asia/Tokyo"})

    assert await keep_schedules(house, client, ELSEWHERE) == [None, "created"]
    assert await keep_schedules(house, client, ELSEWHERE) == [None, None]
    found = (await client.get_schedule_handle(REPORT_SCHEDULE).describe()).schedule

    assert isinstance(found.action, ScheduleActionStartWorkflow)
    assert found.action.workflow == "WeeklyReportWorkflow"
    assert found.policy.overlap == ScheduleOverlapPolicy.SKIP
    assert found.policy.catchup_window == timedelta(hours=100)
    times = [t.astimezone(ZoneInfo("Asia/Tokyo")) for t in await next_times(client, REPORT_SCHEDULE)]
    assert {(t.weekday(), t.time()) for t in times} == {(4, time(6, 30))}


async def test_what_stands_already_is_left_alone_and_what_changed_is_changed(house: House, client: Client) -> None:
    settle(house)
    await keep(house, client, ELSEWHERE)
    again = await keep(house, client, ELSEWHERE)
    settle(house, schedule_time_zone="Asia/Tokyo")
    changed = await keep(house, client, ELSEWHERE)
    elsewhere = await keep(house, client, on_queue("other"))

    assert (again, changed, elsewhere) == (None, "changed", "changed")
    assert (await standing(client)).schedule.spec.time_zone_name == "Asia/Tokyo"
    assert [t.hour for t in await next_times(client, SCHEDULE)][:1] == [22]


async def test_a_schedule_that_somebody_paused_stays_paused_when_it_is_changed(house: House, client: Client) -> None:
    settle(house)
    await keep(house, client, ELSEWHERE)
    await client.get_schedule_handle(SCHEDULE).pause()
    settle(house, schedule_cron="0 8 * * *")
    await keep(house, client, ELSEWHERE)

    assert (await standing(client)).schedule.state.paused


@pytest.mark.parametrize(
    ("switch", "schedule"), [("scheduling_enabled", SCHEDULE), ("weekly_report_enabled", REPORT_SCHEDULE)]
)
async def test_each_is_turned_on_and_off_without_a_restart(
    house: House, client: Client, switch: str, schedule: str
) -> None:
    async with scheduling(house, client, ELSEWHERE, every=0.05):
        before = await next_times(client, schedule)
        change_settings(house.workspace.config, {switch: True})
        await until_times(client, schedule, there=True)
        change_settings(house.workspace.config, {switch: False})
        await until_times(client, schedule, there=False)

    assert before == []


async def until_times(client: Client, schedule: str, *, there: bool) -> None:
    async with asyncio.timeout(20):
        while True:
            if bool(await next_times(client, schedule)) == there:
                return
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("cron", TAKEN)
async def test_every_expression_that_a_setting_takes_is_taken_by_the_server(
    house: House, client: Client, cron: str
) -> None:
    settle(house, schedule_cron=cron)
    await keep(house, client, ELSEWHERE)

    assert await next_times(client, SCHEDULE)


EDGES = [
    ("Europe/Warsaw", date(2027, 3, 28), time(2, 30), "gap"),
    ("Europe/Warsaw", date(2027, 10, 31), time(2, 30), "fold"),
    ("America/New_York", date(2027, 3, 14), time(2, 30), "gap"),
    ("America/New_York", date(2027, 11, 7), time(1, 30), "fold"),
    ("Australia/Lord_Howe", date(2027, 10, 3), time(2, 15), "gap"),
    ("Australia/Lord_Howe", date(2027, 4, 4), time(1, 45), "fold"),
]


async def times_around(client: Client, zone: str, day: date, at: time) -> list[datetime]:
    """The real server's own list for a daily run at *at*, from two days before *day* on, in the clock of *zone*."""
    settings = Settings(schedule_cron=f"{at.minute} {at.hour} * * *", schedule_time_zone=zone)
    wanted = discovery_plan(settings, DiscoverInput("w", "recorded:x"), "nobody").schedule()
    begin = datetime.combine(day - timedelta(days=2), time(), ZoneInfo(zone))
    handle = await client.create_schedule(
        f"edge-{zone}-{day}-{at}", replace(wanted, spec=replace(wanted.spec, start_at=begin))
    )
    try:
        return [t.astimezone(ZoneInfo(zone)) for t in (await handle.describe()).info.next_action_times]
    finally:
        await handle.delete()


@pytest.mark.parametrize(("zone", "day"), [edge[:2] for edge in EDGES])
async def test_the_clock_on_the_wall_is_kept_over_both_edges_of_a_daylight_saving_year(
    client: Client, zone: str, day: date
) -> None:
    days = [day + timedelta(days=number) for number in range(-2, 8)]

    morning = await times_around(client, zone, day, time(7))

    assert [(t.date(), t.time()) for t in morning] == [(each, time(7)) for each in days]
    # The hours between two runs differ on that night alone.
    apart = {b.astimezone(UTC) - a.astimezone(UTC) for a, b in pairwise(morning)}
    assert len(apart) == 2


@pytest.mark.parametrize(("zone", "day", "inside", "kind"), EDGES)
async def test_a_time_in_the_night_of_an_edge_is_run_at_most_twice_and_every_other_day_once(
    client: Client, zone: str, day: date, inside: time, kind: str
) -> None:
    found = await times_around(client, zone, day, inside)

    others = [t for t in found if t.date() != day]
    days = [day + timedelta(days=number) for number in range(-2, len(others) - 1)]
    assert [(t.date(), t.time()) for t in others] == [(each, inside) for each in days if each != day]
    that_night = [t.time().replace(fold=0) for t in found if t.date() == day]
    if kind == "fold":
        # In some zones the server runs at both of two equal times; the second Discover finds nothing new.
        assert that_night in ([inside], [inside, inside])
    else:
        # Not run when the clock skips the hour; where it skips half an hour, run so much later.
        assert that_night in ([], [time(2, 45)])


def run_of(house: House, workflow_type: str) -> list[Run]:
    with house.store.reader() as connection:
        return list(WORKFLOW_RUNS.all(connection, f"workflow_type = '{workflow_type}'"))


async def trigger(house: House, bench: Bench) -> None:
    settle(house)
    await keep(house, bench.client, on_queue(bench.queue))
    await bench.client.get_schedule_handle(SCHEDULE).trigger()


async def until_ended(house: House, workflow_type: str) -> Run:
    async with asyncio.timeout(30):
        while True:
            if runs := [run for run in run_of(house, workflow_type) if run.status != "in_progress"]:
                return runs[0]
            await asyncio.sleep(0.05)


async def test_a_scheduled_run_is_a_discover_under_the_one_id_of_all(house: House, client: Client) -> None:
    bench, boards = Bench(house, client), FakeBoards({})
    async with bench.worker(boards):
        await trigger(house, bench)
        scheduled = await until_ended(house, "ScheduledDiscoverWorkflow")

    [discover] = run_of(house, "DiscoverWorkflow")
    assert (discover.workflow_id, discover.status) == ("discover-local", "succeeded")
    assert (scheduled.status, scheduled.workflow_id.startswith("discover-local-")) == ("succeeded", True)


async def test_a_scheduled_run_never_doubles_one_that_a_person_started(house: House, client: Client) -> None:
    bench, reading = Bench(house, client), UntilStopped()
    async with bench.worker(FakeBoards({"ats_api": reading})):
        mine = await client.start_workflow(
            DiscoverWorkflow.run,
            DiscoverInput(house.store.workspace_id, "recorded:web"),
            id=DISCOVER,
            task_queue=bench.queue,
            id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
        )
        await reading.begun.wait()
        await trigger(house, bench)
        scheduled = await until_ended(house, "ScheduledDiscoverWorkflow")
        open_then = run_of(house, "DiscoverWorkflow")
        await mine.cancel()
        await until_ended(house, "DiscoverWorkflow")

    assert [run.run_id for run in open_then] == [mine.first_execution_run_id]
    assert (scheduled.status, '"joinedRunningDiscover": true' in scheduled.summary) == ("succeeded", True)


async def test_a_scheduled_run_that_fails_says_why(house: House, client: Client) -> None:
    bench = Bench(house, client)
    async with bench.worker(FakeBoards({}, unplanned=ValueError("no plan"))):
        await trigger(house, bench)
        scheduled = await until_ended(house, "ScheduledDiscoverWorkflow")

    [discover] = run_of(house, "DiscoverWorkflow")
    assert (scheduled.status, scheduled.error_code) == (discover.status, discover.error_code)
    assert scheduled.error_message
