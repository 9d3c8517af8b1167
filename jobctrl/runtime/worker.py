"""The worker: every workflow and activity of this house, on one task queue, for one workspace."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from temporalio.client import Client
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from jobctrl.runtime.interceptor import ActivityRules
from jobctrl.runtime.telemetry import Inventory, Telemetry
from jobctrl.workflows.options import LOCAL_SLOTS
from jobctrl.workflows.registry import WORKFLOWS

PASSED_THROUGH = ("jobctrl", "pydantic", "pydantic_core", "msgspec", "uuid_utils", "numpy", "annotated_types")


def runner() -> SandboxedWorkflowRunner:
    """The sandbox, with our own modules shared: workflow files reach no adapter, which import-linter sees to."""
    return SandboxedWorkflowRunner(restrictions=SandboxRestrictions.default.with_passthrough_modules(*PASSED_THROUGH))


def build_worker(
    client: Client,
    *,
    task_queue: str,
    activities: Sequence[Any],
    workspace: str,
    slots: int,
    inventory: Inventory | None = None,
) -> Worker:
    """The production worker; tests build theirs with it too. *inventory* is told of every activity."""
    counting = [Telemetry(inventory)] if inventory is not None else []
    return Worker(
        client,
        task_queue=task_queue,
        workflows=WORKFLOWS,
        activities=activities,
        workflow_runner=runner(),
        interceptors=[*counting, ActivityRules(workspace)],
        max_concurrent_activities=slots,
        max_concurrent_local_activities=LOCAL_SLOTS,
        max_heartbeat_throttle_interval=timedelta(seconds=2),
        graceful_shutdown_timeout=timedelta(seconds=2),
    )
