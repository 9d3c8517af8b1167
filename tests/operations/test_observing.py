"""What the operations snapshot reads out of a real log: which execution, whose jobs, and on what evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.operations.groups import JobGroup
from jobctrl.operations.heartbeats import ActiveDetail, Attempt, keep_beat
from jobctrl.operations.members import SQL as MEMBERS_SQL
from jobctrl.operations.observed import Observed
from jobctrl.operations.observing import SQL, observe, operations_snapshot
from jobctrl.operations.views import ExecutionView
from jobctrl.pipeline.coverage import Coverage, CoverageState, Mode, digest, member_keys, publish, step_keys
from jobctrl.pipeline.events import (
    ExecutionRef,
    PipelineStepCompleted,
    PipelineStepStarted,
    PreparationWorkflowOutcomeObserved,
    StepKind,
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowStarted,
)
from jobctrl.pipeline.membership import Cohort, link, plan_nothing, plan_preparation
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.pipeline.targets import STEPS
from jobctrl.runtime.house import House
from jobctrl.scoring.events import JobScored
from jobctrl.scoring.state import latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Execution, Transaction, acting_for, moment
from tests.operations.test_capacity import beat
from tests.runtime.searching import admit, job_with_text, listing, new_house

OLD, NEW = Execution("discover-local", "r1"), Execution("discover-local", "r2")
PREPARATION = "prep-preparation:" + "0a" * 32
PREPARED = Execution(PREPARATION, "01a228d7-5b2d-7a08-96cf-ae265a83ebdc")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


def start(house: House, run: Execution, kind: str = "DiscoverWorkflow", job_id: str | None = None) -> None:
    started = WorkflowStarted(
        workflow_id=run.workflow_id,
        workflow_type=kind,
        temporal_run_id=run.run_id,
        input_summary={"jobId": job_id} if job_id else {},
    )
    with house.store.writer() as tx:
        tx.append(f"run/{run.workflow_id}/{run.run_id}", started)


def end(house: House, run: Execution, kind: str = "DiscoverWorkflow", error: str | None = None) -> None:
    name = {"workflow_id": run.workflow_id, "workflow_type": kind, "temporal_run_id": run.run_id}
    event = (
        WorkflowFailed(**name, error_code=error, error_message="No.", retryable=False)
        if error
        else WorkflowCompleted(**name)
    )
    with house.store.writer() as tx:
        tx.append(f"run/{run.workflow_id}/{run.run_id}", event)


def look(house: House) -> Observed:
    with house.store.reader() as connection:
        return observe(connection, house.store.workspace_id, house.store.clock())


def searched(house: House, run: Execution, *numbers: int) -> list[str]:
    """A Discover run that saw these postings and ended; nothing was decided about them yet."""
    start(house, run)
    receipts = admit(house.store, [listing(number, title=f"Engineer {number}") for number in numbers], run=run)
    found: list[str] = [receipt.job_id for receipt in receipts if receipt.job_id]
    with house.store.writer() as tx:
        link(tx, run, found, Cohort.OBSERVED)
    step(house, run, "preparation_fanout", "terminal")
    end(house, run)
    return found


def step(house: House, run: Execution, kind: StepKind, item: str, *, ends: bool = True) -> None:
    said = {
        "execution": ExecutionRef(workflow_id=run.workflow_id, temporal_run_id=run.run_id),
        "step_kind": kind,
        "item_key": item,
        "attempt": 1,
    }
    with house.store.writer() as tx:
        tx.append(f"run/{run.workflow_id}/{run.run_id}", PipelineStepStarted(**said))
        if ends:
            tx.append(f"run/{run.workflow_id}/{run.run_id}", PipelineStepCompleted(**said))


def plan(house: House, run: Execution, job_id: str, steps: tuple[str, ...] = STEPS) -> None:
    with house.store.writer() as tx:
        plan_preparation(tx, run, job_id, steps=steps, preparation_workflow_id=PREPARATION)


def leave_alone(house: House, run: Execution, *job_ids: str) -> None:
    with house.store.writer() as tx:
        for job_id in job_ids:
            plan_nothing(tx, run, job_id, "score_below_threshold")


def shown(house: House) -> ExecutionView:
    found = operations_snapshot(house.store).execution
    assert found is not None
    return found


def member(house: House) -> JobGroup:
    """How the one member of the selected execution stands."""
    [group] = [group for group in look(house).groups if group.plan is not None]
    return group


def test_the_newest_execution_is_shown(house: House) -> None:
    searched(house, OLD, 1)
    searched(house, NEW, 2)

    assert shown(house).discover_run_id == "r2"


def test_an_older_execution_whose_members_still_go_on_comes_before_it(house: House) -> None:
    [job_id] = searched(house, OLD, 1)
    leave_alone(house, NEW, *searched(house, NEW, 2))
    plan(house, OLD, job_id, ("score",))
    start(house, PREPARED, "JobPreparationWorkflow", job_id)

    assert (shown(house).discover_run_id, shown(house).phase) == ("r1", "draining")

    with acting_for(PREPARED), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.start()
        machine.complete()
    end(house, PREPARED, "JobPreparationWorkflow")
    assert (shown(house).discover_run_id, shown(house).phase) == ("r2", "completed")


def test_an_older_execution_that_waits_for_something_outside_does_not_come_before_a_newer_one(house: House) -> None:
    [job_id] = searched(house, OLD, 1)
    plan(house, OLD, job_id, ("score",))
    with house.store.writer() as tx:
        StageMachine(tx, job_id, Stage.SCORE).block("PROVIDER_NOT_READY")
    assert (shown(house).discover_run_id, shown(house).phase) == ("r1", "draining")

    leave_alone(house, NEW, *searched(house, NEW, 2))

    assert shown(house).discover_run_id == "r2"


def test_an_older_execution_that_still_discovers_comes_before_a_newer_one_that_failed(house: House) -> None:
    start(house, OLD)
    start(house, NEW)
    end(house, NEW, error="discovery_source_failed")

    assert (shown(house).discover_run_id, shown(house).selected_as) == ("r1", "active_or_draining")


def test_each_job_is_in_one_scope_and_a_hidden_one_in_none(house: House) -> None:
    [swept, _, hidden] = searched(house, OLD, 1, 2, 3)
    searched(house, NEW, 4, 5)
    with house.store.writer() as tx:
        link(tx, NEW, [swept], Cohort.BACKLOG)
        tx.append(f"job/{hidden}", JobHidden(job_id=hidden, reason="not for me"))

    counted: Counter[str] = Counter()
    for group in look(house).groups:
        counted[group.scope] += group.jobs
    assert counted == {"current_execution": 2, "execution_sweep": 1, "global_outside_execution": 1}


def test_a_run_without_a_checkpoint_is_not_proven_and_shows_no_numbers_of_its_own(house: House) -> None:
    searched(house, NEW, 1)

    seen = operations_snapshot(house.store)

    assert seen.projection_coverage is not None
    assert (seen.projection_coverage.state, seen.projection_coverage.reason) == ("recovering", "not_verified_yet")
    assert seen.execution is not None
    assert (seen.execution.current_execution.members, seen.execution.progress.total) == (None, None)


def prove(house: House, run: Execution, state: CoverageState = CoverageState.READY, error: str | None = None) -> None:
    with house.store.writer() as tx:
        members, steps = member_keys(tx.connection, run), step_keys(tx.connection, run)
        many = (len(members), len(members), len(steps), len(steps))
        publish(tx, run, Coverage(state, Mode.NATIVE, 3, 40, *many, digest(members, steps), error, tx.moment))


def test_a_proven_run_shows_its_members_until_a_row_is_another(house: House) -> None:
    searched(house, NEW, 1, 2)
    prove(house, NEW)
    seen = operations_snapshot(house.store)
    assert seen.projection_coverage is not None
    assert (seen.projection_coverage.state, seen.projection_coverage.persisted_membership_count) == ("ready", 2)
    assert shown(house).current_execution.members == 2

    with house.store.writer() as tx:
        tx.connection.execute(
            "DELETE FROM discovery_execution_jobs WHERE job_id = (SELECT MIN(job_id) FROM discovery_execution_jobs)"
        )

    assert shown(house).current_execution.reason == "coverage_recovering"


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (CoverageState.RETRYING, "pipeline-history-repair-failed"),
        (CoverageState.INCOMPLETE, "pipeline-history-incomplete"),
    ],
)
def test_what_cannot_be_proven_says_why(house: House, state: CoverageState, reason: str) -> None:
    searched(house, NEW, 1)
    prove(house, NEW, state)

    found = operations_snapshot(house.store).projection_coverage

    assert found is not None
    assert (found.state, found.reason) == (state.value, reason)


def test_the_rendering_of_a_member_is_what_its_own_step_says(house: House) -> None:
    [job_id] = searched(house, NEW, 1)
    plan(house, NEW, job_id)
    step(house, NEW, "pdf_render", f"job:{job_id}", ends=False)
    start(house, PREPARED, "JobPreparationWorkflow", job_id)
    assert member(house).outcomes()["pdf_render"] == "processing"

    end(house, PREPARED, "JobPreparationWorkflow")

    assert member(house).outcomes()["pdf_render"] == "unknown"
    assert all(each.step_kind != "pdf_render" for each in look(house).steps)


def observe_outcome(house: House, job_id: str, completed: list[str], skipped: list[str]) -> None:
    ref = ExecutionRef(workflow_id=NEW.workflow_id, temporal_run_id=NEW.run_id)
    receipt = PreparationWorkflowOutcomeObserved(
        decoder_version=1,
        workflow_id=PREPARED.workflow_id,
        temporal_run_id=PREPARED.run_id,
        job_id=job_id,
        execution=ref,
        origin=ref,
        required_steps=list(STEPS),
        completed_steps=completed,
        skipped_steps=skipped,
    )
    with house.store.writer() as tx:
        tx.append(f"run/{PREPARED.workflow_id}/{PREPARED.run_id}", receipt, job_id=job_id)


@pytest.mark.parametrize(
    ("completed", "skipped", "outcome"),
    [
        (list(STEPS), [], "succeeded"),
        (["score", "tailor", "pdf"], ["cover"], "succeeded"),
        (["score"], ["tailor", "cover", "pdf"], "skipped"),
        (["score", "tailor"], ["cover"], "unknown"),
    ],
)
def test_a_receipt_proves_a_rendering_that_was_not_recorded(
    house: House, completed: list[str], skipped: list[str], outcome: str
) -> None:
    [job_id] = searched(house, NEW, 1)
    plan(house, NEW, job_id)
    start(house, PREPARED, "JobPreparationWorkflow", job_id)
    end(house, PREPARED, "JobPreparationWorkflow")
    assert member(house).outcomes()["pdf_render"] == "unknown"

    observe_outcome(house, job_id, completed, skipped)

    assert member(house).outcomes()["pdf_render"] == outcome


async def ruled_out(house: House) -> str:
    """A member whose preparation found that its score rules it out, and stopped there."""
    job_id = await job_with_text(house, title="Engineer")
    start(house, NEW)
    with house.store.writer() as tx:
        link(tx, NEW, [job_id], Cohort.OBSERVED)
    plan(house, NEW, job_id)
    step(house, NEW, "preparation_fanout", "terminal")
    end(house, NEW)
    start(house, PREPARED, "JobPreparationWorkflow", job_id)
    with acting_for(PREPARED), house.store.writer() as tx:
        score(tx, job_id)
        reconcile(tx, job_id, min_score=1)
    end(house, PREPARED, "JobPreparationWorkflow")
    observe_outcome(house, job_id, ["score"], ["tailor", "cover", "pdf"])
    return job_id


def score(tx: Transaction, job_id: str, **changes: Any) -> None:
    latest = latest_score(tx.connection, job_id)
    machine = StageMachine(tx, job_id, Stage.SCORE)
    if latest is not None:
        machine.mark_stale("rescore_requested")
        machine.reset(reason="rescore_requested", attempts=True)
    machine.start(baseline=str(latest.version) if latest else None)
    enriched = JOB_ENRICHMENTS.get(tx.connection, job_id)
    assert enriched is not None
    told: dict[str, Any] = {
        "job_id": job_id,
        "version": (latest.version if latest else 0) + 1,
        "fit_score": 8,
        "fit_band": "strong",
        "confidence": "high",
        "weighted_fit": 0.8,
        "must_have_coverage": 0.9,
        "eligibility": "blocked",
        "blockers": ["WORK_AUTHORIZATION"],
        "profile_version": 1,
        "policy_version": 1,
        "formula_version": "1",
        "analysis_ref": "a",
        "ledger_ref": "l",
        "snapshot_hash": enriched.description_hash,
        "provider": "local",
        "model": "rules",
        **changes,
    }
    tx.append(f"job/{job_id}", JobScored(**told))
    machine.complete()


async def test_a_job_that_its_own_preparation_ruled_out_is_done_and_stays_blocked(house: House) -> None:
    await ruled_out(house)

    group = member(house)

    assert (group.plan and group.plan.hold, group.is_done, group.is_troubled) == ("proven", True, False)
    assert (group.outcomes()["tailor"], group.outcomes()["pdf_render"]) == ("blocked", "skipped")
    assert shown(house).phase == "completed"


async def test_a_newer_score_proves_nothing_of_the_older_preparation(house: House) -> None:
    job_id = await ruled_out(house)
    with acting_for(Execution("run-" + "0" * 32, "r9")), house.store.writer() as tx:
        score(tx, job_id)

    assert member(house).plan is not None
    assert (member(house).is_done, shown(house).phase) == (False, "draining")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE job_scores SET eligibility = 'eligible'",
        "UPDATE job_scores SET blockers = '[]'",
        "UPDATE job_scores SET corrected_from = 3",
        "UPDATE job_scores SET version = 2",
        "UPDATE job_scores SET snapshot_hash = 'another text'",
        "UPDATE job_stage_states SET owner_run = 'another run' WHERE stage = 'score'",
        "UPDATE job_stage_states SET owner_workflow = 'another' WHERE stage = 'score'",
        "UPDATE job_stage_states SET state = 'stale' WHERE stage = 'score'",
        "UPDATE job_stage_states SET retryable = 1 WHERE stage = 'tailor'",
        "UPDATE job_stage_states SET blocked_by = '[]' WHERE stage = 'cover'",
        "UPDATE job_stage_states SET error_code = 'SETUP' WHERE stage = 'tailor'",
        "DELETE FROM preparation_outcomes",
    ],
)
async def test_a_hold_is_proven_by_all_of_its_evidence_or_not_at_all(house: House, change: str) -> None:
    await ruled_out(house)
    with house.store.writer() as tx:
        tx.connection.execute(change)

    assert member(house).plan is not None
    assert member(house).plan.hold != "proven"  # type: ignore[union-attr]
    assert not member(house).is_done


def test_runs_about_no_single_job_cannot_be_priced(house: House) -> None:
    start(house, NEW)
    assert look(house).unpriced_runs == 0

    start(house, Execution("discover-scheduled", "r1"), "ScheduledDiscoverWorkflow")
    assert look(house).unpriced_runs == 0

    start(house, Execution("import-1", "r1"), "JobUrlImportWorkflow")

    assert look(house).unpriced_runs == 1

    # Its jobs are reserved in its name: they are priced one by one.
    start(house, Execution("prepare-auto-local-score-" + "0a" * 12, "r1"), "JobPipelineWorkflow")
    assert look(house).unpriced_runs == 1


@pytest.mark.parametrize(("error", "used_up"), [("budget_exceeded", True), ("workflow_error", False), (None, False)])
def test_the_budget_is_used_up_when_the_run_that_ended_last_said_so(
    house: House, error: str | None, used_up: bool
) -> None:
    start(house, NEW)
    end(house, NEW, error=error)

    assert look(house).budget_used_up is used_up


def test_the_workers_own_measures_count_only_where_the_log_has_none(house: House) -> None:
    now = house.store.clock()
    [job_id] = searched(house, OLD, 1)
    with acting_for(Execution(PREPARATION, "r1")), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.start()
        machine.complete(duration_ms=700)
    measured = [
        Attempt(moment(now), "score_job", "succeeded", duration_ms=1),
        Attempt(moment(now), "render_pdf", "succeeded", duration_ms=40),
        Attempt(moment(now), "render_pdf", "failed", duration_ms=9000),
    ]
    keep_beat(house.store, beat(), [*measured, replace(measured[1], recorded_at=moment(now - timedelta(days=15)))])

    assert (look(house).samples["score"], look(house).samples["pdf_render"]) == ([700], [40])


def tell_of(house: House, *runs: Execution) -> None:
    """A worker says that it scores something in each of the runs."""
    now = house.store.clock()
    details = tuple(
        ActiveDetail("score_job", "job-scoring", f"op_{number:024x}", run.workflow_id, run.run_id, 1, moment(now))
        for number, run in enumerate(runs)
    )
    keep_beat(
        house.store,
        beat(
            identity=house.store.workspace_id,
            last_seen_at=moment(now),
            active_count=len(runs),
            active_counts={"score_job": len(runs)},
            active_details=details,
            active_details_total=len(runs),
        ),
    )


def test_a_worker_is_decorated_by_the_log_only_for_its_exact_run(house: House) -> None:
    [job_id] = searched(house, NEW, 1)
    plan(house, NEW, job_id)
    start(house, PREPARED, "JobPreparationWorkflow", job_id)
    tell_of(house, PREPARED, Execution(PREPARATION, "01a228d7-0000-7a08-96cf-ae265a83ebdc"))

    known, unknown = operations_snapshot(house.store).active_items
    assert (known.title, known.job_id, known.scope) == ("Engineer 1", job_id, "current_execution")
    assert (unknown.title, unknown.kind) == (None, "unresolved_runtime_activity")

    end(house, PREPARED, "JobPreparationWorkflow")
    assert [each.title for each in operations_snapshot(house.store).active_items] == [None]


def test_another_run_on_a_members_job_is_no_work_of_the_execution(house: House) -> None:
    [job_id] = searched(house, NEW, 1)
    plan(house, NEW, job_id)
    mine = Execution("run-" + "0b" * 16, "01a228d7-5b2d-7a08-96cf-ae265a83ebdc")
    start(house, mine, "JobPipelineWorkflow", job_id)
    tell_of(house, mine)

    [item] = operations_snapshot(house.store).active_items

    assert (item.job_id, item.scope) == (job_id, "global_outside_execution")


@pytest.mark.parametrize("query", [MEMBERS_SQL["members"], MEMBERS_SQL["holds"], SQL["may_move"]])
def test_the_snapshot_of_a_large_search_reads_each_member_by_its_key(house: House, query: str) -> None:
    with house.store.reader() as connection:
        values = {"workflow_id": "w", "run_id": "r", "closed_states": "[]"}
        plan = [row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + query, values)]

    scanned = [line for line in plan if line.startswith("SCAN") and "VIRTUAL" not in line and "CONSTANT" not in line]
    assert scanned == []
