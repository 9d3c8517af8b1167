"""What the operations snapshot says, part by part. None is a number that no fact gives; its reason stands beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from jobctrl.operations.capacity import Capacity
from jobctrl.operations.eta import Eta
from jobctrl.operations.groups import Scope
from jobctrl.operations.heartbeats import STALE_AFTER_SECONDS
from jobctrl.operations.standings import Counts

Phase = Literal["discovering", "draining", "completed", "completed_with_issues", "failed", "canceled"]
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
    "discovery_stream": "enrich",
    "discovery_enrichment": "enrich",
    "discovery_preparation_fanout": "reconciliation",
    "score_job": "score",
    "tailor_job": "tailor",
    "cover_letter": "cover",
    "render_pdf": "pdf_render",
}


@dataclass(frozen=True)
class Freshness:
    """How far the facts about the workers can be relied on."""

    status: Literal["fresh", "stale", "unavailable"]
    as_of: str | None
    reason: str | None
    stale_after_seconds: int = STALE_AFTER_SECONDS


@dataclass(frozen=True)
class CoverageView:
    """How far the selected execution is proven by its exact history. Only `ready` is a proof."""

    state: Literal["ready", "recovering", "retrying", "incomplete"]
    reason: str | None
    """A code; None when ready."""
    mode: Literal["native", "reconstructed"] | None = None
    decoder_version: int | None = None
    history_event_id: int | None = None
    expected_membership_count: int | None = None
    persisted_membership_count: int | None = None
    expected_step_count: int | None = None
    persisted_step_count: int | None = None
    updated_at: str | None = None


@dataclass(frozen=True)
class Progress:
    """How many source families and terminal passes have ended. It never goes back; it is no progress of jobs."""

    completed: int | None
    total: int | None
    reason: str | None = None


@dataclass(frozen=True)
class CohortView:
    """Members of an execution, as far as their jobs are visible."""

    members: int | None = None
    terminal: int | None = None
    """With nothing left for this execution."""
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
    progress: Progress
    current_execution: CohortView
    swept_existing_backlog: CohortView


@dataclass(frozen=True)
class StageView:
    """One stage in one scope."""

    stage: str
    label: str
    scope: Scope
    counts: Counts | None
    reason: str | None
    eta: Eta


@dataclass(frozen=True)
class StepsView:
    """The steps of one kind: how many were planned, and how they stand."""

    planned: int | None
    counts: Counts | None
    reason: str | None = None


@dataclass(frozen=True)
class Reconciliation:
    """The steps that hand jobs on."""

    enrichment: Counts | None
    preparation_fanout: Counts | None
    existing_backlog_sweep: Counts | None
    reason: str | None = None


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
class Snapshot:
    generated_at: str
    eta_estimator_version: str
    freshness: Freshness
    execution: ExecutionView | None
    capacity: Capacity
    source_families: StepsView | None
    source_families_eta: Eta | None
    reconciliation: Reconciliation | None
    projection_coverage: CoverageView | None
    """None without an execution."""
    stages: tuple[StageView, ...]
    active_stage_counts: dict[str, int] | None
    active_items: tuple[ActiveItem, ...]
    active_items_total: int | None
    active_items_truncated: bool | None
    abandoned_threads_24h: int
    overall_eta: Eta
