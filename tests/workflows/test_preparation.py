"""Score, tailor, cover, pdf: in this order, as far as they go, and no stage left running."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from temporalio import activity
from temporalio.client import WorkflowFailureError

from jobctrl.errors import MaterialRejected, OwnershipLost
from jobctrl.materials.activities import StepResult
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.pipeline.steps import PIPELINE_STEPS
from jobctrl.runtime.starting import Starter
from jobctrl.scoring.activities import Scored
from jobctrl.scoring.events import JobScored
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, Store
from jobctrl.workflows.preparation import PreparationInput
from tests.workflows.fakes import Bench, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal


def stage(store: Store, which: Stage) -> StageRow:
    with store.reader() as connection:
        return stage_of(connection, "j1", which)


def takes(store: Store, which: Stage, then: Any) -> Any:
    """Work that takes the stage under its own execution, and then fails or waits."""

    async def work(input: Any) -> Any:
        if activity.info().attempt == 1:
            with store.writer() as tx:
                StageMachine(tx, "j1", which).start()
        if isinstance(then, Exception):
            raise then
        return await then(input)

    return work


def score_of(job_id: str, version: int = 1, score: int = 8) -> JobScored:
    return JobScored(
        job_id=job_id, version=version, fit_score=score, fit_band="strong", confidence="high", weighted_fit=0.8,
        must_have_coverage=1.0, eligibility="eligible", profile_version=1, policy_version=1, formula_version="1",
        analysis_ref="a", ledger_ref="l", provider="local", model="local-1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        (("score", "tailor", "cover", "pdf"), ["score", "tailor", "cover", "pdf"]),
        (("pdf", "cover", "score"), ["score", "cover", "pdf"]),
        (("tailor",), ["tailor"]),
        (("score", "score"), ["score"]),
    ],
)
async def test_steps_run_in_their_order_whatever_order_was_asked_for(
    bench: Bench, asked: Iterable[str], done: list[str]
) -> None:
    steps = FakeSteps()
    async with bench.worker(steps):
        result = await (await bench.prepare(*asked)).result()

    assert steps.asked == result.steps_completed == done
    assert (result.steps_skipped, result.failure) == ([], None)


@pytest.mark.parametrize("answer", [Scored("not_eligible"), Scored("skipped")])
async def test_a_step_that_has_nothing_to_do_ends_the_preparation_without_failing(bench: Bench, answer: Scored) -> None:
    steps = FakeSteps(score=answer)
    async with bench.worker(steps):
        result = await (await bench.prepare()).result()

    assert steps.asked == ["score"]
    assert (result.steps_completed, result.steps_skipped, result.failure) == (
        [],
        ["score", "tailor", "cover", "pdf"],
        None,
    )


async def test_what_was_done_before_counts_as_done(bench: Bench) -> None:
    steps = FakeSteps(score=Scored("already_done", 8, 1), tailor=StepResult("already_done", 1))
    async with bench.worker(steps):
        result = await (await bench.prepare()).result()

    assert result.steps_completed == ["score", "tailor", "cover", "pdf"]


async def test_an_unknown_step_is_refused_before_any_other(bench: Bench) -> None:
    steps = FakeSteps()
    async with bench.worker(steps):
        with pytest.raises(WorkflowFailureError):
            await (await bench.prepare("score", "polish")).result()

    assert steps.asked == []


async def test_a_stage_whose_attempts_all_failed_is_settled_as_failed(bench: Bench) -> None:
    store = bench.house.store
    steps = FakeSteps(tailor=takes(store, Stage.TAILOR, MaterialRejected("Ungrounded.")))
    async with bench.worker(steps):
        result = await (await bench.prepare()).result()

    row = stage(store, Stage.TAILOR)
    assert (row.state, row.error_code, row.error_message, row.retryable) == (
        "failed", "material_rejected", "Ungrounded.", 0,
    )  # fmt: skip
    assert (result.steps_failed, result.steps_skipped) == (["tailor"], ["cover", "pdf"])


async def test_a_step_whose_result_was_written_before_it_failed_is_restored_and_the_rest_goes_on(bench: Bench) -> None:
    store = bench.house.store

    async def writes_then_fails(input: Any) -> Scored:
        with store.writer() as tx:
            StageMachine(tx, "j1", Stage.SCORE).start()
            tx.append("job/j1", score_of("j1"))
        raise MaterialRejected("too late")

    steps = FakeSteps(score=writes_then_fails)
    async with bench.worker(steps):
        result = await (await bench.prepare()).result()

    assert stage(store, Stage.SCORE).state == "succeeded"
    assert (result.steps_completed, result.failure) == (["score", "tailor", "cover", "pdf"], None)


async def test_a_stage_that_another_run_holds_is_left_to_it(bench: Bench) -> None:
    store = bench.house.store
    with store.writer() as tx:
        StageMachine(tx, "j1", Stage.SCORE).start()
    async with bench.worker(FakeSteps(score=OwnershipLost("Held elsewhere."))):
        result = await (await bench.prepare()).result()

    assert (result.steps_skipped, result.failure) == (["score", "tailor", "cover", "pdf"], None)
    assert stage(store, Stage.SCORE).state == "running"


async def test_canceling_leaves_no_stage_running(bench: Bench) -> None:
    store = bench.house.store
    scoring = UntilStopped()
    steps = FakeSteps(score=takes(store, Stage.SCORE, scoring))
    async with bench.worker(steps):
        handle = await bench.prepare()
        await scoring.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    assert stage(store, Stage.SCORE).state == "canceled"
    assert steps.asked == ["score"]


async def test_a_second_start_joins_the_first(bench: Bench) -> None:
    scoring = UntilStopped()
    steps = FakeSteps(score=scoring)
    starter = Starter(bench.client, bench.house.store, bench.queue)
    wanted = PreparationInput(bench.house.store.workspace_id, "j1", ["score"], "preparation:joined")
    async with bench.worker(steps):
        [first] = await starter.prepare([wanted])
        await scoring.begun.wait()
        [second] = await starter.prepare([wanted])
        await starter.cancel(first.workflow_id)
        with pytest.raises(WorkflowFailureError):
            await bench.client.get_workflow_handle(first.workflow_id).result()

    assert second == first
    assert steps.asked == ["score"]
    with bench.house.store.reader() as connection:
        [run] = WORKFLOW_RUNS.all(connection)
    assert (run.status, run.cancel_requested_by) == ("canceled", "local_operator")


async def test_the_pdf_of_a_job_is_a_step_of_the_discover_that_asked_for_it(bench: Bench) -> None:
    discovery = Execution("discover-local", "run-1")
    async with bench.worker(FakeSteps()):
        await (await bench.prepare(discovery=discovery)).result()
        await (await bench.prepare("pdf", job_id="j2")).result()

    with bench.house.store.reader() as connection:
        [step] = PIPELINE_STEPS.all(connection)
    assert (step.workflow_id, step.run_id) == (discovery.workflow_id, discovery.run_id)
    assert (step.step_kind, step.item_key, step.state, step.item_count) == ("pdf_render", "job:j1", "succeeded", 1)


async def test_a_pdf_that_fails_is_a_failed_step(bench: Bench) -> None:
    async with bench.worker(FakeSteps(pdf=MaterialRejected("No room."))):
        await (await bench.prepare(discovery=Execution("discover-local", "run-1"))).result()

    with bench.house.store.reader() as connection:
        [step] = PIPELINE_STEPS.all(connection)
    assert (step.state, step.error_code, step.retryable) == ("failed", "material_rejected", 0)
