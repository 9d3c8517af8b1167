"""The worker's heartbeat: a row of the workspace, written over every 15 seconds for as long as the worker lives."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.operations.heartbeats import (
    EVERY_SECONDS,
    Attempt,
    Heartbeat,
    QueueObservation,
    QueueStats,
    keep_attempt,
    keep_beat,
    leave,
)
from jobctrl.runtime.periodic import periodic
from jobctrl.runtime.telemetry import Inventory, safe_run, safe_workflow
from jobctrl.store import Store, current_execution, moment

log = logging.getLogger(__name__)
SAMPLE_TIMEOUT = timedelta(seconds=3)


@asynccontextmanager
async def beating(
    store: Store,
    client: Client,
    inventory: Inventory,
    *,
    task_queue: str,
    slots: int,
    threads: int,
    every: float = EVERY_SECONDS,
) -> AsyncIterator[str]:
    """Beat now, and again every *every* seconds for as long as the block runs; yields the worker's id."""
    worker_id = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    started = moment(store.clock())

    async def beat() -> None:
        seen = await observe(client, task_queue, moment(store.clock()))
        standing = inventory.standing()
        row = Heartbeat(
            worker_id=worker_id,
            identity=store.workspace_id,
            task_queue=task_queue,
            started_at=started,
            last_seen_at=moment(store.clock()),
            slots=slots,
            executor_threads=threads,
            active_count=standing.active,
            active_counts=standing.counts,
            active_details=standing.details,
            active_details_total=standing.total,
            durations=standing.durations,
            queue_observation=seen,
        )
        with inventory.ended() as ended:
            await asyncio.to_thread(keep_beat, store, row, ended)

    try:
        async with periodic("the heartbeat", beat, every=every):
            yield worker_id
    finally:
        try:
            await asyncio.to_thread(leave, store, worker_id)
        except Exception:
            log.exception("The end of a worker was not written; it counts as stale from now on")


async def observe(client: Client, task_queue: str, at: str) -> QueueObservation:
    """How Temporal sees the queue; without numbers, and with the reason, when it does not say."""
    try:
        workflow, activity = await asyncio.gather(
            _stats(client, task_queue, TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW),
            _stats(client, task_queue, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY),
        )
    except RPCError as error:
        if error.status == RPCStatusCode.UNIMPLEMENTED:
            return _unsupported(at)
        return QueueObservation("unavailable", at, reason_code="describe_task_queue_unavailable")
    if workflow is None or activity is None:
        return _unsupported(at)
    return QueueObservation("available", at, workflow, activity)


def _unsupported(at: str) -> QueueObservation:
    return QueueObservation("unsupported", at, reason_code="describe_task_queue_stats_unsupported")


async def _stats(client: Client, task_queue: str, kind: TaskQueueType.ValueType) -> QueueStats | None:
    answer = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=task_queue),
            task_queue_type=kind,
            report_stats=True,
        ),
        timeout=SAMPLE_TIMEOUT,
    )
    if not answer.HasField("stats"):
        return None
    stats = answer.stats
    return QueueStats(
        len(answer.pollers),
        stats.approximate_backlog_count,
        stats.approximate_backlog_age.seconds + stats.approximate_backlog_age.nanos / 1e9,
        stats.tasks_add_rate,
        stats.tasks_dispatch_rate,
    )


def abandoned_threads(store: Store) -> Callable[[str], None]:
    """What the blocking pool calls when a thread ignores its cancellation: it is counted, and nobody waits for that."""

    def count(activity_type: str) -> None:
        execution = current_execution()
        attempt = Attempt(
            moment(store.clock()),
            activity_type,
            "abandoned",
            "abandoned_thread",
            workflow_id=safe_workflow(execution.workflow_id) if execution else None,
            run_id=safe_run(execution.run_id) if execution else None,
        )
        asyncio.get_running_loop().run_in_executor(None, _keep, store, attempt)

    return count


def _keep(store: Store, attempt: Attempt) -> None:
    try:
        keep_attempt(store, attempt)
    except Exception:
        log.exception("An abandoned thread was not counted")
