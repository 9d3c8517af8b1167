"""One run of DurabilityProbeWorkflow, from its start to its terminal fact."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from uuid import uuid4

from jobctrl.errors import InvalidRequest
from jobctrl.operator import Started
from jobctrl.pipeline.events import WorkflowStarted
from jobctrl.pipeline.runs import Run
from jobctrl.runtime.session import Session, running
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.probe import LONGEST_HOLD, DurabilityProbeWorkflow, ProbeInput, probe_id


@dataclass(frozen=True)
class Probed:
    run: Run
    seconds: float
    hosted: bool
    """Whether another process ran the workspace."""
    starts: int
    ends: int
    """How often the log says that the run began, and that it ended: once each, or something is doubled or lost."""


def probe(hold_seconds: int) -> Probed:
    """Probe the named workspace; it runs for as long as that takes, unless somebody runs it already."""
    if not 0 <= hold_seconds <= LONGEST_HOLD:
        raise InvalidRequest(f"A probe holds 0 to {LONGEST_HOLD} seconds, not {hold_seconds}.")
    return asyncio.run(_probe(hold_seconds))


async def _probe(hold_seconds: int) -> Probed:
    environment = Environment()
    began = time.monotonic()
    async with running(named_workspace().path, environment) as session:
        started = await start_probe(session, environment, hold_seconds)
        run = await session.ended(started)
        seconds = time.monotonic() - began
        kinds = await asyncio.to_thread(_marks, session, started)
        ends = sum(kinds.values()) - kinds[WorkflowStarted.__name__]
        return Probed(run, seconds, session.hosted, kinds[WorkflowStarted.__name__], ends)


async def start_probe(session: Session, environment: Environment, hold_seconds: int) -> Started:
    handle = await session.client.start_workflow(
        DurabilityProbeWorkflow.run,
        ProbeInput(session.house.store.workspace_id, hold_seconds),
        id=probe_id(uuid4().hex[:12]),
        task_queue=environment.task_queue,
    )
    return Started(handle.id, handle.first_execution_run_id or "")


def _marks(session: Session, started: Started) -> Counter[str]:
    facts = session.house.store.stream(run_stream(started.workflow_id, started.run_id))
    return Counter(fact.event_type for fact in facts)
