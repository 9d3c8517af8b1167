"""A workflow server and its worker, as far as a workspace can tell: runs, attempts, ends, and what is known of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from jobctrl.discovery.model import Listing
from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities
from jobctrl.errors import JobCtrlError, OwnershipLost
from jobctrl.llm.metered import MeteredModel
from jobctrl.llm.model import Model
from jobctrl.materials.activities import CoverInput, RenderInput, TailorInput
from jobctrl.network.model import Web
from jobctrl.pipeline.activities import PipelineActivities, SettleInput
from jobctrl.pipeline.cohorts import CohortActivities, CohortInput
from jobctrl.runtime.house import House
from jobctrl.runtime.wiring import LedgerMeter
from jobctrl.scoring.activities import ScoreInput
from jobctrl.spend.prices import estimate_usd
from jobctrl.store import Execution
from jobctrl.testing import Inline, SteadyPulse
from jobctrl.workflows.marks import Marks, OutcomeMark, StartMark
from jobctrl.workflows.reconciler import CancelRequest, HistoryState
from tests.acceptance.seams import Doing
from tests.runtime.searching import MIN_SCORE, admit, materials_of, scoring_of

ATTEMPTS = 3
PER_JOB = ("score", "tailor", "cover")


@dataclass
class Run:
    """One execution, as the workflow server knows it."""

    execution: Execution
    workflow_type: str
    steps: list[str]
    job_id: str = ""
    rows: list[Listing] = field(default_factory=list)
    again: bool = False
    """Whether what is done already is done again."""
    state: HistoryState = HistoryState.RUNNING
    attempt: int = 0
    doing: Doing | None = None

    @property
    def is_open(self) -> bool:
        return self.state is HistoryState.RUNNING


class WorkflowServer:
    """Forgets nothing, unless told to; decides what a run does next as the real workflows do.

    It is also the `Histories` that the reconciler asks.
    """

    def __init__(self, house: House, model: Model, web: Web) -> None:
        self.house = house
        self.runs: list[Run] = []
        self.doings: list[Doing] = []
        self._model = model
        self._web = web
        self._loop = asyncio.Runner()
        # One thread for what goes off the loop, so that few connections are opened.
        self._loop.get_loop().set_default_executor(ThreadPoolExecutor(1))

    def close(self) -> None:
        self._loop.close()

    def wait_for(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run(coroutine)

    @property
    def open_runs(self) -> list[Run]:
        return [run for run in self.runs if run.is_open]

    @property
    def alive(self) -> list[Doing]:
        return [doing for doing in self.doings if not doing.ended and not doing.cut_off]

    @property
    def cut_off(self) -> list[Doing]:
        """Those at work whom nobody hears: their runs go on, or end, without them."""
        return [doing for doing in self.doings if not doing.ended and doing.cut_off]

    def kill_all(self) -> None:
        for doing in [*self.alive, *self.cut_off]:
            doing.kill()

    def begin(self, workflow_id: str, workflow_type: str, steps: list[str], **more: Any) -> Run | None:
        """Start a run, or join the one that is open under that id."""
        if any(run.is_open and run.execution.workflow_id == workflow_id for run in self.runs):
            return None
        run = Run(Execution(workflow_id, f"run-{len(self.runs)}"), workflow_type, steps, **more)
        self.runs.append(run)
        summary = {"jobId": run.job_id} if workflow_type == "JobPreparationWorkflow" else {}
        marks = Marks(self.house.store, self.house.ledger)
        self.wait_for(
            marks.record_workflow_started(
                StartMark("w", run.execution.workflow_id, run.execution.run_id, workflow_type, summary)
            )
        )
        return run

    def attempt(self, run: Run) -> None:
        """The next attempt of the step that the run is at; one that is still about knows nothing of it."""
        run.attempt += 1
        run.doing = Doing(self.work_of(run), run.execution)
        self.doings.append(run.doing)

    def work_of(self, run: Run) -> Callable[[], Any]:
        house, pulse, job_id = self.house, SteadyPulse(attempt=run.attempt), run.job_id
        model = MeteredModel(self._model, LedgerMeter(house.ledger), estimate_usd)
        step = run.steps[0]

        def work() -> Any:
            match step:
                case "admit":
                    return admit(house.store, run.rows, run=run.execution)
                case "enrich":
                    pages = EnrichmentActivities(house.store, Inline(pulse), lambda mode: self._web, lambda: None)
                    return done(pages.discovery_enrichment(EnrichInput("w", "recorded:x")))
                case "open":
                    cohorts = CohortActivities(house.store, Inline(pulse), lambda: MIN_SCORE, house.profiles.current)
                    again = {"rescore": run.again, "retailor": run.again}
                    asked = CohortInput("w", ["score", "tailor", "cover"], [job_id], **again)
                    return done(cohorts.freeze_cohorts(asked))
                case "score":
                    return done(scoring_of(house, model, pulse).score_job(ScoreInput("w", job_id)))
                case "tailor":
                    return done(materials_of(house, model, pulse).tailor_job(TailorInput("w", job_id)))
                case "cover":
                    return done(materials_of(house, model, pulse).cover_letter(CoverInput("w", job_id)))
                case _:
                    return done(materials_of(house, model, pulse).render_pdf(RenderInput("w", job_id)))

        return work

    def go_on(self, run: Run) -> None:
        """What a workflow does next: its step's next attempt, its next step, or its end."""
        if run.doing is None:
            self.attempt(run)
            return
        doing, run.doing = run.doing, None
        if not doing.cut_off:
            doing.to_the_end()
        if not doing.cut_off and not doing.killed and doing.error is None:
            if getattr(doing.result, "status", "ok") not in ("ok", "already_done"):
                run.steps = []
            self.next_step(run)
            return
        error = (None if doing.cut_off else doing.error) or JobCtrlError("The activity did not show that it lives.")
        if error.retryable and run.attempt < ATTEMPTS:
            self.attempt(run)
        elif isinstance(error, OwnershipLost):
            self.end(run, "succeeded")
        elif self.settle(run, error) == "restored":
            self.next_step(run)
        else:
            self.end(run, "failed")

    def next_step(self, run: Run) -> None:
        run.steps, run.attempt = run.steps[1:], 0
        if not run.steps:
            self.end(run, "succeeded")

    def settle(self, run: Run, error: JobCtrlError, *, canceled: bool = False) -> str:
        stage = run.steps[0]
        if stage not in PER_JOB:
            return "untouched"
        owned = SettleInput(
            "w",
            run.job_id,
            stage,  # type: ignore[arg-type]
            run.execution.workflow_id,
            run.execution.run_id,
            error.code,
            error.message,
            error.retryable,
            canceled,
        )
        return str(self.wait_for(PipelineActivities(self.house.store, lambda: MIN_SCORE).settle_owned_stage(owned)))

    def end(self, run: Run, status: str) -> None:
        """The run ends by itself, with its own mark."""
        run.state = {
            "succeeded": HistoryState.COMPLETED,
            "failed": HistoryState.FAILED,
            "canceled": HistoryState.CANCELED,
        }[status]
        mark = OutcomeMark("w", run.execution.workflow_id, run.execution.run_id, run.workflow_type, status)
        self.wait_for(Marks(self.house.store, self.house.ledger).record_workflow_outcome(mark))

    async def state(self, workflow_id: str, run_id: str) -> HistoryState:
        return next(run.state for run in self.runs if run.execution == Execution(workflow_id, run_id))

    async def cancellation(self, workflow_id: str, run_id: str) -> CancelRequest | None:
        return CancelRequest("1@here")


def done(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("It waited.")
