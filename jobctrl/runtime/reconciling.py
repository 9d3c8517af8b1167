"""Clearing up, now and then, after what died: runs without an end, stages without a run, calls without an answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client, WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.errors import TransientNetwork
from jobctrl.network.safety import resolve
from jobctrl.pipeline.public_fetch import recheck_public_fetches
from jobctrl.runtime.histories import told
from jobctrl.runtime.house import House
from jobctrl.runtime.periodic import PASS_SECONDS, periodic
from jobctrl.store import Execution
from jobctrl.workflows.execution_history import ExecutionHistory
from jobctrl.workflows.reconciler import CancelRequest, HistoryState, reconcile_runs
from jobctrl.workflows.recovery import Recovered, recover_executions

log = logging.getLogger(__name__)
ABANDONED_AFTER = timedelta(hours=1)
"""No provider answers a call after that long: who made it has died, and nobody knows what it cost."""
PROVE_SECONDS = 3.0
"""How long a command waits at its end for what histories prove."""
_STATES = {
    WorkflowExecutionStatus.COMPLETED: HistoryState.COMPLETED,
    WorkflowExecutionStatus.FAILED: HistoryState.FAILED,
    WorkflowExecutionStatus.CANCELED: HistoryState.CANCELED,
    WorkflowExecutionStatus.TERMINATED: HistoryState.TERMINATED,
    WorkflowExecutionStatus.TIMED_OUT: HistoryState.TIMED_OUT,
}


@dataclass(frozen=True)
class TemporalHistories:
    """A Temporal server, in the words of the reconciler."""

    client: Client

    async def state(self, workflow_id: str, run_id: str) -> HistoryState:
        try:
            described = await self.client.get_workflow_handle(workflow_id, run_id=run_id).describe()
        except RPCError as error:
            if error.status == RPCStatusCode.NOT_FOUND:
                return HistoryState.NOT_FOUND
            raise TransientNetwork("The Temporal server did not say what became of a run.") from error
        # Running, or gone on as a new execution under the same id.
        return _STATES.get(described.status, HistoryState.RUNNING) if described.status else HistoryState.RUNNING

    async def cancellation(self, workflow_id: str, run_id: str) -> CancelRequest | None:
        handle = self.client.get_workflow_handle(workflow_id, run_id=run_id)
        try:
            async for event in handle.fetch_history_events():
                if event.event_type == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED:
                    asked = event.workflow_execution_cancel_requested_event_attributes
                    # The cause is the words of whoever asked.
                    by_workflow = bool(asked.external_workflow_execution.workflow_id)
                    return CancelRequest(asked.identity, by_workflow, asked.cause)
        except RPCError as error:
            if error.status == RPCStatusCode.NOT_FOUND:
                return None
            raise TransientNetwork("The Temporal server did not give a run's history.") from error
        return None

    async def history(self, execution: Execution) -> ExecutionHistory | None:
        handle = self.client.get_workflow_handle(execution.workflow_id, run_id=execution.run_id)
        try:
            return told([event async for event in handle.fetch_history_events()])
        except RPCError as error:
            if error.status == RPCStatusCode.NOT_FOUND:
                return None
            raise TransientNetwork("The Temporal server did not give a run's history.") from error


@asynccontextmanager
async def reconciling(house: House, client: Client, *, every: float = PASS_SECONDS) -> AsyncIterator[None]:
    """Reconcile now, and again every *every* seconds for as long as the block runs; each kind in passes of its own."""
    histories = TemporalHistories(client)

    async def reconcile() -> None:
        await asyncio.to_thread(house.ledger.hold_abandoned, ABANDONED_AFTER)
        done = await reconcile_runs(house.store, histories, min_score=house.min_score())
        if any(vars(done).values()):
            log.info("Reconciled: %s", done)

    async def recover() -> None:
        await _recover(house, histories)

    async def recheck() -> None:
        done = await asyncio.to_thread(recheck_public_fetches, house.store, resolve, house.store.clock())
        if done.checked:
            log.info("Rechecked addresses: %s", done)

    async with (
        periodic("what died", reconcile, every=every),
        periodic("what was lost", recover, every=every),
        periodic("what was not public", recheck, every=every),
    ):
        yield


async def prove_all(house: House, client: Client, *, within: float = PROVE_SECONDS) -> None:
    """Read what the histories prove of what has just ended, pass by pass, before the server of this command stops."""
    histories = TemporalHistories(client)
    try:
        async with asyncio.timeout(within):
            while (await _recover(house, histories)).outcomes:
                continue
    except TimeoutError:
        log.info("Not all was read from the histories in time; the next worker goes on with it")


async def _recover(house: House, histories: TemporalHistories) -> Recovered:
    done = await recover_executions(house.store, histories)
    if any(vars(done).values()):
        log.info("Recovered: %s", done)
    return done
