"""Activities under their real names that do what a test says, and workers made by the production function."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from temporalio import activity
from temporalio.client import Client, WorkflowHandle
from temporalio.worker import Worker

from jobctrl.discovery.activities import FamilyInput, FamilyResult, Plan, PlanInput
from jobctrl.enrichment.activities import EnrichInput, EnrichResult
from jobctrl.materials.activities import CoverInput, RenderInput, StepResult, TailorInput
from jobctrl.pipeline.activities import PipelineActivities
from jobctrl.pipeline.cohorts import CohortActivities
from jobctrl.runtime.house import House
from jobctrl.runtime.telemetry import Inventory
from jobctrl.runtime.worker import build_worker
from jobctrl.scoring.activities import Scored, ScoreInput
from jobctrl.store import Execution
from jobctrl.testing import Inline
from jobctrl.workflows.discover import DiscoverInput, DiscoverWorkflow
from jobctrl.workflows.fanout import FanoutInput, FanoutResult
from jobctrl.workflows.marks import Marks
from jobctrl.workflows.pipeline import JobPipelineWorkflow, PipelineInput
from jobctrl.workflows.preparation import JobPreparationWorkflow, PreparationInput
from jobctrl.workflows.probe import DurabilityProbeWorkflow, ProbeInput, ProbeLook, probe_id
from jobctrl.workflows.reporting import ReportOrder, WeeklyReportInput, WeeklyReportWorkflow, Written
from jobctrl.workflows.scheduled import ScheduledDiscoverWorkflow
from jobctrl.workflows.steps import Steps
from jobctrl.workflows.streaming import StreamInput, StreamResult

Answer = Exception | Callable[[Any], Awaitable[Any]] | Any


async def answered(answer: Answer, input: Any) -> Any:
    """What a fake does: raise, call, or return."""
    if isinstance(answer, Exception):
        raise answer
    return await answer(input) if callable(answer) else answer


@dataclass
class UntilStopped:
    """Work that goes on, showing that it lives, until its run is canceled."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, input: Any) -> None:
        self.begun.set()
        while True:
            activity.heartbeat()
            await asyncio.sleep(0.05)


@dataclass
class FakeBoards:
    """The activities of Discover. `families` says how the reading of each one ends."""

    families: dict[str, Answer]
    enriched: Answer = field(default_factory=lambda: EnrichResult(promoted=2))
    handed_on: Answer = field(default_factory=lambda: FanoutResult(1, 1))
    streaming: Answer = field(default_factory=StreamResult)
    unplanned: Exception | None = None
    asked: list[str] = field(default_factory=list)
    streamed: list[StreamInput] = field(default_factory=list)
    """Kept apart: streams run beside what was asked for."""

    @activity.defn(name="plan_discovery_sources")
    async def plan(self, input: PlanInput) -> Plan:
        self.asked.append("plan")
        if self.unplanned is not None:
            raise self.unplanned
        return Plan({family: [f"{family}:one"] for family in self.families}, 1)

    @activity.defn(name="discovery_source_family")
    async def family(self, input: FamilyInput) -> FamilyResult:
        self.asked.append(input.family)
        return await answered(self.families[input.family], input)

    @activity.defn(name="discovery_enrichment")
    async def enrich(self, input: EnrichInput) -> EnrichResult:
        self.asked.append("enrich")
        return await answered(self.enriched, input)

    @activity.defn(name="discovery_preparation_fanout")
    async def fan_out(self, input: FanoutInput) -> FanoutResult:
        self.asked.append(f"fan out {input.item}" if input.prepare else "close")
        return await answered(self.handed_on, input)

    @activity.defn(name="discovery_stream")
    async def stream(self, input: StreamInput) -> StreamResult:
        self.streamed.append(input)
        return await answered(self.streaming, input)

    @property
    def activities(self) -> list[Any]:
        return [self.plan, self.family, self.enrich, self.fan_out, self.stream]


@dataclass
class FakeSteps:
    """The activities of a preparation; each answers `ok` unless told otherwise."""

    score: Answer = field(default_factory=lambda: Scored("ok", 8, 1))
    tailor: Answer = field(default_factory=lambda: StepResult("ok", 1))
    cover: Answer = field(default_factory=lambda: StepResult("ok", 1))
    pdf: Answer = field(default_factory=lambda: StepResult("ok", 1))
    asked: list[str] = field(default_factory=list)

    @activity.defn(name="score_job")
    async def score_job(self, input: ScoreInput) -> Scored:
        self.asked.append("score")
        return await answered(self.score, input)

    @activity.defn(name="tailor_job")
    async def tailor_job(self, input: TailorInput) -> StepResult:
        self.asked.append("tailor")
        return await answered(self.tailor, input)

    @activity.defn(name="cover_letter")
    async def cover_letter(self, input: CoverInput) -> StepResult:
        self.asked.append("cover")
        return await answered(self.cover, input)

    @activity.defn(name="render_pdf")
    async def render_pdf(self, input: RenderInput) -> StepResult:
        self.asked.append("pdf")
        return await answered(self.pdf, input)

    @property
    def activities(self) -> list[Any]:
        return [self.score_job, self.tailor_job, self.cover_letter, self.render_pdf]


