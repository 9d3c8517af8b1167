"""DurabilityProbeWorkflow: an activity, a timer, an activity. It fetches nothing, asks no model and costs nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio import activity, workflow
from temporalio.exceptions import ApplicationError

with workflow.unsafe.imports_passed_through():
    from jobctrl.errors import InvalidRequest
    from jobctrl.ids import TENANT
    from jobctrl.store import Store
    from jobctrl.workflows.envelope import Envelope

LONGEST_HOLD = 3600
LOOK: dict[str, Any] = {"start_to_close_timeout": timedelta(seconds=10)}
"""Retried until it succeeds: that a worker or a server is away for a while is what the probe is there to survive."""


def probe_id(suffix: str) -> str:
    return f"durability-probe-{TENANT}-{suffix}"


@dataclass(frozen=True)
class ProbeInput:
    workspace: str
    hold_seconds: int = 20


@dataclass(frozen=True)
class ProbeLook:
    workspace: str


@dataclass(frozen=True)
class ProbeResult:
    workflow_id: str
    run_id: str
    hold_seconds: int
    position_before: int = 0
    position_after: int = 0
    """Where the log stood on either side of the timer."""
    failure: str | None = None
    error_code: str | None = None


class ProbeActivities:
    def __init__(self, store: Store) -> None:
        self._store = store

    @activity.defn
    async def probe_log(self, look: ProbeLook) -> int:
        """The position of the newest fact, as the worker sees it."""
        return await asyncio.to_thread(self._store.position)


@workflow.defn
class DurabilityProbeWorkflow:
    """Held open by a durable timer, so that anything may be killed and started again meanwhile."""

    @workflow.run
    async def run(self, input: ProbeInput) -> ProbeResult:
        envelope = Envelope(
            "DurabilityProbeWorkflow",
            input.workspace,
            summary={"holdSeconds": input.hold_seconds},
            report=lambda result: {"positionBefore": result.position_before, "positionAfter": result.position_after},
        )
        return await envelope.around(lambda: self._probe(input))

    async def _probe(self, input: ProbeInput) -> ProbeResult:
        if not 0 <= input.hold_seconds <= LONGEST_HOLD:
            raise ApplicationError(
                f"A probe holds 0 to {LONGEST_HOLD} seconds, not {input.hold_seconds}.",
                type=InvalidRequest.code,
                non_retryable=True,
            )
        before = await self._look(input)
        await workflow.sleep(timedelta(seconds=input.hold_seconds))
        after = await self._look(input)
        info = workflow.info()
        return ProbeResult(info.workflow_id, info.run_id, input.hold_seconds, before, after)

    async def _look(self, input: ProbeInput) -> int:
        return await workflow.execute_activity_method(ProbeActivities.probe_log, ProbeLook(input.workspace), **LOOK)
