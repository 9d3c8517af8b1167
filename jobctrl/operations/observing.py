"""Reading what the operations snapshot is made of, at one moment."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from jobctrl.operations.capacity import Runtime, runtime, without
from jobctrl.operations.heartbeats import abandoned_threads, heartbeats
from jobctrl.operations.job_list import CLOSED_STATES
from jobctrl.operations.snapshot import JobOfRun, Observed, Snapshot, phase_of, snapshot
from jobctrl.operations.standings import JOB_STAGES, JobGroup
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import PIPELINE_STEPS, Step
from jobctrl.store import Store, moment, statements

SQL = statements("jobctrl.operations", "snapshot.sql")
EXECUTIONS = 10
"""How many of the newest are looked at for one that still has work."""
SAMPLES = 50
SAMPLES_FROM = timedelta(days=14)
ACTIVITY_OF = {
    "enrich": "enrich",
    "score": "score_job",
    "tailor": "tailor_job",
    "cover": "cover_letter",
    "pdf_render": "render_pdf",
    "source_family": "discovery_source_family",
}
_NONE = {"workflow_id": "", "run_id": ""}


def operations_snapshot(store: Store) -> Snapshot:
    """How the pipeline stands now."""
    now = store.clock()
    with store.reader() as connection:
        return snapshot(observe(connection, store.workspace_id, now))


def observe(connection: sqlite3.Connection, identity: str, now: datetime) -> Observed:
    """The read tables and the heartbeats, as far as the snapshot wants them."""
    inventory = runtime(heartbeats(connection, identity), now)
    inventory = without(inventory, _ended(connection, inventory))
    run, prepared = _selected(connection)
    name = {"workflow_id": run.workflow_id, "run_id": run.run_id} if run else _NONE
    groups = _groups(connection, name)
    return Observed(
        at=moment(now),
        runtime=inventory,
        execution=run,
        prepared=prepared,
        steps=_steps(connection, run) if run else (),
        groups=groups,
        held={bool(member): count for member, count in connection.execute(SQL["held"], name)},
        unpriced_runs=int(connection.execute(SQL["unpriced_runs"], name).fetchone()[0]),
        budget_used_up=_budget_used_up(connection, now),
        samples={stage: _samples(connection, stage, now) for stage in ACTIVITY_OF},
        jobs=_jobs(connection, inventory, name),
        abandoned_threads=abandoned_threads(connection, now - timedelta(days=1)),
    )


def _selected(connection: sqlite3.Connection) -> tuple[Run | None, bool]:
    """The newest execution that discovers or drains, else the newest; and whether its jobs are being prepared."""
    runs = [Run(*row) for row in connection.execute(SQL["discover_runs"], {"limit": EXECUTIONS})]
    for run in runs:
        name = {"workflow_id": run.workflow_id, "run_id": run.run_id}
        prepared = bool(connection.execute(SQL["is_prepared"], name).fetchone()[0])
        if phase_of(run, prepared=prepared, steps=(), members=()) in ("discovering", "draining"):
            return run, prepared
    return (runs[0], False) if runs else (None, False)


def _groups(connection: sqlite3.Connection, name: dict[str, str]) -> list[JobGroup]:
    rows = connection.execute(SQL["groups"], {**name, "closed_states": json.dumps(sorted(CLOSED_STATES))})
    return [
        JobGroup(bool(member), bool(prepared), bool(closed), enrich, score, tailor, cover, bool(complete), jobs)
        for member, prepared, closed, enrich, score, tailor, cover, complete, jobs in rows
    ]


def _steps(connection: sqlite3.Connection, run: Run) -> list[Step]:
    return PIPELINE_STEPS.all(connection, "workflow_id = ? AND run_id = ?", (run.workflow_id, run.run_id))


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
    found = [row[0] for row in connection.execute(SQL[query], wanted)]
    if found:
        return found
    measured = {**wanted, "activity_type": ACTIVITY_OF[stage]}
    return [row[0] for row in connection.execute(SQL["attempt_samples"], measured)]


def _jobs(connection: sqlite3.Connection, inventory: Runtime, name: dict[str, str]) -> dict[tuple[str, str], JobOfRun]:
    found = {}
    for detail in inventory.details:
        if detail.workflow_ref is None or detail.execution_ref is None:
            continue
        exact = {"workflow_id": detail.workflow_ref, "run_id": detail.execution_ref}
        selected = {"discover_id": name["workflow_id"], "discover_run": name["run_id"]}
        row = connection.execute(SQL["job_of_run"], {**exact, **selected}).fetchone()
        if row is not None:
            job_id, title, employer, member = row
            found[(detail.workflow_ref, detail.execution_ref)] = JobOfRun(job_id, title, employer, bool(member))
    return found
