"""What the bench sees of a workspace at one moment: its log and read tables, and Temporal's own list of executions."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from temporalio.client import WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.events import Recorded
from jobctrl.materials.state import JOB_MATERIALS
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.temporal_server import connect
from jobctrl.stages.state import STAGE_STATES, StageRow
from jobctrl.store import Store
from tests.acceptance.chaos.ground import Ground

Exact = tuple[str, str]
"""A workflow id and a run id."""
WAY = ("enrich", "score", "tailor", "cover")
RESTS = ("skipped", "blocked", "exhausted", "canceled", "needs_verification")
STATUS = {
    WorkflowExecutionStatus.RUNNING: "in_progress",
    WorkflowExecutionStatus.COMPLETED: "succeeded",
    WorkflowExecutionStatus.FAILED: "failed",
    WorkflowExecutionStatus.CANCELED: "canceled",
    WorkflowExecutionStatus.TERMINATED: "terminated",
    WorkflowExecutionStatus.TIMED_OUT: "timed_out",
    WorkflowExecutionStatus.CONTINUED_AS_NEW: "succeeded",
}


@dataclass(frozen=True)
class Standing:
    """The read tables, as far as the bench goes by them."""

    runs: tuple[Run, ...]
    stages: dict[str, dict[str, StageRow]]
    """By job and stage, for every job that was admitted."""
    complete: frozenset[str]
    """Jobs with all their documents."""

    def running(self) -> list[tuple[str, StageRow]]:
        """Stages that somebody is said to hold."""
        return [(job, row) for job, rows in self.stages.items() for row in rows.values() if row.state == "running"]

    def rest(self, job_id: str) -> str | None:
        """Where the job has come to rest, with the reason; None while somebody has to go on with it."""
        rows = self.stages[job_id]
        for stage in WAY:
            row = rows.get(stage)
            if row is None or row.state in ("pending", "queued", "running", "stale"):
                return None
            if row.state != "succeeded":
                return f"{stage} {row.state}: {row.error_code}" if row.error_code else None
        return "complete" if job_id in self.complete else None

    def prepared(self) -> set[str]:
        """Jobs that were brought to their end: all their documents, or a score that leaves them without."""
        return {job for job, rest in self.resting().items() if rest == "complete" or (rest and " skipped: " in rest)}

    def waiting(self, canceled: set[str]) -> list[str]:
        """Jobs that somebody has to go on with; those whose run a person has *canceled* wait for that person."""
        return [
            job for job, rest in self.resting().items() if rest is None and (job not in canceled or self._is_held(job))
        ]

    def _is_held(self, job_id: str) -> bool:
        return any(row.state in ("queued", "running") for row in self.stages[job_id].values())

    def resting(self) -> dict[str, str | None]:
        return {job_id: self.rest(job_id) for job_id in self.stages}


def standing(store: Store) -> Standing:
    with store.reader() as connection:
        jobs = [row[0] for row in connection.execute("SELECT job_id FROM jobs")]
        rows = STAGE_STATES.all(connection)
        complete = JOB_MATERIALS.all(connection, "lifecycle = 'complete'")
        runs = tuple(WORKFLOW_RUNS.all(connection))
    stages: dict[str, dict[str, StageRow]] = {job_id: {} for job_id in jobs}
    for row in rows:
        if row.job_id in stages:
            stages[row.job_id][row.stage] = row
    return Standing(runs, stages, frozenset(each.job_id for each in complete))


def facts(store: Store, after: int = 0) -> list[Recorded]:
    return store.since(after, 10_000_000)


def listed(ground: Ground) -> dict[Exact, str]:
    """Every execution that Temporal lists, with its status in the words of the log."""

    async def ask() -> dict[Exact, str]:
        client = await connect(ground.address)
        found = {(each.id, each.run_id): STATUS[each.status] async for each in client.list_workflows() if each.status}
        await asyncio.sleep(0.05)
        return {exact: status for exact, status in found.items() if not exact[0].startswith("temporal-sys")}

    return asyncio.run(ask())


def failed_by_result(ground: Ground, executions: Iterable[Exact]) -> set[Exact]:
    """Of executions that Temporal has as completed those whose result says that they failed."""

    async def ask() -> set[Exact]:
        client = await connect(ground.address)
        found = set()
        for workflow_id, run_id in executions:
            result = await client.get_workflow_handle(workflow_id, run_id=run_id).result()
            if isinstance(result, dict) and result.get("failure"):
                found.add((workflow_id, run_id))
        await asyncio.sleep(0.05)
        return found

    return asyncio.run(ask())


def described(ground: Ground, executions: Iterable[Exact]) -> dict[Exact, str]:
    """What Temporal says of exact executions; `not_found` for one that it does not know."""

    async def ask() -> dict[Exact, str]:
        client = await connect(ground.address)
        found: dict[Exact, str] = {}
        for workflow_id, run_id in set(executions):
            try:
                seen = await client.get_workflow_handle(workflow_id, run_id=run_id).describe()
                found[workflow_id, run_id] = STATUS[seen.status] if seen.status else "in_progress"
            except RPCError as error:
                if error.status != RPCStatusCode.NOT_FOUND:
                    raise
                found[workflow_id, run_id] = "not_found"
        await asyncio.sleep(0.05)
        return found

    return asyncio.run(ask())
