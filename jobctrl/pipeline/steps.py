"""The steps of each Discover execution: a higher attempt replaces, a late lower one is ignored, first terminal wins."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from jobctrl.events import Recorded
from jobctrl.pipeline.events import (
    STEP_EVENTS,
    PipelineStepCompleted,
    PipelineStepFailed,
    PipelineStepQueued,
    PipelineStepStarted,
    StepFact,
)
from jobctrl.store import ReadTable, Row, script


class Step(Row, frozen=True):
    workflow_id: str
    run_id: str
    step_kind: str
    item_key: str
    attempt: int
    state: str
    """queued, running, succeeded or failed."""
    item_count: int | None = None
    error_code: str | None = None
    retryable: int | None = None
    queued_at: str | None = None
    started_at: str | None = None
    finished_at: str | None = None
    duration_ms: int | None = None


def fold(row: Step | None, fact: Recorded) -> Step | None:
    """The step as it stands after *fact*."""
    event = fact.event
    if not isinstance(event, StepFact):
        return row
    if row is not None and event.attempt < row.attempt:
        return row
    if row is None or event.attempt > row.attempt:
        row = Step(
            event.execution.workflow_id,
            event.execution.temporal_run_id,
            event.step_kind,
            event.item_key,
            event.attempt,
            "",
        )
    if row.state in ("succeeded", "failed"):
        return row
    if event.item_count is not None:
        row = replace(row, item_count=event.item_count)
    # A mark that was put back later tells when its step really began or ended.
    at = event.happened_at or fact.occurred_at
    match event:
        case PipelineStepQueued():
            return row if row.state else replace(row, state="queued", queued_at=at)
        case PipelineStepStarted():
            return row if row.state == "running" else replace(row, state="running", started_at=at)
        case PipelineStepCompleted() as e:
            return replace(row, state="succeeded", finished_at=at, duration_ms=e.duration_ms)
        case PipelineStepFailed() as e:
            return replace(
                row,
                state="failed",
                finished_at=at,
                duration_ms=e.duration_ms,
                error_code=e.error_code,
                retryable=int(e.retryable),
            )
        case _:
            return row


def _keys(fact: Recorded) -> Iterable[tuple[str, str, str, str]]:
    event = fact.event
    assert isinstance(event, StepFact)
    return [(event.execution.workflow_id, event.execution.temporal_run_id, event.step_kind, event.item_key)]


PIPELINE_STEPS = ReadTable(
    name="pipeline_steps",
    version=1,
    sql=script("jobctrl.pipeline", "steps.sql"),
    row=Step,
    key=("workflow_id", "run_id", "step_kind", "item_key"),
    handles=STEP_EVENTS,
    keys=_keys,
    fold=fold,
)
