"""DiscoverWorkflow: plan the sources, read them family by family, take in their texts, and hand the jobs on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.discovery.activities import DiscoveryActivities, FamilyInput, FamilyResult, Plan, PlanInput
    from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities, EnrichResult
    from jobctrl.workflows.envelope import Envelope, classified
    from jobctrl.workflows.fanout import FanoutActivities, FanoutInput, FanoutResult
    from jobctrl.workflows.options import ENRICHMENT, MARK, PLAN, SOURCE_FAMILY
    from jobctrl.workflows.steps import StepMark, Steps

T = TypeVar("T")


@dataclass(frozen=True)
class DiscoverInput:
    workspace: str
    web: str = "live"
    source_ids: list[str] = field(default_factory=list)
    """Empty reads all."""
    workers: int = 4
    limit: int = 0
    """How many jobs are handed on to preparation at most; 0 is all."""
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

    def __init__(self) -> None:
        self._enriched = 0
        self._started = 0

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
        return await envelope.around(lambda: self._discover(input))

    async def _discover(self, input: DiscoverInput) -> DiscoverResult:
        plan = await self._step(
            "source_planning",
            "plan",
            input,
            workflow.execute_activity_method(
                DiscoveryActivities.plan_discovery_sources, PlanInput(input.workspace, input.source_ids), **PLAN
            ),
        )
        results, failed = await self._read_families(plan, input)
        if failed and not results:
            code, message, _ = classified(next(iter(failed.values())))
            raise ApplicationError(
                f"Every source family failed; the last said: {message}",
                type="discovery_source_failed" if code in ("unclassified", "workflow_error") else code,
                non_retryable=True,
            )
        # The last pass takes up what earlier ones left: late texts, and jobs whose preparation was not started.
        await self._enrich(input, "terminal")
        await self._hand_on(input, "terminal")
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
            enriched=self._enriched,
            preparation_started=self._started,
        )

    async def _read_families(
        self, plan: Plan, input: DiscoverInput
    ) -> tuple[list[FamilyResult], dict[str, BaseException]]:
        """Families in batches; after each batch its jobs go on at once, while later families are still to be read."""
        results: list[FamilyResult] = []
        failed: dict[str, BaseException] = {}
        names = list(plan.families)
        size = max(1, plan.max_parallel_families)
        for number, first in enumerate(range(0, len(names), size), start=1):
            batch = names[first : first + size]
            ended = await asyncio.gather(
                *(self._read_family(name, plan, input) for name in batch), return_exceptions=True
            )
            for name, end in zip(batch, ended, strict=True):
                if isinstance(end, BaseException):
                    if is_cancelled_exception(end):
                        raise end
                    if not isinstance(end, ActivityError):
                        raise end
                    failed[name] = end
                else:
                    results.append(end)
            await self._enrich(input, f"streaming:pass-{number}")
            await self._hand_on(input, f"streaming:pass-{number}")
        return results, failed

    async def _read_family(self, name: str, plan: Plan, input: DiscoverInput) -> FamilyResult:
        return await self._step(
            "source_family",
            f"family:{name}",
            input,
            workflow.execute_activity_method(
                DiscoveryActivities.discovery_source_family,
                FamilyInput(input.workspace, name, plan.families[name], input.web),
                **SOURCE_FAMILY,
            ),
        )

    async def _enrich(self, input: DiscoverInput, item: str) -> None:
        result: EnrichResult = await self._step(
            "enrichment_pass",
            item,
            input,
            workflow.execute_activity_method(
                EnrichmentActivities.discovery_enrichment,
                EnrichInput(input.workspace, input.web, input.workers),
                **ENRICHMENT,
            ),
        )
        self._enriched += result.promoted + result.read

    async def _hand_on(self, input: DiscoverInput, item: str) -> None:
        if not input.prepare:
            return
        info = workflow.info()
        result: FanoutResult = await self._step(
            "preparation_fanout",
            item,
            input,
            workflow.execute_activity_method(
                FanoutActivities.discovery_preparation_fanout,
                FanoutInput(input.workspace, input.limit, info.workflow_id, info.run_id),
                **PLAN,
            ),
        )
        self._started += result.started

    async def _step(self, kind: str, item: str, input: DiscoverInput, work: Awaitable[T]) -> T:
        """The step with its marks: started, then completed or failed."""
        info = workflow.info()
        began = workflow.now()

        async def mark(state: str, **said: object) -> None:
            await workflow.execute_local_activity_method(
                Steps.record_step,
                StepMark(input.workspace, info.workflow_id, info.run_id, kind, item, 1, state, **said),  # type: ignore[arg-type]
                **MARK,
            )

        await mark("started")
        try:
            result = await work
        except ActivityError as error:
            if is_cancelled_exception(error):
                raise
            code, _, retryable = classified(error)
            await mark("failed", error_code=code, retryable=retryable, duration_ms=_since(began))
            raise
        await mark("completed", item_count=_count(result), duration_ms=_since(began))
        return result


def _since(began: object) -> int:
    return int((workflow.now() - began).total_seconds() * 1000)  # type: ignore[operator]


def _count(result: object) -> int | None:
    match result:
        case Plan() as plan:
            return sum(len(sources) for sources in plan.families.values())
        case FamilyResult() as family:
            return family.returned
        case EnrichResult() as enriched:
            return enriched.promoted + enriched.read
        case FanoutResult() as fanout:
            return fanout.started
        case _:
            return None
