"""DiscoverWorkflow: plan the sources, read them family by family, take in their texts, and hand the jobs on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.discovery.activities import DiscoveryActivities, FamilyInput, FamilyResult, Plan, PlanInput
    from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities, EnrichResult
    from jobctrl.pipeline.events import StepKind
    from jobctrl.workflows.envelope import Envelope, classified
    from jobctrl.workflows.fanout import FanoutActivities, FanoutInput, FanoutResult
    from jobctrl.workflows.marked import StepMarks, this_execution
    from jobctrl.workflows.options import ENRICHMENT, PLAN, SOURCE_FAMILY, STREAM
    from jobctrl.workflows.streaming import StreamActivities, StreamInput

FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=1)
"""Between two streams of one batch of families, when the first one had nothing to take."""


@dataclass(frozen=True)
class DiscoverInput:
    workspace: str
    web: str = "live"
    source_ids: list[str] = field(default_factory=list)
    """Empty reads all."""
    workers: int = 4
    limit: int = 0
    """How many jobs are handed on to preparation at most, the nearest to the profile first; 0 is all."""
    prepare: bool = True


@dataclass(frozen=True)
class DiscoverResult:
    families_completed: list[str] = field(default_factory=list)
    families_failed: list[str] = field(default_factory=list)
    returned: int = 0
    admitted: int = 0
    merged: int = 0
    filtered: int = 0
    rejected: int = 0
    sources_read: int = 0
    sources_failed: int = 0
    sources_refused: int = 0
    enriched: int = 0
    preparation_started: int = 0
    failure: str | None = None
    error_code: str | None = None

    def report(self) -> dict[str, object]:
        return {
            "returned": self.returned,
            "admitted": self.admitted,
            "merged": self.merged,
            "filtered": self.filtered,
            "rejected": self.rejected,
            "sourcesRead": self.sources_read,
            "sourcesFailed": self.sources_failed,
            "sourcesRefused": self.sources_refused,
            "enriched": self.enriched,
            "preparationStarted": self.preparation_started,
            "familiesFailed": self.families_failed,
        }


@workflow.defn
class DiscoverWorkflow:
    """Partial failure is a result: the run fails only when every family failed, or when enrichment did."""

    @workflow.run
    async def run(self, input: DiscoverInput) -> DiscoverResult:
        envelope = Envelope(
            "DiscoverWorkflow",
            input.workspace,
            summary={
                "sourceIds": input.source_ids,
                "limit": input.limit,
                "workers": input.workers,
                "prepare": input.prepare,
            },
            spends="score" if input.prepare else None,
            report=lambda result: result.report(),
        )
        return await envelope.around(lambda: _Discovery(input).run())


class _Discovery:
    """One execution. Its reference is taken once, and names every mark, member and plan of it."""

    def __init__(self, input: DiscoverInput) -> None:
        self._input = input
        self._marks = StepMarks(input.workspace, this_execution())
        # With a limit, those that are nearest to the profile are chosen when all are known.
        self._hands_on_early = input.prepare and not input.limit

    async def run(self) -> DiscoverResult:
        plan = await self._plan()
        await self._marks.queue("source_family", [_item(name) for name in plan.families])
        if self._hands_on_early:
            await self._tolerated("existing_backlog_sweep", "backlog")
        results, failed = await self._read_families(plan)
        if failed and not results:
            code, message, _ = classified(next(iter(failed.values())))
            raise ApplicationError(
                f"Every source family failed; the last said: {message}",
                type="discovery_source_failed" if code in ("unclassified", "workflow_error") else code,
                non_retryable=True,
            )
        # The last pass takes up what earlier ones left: late texts, and jobs whose preparation was not started.
        enriched = await self._enrich("terminal")
        handed_on = await self._hand_on("preparation_fanout", "terminal", closes=True)
        return DiscoverResult(
            families_completed=sorted(result.family for result in results),
            families_failed=sorted(failed),
            returned=sum(result.returned for result in results),
            admitted=sum(result.admitted for result in results),
            merged=sum(result.merged for result in results),
            filtered=sum(result.filtered for result in results),
            rejected=sum(result.rejected for result in results),
            sources_read=sum(result.sources_read for result in results),
            sources_failed=sum(result.sources_failed for result in results),
            sources_refused=sum(result.sources_refused for result in results),
            enriched=enriched.texts,
            preparation_started=handed_on.planned,
        )

    async def _plan(self) -> Plan:
        plan = PlanInput(self._input.workspace, self._input.source_ids)
        return await self._marks.step(
            "source_planning",
            "plan",
            workflow.execute_activity_method(DiscoveryActivities.plan_discovery_sources, plan, **PLAN),
            lambda planned: sum(len(sources) for sources in planned.families.values()),
        )

    async def _read_families(self, plan: Plan) -> tuple[list[FamilyResult], dict[str, BaseException]]:
        """Families in batches. Their jobs go on one by one while they are read; what is left of a batch, after it."""
        results: list[FamilyResult] = []
        failed: dict[str, BaseException] = {}
        names = list(plan.families)
        size = max(1, plan.max_parallel_families)
        for number, first in enumerate(range(0, len(names), size), start=1):
            batch = names[first : first + size]
            for name, end in zip(batch, await self._read_batch(batch, plan), strict=True):
                if isinstance(end, FamilyResult):
                    results.append(end)
                elif isinstance(end, ActivityError) and not is_cancelled_exception(end):
                    failed[name] = end
                else:
                    raise end
            if self._hands_on_early and first + size < len(names):
                await self._tolerated("preparation_fanout", f"streaming:pass-{number}")
        return results, failed

    async def _read_batch(self, names: Sequence[str], plan: Plan) -> list[FamilyResult | BaseException]:
        reading = asyncio.gather(*(self._read_family(name, plan) for name in names), return_exceptions=True)
        streaming = asyncio.ensure_future(self._stream_beside(reading))
        try:
            return await reading
        except asyncio.CancelledError:
            streaming.cancel()
            raise
        finally:
            # Its activity ends by itself when the families have ended.
            await asyncio.gather(streaming, return_exceptions=True)

    async def _stream_beside(self, reading: asyncio.Future[list[FamilyResult | BaseException]]) -> None:
        """Take texts while the families are read, with growing pauses when nothing comes."""
        stream = StreamInput(self._input.workspace, self._input.web, self._input.workers, self._hands_on_early)
        pause = FIRST_PAUSE
        while not reading.done():
            try:
                await workflow.execute_activity_method(StreamActivities.discovery_stream, stream, **STREAM)
            except ActivityError as error:
                if is_cancelled_exception(error):
                    raise
                # The terminal pass takes what is left, and fails where this did.
                return
            with suppress(asyncio.TimeoutError):
                await workflow.wait_condition(reading.done, timeout=pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _read_family(self, name: str, plan: Plan) -> FamilyResult:
        family = FamilyInput(self._input.workspace, name, plan.families[name], self._input.web)
        return await self._marks.step(
            "source_family",
            _item(name),
            workflow.execute_activity_method(DiscoveryActivities.discovery_source_family, family, **SOURCE_FAMILY),
            lambda read: read.returned,
        )

    async def _enrich(self, item: str) -> EnrichResult:
        enrich = EnrichInput(self._input.workspace, self._input.web, self._input.workers, item=item)
        return await self._marks.step(
            "enrichment_pass",
            item,
            workflow.execute_activity_method(EnrichmentActivities.discovery_enrichment, enrich, **ENRICHMENT),
            lambda taken: taken.promoted + taken.read,
        )

    async def _tolerated(self, kind: StepKind, item: str) -> None:
        """Hand jobs on before the end; a failure is marked, and what it left is handed on at the end."""
        try:
            await self._hand_on(kind, item)
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise

    async def _hand_on(self, kind: StepKind, item: str, *, closes: bool = False) -> FanoutResult:
        fanout = FanoutInput(
            self._input.workspace,
            item,
            self._input.limit,
            scores_only=item.startswith("streaming:"),
            closes=closes,
            prepare=self._input.prepare,
        )
        return await self._marks.step(
            kind,
            item,
            workflow.execute_activity_method(FanoutActivities.discovery_preparation_fanout, fanout, **PLAN),
            lambda handed_on: handed_on.started,
        )


def _item(family: str) -> str:
    return f"family:{family}"
