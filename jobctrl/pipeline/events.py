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
    happened_at: str | None = None
    """When it was, by the workflow's history, where the mark was lost then and is put back later."""


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


class PreparationWorkflowOutcomeObserved(Event):
    """The history of one exact preparation run proves which steps it completed and which it left out."""

    decoder_version: Literal[1, 2]
    """1 when the run was started by the execution that counts the job among its members; 2 when it came otherwise."""
    workflow_id: str
    temporal_run_id: str
    job_id: str
    execution: ExecutionRef
    """The Discover execution that the job is a member of."""
    origin: ExecutionRef | None = None
    """The Discover execution that the run itself was started for; None for one that a person asked for."""
    required_steps: list[str]
    completed_steps: list[str]
    skipped_steps: list[str]