@dataclass
class FakeProbe:
    """The activity of a probe. `position` says how each of its looks at the log ends."""

    position: Answer = 7
    looked: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first look has ended."""

    @activity.defn(name="probe_log")
    async def probe_log(self, input: ProbeLook) -> int:
        self.looked += 1
        position = int(await answered(self.position, input))
        self.done.set()
        return position

    @property
    def activities(self) -> list[Any]:
        return [self.probe_log]


@dataclass
class FakeReports:
    """The activity of the weekly report. `written` says how the writing ends."""

    written: Answer = field(default_factory=lambda: Written("2026-03-09", 21, 3577))
    asked: list[str] = field(default_factory=list)
    """When each report was due."""

    @activity.defn(name="write_weekly_report")
    async def write(self, input: ReportOrder) -> Written:
        self.asked.append(input.due)
        return await answered(self.written, input)

    @property
    def activities(self) -> list[Any]:
        return [self.write]


Fake = FakeBoards | FakeSteps | FakeProbe | FakeReports


@dataclass
class Bench:
    """A workspace, a server, and a task queue that only this test uses."""

    house: House
    client: Client
    queue: str = field(default_factory=lambda: f"queue-{uuid.uuid4()}")

    def worker(self, *fakes: Fake, workspace: str | None = None, inventory: Inventory | None = None) -> Worker:
        """The production worker, with the real marks and the fakes' activities."""
        marks, steps = Marks(self.house.store, self.house.ledger), Steps(self.house.store)
        real = [
            marks.record_workflow_started,
            marks.check_spend_budget,
            marks.record_workflow_outcome,
            steps.record_steps,
            PipelineActivities(self.house.store, lambda: 1).settle_owned_stage,
            CohortActivities(self.house.store, Inline(), lambda: 1, self.house.profiles.current).freeze_cohorts,
        ]
        return build_worker(
            self.client,
            task_queue=self.queue,
            activities=[*real, *(each for fake in fakes for each in fake.activities)],
            workspace=workspace or self.house.store.workspace_id,
            slots=4,
            inventory=inventory,
        )

    async def prepare(
        self, *steps: str, job_id: str = "j1", key: str = "", discovery: Execution | None = None
    ) -> WorkflowHandle[Any, Any]:
        wanted = list(steps or ("score", "tailor", "cover", "pdf"))
        key = key or f"preparation:{uuid.uuid4()}"
        return await self.client.start_workflow(
            JobPreparationWorkflow.run,
            PreparationInput(self.house.store.workspace_id, job_id, wanted, key, discovery),
            id=f"prep-{key}",
            task_queue=self.queue,
        )

    async def discover(self, **choices: Any) -> WorkflowHandle[Any, Any]:
        return await self.client.start_workflow(
            DiscoverWorkflow.run,
            DiscoverInput(self.house.store.workspace_id, "recorded:web", **choices),
            id=f"discover-{uuid.uuid4()}",
            task_queue=self.queue,
        )

    async def probe(self, hold_seconds: int = 0) -> WorkflowHandle[Any, Any]:
        return await self.client.start_workflow(
            DurabilityProbeWorkflow.run,
            ProbeInput(self.house.store.workspace_id, hold_seconds),
            id=probe_id(uuid.uuid4().hex),
            task_queue=self.queue,
        )

    async def scheduled(self) -> WorkflowHandle[Any, Any]:
        return await self.client.start_workflow(
            ScheduledDiscoverWorkflow.run,
            DiscoverInput(self.house.store.workspace_id, "recorded:web"),
            id=f"discover-local-scheduled-{uuid.uuid4()}",
            task_queue=self.queue,
        )

    async def weekly_report(self) -> WorkflowHandle[Any, Any]:
        return await self.client.start_workflow(
            WeeklyReportWorkflow.run,
            WeeklyReportInput(self.house.store.workspace_id),
            id=f"weekly-report-local-{uuid.uuid4()}",
            task_queue=self.queue,
        )

    async def pipeline(self, *stages: str, **choices: Any) -> WorkflowHandle[Any, Any]:
        return await self.client.start_workflow(
            JobPipelineWorkflow.run,
            PipelineInput(self.house.store.workspace_id, list(stages), "recorded:web", **choices),
            id=f"run-{uuid.uuid4().hex}",
            task_queue=self.queue,
        )
