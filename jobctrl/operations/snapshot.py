"""The operations snapshot: which execution owns work, what is left in each scope, what runs now, and how long. Pure."""

from __future__ import annotations

import json

from jobctrl.operations.active_items import stage_counts
from jobctrl.operations.estimates import Estimates
from jobctrl.operations.eta import VERSION
from jobctrl.operations.observed import MEMBERS, Observed
from jobctrl.operations.phases import cohort, membership_closed, phase_of, progress_of
from jobctrl.operations.stage_views import families, reconciliation, stage_views
from jobctrl.operations.views import STAGE_OF_ACTIVITY, ActiveItem, ExecutionView, Freshness, Progress, Snapshot
from jobctrl.pipeline.runs import Run

__all__ = ["STAGE_OF_ACTIVITY", "ActiveItem", "Observed", "Snapshot", "snapshot"]


def snapshot(seen: Observed) -> Snapshot:
    """The whole picture at one moment."""
    estimates = Estimates(seen)
    capacity = seen.runtime.capacity
    fresh = capacity.status == "available"
    return Snapshot(
        generated_at=seen.at,
        eta_estimator_version=VERSION,
        freshness=Freshness("fresh" if fresh else capacity.status, capacity.as_of, capacity.reason),  # type: ignore[arg-type]
        execution=_execution(seen, seen.execution) if seen.execution is not None else None,
        capacity=capacity,
        source_families=families(seen),
        source_families_eta=estimates.families() if seen.execution is not None else None,
        reconciliation=reconciliation(seen),
        projection_coverage=seen.coverage,
        stages=stage_views(seen, estimates),
        active_stage_counts=stage_counts(seen.runtime.counts),
        active_items=seen.items,
        active_items_total=seen.runtime.total,
        active_items_truncated=seen.runtime.truncated,
        abandoned_threads_24h=seen.abandoned_threads,
        overall_eta=estimates.overall(),
    )


def _execution(seen: Observed, run: Run) -> ExecutionView:
    incomplete = seen.coverage is not None and seen.coverage.state == "incomplete"
    phase = phase_of(run, steps=seen.steps, members=seen.of(*MEMBERS), proven=not incomplete)
    return ExecutionView(
        discover_workflow_id=run.workflow_id,
        discover_run_id=run.run_id,
        selected_as="active_or_draining" if phase in ("discovering", "draining") else "latest_terminal",
        workflow_status=run.status,
        phase=phase,
        membership_closed=membership_closed(seen.steps),
        started_at=run.started_at,
        finished_at=run.finished_at,
        error_code=run.error_code,
        internal_parallelism=json.loads(run.input_summary).get("workers"),
        progress=progress_of(run, seen.steps) if seen.withheld is None else Progress(None, None, seen.withheld),
        current_execution=cohort(seen.of("current_execution"), seen.withheld),
        swept_existing_backlog=cohort(seen.of("execution_sweep"), seen.withheld),
    )
