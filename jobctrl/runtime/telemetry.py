"""What this worker is doing: exact slots, a few safe details, durations. It never reads what an activity was given."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import logging
import re
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from temporalio import activity
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from jobctrl.operations.heartbeats import MOST_DETAILS, ActiveDetail, Attempt, Durations
from jobctrl.store import moment

log = logging.getLogger(__name__)

KINDS = {
    "plan_discovery_sources": "discovery-plan",
    "discovery_source_family": "discovery-source-family",
    "discovery_stream": "discovery-stream",
    "discovery_enrichment": "discovery-enrichment",
    "discovery_preparation_fanout": "discovery-preparation-fanout",
    "freeze_cohorts": "preparation-targets",
    "score_job": "job-scoring",
    "tailor_job": "job-tailoring",
    "cover_letter": "job-cover-letter",
    "render_pdf": "job-pdf-render",
}
"""The types that may be named. Any other activity takes a slot, and that is all that is said of it."""
_SAFE_WORKFLOW = re.compile(
    r"discover-local|prep-preparation:[0-9a-f]{64}|prepare-auto-local-(enrich|score|tailor|cover)-[0-9a-f]{24}"
    # A large run has parts, named by their stage and number.
    r"|run-[0-9a-f]{32}(-(discover|enrich|score|tailor|cover|pdf)(-[0-9]{1,4})?)?"
)
_MOST_ENDED = 5000
"""Ends kept until the next heartbeat; when the workspace cannot be written the oldest are dropped."""
Outcome = Literal["succeeded", "failed", "canceled"]


def opaque_id(*parts: str) -> str:
    """An id that names the same thing again and leads back to nothing."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode()
        # With its length before it no part can pass for the end of another.
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return "op_" + digest.hexdigest()[:24]


def safe_workflow(workflow_id: str | None) -> str | None:
    """The id when its shape shows that it was made by us out of nothing private."""
    return workflow_id if workflow_id and _SAFE_WORKFLOW.fullmatch(workflow_id) else None


def safe_run(run_id: str | None) -> str | None:
    try:
        return run_id if run_id and str(uuid.UUID(run_id)) == run_id.lower() else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Standing:
    """The inventory at one moment."""

    active: int
    counts: dict[str, int]
    details: tuple[ActiveDetail, ...]
    total: int
    durations: dict[str, Durations]


class Inventory:
    """What holds a slot of this worker now, and what has ended. Only the worker's event loop touches it."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._numbers = itertools.count()
        self._active: dict[int, ActiveDetail | None] = {}
        self._durations: dict[str, Durations] = {}
        self._ended: deque[Attempt] = deque(maxlen=_MOST_ENDED)

    def take(self, info: activity.Info) -> int:
        """A slot is taken."""
        number = next(self._numbers)
        # Counted before anything else can fail, so that the count stays exact.
        self._active[number] = None
        kind = KINDS.get(info.activity_type)
        if kind is not None:
            workflow_id, run_id = info.workflow_id or "", info.workflow_run_id or ""
            self._active[number] = ActiveDetail(
                activity_type=info.activity_type,
                kind=kind,
                opaque_id=opaque_id(info.activity_type, workflow_id, run_id, info.activity_id),
                workflow_ref=safe_workflow(workflow_id),
                execution_ref=safe_run(run_id),
                attempt=info.attempt,
                started_at=moment(self._clock()),
            )
        return number

    def free(self, number: int, outcome: Outcome, duration_ms: int) -> None:
        """The slot is free again."""
        detail = self._active.pop(number, None)
        if detail is None:
            return
        self._ended.append(
            Attempt(
                moment(self._clock()),
                detail.activity_type,
                outcome,
                duration_ms=duration_ms,
                workflow_id=detail.workflow_ref,
                run_id=detail.execution_ref,
            )
        )
        if outcome == "succeeded":
            before = self._durations.get(detail.activity_type, Durations())
            self._durations[detail.activity_type] = Durations(
                before.completed_count + 1,
                before.total_duration_ms + duration_ms,
                max(before.max_duration_ms, duration_ms),
            )

    def standing(self) -> Standing:
        named = sorted((each for each in self._active.values() if each), key=lambda each: each.started_at)
        counts = Counter(each.activity_type for each in named)
        return Standing(len(self._active), dict(counts), tuple(named[:MOST_DETAILS]), len(named), dict(self._durations))

    @contextmanager
    def ended(self) -> Iterator[list[Attempt]]:
        """What has ended since the last look; kept for the next one when the block fails."""
        taken = list(self._ended)
        self._ended.clear()
        try:
            yield taken
        except BaseException:
            self._ended = deque([*taken, *self._ended], maxlen=_MOST_ENDED)
            raise


class Telemetry(Interceptor):
    """Counts every activity in and out. Whatever goes wrong here, the activity goes on as if it were not there."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Counted(next, self._inventory)


class _Counted(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, inventory: Inventory) -> None:
        super().__init__(next)
        self._inventory = inventory

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        number = self._take()
        began = time.monotonic()
        outcome: Outcome = "failed"
        try:
            result = await super().execute_activity(input)
            outcome = "succeeded"
            return result
        except asyncio.CancelledError:
            outcome = "canceled"
            raise
        finally:
            self._free(number, outcome, int((time.monotonic() - began) * 1000))

    def _take(self) -> int | None:
        try:
            info = activity.info()
            # Marks have two slots of their own, outside the capacity that is counted here.
            return None if info.is_local else self._inventory.take(info)
        except Exception:
            log.exception("The start of an activity was not counted")
            return None

    def _free(self, number: int | None, outcome: Outcome, duration_ms: int) -> None:
        if number is None:
            return
        try:
            self._inventory.free(number, outcome, duration_ms)
        except Exception:
            log.exception("The end of an activity was not counted")
