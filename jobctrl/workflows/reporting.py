"""WeeklyReportWorkflow: what the report's own schedule starts. It touches no job, asks no model and costs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from temporalio import activity, workflow
from temporalio.common import SearchAttributeKey

with workflow.unsafe.imports_passed_through():
    from jobctrl.work import Blocking, Pulse
    from jobctrl.workflows.envelope import Envelope
    from jobctrl.workflows.options import REPORT

DUE = SearchAttributeKey.for_datetime("TemporalScheduledStartTime")
"""Temporal's own: when the run was due, which is earlier than its start where it is made up for."""


@dataclass(frozen=True)
class WeeklyReportInput:
    workspace: str


@dataclass(frozen=True)
class ReportOrder:
    workspace: str
    due: str
    """ISO 8601. The report is named by the day that this was in the person's zone."""


@dataclass(frozen=True)
class Written:
    """A report that is there now, in whole."""

    day: str
    files: int
    position: int | None = None
    """The newest fact in it; None of one that an earlier attempt or run had written."""


@dataclass(frozen=True)
class WeeklyReportResult:
    written: Written | None = None
    failure: str | None = None
    error_code: str | None = None


@dataclass
class ReportActivities:
    blocking: Blocking
    write: Callable[[datetime, Pulse], Written]
    """Writes the report that is due at a moment, once for its day."""

    @activity.defn
    async def write_weekly_report(self, order: ReportOrder) -> Written:
        """The report of the day it is due; a repeat finds the one that is there."""
        due = datetime.fromisoformat(order.due)
        return await self.blocking(lambda pulse: self.write(due, pulse))


@workflow.defn
class WeeklyReportWorkflow:
    """One report, written where the settings say."""

    @workflow.run
    async def run(self, input: WeeklyReportInput) -> WeeklyReportResult:
        envelope = Envelope("WeeklyReportWorkflow", input.workspace, report=_told)
        return await envelope.around(lambda: self._report(input))

    async def _report(self, input: WeeklyReportInput) -> WeeklyReportResult:
        due = workflow.info().typed_search_attributes.get(DUE) or workflow.info().workflow_start_time
        order = ReportOrder(input.workspace, due.isoformat())
        written = await workflow.execute_activity_method(ReportActivities.write_weekly_report, order, **REPORT)
        return WeeklyReportResult(written)


def _told(result: WeeklyReportResult) -> dict[str, str | int | bool | None]:
    """What the log keeps of it: no path, no number of the search."""
    written = result.written
    if written is None:
        return {}
    return {
        "day": written.day,
        "files": written.files,
        "position": written.position,
        "alreadyWritten": written.position is None,
    }
