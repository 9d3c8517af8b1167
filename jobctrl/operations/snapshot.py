"""The operations snapshot: which execution owns work, what is left in each scope, what runs now, and how long. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from jobctrl.operations.capacity import Capacity, Runtime
from jobctrl.operations.eta import VERSION, Demand, Eta, estimate
from jobctrl.operations.heartbeats import STALE_AFTER_SECONDS, ActiveDetail
from jobctrl.operations.standings import JOB_STAGES, Counts, JobGroup, demand, job_counts, paths, step_counts
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step

Phase = Literal["discovering", "draining", "completed", "completed_with_issues", "failed", "canceled"]
Scope = Literal["current_execution", "execution_sweep", "global_outside_execution"]
SCOPES: tuple[Scope, ...] = ("current_execution", "execution_sweep", "global_outside_execution")
STAGES = {
    "source_planning": "Plan sources",
    "source_family": "Read sources",
    "enrich": "Read postings",
    "reconciliation": "Hand jobs on",
    "score": "Score",
    "tailor": "Tailor resumes",
    "cover": "Write letters",
    "pdf_render": "Render PDFs",
}
STAGE_OF_ACTIVITY = {
    "plan_discovery_sources": "source_planning",
    "discovery_source_family": "source_family",
    "discovery_enrichment": "enrich",
    "enrich": "enrich",
    "discovery_preparation_fanout": "reconciliation",
    "score": "score",
    "score_job": "score",
    "tailor": "tailor",
    "tailor_job": "tailor",
    "cover": "cover",
    "cover_letter": "cover",
    "render_pdf": "pdf_render",
}
_STEPS_OF = {
    "source_planning": ("source_planning",),
    "source_family": ("source_family",),
    "reconciliation": ("enrichment_pass", "preparation_fanout"),
}
_TROUBLE = ("failed", "exhausted")


@dataclass(frozen=True)
class Freshness:
    """How far the facts about the workers can be relied on."""

    status: Literal["fresh", "stale", "unavailable"]
    as_of: str | None
    reason: str | None
    stale_after_seconds: int = STALE_AFTER_SECONDS


@dataclass(frozen=True)
class Cohort:
    """Jobs of an execution. None is a number that no fact gives, for the *reason* stated."""

    members: int | None = None
    terminal: int | None = None
    """With nothing left to be done by itself."""
    remaining: int | None = None
    planned: int | None = None
    not_eligible: int | None = None
    pending: int | None = None
    failed_plan: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class ExecutionView:
    """The selected Discover execution."""

    discover_workflow_id: str
    discover_run_id: str
    selected_as: Literal["active_or_draining", "latest_terminal"]
    workflow_status: str
    phase: Phase
    membership_closed: bool
    started_at: str | None
    finished_at: str | None
    error_code: str | None
    internal_parallelism: int | None
    current_execution: Cohort
    swept_existing_backlog: Cohort


@dataclass(frozen=True)
class StageView:
    """One stage in one scope. Without counts, `reason` says why there are none."""

    stage: str
    label: str
    scope: Scope
    counts: Counts | None
    reason: str | None
    eta: Eta


@dataclass(frozen=True)
class StepsView:
    """The steps of one kind: how many were planned (None when unknown), and how they stand."""

    planned: int | None
    counts: Counts
    reason: str | None = None


@dataclass(frozen=True)
class Reconciliation:
    enrichment: Counts
    preparation_fanout: Counts


@dataclass(frozen=True)
class ActiveItem:
    """Something a worker does now. What is not recorded of it is None."""

    kind: Literal["resolved_job", "source_family", "orchestration", "unresolved_runtime_activity"]
    activity_type: str
    opaque_id: str
    stage: str | None
    scope: Scope | None
    """None when nothing recorded says to which scope it belongs."""
    attempt: int
    started_at: str
    workflow_id: str | None
    execution_id: str | None
    job_id: str | None = None
    title: str | None = None
    employer: str | None = None
    source_family: str | None = None


@dataclass(frozen=True)
class JobOfRun:
    """The job that an exact preparation run is about."""

    job_id: str
    title: str
    employer: str | None
    member: bool


@dataclass(frozen=True)
class Observed:
    """All that the snapshot is made of, read at one moment."""

    at: str
    runtime: Runtime
    execution: Run | None
    prepared: bool
    """Whether a preparation of a job of the execution has not ended."""
    steps: Sequence[Step]
    groups: Sequence[JobGroup]
    held: Mapping[bool, int]
    """Stages that wait for something outside, by whether the execution has their job."""
    unpriced_runs: int
    """Open runs, besides the execution, that are about no single job."""
    budget_used_up: bool
    samples: Mapping[str, Sequence[int]]
    jobs: Mapping[tuple[str, str], JobOfRun]
    """The jobs of the active details, by workflow id and run id."""
    abandoned_threads: int


@dataclass(frozen=True)
class Snapshot:
    generated_at: str
    eta_estimator_version: str
    freshness: Freshness
    execution: ExecutionView | None
    capacity: Capacity
    source_families: StepsView | None
    source_families_eta: Eta | None
    reconciliation: Reconciliation | None
    projection_coverage: None
    projection_coverage_reason: str
    stages: tuple[StageView, ...]
    active_stage_counts: dict[str, int] | None
    active_items: tuple[ActiveItem, ...]
    active_items_total: int | None
    active_items_truncated: bool | None
    abandoned_threads_24h: int
    overall_eta: Eta


def phase_of(run: Run, *, prepared: bool, steps: Sequence[Step], members: Sequence[JobGroup]) -> Phase:
    """Where an execution is, its run and its jobs taken together."""
    if run.status == "in_progress":
        return "discovering"
    if run.status == "canceled":
        return "canceled"
    if run.status != "succeeded":
        return "failed"
    if prepared:
        return "draining"
    lost = any(step.state != "succeeded" for step in steps)
    troubled = any(outcome in _TROUBLE for group in members for outcome in group.outcomes().values())
    unread = bool(json.loads(run.summary).get("sourcesFailed"))
    return "completed_with_issues" if lost or troubled or unread else "completed"


def snapshot(seen: Observed) -> Snapshot:
    """The whole picture at one moment."""
    view = _Picture(seen)
    capacity = seen.runtime.capacity
    fresh = capacity.status == "available"
    return Snapshot(
        generated_at=seen.at,
        eta_estimator_version=VERSION,
        freshness=Freshness("fresh" if fresh else capacity.status, capacity.as_of, capacity.reason),  # type: ignore[arg-type]
        execution=view.execution(),
        capacity=capacity,
        source_families=view.families(),
        source_families_eta=view.families_eta(),
        reconciliation=view.reconciliation(),
        projection_coverage=None,
        projection_coverage_reason="execution_membership_not_recorded",
        stages=tuple(view.stages()),
        active_stage_counts=view.active_stages(),
        active_items=view.items,
        active_items_total=seen.runtime.total,
        active_items_truncated=seen.runtime.truncated,
        abandoned_threads_24h=seen.abandoned_threads,
        overall_eta=view.overall(),
    )


class _Picture:
    """The parts of one snapshot, each made out of what was observed."""

    def __init__(self, seen: Observed) -> None:
        self._seen = seen
        self._run = seen.execution
        self._ended = self._run is not None and self._run.status != "in_progress"
        self._mine = [group for group in seen.groups if group.member]
        self._others = [group for group in seen.groups if not group.member]
        self.items = tuple(self._item(detail) for detail in seen.runtime.details)

    def execution(self) -> ExecutionView | None:
        run = self._run
        if run is None:
            return None
        phase = self._phase(run)
        left = sum(group.jobs for group in self._mine if group.left())
        members = sum(group.jobs for group in self._mine)
        return ExecutionView(
            discover_workflow_id=run.workflow_id,
            discover_run_id=run.run_id,
            selected_as="active_or_draining" if phase in ("discovering", "draining") else "latest_terminal",
            workflow_status=run.status,
            phase=phase,
            membership_closed=self._membership_closed,
            started_at=run.started_at,
            finished_at=run.finished_at,
            error_code=run.error_code,
            internal_parallelism=json.loads(run.input_summary).get("workers"),
            current_execution=Cohort(members, members - left, left, reason="work_plans_not_recorded"),
            swept_existing_backlog=Cohort(reason="execution_membership_not_recorded"),
        )

    def _phase(self, run: Run) -> Phase:
        return phase_of(run, prepared=self._seen.prepared, steps=self._seen.steps, members=self._mine)

    @property
    def _membership_closed(self) -> bool:
        """Membership is what was observed: the last fan-out comes after all observing, and so does the run's end."""
        return self._ended or any(
            (step.step_kind, step.item_key) == ("preparation_fanout", "terminal")
            and step.state in ("succeeded", "failed")
            for step in self._seen.steps
        )

    def families(self) -> StepsView | None:
        if self._run is None:
            return None
        steps = self._of_kind("source_family")
        # Until every family has begun, or was queued, the log does not tell how many there will be.
        told = self._ended or (bool(steps) and all(step.queued_at for step in steps))
        planned = len(steps) if told else None
        return StepsView(planned, step_counts(steps, ended=self._ended), None if told else "plan_not_recorded")

    def families_eta(self) -> Eta | None:
        families = self.families()
        if families is None:
            return None
        running = (self._seen.runtime.counts or {}).get("discovery_source_family", 0)
        processing = families.counts.processing or 0
        left = families.counts.waiting + processing
        return self._estimate(
            replace(
                self._demand({"source_family": left} if left else {}, [], {}),
                known=families.planned is not None,
                paths=[("source_family",)] if left else [],
                live=0 if self._ended else self._live("source_family"),
                closed=True,
            ),
            slots=min(processing, running),
            basis="source_rate",
            caveat="Sources differ: a family may take longer than those that were read lately.",
        )

    def reconciliation(self) -> Reconciliation | None:
        if self._run is None:
            return None
        return Reconciliation(
            step_counts(self._of_kind("enrichment_pass"), ended=self._ended),
            step_counts(self._of_kind("preparation_fanout"), ended=self._ended),
        )

    def stages(self) -> list[StageView]:
        scopes = SCOPES if self._run is not None else SCOPES[2:]
        return [self._stage(stage, scope) for stage in STAGES for scope in scopes]

    def _stage(self, stage: str, scope: Scope) -> StageView:
        label = STAGES[stage]
        unknown = Eta("unavailable", self._seen.at, "unknown_scope")
        if scope == "execution_sweep":
            return StageView(stage, label, scope, None, "execution_membership_not_recorded", unknown)
        if stage in JOB_STAGES:
            mine, others = (self._mine, self._others)
            if scope == "global_outside_execution":
                mine, others = others, mine
            return StageView(stage, label, scope, job_counts(mine)[stage], None, self._stage_eta(stage, mine, others))
        if scope == "global_outside_execution":
            return StageView(stage, label, scope, None, "no_global_domain_queue", unknown)
        if stage == "source_family":
            return StageView(stage, label, scope, self._steps(stage), None, self.families_eta() or unknown)
        return StageView(stage, label, scope, self._steps(stage), None, unknown)

    def _stage_eta(self, stage: str, mine: Sequence[JobGroup], others: Sequence[JobGroup]) -> Eta:
        """What is known to be left of one stage, when nothing else wants the slots."""
        here = demand(self._going_on(mine))
        wanted = {stage: here[stage]} if here[stage] else {}
        running = self._live(stage) if self._going_on(mine) else 0
        alone = not any(count for other, count in here.items() if other != stage) and not demand(self._going_on(others))
        base = self._demand(wanted, [(stage,)] if wanted else [], {})
        return self._estimate(
            replace(base, live=running, closed=True, bounded=base.bounded and alone), basis="stage_throughput"
        )

    def active_stages(self) -> dict[str, int] | None:
        if self._seen.runtime.counts is None:
            return None
        found: dict[str, int] = {}
        for activity_type, count in self._seen.runtime.counts.items():
            stage = STAGE_OF_ACTIVITY.get(activity_type)
            if stage is not None:
                found[stage] = found.get(stage, 0) + count
        return {stage: found[stage] for stage in STAGES if stage in found}

    def overall(self) -> Eta:
        going_on = list(self._going_on(self._mine))
        others = list(self._going_on(self._others))
        wanted = demand(going_on)
        families = self.families()
        if families is not None and not self._ended and families.counts.processing:
            wanted["source_family"] += families.counts.processing
        live = self._live_here()
        base = self._demand(wanted, list(paths(going_on)), demand(others))
        return self._estimate(
            replace(
                base,
                known=self._run is not None or (live == 0 and not demand(others)),
                live=live,
                held=bool(self._seen.held.get(True)) and not wanted,
                closed=self._run is None or self._membership_closed,
            )
        )

    def _going_on(self, groups: Sequence[JobGroup]) -> list[JobGroup]:
        """Those whose stages will be run by themselves: some run has taken them, or their execution still hands on."""
        handing_on = self._run is not None and not self._ended
        return [group for group in groups if group.taken or (group.member and handing_on)]

    def _demand(
        self, wanted: Mapping[str, int], ways: Sequence[tuple[str, ...]], elsewhere: Mapping[str, int]
    ) -> Demand:
        retried = any(
            outcome == "failed" for group in self._others if group.taken for outcome in group.outcomes().values()
        )
        queue = self._seen.runtime.capacity.approximate_task_queue
        return Demand(
            remaining=wanted,
            paths=ways,
            elsewhere=elsewhere,
            live=None,
            bounded=not (
                retried or self._seen.unpriced_runs or self._seen.runtime.truncated or queue.status != "available"
            ),
            budget_used_up=self._seen.budget_used_up,
        )

    def _estimate(self, wanted: Demand, **how: object) -> Eta:
        return estimate(wanted, self._seen.samples, self._seen.runtime.capacity, self._seen.at, **how)  # type: ignore[arg-type]

    def _live(self, stage: str) -> int | None:
        counts = self.active_stages()
        return None if counts is None else counts.get(stage, 0)

    def _live_here(self) -> int | None:
        """Activities of the execution; None when one cannot be told from others, or is not listed."""
        if (self._run is None or self._ended) and not self._going_on(self._mine):
            # No run of it is open, and an activity lives no longer than its run.
            return 0
        if self._seen.runtime.total is None or self._seen.runtime.truncated:
            return None
        if any(item.scope is None for item in self.items):
            return None
        return sum(item.scope == "current_execution" for item in self.items)

    def _of_kind(self, *kinds: str) -> list[Step]:
        return [step for step in self._seen.steps if step.step_kind in kinds]

    def _steps(self, stage: str) -> Counts:
        return step_counts(self._of_kind(*_STEPS_OF[stage]), ended=self._ended)

    def _item(self, detail: ActiveDetail) -> ActiveItem:
        stage = STAGE_OF_ACTIVITY.get(detail.activity_type)
        item = ActiveItem(
            "unresolved_runtime_activity",
            detail.activity_type,
            detail.opaque_id,
            stage,
            None,
            detail.attempt,
            detail.started_at,
            detail.workflow_ref,
            detail.execution_ref,
        )
        exact = (detail.workflow_ref or "", detail.execution_ref or "")
        job = self._seen.jobs.get(exact)
        if job is not None:
            scope: Scope = "current_execution" if job.member else "global_outside_execution"
            return replace(
                item, kind="resolved_job", scope=scope, job_id=job.job_id, title=job.title, employer=job.employer
            )
        if self._run is None or exact != (self._run.workflow_id, self._run.run_id):
            return item
        item = replace(item, kind="orchestration", scope="current_execution")
        if stage == "source_family":
            running = [step.item_key for step in self._of_kind("source_family") if step.state == "running"]
            # The worker does not say which family it reads; when one step alone runs it is that one.
            only = running[0].removeprefix("family:") if len(running) == 1 else None
            return replace(item, kind="source_family", source_family=only)
        return item
