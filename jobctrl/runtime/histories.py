"""The events of a Temporal history, told as the records that recovery reads; of failures nothing but their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from temporalio.api.common.v1 import Payloads
from temporalio.api.enums.v1 import EventType
from temporalio.api.failure.v1 import Failure
from temporalio.api.history.v1 import HistoryEvent

from jobctrl.store import moment
from jobctrl.workflows.execution_history import ActivityRecord, End, ExecutionHistory

_ENDS: Mapping[int, End] = {
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED: "completed",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED: "failed",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED: "canceled",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED: "terminated",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TIMED_OUT: "timed_out",
    EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW: "continued_as_new",
}


def told(events: Sequence[HistoryEvent]) -> ExecutionHistory:
    """The history of one execution, from its first event to its last."""
    began, last = events[0].workflow_execution_started_event_attributes, events[-1]
    activities: dict[int, ActivityRecord] = {}
    scheduled: dict[int, datetime] = {}
    for event in events:
        if event.event_type == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
            asked = event.activity_task_scheduled_event_attributes
            activities[event.event_id] = ActivityRecord(
                asked.activity_type.name, _first(asked.input), "scheduled", moment(_at(event))
            )
            scheduled[event.event_id] = _at(event)
        elif ended := _ended(event):
            number, said = ended
            took = int((_at(event) - scheduled[number]).total_seconds() * 1000)
            now = {"happened_at": moment(_at(event)), "duration_ms": took, **said}
            activities[number] = ActivityRecord(**{**vars(activities[number]), **now})
    is_completed = last.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED
    return ExecutionHistory(
        began.workflow_type.name,
        _first(began.input),
        last.event_id,
        _ENDS.get(last.event_type),
        _first(last.workflow_execution_completed_event_attributes.result) if is_completed else None,
        tuple(activities.values()),
    )


def _ended(event: HistoryEvent) -> tuple[int, dict[str, Any]] | None:
    """Which activity an event ends, and how."""
    match event.event_type:
        case EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED:
            completed = event.activity_task_completed_event_attributes
            return completed.scheduled_event_id, {"state": "completed", "result": _first(completed.result)}
        case EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED:
            failed = event.activity_task_failed_event_attributes
            return failed.scheduled_event_id, _failure(failed.failure)
        case EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT:
            timed_out = event.activity_task_timed_out_event_attributes
            return timed_out.scheduled_event_id, _failure(timed_out.failure)
        case EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED:
            canceled = event.activity_task_canceled_event_attributes
            return canceled.scheduled_event_id, {"state": "canceled", "error_code": "workflow_canceled"}
        case _:
            return None


def _failure(failure: Failure) -> dict[str, Any]:
    """The code that the run itself gives to the failure when it marks the step."""
    if not failure.HasField("application_failure_info"):
        return {"state": "failed", "error_code": "workflow_error", "retryable": True}
    info = failure.application_failure_info
    return {"state": "failed", "error_code": info.type or "unclassified", "retryable": not info.non_retryable}


def _first(payloads: Payloads) -> Any:
    """The first value; None when there is none, or none in JSON."""
    if not payloads.payloads or payloads.payloads[0].metadata.get("encoding") != b"json/plain":
        return None
    try:
        return msgspec.json.decode(payloads.payloads[0].data)
    except msgspec.DecodeError:
        return None


def _at(event: HistoryEvent) -> datetime:
    return event.event_time.ToDatetime(UTC)
