"""Discover executions as tests write them: what a history says, what the log holds, and how it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from jobctrl.errors import TransientNetwork
from jobctrl.pipeline.coverage import Coverage, coverage_of, digest
from jobctrl.pipeline.events import WorkflowFact, WorkflowStarted
from jobctrl.pipeline.membership import Cohort, Member, link, members, plan_preparation
from jobctrl.pipeline.steps import Step
from jobctrl.runtime.house import House
from jobctrl.store import Execution, Store, acting_for
from jobctrl.workflows.execution_history import ActivityRecord, ExecutionHistory
from jobctrl.workflows.lost_steps import steps_of
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.steps import StepMark, Steps

RUN = Execution("discover-local", "run-1")
AT = "2026-03-01T12:00:00.000Z"


@dataclass
class Kept:
    """Histories as a test keeps them; one that is not kept does not answer."""

    histories: Mapping[Execution, ExecutionHistory | None]
    asked: list[Execution] = field(default_factory=list)

    async def history(self, execution: Execution) -> ExecutionHistory | None:
        self.asked.append(execution)
        if execution not in self.histories:
            raise TransientNetwork("silence")
        return self.histories[execution]


def activity(name: str, input: Any, result: Any = None, **changes: Any) -> ActivityRecord:
    state = changes.pop("state", "scheduled" if result is None else "completed")
    return ActivityRecord(name, {"workspace": "w", **input}, state, AT, result=result, duration_ms=5, **changes)


PLANNED = activity("plan_discovery_sources", {}, {"families": {"ats_api": ["a", "b"], "workday": ["c"]}})
FAMILY = activity("discovery_source_family", {"family": "ats_api"}, {"returned": 9})
OTHER = activity("discovery_source_family", {"family": "workday"}, state="failed", error_code="not_found")
BACKLOG = activity("discovery_preparation_fanout", {"item": "backlog"}, {"started": 1, "planned": 1})
TEXTS = activity("discovery_enrichment", {"item": "terminal"}, {"promoted": 1, "read": 2})


def closing(*job_ids: str, planned: int = 0) -> ActivityRecord:
    said = {"started": 1, "planned": planned, "members": len(job_ids), "members_digest": digest(job_ids)}
    return activity("discovery_preparation_fanout", {"item": "terminal"}, said)


def history(house: House, *activities: ActivityRecord, end: Any = None, **changes: Any) -> ExecutionHistory:
    """A Discover history of the house's workspace."""
    workspace = changes.pop("workspace", house.store.workspace_id)
    return ExecutionHistory("DiscoverWorkflow", {"workspace": workspace}, 40, end, activities=activities, **changes)


def fact(kind: type[WorkflowFact], run: Execution = RUN, workflow_type: str = "DiscoverWorkflow", **said: Any) -> Any:
    return kind(workflow_id=run.workflow_id, workflow_type=workflow_type, temporal_run_id=run.run_id, **said)


def note(store: Store, *facts: WorkflowFact, key: str | None = None) -> None:
    with store.writer() as tx:
        for each in facts:
            tx.append(run_stream(each.workflow_id, each.temporal_run_id or ""), each, key=key)


def show(store: Store, *job_ids: str, run: Execution = RUN, source: str = "board") -> None:
    """A source shows jobs in the execution, as admission records it."""
    with store.writer() as tx:
        tx.connection.executemany(
            "INSERT INTO discovery_receipts VALUES (?, ?, ?, ?, 'admitted', 'new', ?, NULL, ?)",
            [(run.workflow_id, run.run_id, source, job_id, job_id, tx.moment) for job_id in job_ids],
        )
        link(tx, run, job_ids, Cohort.OBSERVED, source_id=source)


def hand_on(store: Store, job_id: str, steps: list[str], *, run: Execution = RUN) -> Execution:
    """The execution plans a job's preparation and starts its run, which leaves its own mark."""
    preparation = Execution(f"prep-preparation:{job_id}", f"run-of-{job_id}")
    with store.writer() as tx:
        link(tx, run, [job_id], Cohort.BACKLOG)
        plan_preparation(tx, run, job_id, steps=steps, preparation_workflow_id=preparation.workflow_id)
    kind, key = "JobPreparationWorkflow", f"run-dispatched:{preparation.workflow_id}:{preparation.run_id}"
    with acting_for(run):
        dispatched = fact(WorkflowStarted, preparation, kind, input_summary={"jobId": job_id}, dispatched_by="discover")
        note(store, dispatched, key=key)
    summary = {"jobId": job_id, "steps": steps, "key": f"preparation:{job_id}"}
    with acting_for(preparation):
        note(store, fact(WorkflowStarted, preparation, kind, input_summary=summary))
    return preparation


async def mark(store: Store, kind: Any, item: str, *states: Any, run: Execution = RUN) -> None:
    await Steps(store).record_steps([StepMark("w", run, kind, item, state) for state in states])


def forget(store: Store, table: str, run: Execution = RUN) -> None:
    with store.writer() as tx:
        tx.connection.execute(f"DELETE FROM {table} WHERE workflow_id = :workflow_id AND run_id = :run_id", asdict(run))


def coverage(store: Store, run: Execution = RUN) -> Coverage:
    with store.reader() as connection:
        found = coverage_of(connection, run)
    assert found is not None
    return found


def all_members(store: Store, run: Execution = RUN) -> list[Member]:
    with store.reader() as connection:
        return members(connection, run)


def all_steps(store: Store, run: Execution = RUN) -> dict[str, Step]:
    """By their items, and those of which an execution has one of a kind by their kinds."""
    single = ("source_planning", "enrichment_pass", "preparation_fanout")
    with store.reader() as connection:
        return {kind if kind in single else item: step for (kind, item), step in steps_of(connection, run).items()}


def states(store: Store, run: Execution = RUN) -> dict[str, str]:
    return {item: step.state for item, step in all_steps(store, run).items()}
