"""The operations snapshot: phases, scopes and counts, what runs now; and what nobody knows is said to be unknown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from jobctrl.operations.capacity import Capacity, Runtime
from jobctrl.operations.heartbeats import ActiveDetail, QueueObservation, QueueStats
from jobctrl.operations.snapshot import JobOfRun, Observed, Snapshot, StageView, snapshot
from jobctrl.operations.standings import JobGroup
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step

AT = "2026-03-09T12:00:00.000Z"
RUN = Run("discover-local", "run-1", "DiscoverWorkflow", "in_progress", input_summary='{"workers": 4}', started_at=AT)
ENDED = structs.replace(RUN, status="succeeded", finished_at=AT)
IDLE = QueueStats(1, 0, 0.0, 0.0, 0.0)
FRESH = Runtime(
    Capacity(
        "available", AT, None, configured_slots=4, active_slots=1, available_slots=3,
        approximate_task_queue=QueueObservation("available", AT, IDLE, IDLE),
    ),
    {}, (), 0, False,
)  # fmt: skip
SAMPLES = {stage: [1000] * 20 for stage in ("enrich", "score", "tailor", "cover", "pdf_render", "source_family")}


def jobs(number: int, *states: str, member: bool = True, **changes: Any) -> JobGroup:
    """Jobs with these states of enrich, score, tailor and cover; what is not named is pending."""
    enrich, score, tailor, cover = (*states, *("pending",) * (4 - len(states)))
    plain = JobGroup(member, False, False, enrich, score, tailor, cover, False, number)
    return replace(plain, **changes)


def step(kind: str, item: str, state: str, **changes: Any) -> Step:
    return Step("discover-local", "run-1", kind, item, 1, state, **changes)


def seen(**changes: Any) -> Snapshot:
    plain = Observed(
        at=AT, runtime=FRESH, execution=ENDED, prepared=False, steps=(), groups=(), held={}, unpriced_runs=0,
        budget_used_up=False, samples=SAMPLES, jobs={}, abandoned_threads=0,
    )  # fmt: skip
    return snapshot(replace(plain, **changes))


def row(found: Snapshot, stage: str, scope: str = "current_execution") -> StageView:
    [view] = [each for each in found.stages if (each.stage, each.scope) == (stage, scope)]
    return view


@pytest.mark.parametrize(
    ("run", "changes", "phase"),
    [
        (RUN, {}, "discovering"),
        (structs.replace(ENDED, status="canceled"), {"prepared": True}, "canceled"),
        (structs.replace(ENDED, status="failed"), {}, "failed"),
        (structs.replace(ENDED, status="timed_out"), {}, "failed"),
        (structs.replace(ENDED, status="terminated"), {}, "failed"),
        (ENDED, {"prepared": True}, "draining"),
        (ENDED, {}, "completed"),
        (ENDED, {"groups": [jobs(3, "succeeded", "succeeded", "skipped", "skipped")]}, "completed"),
        (ENDED, {"groups": [jobs(1, "succeeded", "failed")]}, "completed_with_issues"),
        (ENDED, {"groups": [jobs(1, "exhausted")]}, "completed_with_issues"),
        (ENDED, {"groups": [jobs(1, "exhausted", member=False)]}, "completed"),
        (ENDED, {"steps": [step("source_family", "family:lever", "failed")]}, "completed_with_issues"),
        (ENDED, {"steps": [step("source_family", "family:lever", "running")]}, "completed_with_issues"),
        (structs.replace(ENDED, summary='{"sourcesFailed": 1}'), {}, "completed_with_issues"),
    ],
)
def test_the_phase_takes_the_run_and_its_jobs_together(run: Run, changes: dict[str, Any], phase: str) -> None:
    execution = seen(execution=run, **changes).execution

    assert execution is not None
    assert execution.phase == phase
    assert (execution.selected_as == "active_or_draining") == (phase in ("discovering", "draining"))


def test_the_scopes_are_counted_apart() -> None:
    found = seen(groups=[jobs(2, "succeeded", "running"), jobs(5, "succeeded", member=False)])

    mine, others = row(found, "score").counts, row(found, "score", "global_outside_execution").counts
    assert mine is not None
    assert others is not None
    assert (mine.eligible, mine.processing, mine.waiting) == (2, 2, 0)
    assert (others.eligible, others.processing, others.waiting) == (5, 0, 5)


@pytest.mark.parametrize("stage", ["source_planning", "enrich", "score", "pdf_render"])
def test_the_sweep_has_no_numbers_while_nothing_records_it(stage: str) -> None:
    view = row(seen(groups=[jobs(2)]), stage, "execution_sweep")

    assert (view.counts, view.reason, view.eta.reason) == (
        None,
        "execution_membership_not_recorded",
        "unknown_scope",
    )


def test_without_an_execution_only_the_global_scope_is_shown() -> None:
    found = seen(execution=None, groups=[jobs(2, member=False)])

    assert {view.scope for view in found.stages} == {"global_outside_execution"}
    assert (found.execution, found.source_families, found.reconciliation) == (None, None, None)


@pytest.mark.parametrize(
    ("group", "stage", "outcome"),
    [
        (jobs(1), "enrich", "waiting"),
        (jobs(1, "queued"), "enrich", "waiting"),
        (jobs(1, "failed"), "score", "blocked"),
        (jobs(1, "succeeded", "exhausted"), "tailor", "blocked"),
        (jobs(1, "succeeded", closed=True), "score", "blocked"),
        (jobs(1, "succeeded", "succeeded", closed=True), "score", "succeeded"),
        (jobs(1, "succeeded", "succeeded", "skipped", "skipped"), "pdf_render", "skipped"),
        (jobs(1, "succeeded", "succeeded", "blocked", "blocked"), "pdf_render", "blocked"),
        (jobs(1, "succeeded", "succeeded", "running"), "pdf_render", "waiting"),
        (jobs(1, "succeeded", "succeeded", "succeeded", "succeeded"), "pdf_render", "waiting"),
        (jobs(1, "succeeded", "succeeded", "succeeded", "skipped"), "pdf_render", "waiting"),
        (jobs(1, "succeeded", "succeeded", "succeeded", "succeeded", complete=True), "pdf_render", "succeeded"),
        (jobs(1, "succeeded", "a state of another version"), "score", "unknown"),
        (jobs(1, "succeeded", "needs_verification"), "score", "needs_verification"),
    ],
)
def test_a_stage_that_cannot_be_reached_does_not_wait(group: JobGroup, stage: str, outcome: str) -> None:
    counts = row(seen(groups=[group]), stage).counts

    assert counts is not None
    assert getattr(counts, outcome) == counts.eligible == 1


def test_when_a_pdf_began_is_unknown_and_not_zero() -> None:
    counts = row(seen(groups=[jobs(1)]), "pdf_render").counts

    assert counts is not None
    assert counts.processing is None


def test_steps_left_running_by_a_run_that_ended_have_an_unknown_end() -> None:
    steps = [step("source_family", "family:lever", "running"), step("source_family", "family:ashby", "succeeded")]

    going, ended = (seen(execution=run, steps=steps).source_families for run in (RUN, ENDED))

    assert going is not None
    assert ended is not None
    assert (going.counts.processing, going.counts.unknown, going.planned) == (1, 0, None)
    assert (ended.counts.processing, ended.counts.unknown, ended.planned) == (0, 1, 2)


def detail(workflow: str | None, run: str | None, activity_type: str = "score_job") -> ActiveDetail:
    return ActiveDetail(activity_type, "job-scoring", "op_" + "0" * 24, workflow, run, 1, AT)


def running(*details: ActiveDetail) -> Runtime:
    counts: dict[str, int] = {}
    for each in details:
        counts[each.activity_type] = counts.get(each.activity_type, 0) + 1
    return replace(FRESH, counts=counts, details=details, total=len(details))


def test_what_runs_is_named_when_the_log_knows_its_exact_run() -> None:
    known = {("prep-1", "r1"): JobOfRun("j1", "Data Engineer", "Northmill", True)}
    runtime = running(
        detail("prep-1", "r1"),
        detail("prep-1", "another run"),
        detail(None, None),
        detail("discover-local", "run-1", "discovery_enrichment"),
    )

    found = seen(runtime=runtime, jobs=known, execution=RUN)

    job, stranger, nobody, orchestration = found.active_items
    assert (job.kind, job.title, job.scope) == ("resolved_job", "Data Engineer", "current_execution")
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

    found = seen(runtime=stale, execution=RUN)

    assert (found.active_items_total, found.active_items_truncated, found.active_stage_counts) == (None, None, None)
    assert (found.freshness.status, found.overall_eta.status) == ("stale", "stale")


DRAINING = {"prepared": True, "groups": [jobs(8, "succeeded", prepared=True), jobs(90, "succeeded")]}


def test_an_estimate_prices_what_is_being_prepared() -> None:
    eta = seen(**DRAINING).overall_eta

    # Four stages of a second for 8 jobs on 4 slots; the 90 that nobody prepares are not waited for.
    assert (eta.status, eta.low_seconds, eta.high_seconds) == ("available", 0, 60)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"unpriced_runs": 1}, "contention_unbounded"),
        ({"groups": [*DRAINING["groups"], jobs(1, "failed", member=False, prepared=True)]}, "contention_unbounded"),
        ({"runtime": replace(FRESH, truncated=True)}, "contention_unbounded"),
        ({"samples": {}}, "insufficient_samples"),
        ({"budget_used_up": True}, "budget_exceeded"),
        ({"execution": RUN}, "membership_open"),
        ({"runtime": Runtime(Capacity("unavailable", None, "no_worker"))}, "worker_unavailable"),
    ],
)
def test_no_number_is_given_that_cannot_be_defended(changes: dict[str, Any], reason: str) -> None:
    eta = seen(**{**DRAINING, **changes}).overall_eta

    assert (eta.reason, eta.low_seconds, eta.high_seconds) == (reason, None, None)


def test_a_run_that_is_done_has_no_work_also_when_no_worker_is_left() -> None:
    found = seen(groups=[jobs(3, "succeeded", "succeeded", "skipped", "skipped")], runtime=Runtime(Capacity("unavailable", None, "no_worker")))  # fmt: skip  # noqa: E501

    assert (found.overall_eta.status, found.overall_eta.reason) == ("unavailable", "no_work")


def test_work_that_waits_for_something_outside_is_paused() -> None:
    eta = seen(groups=[jobs(1, "blocked")], held={True: 1}).overall_eta

    assert (eta.status, eta.reason) == ("paused", "blocked")


def test_the_order_of_the_stages_is_the_order_of_the_work() -> None:
    stages = list(dict.fromkeys(view.stage for view in seen().stages))

    assert stages == [
        "source_planning", "source_family", "enrich", "reconciliation", "score", "tailor", "cover", "pdf_render",
    ]  # fmt: skip
