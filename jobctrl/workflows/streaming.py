"""Texts while boards are still being read: each job is scored as soon as it can be, not when all are found."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass

from temporalio import activity

from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities
from jobctrl.store import Execution, Store, acting_execution
from jobctrl.work import Blocking
from jobctrl.workflows.fanout import FanoutActivities

POLL_SECONDS = 1.0
PATIENCE = 3
"""Looks in a row that find nothing; then the slot is given back, for it may be the one that the boards wait for."""
_OPEN_FAMILIES = """
SELECT EXISTS (SELECT 1 FROM pipeline_steps WHERE workflow_id = :workflow_id AND run_id = :run_id
               AND step_kind = 'source_family' AND state IN ('queued', 'running'))"""


@dataclass(frozen=True)
class StreamInput:
    workspace: str
    web: str
    workers: int = 4
    hand_on: bool = True
    """Whether each job's preparation is started at once."""


@dataclass(frozen=True)
class StreamResult:
    texts: int = 0
    started: int = 0


@dataclass
class StreamActivities:
    """Runs beside the source families of its execution, and ends by itself: when they have, or when nothing comes."""

    store: Store
    blocking: Blocking
    enrichment: EnrichmentActivities
    fanout: FanoutActivities

    @activity.defn
    async def discovery_stream(self, stream: StreamInput) -> StreamResult:
        """Take texts as postings come in, and hand each job on. What it leaves, the terminal pass takes."""
        execution = acting_execution("taking texts as they come")
        texts = started = idle = 0
        taking = self.enrichment.taking(EnrichInput(stream.workspace, stream.web, stream.workers, item="stream"))
        with closing(taking):
            while idle < PATIENCE:
                # Asked for first: what the last family left before it ended is then in the slice that follows.
                reading = await asyncio.to_thread(self._are_read, execution)
                taken = await self.blocking(taking.next)
                texts += len(taken.job_ids)
                if taken.job_ids and stream.hand_on:
                    started += await self.fanout.hand_on(stream.workspace, taken.job_ids)
                if taken:
                    idle = 0
                    continue
                if not reading:
                    break
                idle += 1
                activity.heartbeat(texts)
                await asyncio.sleep(POLL_SECONDS)
        return StreamResult(texts, started)

    def _are_read(self, execution: Execution) -> bool:
        """Whether a family is still to be read."""
        with self.store.reader() as connection:
            return _are_open(connection, execution)


def _are_open(connection: sqlite3.Connection, execution: Execution) -> bool:
    return bool(connection.execute(_OPEN_FAMILIES, asdict(execution)).fetchone()[0])
