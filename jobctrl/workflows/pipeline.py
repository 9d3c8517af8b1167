"""JobPipelineWorkflow: the stages a person asked for, one after the other, over jobs that are chosen once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError, ChildWorkflowError, is_cancelled_exception

with workflow.unsafe.imports_passed_through():
    from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities, EnrichResult
    from jobctrl.errors import InvalidRequest
    from jobctrl.pipeline.cohorts import CohortActivities, CohortInput, Cohorts
    from jobctrl.pipeline.order import PER_JOB, in_order
    from jobctrl.workflows.discover import DiscoverInput, DiscoverResult, DiscoverWorkflow
    from jobctrl.workflows.envelope import Envelope, classified
    from jobctrl.workflows.ids import part_id
    from jobctrl.workflows.job_steps import SPENDING, take_steps, tries
    from jobctrl.workflows.options import COHORT, ENRICHMENT
    from jobctrl.workflows.stage_count import FOR_ALL, StageCount

PART = 200
"""Jobs of one stage that one run takes itself. A larger cohort is split into runs of their own, so that no history
grows with it, and each stays one exact execution from its start to its end: stages, marks and waits name it."""


@dataclass(frozen=True)
class PipelineInput:
    workspace: str
    stages: list[str]
    web: str = "live"
    job_ids: list[str] = field(default_factory=list)
    """Empty takes what waits when the run gets to it."""
    limit: int = 0
    workers: int = 4
    """How many jobs are under way at once."""
    rescore: bool = False
    retailor: bool = False
    after: int = 0
    """The position of the log that the run was asked for after, where an earlier run may not stand in for it."""
    part_size: int = PART
    """It stands in the history, so that another size never changes what a run that is under way does."""
    part: bool = False
    """Whether it is a part of a larger run: it tells which jobs went on."""
    automatic: bool = False
    """Whether nobody asked for it: one stage over jobs that are reserved for it. What fails is taken up later, by
    another run."""


@dataclass(frozen=True)
class PipelineResult:
    stages_completed: list[str] = field(default_factory=list)
    stages_failed: list[str] = field(default_factory=list)
    counts: dict[str, StageCount] = field(default_factory=dict)
    went_on: list[str] = field(default_factory=list)
    """Of a part: the jobs that its stage brought on."""
    failure: str | None = None
    error_code: str | None = None

    def report(self) -> dict[str, object]:
        return {
            "stagesCompleted": self.stages_completed,
            "stagesFailed": self.stages_failed,
            "counts": {stage: asdict(count) for stage, count in self.counts.items()},
        }


@workflow.defn
class JobPipelineWorkflow:
    """Discover, enrich, score, tailor, cover. A job's failure is counted; a stage fails when none of its jobs went."""

    def __init__(self) -> None:
        self._counts: dict[str, StageCount] = {}
        self._went_on: list[str] = []
        """The jobs that the latest stage brought on, in the order in which they ended."""

    @workflow.run
    async def run(self, input: PipelineInput) -> PipelineResult:
        one_job = {"jobId": input.job_ids[0]} if len(input.job_ids) == 1 else {}
        envelope = Envelope(
            "JobPipelineWorkflow",
            input.workspace,
            summary={
                "stages": input.stages,
                "jobs": len(input.job_ids),
                "limit": input.limit,
                "workers": input.workers,
                "rescore": input.rescore,
                "retailor": input.retailor,
                **({"automatic": True} if input.automatic else {}),
                **one_job,
            },
            spends=_lane(input),
            report=lambda result: result.report(),
        )
        return await envelope.around(lambda: self._run(input))

    async def _run(self, input: PipelineInput) -> PipelineResult:
        try:
            stages = in_order(input.stages)
        except InvalidRequest as error:
            raise ApplicationError(error.message, type=error.code, non_retryable=True) from None
        completed: list[str] = []
        cohorts: Cohorts | None = None
        for stage in stages:
            if stage in PER_JOB and cohorts is None:
                cohorts = await self._freeze(input, stages)
            count = await self._stage(stage, input, cohorts)
            self._counts[stage] = count
            if count.nothing_went:
                return self._result(input, completed, stage, count)
            completed.append(stage)
        return self._result(input, completed)

    def _result(
        self, input: PipelineInput, completed: list[str], failed: str | None = None, count: StageCount = StageCount()
    ) -> PipelineResult:
        return PipelineResult(
            completed,
            [failed] if failed else [],
            self._counts,
            self._went_on if input.part else [],
            count.failure if failed else None,
            (count.error_code or "workflow_stage_failed") if failed else None,
        )

    async def _freeze(self, input: PipelineInput, stages: list[str]) -> Cohorts:
        if input.automatic:
            return Cohorts({stages[0]: input.job_ids})
        return await workflow.execute_activity_method(
            CohortActivities.freeze_cohorts,
            CohortInput(input.workspace, stages, input.job_ids, input.limit, input.rescore, input.retailor),
            **COHORT,
        )

    async def _stage(self, stage: str, input: PipelineInput, cohorts: Cohorts | None) -> StageCount:
        try:
            if stage == "discover":
                return await self._discover(input)
            if stage == "enrich":
                return await self._enrich(input)
            chosen = cohorts.jobs.get(stage, []) if cohorts else []
            # What the stage before brought on is nearer to its end than what waits.
            job_ids = list(dict.fromkeys([*self._went_on, *chosen]))
            self._went_on = []
            return await self._cohort(stage, job_ids, input)
        except (ActivityError, ChildWorkflowError) as error:
            return _failed(error)

    async def _discover(self, input: PipelineInput) -> StageCount:
        found: DiscoverResult = await workflow.execute_child_workflow(
            DiscoverWorkflow.run,
            DiscoverInput(input.workspace, input.web, workers=input.workers, prepare=False),
            id=part_id(workflow.info().workflow_id, "discover"),
        )
        return StageCount(found.admitted, found.merged + found.filtered, found.rejected)

    async def _enrich(self, input: PipelineInput) -> StageCount:
        taken: EnrichResult = await workflow.execute_activity_method(
            EnrichmentActivities.discovery_enrichment,
            EnrichInput(input.workspace, input.web, input.workers, job_ids=input.job_ids),
            **tries(ENRICHMENT, once=input.automatic),
        )
        return StageCount(taken.promoted + taken.read, taken.blocked + taken.inactive, taken.failed)

    async def _cohort(self, stage: str, job_ids: list[str], input: PipelineInput) -> StageCount:
        if input.automatic or len(job_ids) <= input.part_size:
            return await self._job_by_job(stage, job_ids, input)
        count = StageCount()
        for number, first in enumerate(range(0, len(job_ids), input.part_size), start=1):
            jobs = job_ids[first : first + input.part_size]
            count = count.plus(await self._part(stage, number, jobs, input))
            if count.error_code in FOR_ALL:
                break
        return count

    async def _part(self, stage: str, number: int, job_ids: list[str], input: PipelineInput) -> StageCount:
        try:
            result: PipelineResult = await workflow.execute_child_workflow(
                JobPipelineWorkflow.run,
                PipelineInput(
                    input.workspace,
                    [stage],
                    input.web,
                    job_ids,
                    workers=input.workers,
                    part_size=input.part_size,
                    part=True,
                ),
                id=part_id(workflow.info().workflow_id, stage, number),
            )
        except ChildWorkflowError as error:
            return _failed(error)
        self._went_on += result.went_on
        return result.counts.get(stage, StageCount(error_code=result.error_code, failure=result.failure))

    async def _job_by_job(self, stage: str, job_ids: Sequence[str], input: PipelineInput) -> StageCount:
        """At most `workers` jobs at once. All of them have ended, and none is left running, when this returns."""
        waiting, count = list(job_ids), StageCount()

        async def work() -> None:
            nonlocal count
            while waiting and count.error_code not in FOR_ALL:
                job_id = waiting.pop(0)
                taken = await take_steps(input.workspace, job_id, PER_JOB[stage], once=input.automatic)
                if taken.failed:
                    count = count.with_end("failed", taken.error_code, taken.failure)
                elif stage in taken.completed:
                    count = count.with_end("done")
                    self._went_on.append(job_id)
                else:
                    count = count.with_end("skipped")

        ends = await asyncio.gather(
            *(work() for _ in range(min(max(1, input.workers), len(waiting)))), return_exceptions=True
        )
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return count


def _lane(input: PipelineInput) -> str | None:
    """The lane of the spend check; one that spends in several begins with the first."""
    spending = [stage for stage in input.stages if stage in SPENDING]
    if not spending:
        return None
    return spending[0] if input.automatic else "score"


def _failed(error: ActivityError | ChildWorkflowError) -> StageCount:
    """The stage as it counts when its work raised; a cancellation is raised on."""
    if is_cancelled_exception(error):
        raise error
    code, message, _ = classified(error)
    return StageCount(error_code=code, failure=message)
