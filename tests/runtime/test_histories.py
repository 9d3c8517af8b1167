"""A history is told by its names, moments and codes; words of failures are left where they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from temporalio.api.common.v1 import ActivityType, Payload, Payloads, WorkflowType
from temporalio.api.enums.v1 import EventType
from temporalio.api.failure.v1 import ApplicationFailureInfo, Failure, TimeoutFailureInfo
from temporalio.api.history.v1 import (
    ActivityTaskCanceledEventAttributes,
    ActivityTaskCompletedEventAttributes,
    ActivityTaskFailedEventAttributes,
    ActivityTaskScheduledEventAttributes,
    ActivityTaskTimedOutEventAttributes,
    HistoryEvent,
    WorkflowExecutionCompletedEventAttributes,
    WorkflowExecutionStartedEventAttributes,
)

from jobctrl.runtime.histories import told

SECRET = "what a page said"


def json_of(value: Any, encoding: bytes = b"json/plain") -> Payloads:
    data = json.dumps(value).encode()
    return Payloads(payloads=[Payload(metadata={"encoding": encoding}, data=data)])


def event(number: int, **attributes: Any) -> HistoryEvent:
    made = HistoryEvent(event_id=number, **attributes)
    made.event_time.FromSeconds(1_772_366_400 + number)
    return made


BEGAN = event(
    1,
    event_type=EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
    workflow_execution_started_event_attributes=WorkflowExecutionStartedEventAttributes(
        workflow_type=WorkflowType(name="DiscoverWorkflow"), input=json_of({"workspace": "w"})
    ),
)
ASKED = event(
    5,
    event_type=EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
    activity_task_scheduled_event_attributes=ActivityTaskScheduledEventAttributes(
        activity_type=ActivityType(name="discovery_source_family"), input=json_of({"family": "ats_api"})
    ),
)
FAILED = Failure(message=SECRET, application_failure_info=ApplicationFailureInfo(type="not_found", non_retryable=True))
LATE = Failure(message=SECRET, timeout_failure_info=TimeoutFailureInfo(), cause=FAILED)


@pytest.mark.parametrize(
    ("attributes", "state", "code", "retryable", "result"),
    [
        (
            {"event_type": EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
             "activity_task_completed_event_attributes": ActivityTaskCompletedEventAttributes(
                 scheduled_event_id=5, result=json_of({"returned": 9}))},
            "completed", None, False, {"returned": 9},
        ),
        (
            {"event_type": EventType.EVENT_TYPE_ACTIVITY_TASK_FAILED,
             "activity_task_failed_event_attributes": ActivityTaskFailedEventAttributes(
                 scheduled_event_id=5, failure=FAILED)},
            "failed", "not_found", False, None,
        ),
        (
            {"event_type": EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT,
             "activity_task_timed_out_event_attributes": ActivityTaskTimedOutEventAttributes(
                 scheduled_event_id=5, failure=LATE)},
            "failed", "workflow_error", True, None,
        ),
        (
            {"event_type": EventType.EVENT_TYPE_ACTIVITY_TASK_CANCELED,
             "activity_task_canceled_event_attributes": ActivityTaskCanceledEventAttributes(scheduled_event_id=5)},
            "canceled", "workflow_canceled", False, None,
        ),
    ],
)  # fmt: skip
def test_an_activity_is_told_by_how_it_ended(
    attributes: dict[str, Any], state: str, code: str | None, retryable: bool, result: Any
) -> None:
    history = told([BEGAN, ASKED, event(9, **attributes)])

    [activity] = history.activities
    assert (activity.name, activity.input) == ("discovery_source_family", {"family": "ats_api"})
    assert (activity.state, activity.error_code, activity.retryable) == (state, code, retryable)
    assert (activity.result, activity.duration_ms) == (result, 4000)
    assert activity.happened_at == "2026-03-01T12:00:09.000Z"
    assert SECRET not in repr(history)


def test_an_open_history_has_no_end_and_its_activity_none_either() -> None:
    history = told([BEGAN, ASKED])

    assert (history.end, history.last_event, history.input) == (None, 5, {"workspace": "w"})
    assert [(each.state, each.duration_ms) for each in history.activities] == [("scheduled", None)]


def test_a_closed_history_ends_with_its_result() -> None:
    ended = event(
        9,
        event_type=EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
        workflow_execution_completed_event_attributes=WorkflowExecutionCompletedEventAttributes(result=json_of([1])),
    )

    assert (told([BEGAN, ended]).end, told([BEGAN, ended]).result) == ("completed", [1])
    assert told([BEGAN, event(9, event_type=EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED)]).end == "terminated"


@pytest.mark.parametrize("payloads", [Payloads(), json_of(1, b"binary/encrypted"), json_of(1, b"")])
def test_what_is_not_json_is_not_read(payloads: Payloads) -> None:
    sealed = HistoryEvent()
    sealed.CopyFrom(BEGAN)
    sealed.workflow_execution_started_event_attributes.input.CopyFrom(payloads)

    assert told([sealed]).input is None
