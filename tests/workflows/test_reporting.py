"""The run of a weekly report: one order to write it, one end whatever comes, and nothing of the report in the log."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from temporalio.client import WorkflowFailureError

from jobctrl.errors import WorkspaceBusy, WorkspaceError
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.house import House
from jobctrl.workflows.reporting import Written
from tests.workflows.fakes import Bench, FakeReports, UntilStopped

pytestmark = pytest.mark.temporal


def the_run(house: House) -> Run:
    with house.store.reader() as connection:
        [run] = WORKFLOW_RUNS.all(connection)
    return run


async def test_a_report_is_ordered_for_the_moment_that_its_run_began(bench: Bench) -> None:
    reports = FakeReports()
    async with bench.worker(reports):
        handle = await bench.weekly_report()
        await handle.result()

    run = the_run(bench.house)
    assert [datetime.fromisoformat(due) for due in reports.asked] == [(await handle.describe()).start_time]
    assert (run.workflow_type, run.status) == ("WeeklyReportWorkflow", "succeeded")
    assert json.loads(run.summary) == {"day": "2026-03-09", "files": 21, "position": 3577, "alreadyWritten": False}


async def test_a_report_that_was_there_is_told_as_such(bench: Bench) -> None:
    async with bench.worker(FakeReports(Written("2026-03-09", 21))):
        await (await bench.weekly_report()).result()

    assert json.loads(the_run(bench.house).summary)["alreadyWritten"] is True


async def test_a_report_that_cannot_be_written_is_a_failed_run(bench: Bench) -> None:
    reports = FakeReports(WorkspaceError("No space left on device."))
    async with bench.worker(reports):
        with pytest.raises(WorkflowFailureError):
            await (await bench.weekly_report()).result()

    run = the_run(bench.house)
    assert (run.status, run.error_code, run.error_message) == ("failed", "workspace", "No space left on device.")
    assert len(reports.asked) == 1


async def test_a_report_that_somebody_else_writes_at_this_moment_is_waited_for(bench: Bench) -> None:
    attempts: list[object] = []

    async def busy_once(order: object) -> Written:
        attempts.append(order)
        if len(attempts) == 1:
            raise WorkspaceBusy
        return Written("2026-03-09", 21)

    async with bench.worker(FakeReports(busy_once)):
        await (await bench.weekly_report()).result()

    assert (len(attempts), the_run(bench.house).status) == (2, "succeeded")


async def test_a_canceled_report_is_recorded_as_canceled(bench: Bench) -> None:
    writing = UntilStopped()
    async with bench.worker(FakeReports(writing)):
        handle = await bench.weekly_report()
        await writing.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    assert the_run(bench.house).status == "canceled"
