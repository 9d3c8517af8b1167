"""Deadlines and retries of every activity, by name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from temporalio.common import RetryPolicy
from temporalio.workflow import ActivityCancellationType

from jobctrl.errors import NON_RETRYABLE_CODES

TASK_QUEUE = "jobctrl-default"
LOCAL_SLOTS = 2
"""Start, outcome and spend check have slots of their own, so that they never wait for model work."""

_NEVER = list(NON_RETRYABLE_CODES)


def _retry(initial: int, maximum: int, attempts: int) -> RetryPolicy:
    return RetryPolicy(
        initial_interval=timedelta(seconds=initial),
        maximum_interval=timedelta(seconds=maximum),
        backoff_coefficient=2.0,
        maximum_attempts=attempts,
        non_retryable_error_types=_NEVER,
    )


_HEARTBEAT = timedelta(minutes=2)
_SIGN_OF_LIFE = timedelta(seconds=20)
"""For work that beats from the blocking pool: a worker that died is noticed within seconds, not hours."""

PLAN: dict[str, Any] = {
    "start_to_close_timeout": timedelta(minutes=30),
    "heartbeat_timeout": _HEARTBEAT,
    "retry_policy": _retry(5, 60, 3),
}
SOURCE_FAMILY: dict[str, Any] = {
    "start_to_close_timeout": timedelta(hours=6),
    "heartbeat_timeout": _SIGN_OF_LIFE,
    "retry_policy": _retry(1, 60, 3),
    "cancellation_type": ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
}
ENRICHMENT = SOURCE_FAMILY
STREAM = SOURCE_FAMILY
COHORT: dict[str, Any] = {**PLAN, "heartbeat_timeout": _SIGN_OF_LIFE}
MODEL_CALL: dict[str, Any] = {
    "start_to_close_timeout": timedelta(hours=6),
    "heartbeat_timeout": _SIGN_OF_LIFE,
    "retry_policy": _retry(5, 60, 3),
    "cancellation_type": ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
}
MATERIALS: dict[str, Any] = {**MODEL_CALL, "retry_policy": _retry(10, 120, 3)}
RENDER: dict[str, Any] = {
    "start_to_close_timeout": timedelta(minutes=30),
    "heartbeat_timeout": _SIGN_OF_LIFE,
    "retry_policy": _retry(10, 120, 3),
}
REPORT: dict[str, Any] = {**RENDER, "cancellation_type": ActivityCancellationType.WAIT_CANCELLATION_COMPLETED}
MARK: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=30),
    "schedule_to_close_timeout": timedelta(minutes=3),
    "retry_policy": RetryPolicy(
        initial_interval=timedelta(seconds=1), maximum_interval=timedelta(seconds=10), maximum_attempts=5
    ),
    "cancellation_type": ActivityCancellationType.ABANDON,
}
SPEND_CHECK: dict[str, Any] = {
    "start_to_close_timeout": timedelta(seconds=30),
    "schedule_to_close_timeout": timedelta(minutes=3),
    "retry_policy": RetryPolicy(maximum_attempts=1),
}
