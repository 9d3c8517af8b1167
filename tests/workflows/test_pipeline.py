"""The stages a person asked for, one after the other, over jobs that are chosen once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from decimal import Decimal
from typing import Any

import pytest
from temporalio import activity
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError, CancelledError

from jobctrl.discovery.activities import FamilyResult
from jobctrl.enrichment.activities import EnrichInput, EnrichResult
from jobctrl.errors import BudgetExceeded, LlmTransient, MaterialRejected, NotFound, OwnershipLost
from jobctrl.materials.activities import StepResult
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.reconciling import TemporalHistories
from jobctrl.scoring.activities import Scored
from jobctrl.settings.config import change_settings
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import Store
from jobctrl.workflows.pipeline import PipelineResult
from jobctrl.workflows.stage_count import StageCount
from tests.runtime.searching import admit, listing, take_texts
from tests.workflows.fakes import Bench, FakeBoards, FakeSteps, UntilStopped

pytestmark = pytest.mark.temporal
READ = FamilyResult("ats_api", returned=9, admitted=4, merged=2, filtered=2, rejected=1, sources_read=3)


def by_job(answers: dict[str, Any], other: Any) -> Callable[[Any], Awaitable[Any]]:
    """An answer a job; *other* for the rest. Work is called, an error is raised."""

    async def answer(input: Any) -> Any:
        found = answers.get(input.job_id, other)
        if isinstance(found, Exception):
            raise found
        return await found(input) if callable(found) else found

    return answer


def runs(store: Store) -> dict[str, Run]:
    with store.reader() as connection:
        return {run.workflow_id: run for run in WORKFLOW_RUNS.all(connection)}


def state(store: Store, job_id: str, stage: Stage) -> str:
    with store.reader() as connection:
        return stage_of(connection, job_id, stage).state


async def finished(bench: Bench, *stages: str, **choices: Any) -> PipelineResult:
    result: PipelineResult = await (await bench.pipeline(*stages, **choices)).result()
    return result


@pytest.mark.parametrize(
    ("asked", "steps"),
    [
        (("cover", "score", "tailor"), ["score", "tailor", "cover", "pdf"]),
        (("tailor", "tailor"), ["tailor"]),
        (("cover",), ["cover", "pdf"]),
    ],
)
async def test_stages_run_in_their_order_whatever_order_was_asked_for(
    bench: Bench, asked: Iterable[str], steps: list[str]
) -> None:
    fake = FakeSteps()
    async with bench.worker(fake):
        result = await finished(bench, *asked, job_ids=["j1"])

    assert fake.asked == steps
    assert result.stages_completed == [stage for stage in ("score", "tailor", "cover") if stage in steps]
    assert (result.stages_failed, result.failure) == ([], None)


async def test_a_stage_is_over_for_all_its_jobs_before_the_next_begins(bench: Bench) -> None:
    fake = FakeSteps()
    async with bench.worker(fake):
        await finished(bench, "score", "tailor", job_ids=["j1", "j2", "j3"], workers=2)

    assert fake.asked == ["score"] * 3 + ["tailor"] * 3


async def test_no_more_jobs_are_under_way_at_once_than_there_are_workers(bench: Bench) -> None:
    under_way, most = 0, 0

    async def work(input: Any) -> Scored:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.05)
        under_way -= 1
        return Scored("ok", 8, 1)

    async with bench.worker(FakeSteps(score=work)):
        result = await finished(bench, "score", job_ids=[f"j{number}" for number in range(6)], workers=2)

    assert (most, result.counts["score"].done) == (2, 6)


async def test_only_the_jobs_that_a_stage_brings_on_go_to_the_next(bench: Bench) -> None:
    tailored: list[str] = []

    async def tailor(input: Any) -> StepResult:
        tailored.append(input.job_id)
        return StepResult("ok", 1)

    answers = {"fails": MaterialRejected("Ungrounded."), "textless": Scored("not_eligible"), "taken": OwnershipLost()}
    fake = FakeSteps(score=by_job(answers, Scored("already_done", 8, 1)), tailor=tailor)
    async with bench.worker(fake):
        result = await finished(bench, "score", "tailor", job_ids=["fails", "good", "textless", "taken"])

    assert tailored == ["good"]
    assert result.counts["score"] == StageCount(1, 2, 1, "material_rejected", "Ungrounded.")
    assert (result.stages_completed, result.failure) == (["score", "tailor"], None)


async def test_a_stage_none_of_whose_jobs_went_ends_the_run_as_failed(bench: Bench) -> None:
    fake = FakeSteps(score=MaterialRejected("Ungrounded."))
    async with bench.worker(fake):
        handle = await bench.pipeline("score", "tailor", job_ids=["j1", "j2"])
        result = await handle.result()

    assert fake.asked == ["score", "score"]
    assert (result.stages_failed, result.error_code, result.failure) == (["score"], "material_rejected", "Ungrounded.")
    run = runs(bench.house.store)[handle.id]
    assert (run.status, run.error_code) == ("failed", "material_rejected")


async def test_what_would_fail_every_job_alike_is_met_once(bench: Bench) -> None:
    fake = FakeSteps(score=by_job({"j2": BudgetExceeded()}, Scored("ok", 8, 1)))
    async with bench.worker(fake):
        result = await finished(bench, "score", "tailor", job_ids=[f"j{number}" for number in range(1, 9)], workers=1)

    assert fake.asked == ["score", "score"]
    assert (result.stages_failed, result.error_code) == (["score"], "budget_exceeded")
    assert result.counts["score"].done == 1


@pytest.mark.parametrize("stages", [("score", "apply"), ("apply",), ("score", "polish"), ()])
async def test_what_cannot_be_run_is_refused_before_anything_starts(bench: Bench, stages: tuple[str, ...]) -> None:
    fake = FakeSteps()
    async with bench.worker(fake):
        with pytest.raises(WorkflowFailureError) as caught:
            await finished(bench, *stages, job_ids=["j1"])

    assert isinstance(caught.value.cause, ApplicationError)
    assert caught.value.cause.type == "invalid_request"
    assert "apply" not in stages or "approval" in caught.value.cause.message
    assert fake.asked == []


async def test_discover_is_a_run_of_its_own_that_prepares_nothing(bench: Bench) -> None:
    boards = FakeBoards({"ats_api": READ})
    async with bench.worker(boards):
        handle = await bench.pipeline("enrich", "discover")
        result = await handle.result()

    assert boards.asked == ["plan", "ats_api", "enrich", "close", "enrich"]
    assert result.counts == {"discover": StageCount(4, 4, 1), "enrich": StageCount(2)}
    found = runs(bench.house.store)
    assert {name: run.status for name, run in found.items()} == {
        handle.id: "succeeded",
        f"{handle.id}-discover": "succeeded",
    }


async def test_a_discover_that_fails_ends_the_run_with_its_code(bench: Bench) -> None:
    boards, steps = FakeBoards({"ats_api": NotFound("The board is not there.")}), FakeSteps()
    async with bench.worker(boards, steps):
        result = await finished(bench, "discover", "score", job_ids=["j1"])

    assert (result.stages_failed, result.error_code) == (["discover"], "not_found")
    assert "The board is not there." in (result.failure or "")
    assert steps.asked == []


async def test_without_named_jobs_what_waits_is_taken_when_the_run_gets_to_it(bench: Bench) -> None:
    scored: list[str] = []

    async def score(input: Any) -> Scored:
        scored.append(input.job_id)
        return Scored("ok", 8, 1)

    async def enrich(input: Any) -> EnrichResult:
        admit(bench.house.store, [listing(number) for number in (1, 2)])
        await take_texts(bench.house)
        return EnrichResult(promoted=2)

    async with bench.worker(FakeBoards({}, enriched=enrich), FakeSteps(score=score)):
        result = await finished(bench, "enrich", "score")

    assert len(set(scored)) == result.counts["score"].done == 2


async def test_a_large_cohort_is_split_into_runs_that_share_one_count(bench: Bench) -> None:
    answers = {"j2": MaterialRejected("Ungrounded."), "j3": MaterialRejected("Also ungrounded.")}
    fake = FakeSteps(score=by_job(answers, Scored("ok", 8, 1)))
    async with bench.worker(fake):
        job_ids = ["j1", "j2", "j3", "j4", "j5"]
        handle = await bench.pipeline("score", "tailor", job_ids=job_ids, workers=1, part_size=2)
        result = await handle.result()

    assert fake.asked == ["score"] * 5 + ["tailor"] * 3
    assert result.counts["score"] == StageCount(3, 0, 2, "material_rejected", "Ungrounded.")
    assert {name.removeprefix(handle.id): run.status for name, run in runs(bench.house.store).items()} == {
        "": "succeeded",
        **{f"-score-{number}": "succeeded" for number in (1, 2, 3)},
        **{f"-tailor-{number}": "succeeded" for number in (1, 2)},
    }


def takes(store: Store, job_id: str, then: UntilStopped) -> Callable[[Any], Awaitable[Any]]:
    """Work that takes the stage under its own execution, and goes on until it is stopped."""

    async def work(input: Any) -> Any:
        with store.writer() as tx:
            StageMachine(tx, job_id, Stage.SCORE).start()
        return await then(input)

    return work


@pytest.mark.parametrize("part", [200, 2])
async def test_canceling_ends_what_the_run_has_under_way_and_nothing_else(bench: Bench, part: int) -> None:
    store = bench.house.store
    first, second = UntilStopped(), UntilStopped()
    work = {"j1": takes(store, "j1", first), "j2": takes(store, "j2", second)}
    elsewhere = UntilStopped()
    other = takes(store, "elsewhere", elsewhere)
    fake = FakeSteps(score=by_job({**work, "elsewhere": other}, Scored("ok", 8, 1)))
    async with bench.worker(fake):
        beside = await bench.pipeline("score", job_ids=["elsewhere"])
        handle = await bench.pipeline("score", "tailor", job_ids=["j1", "j2", "j3"], workers=2, part_size=part)
        for each in (first, second, elsewhere):
            await each.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError) as caught:
            await handle.result()
        during = {job_id: state(store, job_id, Stage.SCORE) for job_id in ("j1", "j2", "j3", "elsewhere")}
        await beside.cancel()
        with pytest.raises(WorkflowFailureError):
            await beside.result()

    assert isinstance(caught.value.cause, CancelledError)
    assert during == {"j1": "canceled", "j2": "canceled", "j3": "pending", "elsewhere": "running"}
    assert "tailor" not in fake.asked
    assert runs(store)[handle.id].status == "canceled"


async def test_a_part_is_known_to_have_been_stopped_by_its_run(bench: Bench) -> None:
    scoring = UntilStopped()
    async with bench.worker(FakeSteps(score=scoring)):
        handle = await bench.pipeline("score", job_ids=["j1", "j2"], workers=1, part_size=1)
        await scoring.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    part = runs(bench.house.store)[f"{handle.id}-score-1"]
    asked = await TemporalHistories(bench.client).cancellation(part.workflow_id, part.run_id)
    assert part.status == "canceled"
    assert asked is not None
    assert asked.by_workflow


async def test_a_failed_job_is_settled_under_the_run_that_held_it(bench: Bench) -> None:
    store = bench.house.store

    async def fails(input: Any) -> Any:
        if activity.info().attempt == 1:
            with store.writer() as tx:
                StageMachine(tx, "j1", Stage.SCORE).start()
        raise MaterialRejected("Ungrounded.")

    async with bench.worker(FakeSteps(score=fails)):
        await finished(bench, "score", job_ids=["j1"])

    assert state(store, "j1", Stage.SCORE) == "failed"


async def test_an_automatic_run_tries_each_of_its_jobs_once_and_skips_what_another_has(bench: Bench) -> None:
    answers = {"later": LlmTransient("No."), "taken": OwnershipLost()}
    fake = FakeSteps(score=by_job(answers, Scored("ok", 8, 1)))
    async with bench.worker(fake):
        job_ids = ["later", "good", "taken"]
        handle = await bench.pipeline("score", job_ids=job_ids, workers=2, part_size=1, automatic=True)
        result = await handle.result()

    assert fake.asked == ["score"] * 3
    assert result.counts == {"score": StageCount(1, 1, 1, "llm_transient", "No.")}
    assert list(runs(bench.house.store)) == [handle.id]


async def test_texts_are_taken_for_the_chosen_jobs_alone_and_by_an_automatic_run_once(bench: Bench) -> None:
    asked: list[list[str]] = []

    async def enrich(input: EnrichInput) -> EnrichResult:
        asked.append(input.job_ids)
        raise LlmTransient("No.") if len(asked) == 1 else NotFound()

    async with bench.worker(FakeBoards({}, enriched=enrich)):
        result = await finished(bench, "enrich", job_ids=["j1", "j2"], automatic=True)

    assert asked == [["j1", "j2"]]
    assert result.error_code == "llm_transient"


async def test_an_automatic_run_is_checked_by_the_lane_that_it_spends_in(bench: Bench) -> None:
    house = bench.house
    change_settings(house.workspace.config, {"lane_token_limits": {"score": 5}})
    house.ledger.reserve("score", provider="p", model="m", estimate=Decimal(0), tokens=5)
    async with bench.worker(FakeSteps()):
        by_itself = await finished(bench, "tailor", job_ids=["j1"], automatic=True)
        with pytest.raises(WorkflowFailureError):
            await finished(bench, "score", job_ids=["j1"], automatic=True)

    assert by_itself.counts["tailor"].done == 1
