"""The weekly report: when it is due, and how it is written where the settings say, once for its day."""

from __future__ import annotations

import os
import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jobctrl.errors import OwnershipLost, WorkspaceBusy, WorkspaceError
from jobctrl.ids import TENANT
from jobctrl.runtime.house import House
from jobctrl.runtime.planned import Planned
from jobctrl.runtime.workspace import lock
from jobctrl.settings.environment import Environment
from jobctrl.settings.formats import listed
from jobctrl.work import Pulse
from jobctrl.workflows.ids import WEEKLY_REPORT
from jobctrl.workflows.reporting import WeeklyReportInput, WeeklyReportWorkflow, Written

REPORT_SCHEDULE = f"jobctrl-weekly-report-{TENANT}"


def weekly_report(house: House, environment: Environment) -> Planned:
    """The schedule of the report, as the settings ask for it."""
    settings = house.settings
    return Planned(
        schedule_id=REPORT_SCHEDULE,
        what="the schedule of the weekly report",
        enabled=settings.weekly_report_enabled,
        cron=settings.weekly_report_cron,
        zone=settings.schedule_zone,
        catchup_hours=settings.weekly_report_catchup_hours,
        run=WeeklyReportWorkflow.run,
        input=WeeklyReportInput(house.store.workspace_id),
        workflow_id=WEEKLY_REPORT,
        task_queue=environment.task_queue,
    )


def write_weekly_report(house: House, due: datetime, pulse: Pulse) -> Written:
    """Write the report of the day that *due* is in the schedule's zone, unless it is there.

    It is made in a folder of another name, which is renamed at the end: whoever dies on the way leaves no half report.
    Raises WorkspaceBusy while somebody else writes one, WorkspaceError when the folder cannot be written.
    """
    settings = house.settings
    folder = house.workspace.path / Path(settings.weekly_report_folder or "reports/weekly").expanduser()
    day = due.astimezone(ZoneInfo(settings.schedule_zone)).date().isoformat()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = lock(folder / ".writing.lock")
        if held is None:
            raise WorkspaceBusy("Somebody else writes the weekly report at this moment.")
        with held:
            position = None
            if not (folder / day).exists():
                position = _write(house, folder, day, listed(settings.weekly_report_formats), pulse)
            return Written(day, sum(path.is_file() for path in (folder / day).rglob("*")), position)
    except (OSError, WorkspaceError) as error:
        # What a run fails with is kept in the log and in its history: no path belongs there.
        raise WorkspaceError(
            f"The weekly report could not be written: {_reason(error)}. `jobctrl report weekly` tells more.",
            hint="Name another folder: `jobctrl settings set weekly_report_folder DIR`.",
        ) from error


def _reason(error: BaseException | None) -> str:
    """What the system said, in its own fixed words."""
    if isinstance(error, OSError):
        return error.strerror or type(error).__name__
    return _reason(error.__cause__) if error is not None else "the workspace cannot be read"


def _write(house: House, folder: Path, day: str, formats: tuple[str, ...], pulse: Pulse) -> int:
    """The report in whole, in place; the position it stands at."""
    from jobctrl.analytics.report import write_report
    from jobctrl.analytics.warehouse import Warehouse

    draft = folder / f".{day}.partial"
    # Whoever left one behind has died: the lock is ours.
    shutil.rmtree(draft, ignore_errors=True)
    pulse.beat(day)
    warehouse = Warehouse(house.workspace.path)
    write_report(warehouse, "weekly", draft, formats)
    if pulse.cancelled():
        shutil.rmtree(draft)
        raise OwnershipLost("The run was stopped before its report was in place.")
    os.rename(draft, folder / day)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return warehouse.position
