"""What the workers do now, named as far as the log knows the exact run. A name alone never makes work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jobctrl.operations.groups import Scope
from jobctrl.operations.heartbeats import ActiveDetail
from jobctrl.operations.views import STAGE_OF_ACTIVITY, STAGES, ActiveItem
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step


@dataclass(frozen=True)
class JobOfRun:
    """The job that an exact run is about."""

    job_id: str
    title: str
    employer: str | None
    scope: Scope


@dataclass(frozen=True)
class Naming:
    """What is known of the runs that activities belong to."""

    execution: Run | None
    steps: Sequence[Step]
    jobs: Mapping[tuple[str, str], JobOfRun]
    """By workflow id and run id."""

    def item(self, detail: ActiveDetail) -> ActiveItem:
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
        job = self.jobs.get(exact)
        if job is not None:
            return replace(
                item, kind="resolved_job", scope=job.scope, job_id=job.job_id, title=job.title, employer=job.employer
            )
        if self.execution is None or exact != (self.execution.workflow_id, self.execution.run_id):
            return item
        if stage == "source_family":
            return replace(item, kind="source_family", scope="current_execution", source_family=self._only_family())
        return replace(item, kind="orchestration", scope="current_execution")

    def _only_family(self) -> str | None:
        """The worker does not say which family it reads; when one step alone runs it is that one."""
        running = [
            step.item_key for step in self.steps if step.step_kind == "source_family" and step.state == "running"
        ]
        return running[0].removeprefix("family:") if len(running) == 1 else None


def stage_counts(counts: Mapping[str, int] | None) -> dict[str, int] | None:
    """Activities by stage, out of their number by type; None without a fresh worker."""
    if counts is None:
        return None
    found: dict[str, int] = {}
    for activity_type, count in counts.items():
        stage = STAGE_OF_ACTIVITY.get(activity_type)
        if stage is not None:
            found[stage] = found.get(stage, 0) + count
    return {stage: found[stage] for stage in STAGES if stage in found}
