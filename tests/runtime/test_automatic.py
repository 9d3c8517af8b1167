"""What waits is prepared by itself on the real server: once, in its time, beside nothing it may not run beside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from temporalio.client import Client, WorkflowFailureError
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.enrichment.activities import EnrichmentActivities
from jobctrl.errors import LlmTransient, MaterialRejected
from jobctrl.materials.activities import RenderInput, StepResult
from jobctrl.materials.state import materials_of as materials_state
from jobctrl.pipeline.automatic import STOPPED
from jobctrl.pipeline.reservations import Reservation, reserve
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.automatic import AutomaticPreparation
from jobctrl.runtime.house import House
from jobctrl.runtime.reconciling import TemporalHistories
from jobctrl.runtime.starting import Starter
from jobctrl.runtime.temporal_server import TemporalServer, connect
from jobctrl.runtime.workspace import Workspace
from jobctrl.settings.config import change_settings
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.testing import AskedModel, Inline, TableWeb
from jobctrl.workflows.pipeline import JobPipelineWorkflow, PipelineInput
from jobctrl.workflows.reconciler import reconcile_runs
from tests.enrichment.test_activities import page
from tests.runtime.processes import SAMPLE, jobctrl, until, up
from tests.runtime.searching import (
    NOW,
    TEXT,
    admit,
    job_with_text,
    listing,
    local_model,
    materials_of,
    new_house,
    scoring_of,
)
from tests.workflows.fakes import Bench, FakeBoards, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal
WEB = "recorded:/nowhere"


@dataclass
class Clock:
    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    workspace = Workspace(tmp_path_factory.mktemp("automatic"))
    workspace.create()
    server = TemporalServer(workspace)
    yield asyncio.run(server.start())
    server.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    house.store.clock = Clock()
    change_settings(house.workspace.config, {"min_fit_score": 1})
    yield house
    house.close()


@pytest.fixture
def clock(house: House) -> Clock:
    assert isinstance(house.store.clock, Clock)
    return house.store.clock


@pytest.fixture
async def bench(house: House, server: str) -> Bench:
    return Bench(house, await connect(server))


@pytest.fixture
def automatic(bench: Bench) -> AutomaticPreparation:
    return AutomaticPreparation(bench.house, bench.client, bench.queue, WEB)


def row(house: House, job_id: str, stage: Stage = Stage.SCORE) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, stage)


def run_of(house: House, workflow_id: str, run_id: str) -> Run:
    with house.store.reader() as connection:
        run = WORKFLOW_RUNS.get(connection, workflow_id, run_id)
    assert run is not None
    return run


def reservation(house: House, *job_ids: str) -> Reservation:
    with house.store.writer() as tx:
        kept = reserve(tx, house.store.workspace_id, Stage.SCORE, job_ids, concurrency=4, min_score=1)
    assert kept is not None
    return kept[0]


async def result_of(bench: Bench, started: Any) -> Any:
    handle = bench.client.get_workflow_handle(started.workflow_id, run_id=started.run_id)
    return await handle.result()


async def test_a_failed_score_is_taken_up_again_by_itself_when_its_time_has_come(
    bench: Bench, automatic: AutomaticPreparation, clock: Clock
) -> None:
    job_id = await job_with_text(bench.house)
    model = AskedModel(local_model(), failures=[LlmTransient("No.")])
    fake = FakeSteps(score=scoring_of(bench.house, model).score_job)
    async with bench.worker(fake):
        first = await automatic.step()
        result = await result_of(bench, first)
        failed = row(bench.house, job_id)
        clock.pass_by(119)
        too_early = await automatic.step()
        clock.pass_by(1)
        second = await automatic.step()
        await result_of(bench, second)

    assert (failed.state, failed.attempt_count, too_early) == ("failed", 1, None)
    assert (row(bench.house, job_id).state, row(bench.house, job_id).attempt_count) == ("succeeded", 2)
    # One attempt of the activity each: what is tried again is decided by the log.
    assert fake.asked == ["score", "score"]
    assert result["counts"]["score"]["failed"] == 1
    assert first is not None
    assert second is not None
    assert first.workflow_id.startswith("prepare-auto-local-score-")
    assert second.workflow_id != first.workflow_id


async def test_a_job_goes_from_stage_to_stage_and_then_nothing_waits(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    job_id = await job_with_text(bench.house)
    materials = materials_of(bench.house)
    fake = FakeSteps(
        score=scoring_of(bench.house).score_job,
        tailor=materials.tailor_job,
        cover=materials.cover_letter,
        pdf=materials.render_pdf,
    )
    async with bench.worker(fake):
        while started := await automatic.step():
            await result_of(bench, started)

    assert fake.asked == ["score", "tailor", "cover", "pdf"]
    assert [row(bench.house, job_id, stage).state for stage in (Stage.SCORE, Stage.TAILOR, Stage.COVER)] == [
        "succeeded"
    ] * 3


async def test_a_page_that_could_not_be_read_is_asked_for_again_by_itself(
    bench: Bench, automatic: AutomaticPreparation, clock: Clock
) -> None:
    house = bench.house
    answers: dict[str, Any] = {}
    enrichment = EnrichmentActivities(house.store, Inline(), lambda mode: TableWeb(answers), lambda: None)
    fakes = FakeBoards({}, enriched=enrichment.discovery_enrichment), FakeSteps(score=scoring_of(house).score_job)
    asked = [listing(number, description_text=None) for number in (1, 2)]
    job_ids = [receipt.job_id or "" for receipt in admit(house.store, asked)]
    async with bench.worker(*fakes):
        await result_of(bench, await automatic.step())
        failed = [(row(house, job_id, Stage.ENRICH).state, await automatic.step()) for job_id in job_ids]
        answers.update({each.url: page(TEXT.format(place=each.native_id)) for each in asked})
        clock.pass_by(120)
        await result_of(bench, await automatic.step())

    assert failed == [("failed", None)] * 2
    assert [(row(house, job_id, Stage.ENRICH).state) for job_id in job_ids] == ["succeeded"] * 2


async def test_a_pdf_that_could_not_be_rendered_is_tried_again_with_growing_pauses(
    bench: Bench, automatic: AutomaticPreparation, clock: Clock
) -> None:
    job_id = await job_with_text(bench.house)
    materials = materials_of(bench.house)
    renderings: list[Any] = [MaterialRejected("No room."), MaterialRejected("No room.")]

    async def render(input: RenderInput) -> StepResult:
        if renderings:
            raise renderings.pop()
        return await materials.render_pdf(input)

    fake = FakeSteps(
        score=scoring_of(bench.house).score_job, tailor=materials.tailor_job, cover=materials.cover_letter, pdf=render
    )
    starts: list[tuple[str, float]] = []
    async with bench.worker(fake):
        await (await bench.prepare(job_id=job_id)).result()
        for seconds in (0, 119, 1, 239, 1):
            clock.pass_by(seconds)
            if started := await automatic.step():
                starts.append((started.workflow_id, seconds))
                await result_of(bench, started)
        clock.pass_by(3600)
        nothing_left = await automatic.step()

    assert [seconds for _, seconds in starts] == [1, 1]
    assert len({workflow_id for workflow_id, _ in starts}) == 1
    assert nothing_left is None
    with bench.house.store.reader() as connection:
        finished = materials_state(connection, job_id)
    assert finished is not None
    assert finished.lifecycle == "complete"


async def test_two_processes_that_look_at_the_same_time_start_one_run(bench: Bench) -> None:
    change_settings(bench.house.workspace.config, {"pipeline_internal_concurrency": 1})
    for number in range(3):
        await job_with_text(bench.house, number)
    passes = [AutomaticPreparation(bench.house, bench.client, bench.queue, WEB) for _ in range(4)]
    scoring = UntilStopped()
    async with bench.worker(FakeSteps(score=scoring)):
        started = {run for run in await asyncio.gather(*(each.step() for each in passes)) if run is not None}
        [only] = started
        await scoring.begun.wait()
        await bench.client.get_workflow_handle(only.workflow_id).cancel()
        with pytest.raises(WorkflowFailureError):
            await result_of(bench, only)


async def test_who_dies_between_reservation_and_start_is_followed_under_the_same_id(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    job_ids = [await job_with_text(bench.house, number) for number in (1, 2)]
    kept = reservation(bench.house, *job_ids)
    late = await job_with_text(bench.house, 3)
    fake = FakeSteps(score=scoring_of(bench.house).score_job)
    async with bench.worker(fake):
        started = await automatic.step()
        await result_of(bench, started)

    assert started is not None
    assert started.workflow_id == kept.workflow_id
    assert [row(bench.house, job_id).state for job_id in (*job_ids, late)] == ["succeeded", "succeeded", "pending"]


def _input(house: House, kept: Reservation) -> PipelineInput:
    return PipelineInput(house.store.workspace_id, ["score"], WEB, list(kept.job_ids), workers=1, automatic=True)


async def test_a_start_whose_word_was_lost_is_joined_and_not_doubled(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    kept = reservation(bench.house, await job_with_text(bench.house))
    handle = await bench.client.start_workflow(
        JobPipelineWorkflow.run, _input(bench.house, kept), id=kept.workflow_id, task_queue=bench.queue
    )
    started = await automatic.step()
    fake = FakeSteps(score=scoring_of(bench.house).score_job)
    async with bench.worker(fake):
        await handle.result()

    assert started is not None
    assert started.run_id == handle.first_execution_run_id
    assert fake.asked == ["score"]
    assert run_of(bench.house, kept.workflow_id, started.run_id).status == "succeeded"


async def test_a_run_that_was_ended_before_anybody_heard_of_it_is_not_started_again(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    job_id = await job_with_text(bench.house)
    kept = reservation(bench.house, job_id)
    handle = await bench.client.start_workflow(
        JobPipelineWorkflow.run, _input(bench.house, kept), id=kept.workflow_id, task_queue=bench.queue
    )
    await handle.terminate()
    told = await automatic.step()
    await reconcile_runs(bench.house.store, TemporalHistories(bench.client), min_score=1)
    after = await automatic.step()

    assert told is not None
    assert run_of(bench.house, told.workflow_id, told.run_id).status == "terminated"
    assert (row(bench.house, job_id).state, row(bench.house, job_id).error_code) == ("blocked", STOPPED)
    assert after is None


async def test_canceling_an_automatic_run_is_respected_for_all_of_its_jobs(
    bench: Bench, automatic: AutomaticPreparation, clock: Clock
) -> None:
    change_settings(bench.house.workspace.config, {"pipeline_internal_concurrency": 1})
    job_ids = [await job_with_text(bench.house, number) for number in range(3)]
    scoring = UntilStopped()
    async with bench.worker(FakeSteps(score=scoring)):
        started = await automatic.step()
        assert started is not None
        await scoring.begun.wait()
        await Starter(bench.client, bench.house.store, bench.queue).cancel(started.workflow_id)
        with pytest.raises(WorkflowFailureError):
            await result_of(bench, started)
        clock.pass_by(86_400)
        after = await automatic.step()

    assert after is None
    assert [row(bench.house, job_id).state for job_id in job_ids] == ["canceled"] * 3
    assert run_of(bench.house, started.workflow_id, started.run_id).status == "canceled"


async def test_who_has_stopped_a_run_starts_one_before_anything_is_begun_again(
    bench: Bench, automatic: AutomaticPreparation, clock: Clock
) -> None:
    job_id = await job_with_text(bench.house)
    starter = Starter(bench.client, bench.house.store, bench.queue)
    scoring = UntilStopped()
    async with bench.worker(FakeSteps(score=scoring)):
        asked = await starter.pipeline(PipelineInput(bench.house.store.workspace_id, ["score"], WEB, ["j1", "j2"]))
        await scoring.begun.wait()
        await starter.cancel(asked.workflow_id)
        with pytest.raises(WorkflowFailureError):
            await result_of(bench, asked)
    clock.pass_by(3600)
    held = await automatic.step()
    clock.pass_by(1)
    async with bench.worker(FakeSteps(score=scoring_of(bench.house).score_job)):
        other = PipelineInput(bench.house.store.workspace_id, ["score"], WEB, ["j3"])
        await result_of(bench, await starter.pipeline(other))
        begun = await automatic.step()
        await result_of(bench, begun)

    assert held is None
    assert begun is not None
    assert row(bench.house, job_id).state == "succeeded"


async def test_one_run_a_pass_and_all_of_them_share_the_concurrency(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    house = bench.house
    change_settings(house.workspace.config, {"pipeline_internal_concurrency": 2})
    await job_with_text(house, 1)
    fake = FakeSteps(score=scoring_of(house).score_job)
    async with bench.worker(fake):
        await result_of(bench, await automatic.step())
    for number in (2, 3):
        await job_with_text(house, number)
    tailoring, scoring = UntilStopped(), UntilStopped()
    async with bench.worker(FakeSteps(tailor=tailoring, score=scoring)):
        started = [await automatic.step() for _ in range(3)]
        for run in started[:2]:
            assert run is not None
            await bench.client.get_workflow_handle(run.workflow_id).cancel()
            with pytest.raises(WorkflowFailureError):
                await result_of(bench, run)

    first, second, third = started
    assert third is None
    assert first is not None
    assert second is not None
    assert first.workflow_id.startswith("prepare-auto-local-tailor-")
    assert second.workflow_id.startswith("prepare-auto-local-score-")
    assert ['"workers": 1' in run_of(house, run.workflow_id, run.run_id).input_summary for run in (first, second)] == [
        True,
        True,
    ]


async def test_nothing_is_started_beside_a_discover(bench: Bench, automatic: AutomaticPreparation) -> None:
    await job_with_text(bench.house)
    reading = UntilStopped()
    handle = await bench.discover()
    unheard_of = await automatic.step()
    async with bench.worker(FakeBoards({"ats_api": reading}), FakeSteps()):
        await reading.begun.wait()
        beside = await automatic.step()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()
        after = await automatic.step()
        await result_of(bench, after)

    assert (unheard_of, beside) == (None, None)


async def test_a_preparation_of_one_job_goes_on_beside_it_and_keeps_its_job(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    mine, other = [await job_with_text(bench.house, number) for number in (1, 2)]
    scoring = UntilStopped()
    async with bench.worker(FakeSteps(score=scoring)):
        handle = await bench.prepare("score", job_id=mine)
        await scoring.begun.wait()
        started = await automatic.step()
        kept = row(bench.house, mine).state, row(bench.house, other).state
        assert started is not None
        for workflow_id in (handle.id, started.workflow_id):
            await bench.client.get_workflow_handle(workflow_id).cancel()
            with pytest.raises(WorkflowFailureError):
                await bench.client.get_workflow_handle(workflow_id).result()

    assert kept == ("pending", "queued")


async def test_turned_off_nothing_is_begun_and_what_was_kept_is_given_back(
    bench: Bench, automatic: AutomaticPreparation
) -> None:
    job_id = await job_with_text(bench.house)
    reservation(bench.house, job_id)
    change_settings(bench.house.workspace.config, {"automatic_preparation": False})

    assert await automatic.step() is None
    assert row(bench.house, job_id).state == "pending"


async def test_nothing_is_begun_when_the_day_is_spent_or_the_provider_has_no_key(
    bench: Bench, automatic: AutomaticPreparation, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = bench.house
    job_id = await job_with_text(house)
    change_settings(house.workspace.config, {"daily_budget_usd": 1})
    call = house.ledger.reserve("score", provider="p", model="m", estimate=Decimal(1), tokens=5)
    spent = await automatic.step()
    house.ledger.release(call, "not made")
    monkeypatch.delenv("JOBCTRL_ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    change_settings(house.workspace.config, {"provider": "anthropic"})
    keyless = await automatic.step()

    assert (spent, keyless, row(house, job_id).state) == (None, None, "pending")


class Silent:
    """A server that does not answer."""

    def list_workflows(self, query: str) -> Any:
        raise RPCError("silence", RPCStatusCode.UNAVAILABLE, b"")


async def test_nothing_is_kept_while_the_server_does_not_say_what_runs(bench: Bench) -> None:
    job_id = await job_with_text(bench.house)
    silent: Client = Silent()  # type: ignore[assignment]

    assert await AutomaticPreparation(bench.house, silent, bench.queue, WEB).step() is None
    assert row(bench.house, job_id).state == "pending"


@pytest.mark.slow
def test_up_prepares_what_waits_and_a_short_command_does_not(tmp_path: Path) -> None:
    workspace = tmp_path / "ws"
    assert jobctrl(workspace, "init", "--profile", str(SAMPLE / "sample_profile.json")).returncode == 0
    house = new_house(workspace, profile=False)
    job_id = asyncio.run(job_with_text(house))

    short = jobctrl(workspace, "run", "enrich", JOBCTRL_WEB=f"recorded:{SAMPLE / 'sample_web'}")
    after_command = row(house, job_id).state
    with up(workspace) as host:
        until(lambda: row(house, job_id).state == "succeeded")
        assert host.stop() == 0

    assert (short.returncode, after_command) == (0, "pending"), short.stderr
    house.close()
