"""Reading what the operations snapshot is made of, at one moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from jobctrl.operations.active_items import JobOfRun
from jobctrl.operations.capacity import Runtime, runtime, without
from jobctrl.operations.groups import JOB_STAGES, JobGroup
from jobctrl.operations.heartbeats import abandoned_threads, heartbeats
from jobctrl.operations.members import SCOPE_OF, member_groups, other_groups
from jobctrl.operations.observed import Observed
from jobctrl.operations.snapshot import Snapshot, snapshot
from jobctrl.operations.views import CoverageView
from jobctrl.pipeline.coverage import CoverageState, coverage_of
from jobctrl.pipeline.membership import Cohort
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import PIPELINE_STEPS, Step
from jobctrl.store import Execution, Store, moment, statements

SQL = statements("jobctrl.operations", "executions.sql")
SAMPLES_SQL = statements("jobctrl.operations", "samples.sql")
EXECUTIONS = 10
"""How many of the newest are looked at for one that still has work."""
SAMPLES = 50
SAMPLES_FROM = timedelta(days=14)
ACTIVITY_OF = {
    "score": "score_job",
    "tailor": "tailor_job",
    "cover": "cover_letter",
    "pdf_render": "render_pdf",
    "source_family": "discovery_source_family",
}
"""The activity that does the whole of a stage for one item. Texts are read many at once: none of them is one job's."""
SAMPLED = (*JOB_STAGES, "source_family")
NOBODY = Execution("", "")
_REASONS = {
    CoverageState.RECOVERING: "repair_under_way",
    CoverageState.RETRYING: "pipeline-history-repair-failed",
    CoverageState.INCOMPLETE: "pipeline-history-incomplete",
}


def operations_snapshot(store: Store) -> Snapshot:
    """How the pipeline stands now."""
    now = store.clock()
    with store.reader() as connection:
        return snapshot(observe(connection, store.workspace_id, now))


def observe(connection: sqlite3.Connection, identity: str, now: datetime) -> Observed:
    """The read tables and the heartbeats, as far as the snapshot wants them."""
    inventory = runtime(heartbeats(connection, identity), now)
    inventory = without(inventory, _ended(connection, inventory))
    run, members = _selected(connection)
    execution = _name(run) if run else None
    name = _values(execution or NOBODY)
    return Observed(
        at=moment(now),
        runtime=inventory,
        execution=run,
        coverage=_coverage(connection, execution) if execution else None,
        steps=_steps(connection, execution) if execution else (),
        groups=[*members, *other_groups(connection, execution)],
        unpriced_runs=int(connection.execute(SQL["unpriced_runs"], name).fetchone()[0]),
        budget_used_up=_budget_used_up(connection, now),
        samples={stage: _samples(connection, stage, now) for stage in SAMPLED},
        jobs=_jobs(connection, inventory, execution or NOBODY),
        abandoned_threads=abandoned_threads(connection, now - timedelta(days=1)),
    )


def _selected(connection: sqlite3.Connection) -> tuple[Run | None, list[JobGroup]]:
    """The newest execution that discovers, or whose members still go on; else the newest. And its members."""
    runs = [Run(*row) for row in connection.execute(SQL["discover_runs"], {"limit": EXECUTIONS})]
    if not runs:
        return None, []
    newest = member_groups(connection, _name(runs[0]))
    if _is_active(runs[0], newest):
        return runs[0], newest
    for run in runs[1:]:
        if run.status == "in_progress" or connection.execute(SQL["may_move"], _values(_name(run))).fetchone()[0]:
            members = member_groups(connection, _name(run))
            if _is_active(run, members):
                return run, members
    return runs[0], newest


def _is_active(run: Run, members: list[JobGroup]) -> bool:
    """Whether it discovers or drains. What only waits for something outside is no reason to show an older one."""
    return run.status == "in_progress" or (run.status == "succeeded" and any(group.moves for group in members))


def _name(run: Run) -> Execution:
    return Execution(run.workflow_id, run.run_id)


def _values(execution: Execution) -> dict[str, str]:
    return {"workflow_id": execution.workflow_id, "run_id": execution.run_id}


def _coverage(connection: sqlite3.Connection, execution: Execution) -> CoverageView:
    found = coverage_of(connection, execution)
    if found is None:
        return CoverageView("recovering", "not_verified_yet")
    return CoverageView(
        found.state.value,
        None if found.state is CoverageState.READY else found.error_code or _REASONS[found.state],
        found.mode.value,
        found.decoder_version,
        found.history_event_id,
        found.expected_members,
        found.members,
        found.expected_steps,
        found.steps,
        found.updated_at,
    )


def _steps(connection: sqlite3.Connection, execution: Execution) -> list[Step]:
    condition = "workflow_id = ? AND run_id = ? AND step_kind <> 'pdf_render'"
    return PIPELINE_STEPS.all(connection, condition, (execution.workflow_id, execution.run_id))


def _ended(connection: sqlite3.Connection, inventory: Runtime) -> set[tuple[str | None, str | None]]:
    """The runs that have ended since a worker told of their activities."""
    named = {(each.workflow_ref, each.execution_ref) for each in inventory.details}
    return {
        (workflow_id, run_id)
        for workflow_id, run_id in named
        if connection.execute(SQL["has_ended"], {"workflow_id": workflow_id, "run_id": run_id}).fetchone()
    }


def _budget_used_up(connection: sqlite3.Connection, now: datetime) -> bool:
    """Whether the run that ended last, on this UTC day, was stopped by the budget."""
    row = connection.execute(SQL["newest_preparation"], {"since": moment(now)[:10]}).fetchone()
    return row is not None and row[0] == "budget_exceeded"


def _samples(connection: sqlite3.Connection, stage: str, now: datetime) -> Sequence[int]:
    """How long the stage took lately, in milliseconds; the workers' own measures only when there are no others."""
    wanted = {"stage": stage, "since": moment(now - SAMPLES_FROM), "limit": SAMPLES}
    query = "stage_samples" if stage in JOB_STAGES and stage != "pdf_render" else "step_samples"
    found = [row[0] for row in connection.execute(SAMPLES_SQL[query], wanted)]
    if found or stage not in ACTIVITY_OF:
        return found
    measured = {**wanted, "activity_type": ACTIVITY_OF[stage]}
    return [row[0] for row in connection.execute(SAMPLES_SQL["attempt_samples"], measured)]


def _jobs(connection: sqlite3.Connection, inventory: Runtime, execution: Execution) -> dict[tuple[str, str], JobOfRun]:
    """The jobs of the exact runs that the workers name."""
    selected = {"discover_id": execution.workflow_id, "discover_run": execution.run_id}
    found = {}
    for detail in inventory.details:
        if detail.workflow_ref is None or detail.execution_ref is None:
            continue
        exact = {"workflow_id": detail.workflow_ref, "run_id": detail.execution_ref}
        row = connection.execute(SQL["job_of_run"], {**exact, **selected}).fetchone()
        if row is not None:
            job_id, title, employer, cohort = row
            scope = SCOPE_OF[Cohort(cohort)] if cohort else "global_outside_execution"
            found[(detail.workflow_ref, detail.execution_ref)] = JobOfRun(job_id, title, employer, scope)
    return found
