"""What we say of runs, and what Temporal says of them, is the same."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from temporalio.client import Client, WorkflowExecutionStatus

from jobctrl.cli.output import plain
from jobctrl.errors import MaterialRejected
from jobctrl.operations.observing import operations_snapshot
from jobctrl.operations.snapshot import Snapshot
from jobctrl.operator.reading import Reading
from jobctrl.runtime.beating import beating, observe
from jobctrl.runtime.telemetry import Inventory
from jobctrl.scoring.activities import Scored
from tests.workflows.fakes import Bench, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal

OURS = {
    WorkflowExecutionStatus.RUNNING: "in_progress",
    WorkflowExecutionStatus.COMPLETED: "succeeded",
    WorkflowExecutionStatus.FAILED: "failed",
    WorkflowExecutionStatus.CANCELED: "canceled",
    WorkflowExecutionStatus.TERMINATED: "terminated",
    WorkflowExecutionStatus.TIMED_OUT: "timed_out",
}


async def listed(client: Client, queue: str) -> dict[tuple[str, str], str]:
    """Temporal's own list of what was started on *queue*."""
    found = {}
    async for each in client.list_workflows(f"TaskQueue = '{queue}'"):
        assert each.status is not None
        status = OURS[each.status]
        if status == "succeeded":
            # A run that carried out its order to the end may have to say that the job failed: its result has it.
            result = await client.get_workflow_handle(each.id, run_id=each.run_id).result()
            status = "failed" if result["failure"] else status
        found[(each.id, each.run_id)] = status
    return found


def shown(bench: Bench) -> dict[tuple[str, str], str]:
    """`jobctrl runs`."""
    runs = Reading(bench.house.store, bench.house.files).runs(100)
    return {(run.workflow_id, run.run_id): run.status for run in runs}


async def agree(bench: Bench, wanted: dict[str, int]) -> dict[tuple[str, str], str]:
    """What both say, once Temporal lists *wanted*; its list lags behind its histories by a moment."""
    theirs: dict[tuple[str, str], str] = {}
    for _ in range(300):
        theirs = await listed(bench.client, bench.queue)
        if {status: list(theirs.values()).count(status) for status in set(theirs.values())} == wanted:
            break
        await asyncio.sleep(0.1)
    for _ in range(100):
        if shown(bench) == theirs:
            break
        await asyncio.sleep(0.1)
    return theirs


async def heard(bench: Bench, total: int) -> Snapshot:
    """The snapshot, once the worker has told of *total* activities."""
    for _ in range(300):
        seen = operations_snapshot(bench.house.store)
        told = {(item.workflow_id, item.execution_id) for item in seen.active_items}
        assert not told & {name for name, status in shown(bench).items() if status != "in_progress"}
        if seen.active_items_total == total:
            return seen
        await asyncio.sleep(0.05)
    raise AssertionError(f"{seen.active_items_total} activities were told of, not {total}")


async def test_runs_and_ops_never_contradict_temporals_own_list(bench: Bench) -> None:
    still = UntilStopped()
    fates: dict[str, Any] = {"good": Scored("ok", 8, 1), "bad": MaterialRejected("No."), "long": still, "stop": still}

    async def score(input: Any) -> Any:
        fate = fates[input.job_id]
        if isinstance(fate, Exception):
            raise fate
        return await fate(input) if callable(fate) else fate

    inventory, store = Inventory(bench.house.store.clock), bench.house.store
    beats = beating(store, bench.client, inventory, task_queue=bench.queue, slots=4, threads=6, every=0.1)
    async with beats, bench.worker(FakeSteps(score=score), inventory=inventory):
        handles = {job: await bench.prepare("score", job_id=job) for job in fates}
        await asyncio.gather(*(handles[job].result() for job in ("good", "bad")), return_exceptions=True)
        theirs = await agree(bench, {"in_progress": 2, "succeeded": 1, "failed": 1})

        assert shown(bench) == theirs

        seen = await heard(bench, 2)
        going_on = {name for name, status in theirs.items() if status == "in_progress"}
        assert (seen.capacity.active_slots, seen.active_stage_counts) == (2, {"score": 2})
        assert {item.execution_id for item in seen.active_items} == {run_id for _, run_id in going_on}

        await handles["stop"].cancel()
        await asyncio.gather(handles["stop"].result(), return_exceptions=True)
        seen = await heard(bench, 1)
        assert seen.active_items[0].execution_id == handles["long"].first_execution_run_id
        theirs = await agree(bench, {"in_progress": 1, "canceled": 1, "succeeded": 1, "failed": 1})
        assert shown(bench) == theirs
        # All of it can be printed: `jobctrl ops --json`.
        assert json.loads(json.dumps(plain(seen)))["active_items_total"] == 1
        await handles["long"].cancel()
        await asyncio.gather(handles["long"].result(), return_exceptions=True)


async def test_the_real_server_tells_of_its_queue(bench: Bench) -> None:
    found = await observe(bench.client, "nobody-listens", "2026-03-09T12:00:00.000Z")

    assert found.status == "available"
    assert found.activity is not None
    assert (found.activity.poller_count, found.activity.approximate_backlog_count) == (0, 0)
