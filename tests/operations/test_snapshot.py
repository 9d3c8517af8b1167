"""The operations snapshot: scopes and counts, what runs now; and what nobody knows is said to be unknown."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.operations.active_items import JobOfRun
from jobctrl.operations.capacity import Capacity, Runtime
from jobctrl.operations.groups import JOB_STAGES, SCOPES, JobGroup, Scope
from jobctrl.operations.heartbeats import ActiveDetail, QueueObservation, QueueStats
from jobctrl.operations.observed import MEMBERS, Observed
from jobctrl.operations.snapshot import Snapshot, snapshot
from jobctrl.operations.views import CoverageView, StageView
from jobctrl.pipeline.membership import PlanState
from tests.operations.telling_runs import AT, CLOSED_BY, ENDED, RUN, jobs, plan, planned, states, step

IDLE = QueueStats(1, 0, 0.0, 0.0, 0.0)
FRESH = Runtime(
    Capacity(
        "available", AT, None, configured_slots=4, active_slots=1, available_slots=3,
        approximate_task_queue=QueueObservation("available", AT, IDLE, IDLE),
    ),
    {}, (), 0, False,
)  # fmt: skip
SAMPLES = {stage: [1000] * 20 for stage in ("enrich", "score", "tailor", "cover", "pdf_render", "source_family")}
READY = CoverageView("ready", None, "native")


def seen(**changes: Any) -> Snapshot:
    plain = Observed(
        at=AT, runtime=FRESH, execution=ENDED, coverage=READY, steps=CLOSED_BY, groups=(), unpriced_runs=0,
        budget_used_up=False, samples=SAMPLES, jobs={}, abandoned_threads=0,
    )  # fmt: skip
    return snapshot(replace(plain, **changes))


def row(found: Snapshot, stage: str, scope: str = "current_execution") -> StageView:
    [view] = [each for each in found.stages if (each.stage, each.scope) == (stage, scope)]
    return view


def test_the_scopes_are_counted_apart() -> None:
    found = seen(
        groups=[
            planned(2, "succeeded", "running"),
            planned(3, "succeeded", "succeeded", scope="execution_sweep"),
            jobs(5, "succeeded"),
        ]
    )

    counted = {scope: row(found, "score", scope).counts for scope in SCOPES}
    assert [
        (each.eligible, each.processing, each.waiting, each.succeeded) for each in counted.values() if each
    ] == [(2, 2, 0, 0), (3, 0, 0, 3), (5, 0, 5, 0)]  # fmt: skip


@st.composite
def groups(draw: st.DrawFn) -> list[JobGroup]:
    """Any jobs of any scope; members with any plan."""
    found = []
    for _ in range(draw(st.integers(0, 6))):
        scope: Scope = draw(st.sampled_from(SCOPES))
        decided = draw(plan()) if scope in MEMBERS else None
        found.append(
            jobs(
                draw(st.integers(1, 9)),
                *(draw(states()) for _ in range(4)),
                scope=scope,
                plan=decided,
                prepared=draw(st.booleans()),
                closed=draw(st.booleans()),
                complete=draw(st.booleans()),
                retryable=draw(st.frozensets(st.sampled_from(JOB_STAGES[:4]))),
            )
        )
    return found


@given(found=groups(), run=st.sampled_from([RUN, ENDED, None]))
def test_the_scopes_add_up_to_the_visible_jobs_and_no_number_is_negative(found: list[JobGroup], run: Any) -> None:
    if run is None:
        found = [replace(group, scope=SCOPES[2], plan=None) for group in found]

    told = seen(groups=found, execution=run, coverage=READY if run else None)

    left_alone = sum(group.jobs for group in found if group.plan and group.plan.state is PlanState.NOT_ELIGIBLE)
    for stage in JOB_STAGES:
        views = [view.counts for view in told.stages if view.stage == stage and view.counts is not None]
        assert sum(each.eligible for each in views) + left_alone == sum(group.jobs for group in found)
        for each in views:
            numbers = [getattr(each, field.name) or 0 for field in fields(each)]
            assert min(numbers) >= 0
            assert sum(numbers[1:]) == each.eligible
    if told.execution is not None:
        for scope, cohort in zip(MEMBERS, (told.execution.current_execution, told.execution.swept_existing_backlog), strict=True):  # fmt: skip  # noqa: E501
            assert cohort.members == sum(group.jobs for group in found if group.scope == scope)
            assert cohort.members == (cohort.terminal or 0) + (cohort.remaining or 0)
            plans = (cohort.planned, cohort.not_eligible, cohort.pending, cohort.failed_plan)
            assert cohort.members == sum(each or 0 for each in plans)
            assert min(each or 0 for each in (*plans, cohort.terminal, cohort.remaining)) >= 0


@given(found=groups(), run=st.sampled_from([RUN, ENDED]))
def test_nothing_is_left_to_do_only_when_it_is_certain(found: list[JobGroup], run: Any) -> None:
    told = seen(groups=found, execution=run)

    assert told.execution is not None
    if told.overall_eta.reason == "no_work":
        assert told.execution.membership_closed
        assert told.execution.phase != "draining"
        assert not any(group.wanted(handing_on=run is RUN) for group in found)


def test_the_sweep_has_no_sources_of_its_own() -> None:
    view = row(seen(), "source_family", "execution_sweep")

    assert (view.counts, view.reason, view.eta.reason) == (None, "no_separate_sweep_queue", "unknown_scope")


def test_without_an_execution_only_the_global_scope_is_shown() -> None:
    found = seen(execution=None, coverage=None, steps=(), groups=[jobs(2)])

    assert {view.scope for view in found.stages} == {"global_outside_execution"}
    assert (found.execution, found.source_families, found.reconciliation) == (None, None, None)
    assert found.projection_coverage is None


def test_what_an_execution_leaves_alone_is_no_work_of_it() -> None:
    found = seen(groups=[planned(2, "succeeded"), planned(7, "succeeded", state=PlanState.NOT_ELIGIBLE)])

    assert found.execution is not None
    assert (found.execution.current_execution.members, found.execution.current_execution.not_eligible) == (9, 7)
    counts = row(found, "score").counts
    assert counts is not None
    assert (counts.eligible, counts.waiting) == (2, 2)


@pytest.mark.parametrize("state", ["recovering", "retrying"])
def test_while_its_history_is_restored_nothing_is_counted_of_the_execution(state: Any) -> None:
    found = seen(
        coverage=CoverageView(state, "pipeline-history-repair-failed"),
        groups=[planned(2, "succeeded"), jobs(5, "succeeded")],
        runtime=running(detail("prep-1", "r1")),
    )

    assert found.execution is not None
    assert found.execution.progress.total is None
    assert found.execution.current_execution.members is None
    assert found.source_families is not None
    assert (found.source_families.counts, found.source_families.reason) == (None, f"coverage_{state}")
    mine = [view for view in found.stages if view.scope == "current_execution"]
    assert {(view.counts, view.reason, view.eta.low_seconds) for view in mine} == {(None, f"coverage_{state}", None)}
    assert (found.overall_eta.status, found.overall_eta.reason) == ("unavailable", "unknown_scope")
    # What the workers do, and what the canonical stages of all others say, stays.
    assert found.active_items_total == 1
    others = row(found, "score", "global_outside_execution").counts
    assert others is not None
    assert others.waiting == 5


def test_what_will_stay_unknown_is_shown_as_far_as_it_is_known_and_never_priced() -> None:
    gap = CoverageView("incomplete", "pipeline-history-incomplete", persisted_membership_count=3)
    found = seen(coverage=gap, groups=[planned(3, "succeeded", "succeeded", "succeeded", "succeeded", pdf="succeeded")])

    assert found.execution is not None
    assert (found.execution.current_execution.members, found.execution.phase) == (3, "completed_with_issues")
    assert found.overall_eta.reason == "unknown_scope"


def test_when_a_pdf_began_is_known_of_members_alone() -> None:
    found = seen(groups=[planned(1), jobs(1)])

    mine, others = row(found, "pdf_render").counts, row(found, "pdf_render", "global_outside_execution").counts
    assert mine is not None
    assert others is not None
    assert (mine.processing, others.processing) == (0, None)


def test_families_that_were_planned_wait_for_their_batch_until_the_run_has_ended() -> None:
    steps = [
        step("source_planning", "plan", "succeeded"),
        step("source_family", "family:lever", "running"),
        step("source_family", "family:ashby", "succeeded"),
        step("source_family", "family:workday", "queued"),
    ]

    going, ended = (seen(execution=run, steps=steps).source_families for run in (RUN, ENDED))

    assert going is not None
    assert going.counts is not None
    assert ended is not None
    assert ended.counts is not None
    assert (going.planned, going.counts.waiting, going.counts.processing, going.counts.unknown) == (3, 1, 1, 0)
    assert (ended.planned, ended.counts.waiting, ended.counts.processing, ended.counts.unknown) == (3, 0, 0, 2)


def test_how_many_families_there_are_is_unknown_until_they_are_planned() -> None:
    found = seen(execution=RUN, steps=[step("source_planning", "plan", "running")]).source_families

    assert found is not None
    assert (found.planned, found.reason) == (None, "plan_not_recorded")


def test_the_sweep_is_a_step_of_the_execution() -> None:
    found = seen(steps=[*CLOSED_BY, step("existing_backlog_sweep", "backlog", "succeeded")]).reconciliation

    assert found is not None
    assert found.existing_backlog_sweep is not None
    assert found.existing_backlog_sweep.succeeded == 1


def detail(workflow: str | None, run: str | None, activity_type: str = "score_job") -> ActiveDetail:
    return ActiveDetail(activity_type, "job-scoring", "op_" + "0" * 24, workflow, run, 1, AT)


def running(*details: ActiveDetail) -> Runtime:
    counts = Counter(each.activity_type for each in details)
    return replace(FRESH, counts=dict(counts), details=details, total=len(details))


def test_what_runs_is_named_when_the_log_knows_its_exact_run() -> None:
    known = {("prep-1", "r1"): JobOfRun("j1", "Data Engineer", "Northmill", "execution_sweep")}
    runtime = running(
        detail("prep-1", "r1"),
        detail("prep-1", "another run"),
        detail(None, None),
        detail("discover-local", "run-1", "discovery_enrichment"),
    )

    found = seen(runtime=runtime, jobs=known, execution=RUN)

    job, stranger, nobody, orchestration = found.active_items
    assert (job.kind, job.title, job.scope) == ("resolved_job", "Data Engineer", "execution_sweep")
    assert (stranger.kind, stranger.title, stranger.scope) == ("unresolved_runtime_activity", None, None)
    assert (nobody.kind, nobody.stage) == ("unresolved_runtime_activity", "score")
    assert (orchestration.kind, orchestration.scope) == ("orchestration", "current_execution")
    assert (found.active_items_total, found.active_stage_counts) == (4, {"enrich": 1, "score": 3})


@pytest.mark.parametrize(("families", "named"), [(("lever",), "lever"), (("lever", "ashby"), None)])
def test_a_family_is_named_only_when_it_can_be_no_other(families: tuple[str, ...], named: str | None) -> None:
    found = seen(
        execution=RUN,
        runtime=running(detail("discover-local", "run-1", "discovery_source_family")),
        steps=[step("source_family", f"family:{family}", "running") for family in families],
    )

    assert (found.active_items[0].kind, found.active_items[0].source_family) == ("source_family", named)


def test_without_a_fresh_worker_nobody_knows_what_runs() -> None:
    stale = Runtime(replace(FRESH.capacity, status="stale", reason="telemetry_stale", active_slots=None))

    found = seen(runtime=stale, execution=RUN, steps=())

    assert (found.active_items_total, found.active_items_truncated, found.active_stage_counts) == (None, None, None)
    assert (found.freshness.status, found.overall_eta.status) == ("stale", "stale")


def test_the_order_of_the_stages_is_the_order_of_the_work() -> None:
    stages = list(dict.fromkeys(view.stage for view in seen().stages))

    assert stages == [
        "source_planning", "source_family", "enrich", "reconciliation", "score", "tailor", "cover", "pdf_render",
    ]  # fmt: skip
