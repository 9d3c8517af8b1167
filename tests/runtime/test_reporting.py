"""The weekly report on disk: once for its day, whole or not at all, and by the schedule of the real server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, ScheduleBackfill, ScheduleOverlapPolicy

from jobctrl.errors import OwnershipLost, WorkspaceBusy, WorkspaceError
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.blocking import BlockingPool
from jobctrl.runtime.house import House
from jobctrl.runtime.reporting import REPORT_SCHEDULE, weekly_report, write_weekly_report
from jobctrl.runtime.schedule import keep_schedule
from jobctrl.runtime.temporal_server import TemporalServer, connect
from jobctrl.runtime.workspace import Workspace, lock
from jobctrl.settings.config import change_settings
from jobctrl.settings.environment import Environment
from jobctrl.testing import SteadyPulse
from jobctrl.workflows.reporting import ReportActivities
from tests.runtime.searching import admit, listing, new_house
from tests.workflows.fakes import Bench

DUE = datetime(2026, 3, 8, 23, 30, tzinfo=UTC)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    admit(house.store, [listing(number) for number in range(3)])
    yield house
    house.close()


def written(house: House) -> dict[str, set[str]]:
    """The folders under `reports/weekly`, each with its files."""
    weekly = house.workspace.reports / "weekly"
    return {
        folder.name: {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        for folder in weekly.iterdir()
        if folder.is_dir()
    }


def test_it_is_named_by_the_day_it_was_due_in_the_persons_zone(house: House) -> None:
    change_settings(house.workspace.config, {"time_zone": "Europe/Warsaw", "weekly_report_formats": "html,md"})

    told = write_weekly_report(house, DUE, SteadyPulse())

    [(day, files)] = written(house).items()
    assert (told.day, told.files, told.position) == (day, len(files), house.store.position())
    assert day == "2026-03-09"
    assert files == {"weekly.html", "weekly.md", "data/dictionary.md", "data/dictionary.json"}


def test_twice_is_once(house: House) -> None:
    first = write_weekly_report(house, DUE, SteadyPulse())
    page = house.workspace.reports / "weekly" / first.day / "weekly.html"
    before = page.stat().st_mtime_ns
    admit(house.store, [listing("new")])

    again = write_weekly_report(house, DUE, SteadyPulse())

    assert (again.day, again.files, again.position) == (first.day, first.files, None)
    assert page.stat().st_mtime_ns == before


def test_whoever_died_on_the_way_left_no_report_and_is_no_hindrance(house: House) -> None:
    left = house.workspace.reports / "weekly" / ".2026-03-08.partial"
    (left / "data").mkdir(parents=True)
    (left / "half.html").write_text("half")

    told = write_weekly_report(house, DUE, SteadyPulse())

    assert list(written(house)) == [told.day]
    assert "half.html" not in written(house)[told.day]


DIES = """
import os, sys
from datetime import datetime
from pathlib import Path
from jobctrl.runtime.house import open_house
from jobctrl.runtime.reporting import write_weekly_report
from jobctrl.runtime.workspace import workspace_at
from jobctrl.testing import SteadyPulse
os.rename = lambda *_: os._exit(9)
write_weekly_report(open_house(workspace_at(Path(sys.argv[1]))), datetime.fromisoformat(sys.argv[2]), SteadyPulse())
"""


def test_a_process_that_dies_when_all_but_the_last_line_is_done_leaves_no_report(house: House) -> None:
    arguments = [sys.executable, "-c", DIES, str(house.workspace.path), DUE.isoformat()]
    died = subprocess.run(arguments, check=False, timeout=120)
    left = written(house)

    told = write_weekly_report(house, DUE, SteadyPulse())

    assert died.returncode == 9
    assert list(left) == [".2026-03-08.partial"]
    assert list(written(house)) == ["2026-03-08"]
    assert told.position == house.store.position()


def test_a_run_that_was_stopped_leaves_nothing(house: House) -> None:
    with pytest.raises(OwnershipLost):
        write_weekly_report(house, DUE, SteadyPulse(beats=1))

    assert written(house) == {}


def test_nobody_writes_while_somebody_else_does(house: House) -> None:
    weekly = house.workspace.reports / "weekly"
    weekly.mkdir(parents=True)
    held = lock(weekly / ".writing.lock")
    assert held is not None
    with held, pytest.raises(WorkspaceBusy):
        write_weekly_report(house, DUE, SteadyPulse())

    assert write_weekly_report(house, DUE, SteadyPulse()).position


@pytest.mark.parametrize("folder", ["elsewhere", "{outside}"])
def test_it_lies_where_the_settings_say(house: House, tmp_path: Path, folder: str) -> None:
    named = folder.format(outside=tmp_path / "outside")
    change_settings(house.workspace.config, {"weekly_report_folder": named, "weekly_report_formats": "md"})

    write_weekly_report(house, DUE, SteadyPulse())

    assert (house.workspace.path / named / "2026-03-08" / "weekly.md").exists()


def test_what_cannot_be_written_is_said_without_a_path(house: House) -> None:
    (house.workspace.path / "taken").write_text("a file")
    change_settings(house.workspace.config, {"weekly_report_folder": "taken/weekly"})

    with pytest.raises(WorkspaceError, match="Not a directory") as said:
        write_weekly_report(house, DUE, SteadyPulse())

    assert str(house.workspace.path) not in said.value.message


def test_a_report_that_cannot_be_made_is_said_without_a_path(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise WorkspaceError(f"{house.workspace.path} is damaged.")

    monkeypatch.setattr("jobctrl.analytics.report.write_report", broken)

    with pytest.raises(WorkspaceError, match="could not be written") as said:
        write_weekly_report(house, DUE, SteadyPulse())

    assert str(house.workspace.path) not in said.value.message
    assert written(house) == {}


@dataclass
class RealReports:
    """The activity as a worker has it."""

    house: House
    pool: BlockingPool

    @property
    def activities(self) -> list[Any]:
        real = ReportActivities(self.pool, lambda due, pulse: write_weekly_report(self.house, due, pulse))
        return [real.write_weekly_report]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    workspace = Workspace(tmp_path_factory.mktemp("reporting"))
    workspace.create()
    server = TemporalServer(workspace)
    yield asyncio.run(server.start())
    server.stop()


@pytest.fixture
async def bench(server: str, house: House) -> AsyncIterator[Bench]:
    bench = Bench(house, await connect(server))
    yield bench
    change_settings(house.workspace.config, {"weekly_report_enabled": False})
    await keep_schedule(bench.client, weekly_report(house, Environment(task_queue=bench.queue)))


async def run_of_the_schedule(bench: Bench) -> Run:
    """What became of one run that the schedule started."""
    pool = BlockingPool(2)
    change_settings(bench.house.workspace.config, {"weekly_report_enabled": True})
    async with bench.worker(RealReports(bench.house, pool)), asyncio.timeout(60):  # type: ignore[arg-type]
        await keep_schedule(bench.client, weekly_report(bench.house, Environment(task_queue=bench.queue)))
        await bench.client.get_schedule_handle(REPORT_SCHEDULE).trigger()
        run = await ended(bench.house)
    pool.close()
    return run


async def ended(house: House) -> Run:
    while True:
        with house.store.reader() as connection:
            runs = [run for run in WORKFLOW_RUNS.all(connection) if run.status != "in_progress"]
        if runs:
            return runs[0]
        await asyncio.sleep(0.05)


@pytest.mark.temporal
async def test_the_schedule_starts_a_run_that_writes_the_report(bench: Bench) -> None:
    run = await run_of_the_schedule(bench)

    summary = json.loads(run.summary)
    [(day, files)] = written(bench.house).items()
    assert (run.workflow_type, run.status) == ("WeeklyReportWorkflow", "succeeded")
    assert run.workflow_id.startswith("weekly-report-local-")
    assert (summary["day"], summary["files"], summary["alreadyWritten"]) == (day, len(files), False)
    assert str(bench.house.workspace.path) not in run.summary


@pytest.mark.temporal
async def test_a_report_that_cannot_be_written_is_a_state_of_its_run(bench: Bench) -> None:
    (bench.house.workspace.path / "taken").write_text("a file")
    change_settings(bench.house.workspace.config, {"weekly_report_folder": "taken"})

    run = await run_of_the_schedule(bench)

    assert (run.status, run.error_code) == ("failed", "workspace")
    assert "Not a directory" in (run.error_message or "") or "File exists" in (run.error_message or "")
    assert str(bench.house.workspace.path) not in (run.error_message or "")


async def backfill(client: Client, due: datetime) -> None:
    around = ScheduleBackfill(due - timedelta(minutes=1), due + timedelta(minutes=1), ScheduleOverlapPolicy.SKIP)
    await client.get_schedule_handle(REPORT_SCHEDULE).backfill(around)


@pytest.mark.temporal
async def test_a_catch_up_is_named_by_the_day_it_was_due(bench: Bench) -> None:
    due = datetime(2026, 11, 23, 8, 0, tzinfo=UTC)
    pool = BlockingPool(2)
    change_settings(bench.house.workspace.config, {"weekly_report_enabled": True, "weekly_report_formats": "md"})
    await keep_schedule(bench.client, weekly_report(bench.house, Environment(task_queue=bench.queue)))
    async with bench.worker(RealReports(bench.house, pool)), asyncio.timeout(60):  # type: ignore[arg-type]
        # What the server does by itself after it was away: it starts what was due then, now.
        await backfill(bench.client, due)
        run = await ended(bench.house)
    pool.close()

    assert run.status == "succeeded"
    assert list(written(bench.house)) == ["2026-11-23"]
