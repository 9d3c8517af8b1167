"""What is recorded of workflow runs and of the steps of a Discover execution."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from jobctrl.events import Event, Level

StepKind = Literal[
    "source_planning",
    "source_family",
    "enrichment_pass",
    "preparation_fanout",
    "existing_backlog_sweep",
    "pdf_render",
]


class WorkflowFact(Event):
    """One exact execution: a workflow id can name more than one run over time."""

    workflow_id: str
    workflow_type: str
    temporal_run_id: str | None = None


class WorkflowStarted(WorkflowFact):
    input_summary: dict[str, Any] = {}
    started_at: str | None = None
    dispatched_by: str | None = None
    """Set on the mark left at dispatch; None on the run's own."""
    recovered_from_missing_history: bool = False


class WorkflowCancellationRequested(WorkflowFact):
    requested_by: str
    source: str
    evidence_kind: Literal["request_intent", "temporal_history", "recovered_temporal_history"]
    reason: str | None = None


class WorkflowCompleted(WorkflowFact):
    duration_ms: int | None = None
    summary: dict[str, Any] = {}


class WorkflowFailed(WorkflowFact):
    level: ClassVar[Level] = "error"
    error_code: str
    error_message: str
    retryable: bool
    duration_ms: int | None = None
    summary: dict[str, Any] = {}


class WorkflowCanceled(WorkflowFact):
    level: ClassVar[Level] = "warn"
    error_code: str = "workflow_canceled"
    error_message: str = "The run was canceled."
    duration_ms: int | None = None


class WorkflowTimedOut(WorkflowFact):
    level: ClassVar[Level] = "error"
    error_code: str
    error_message: str


class WorkflowTerminated(WorkflowFact):
    level: ClassVar[Level] = "error"
    error_code: str
    error_message: str


TERMINAL: tuple[type[WorkflowFact], ...] = (
    WorkflowCompleted,
    WorkflowFailed,
    WorkflowCanceled,
    WorkflowTimedOut,
    WorkflowTerminated,
)
RUN_EVENTS: tuple[type[Event], ...] = (WorkflowStarted, WorkflowCancellationRequested, *TERMINAL)


class ExecutionRef(BaseModel):
    """One exact Discover execution."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, defer_build=True)

    workflow_id: str
    temporal_run_id: str


class StepFact(Event):
    execution: ExecutionRef
    step_kind: StepKind
    item_key: str
    attempt: int
    item_count: int | None = None


class PipelineStepQueued(StepFact):
    pass


class PipelineStepStarted(StepFact):
    pass


class PipelineStepCompleted(StepFact):
    duration_ms: int | None = None


class PipelineStepFailed(StepFact):
    level: ClassVar[Level] = "error"
    error_code: str
    retryable: bool
    duration_ms: int | None = None


STEP_EVENTS: tuple[type[Event], ...] = (
    PipelineStepQueued,
    PipelineStepStarted,
    PipelineStepCompleted,
    PipelineStepFailed,
)
