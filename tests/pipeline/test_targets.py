"""Which jobs want which preparation now: each once, under a key that a new fact renews."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.enrichment.events import JobActiveStateChanged
from jobctrl.materials.activities import TailorInput
from jobctrl.pipeline.events import WorkflowCompleted, WorkflowStarted
from jobctrl.pipeline.targets import Target, derive_targets
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Execution, acting_for
from jobctrl.workflows.ids import preparation_id, preparation_key
from tests.runtime.searching import admit, job_with_text, listing, materials_of, new_house, operator_in, scoring_of

PREPARE = Execution("prep-1", "r1")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


def wanted(house: House) -> list[Target]:
    return derive_targets(house.store, min_score=1)


def mark(house: House, *, over: bool, job_id: str) -> None:
    name = {"workflow_id": "prep-1", "workflow_type": "JobPreparationWorkflow", "temporal_run_id": "r1"}
    event = WorkflowCompleted(**name) if over else WorkflowStarted(**name, input_summary={"jobId": job_id})
    with house.store.writer() as tx:
        tx.append("run/prep-1/r1", event)


async def scored(house: House, number: int = 1) -> str:
    job_id = await job_with_text(house, number)
    with acting_for(PREPARE):
        await scoring_of(house).score_job(ScoreInput("w", job_id))
    operator_in(house).correct_score(job_id, 9, "worth it")
    return job_id


async def test_a_job_with_a_text_wants_everything(house: House) -> None:
    job_id = await job_with_text(house)

    [target] = wanted(house)

    assert (target.job_id, target.kind, target.steps) == (job_id, "score_job", ("score", "tailor", "cover", "pdf"))


async def test_a_scored_job_wants_its_materials_and_a_tailored_one_the_rest(house: House) -> None:
    job_id = await scored(house)
    assert [target.steps for target in wanted(house)] == [("tailor", "cover", "pdf")]

    with acting_for(PREPARE):
        await materials_of(house).tailor_job(TailorInput("w", job_id))

    assert [target.steps for target in wanted(house)] == [("cover", "pdf")]


async def test_a_job_that_a_run_prepares_now_is_left_to_it(house: House) -> None:
    job_id = await job_with_text(house)
    mark(house, over=False, job_id=job_id)
    assert wanted(house) == []

    mark(house, over=True, job_id=job_id)

    assert len(wanted(house)) == 1


async def test_hidden_and_closed_jobs_are_not_prepared(house: House) -> None:
    hidden, closed = await job_with_text(house, 1), await job_with_text(house, 2)
    with house.store.writer() as tx:
        tx.append(f"job/{hidden}", JobHidden(job_id=hidden, reason="no"))
        tx.append(
            f"job/{closed}",
            JobActiveStateChanged(
                job_id=closed, source_id="s", active_state="closed", previous_state="active", verification_method="page"
            ),
        )

    assert wanted(house) == []


async def test_a_failure_is_tried_again_as_long_as_that_can_help(house: House) -> None:
    job_id = await job_with_text(house)
    tries = 0
    while wanted(house):
        tries += 1
        with house.store.writer() as tx:
            machine = StageMachine(tx, job_id, Stage.SCORE)
            machine.start()
            machine.fail("LLM", "busy", retryable=True)
    assert tries == 3


async def test_a_failure_that_trying_cannot_mend_is_left(house: House) -> None:
    job_id = await job_with_text(house)
    with house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.start()
        machine.fail("missing_input", "too few words", retryable=False)

    assert wanted(house) == []


async def test_the_same_facts_give_the_same_run_and_a_new_fact_another(house: House) -> None:
    job_id = await job_with_text(house)
    [first], [again] = wanted(house), wanted(house)
    assert first == again

    def run_of(target: Target, version: str = "1") -> str:
        return preparation_id(preparation_key(target.job_id, target.kind, version, target.source_event_id))

    assert run_of(first) == run_of(again)
    assert run_of(first) != run_of(first, "2")
    admit(house.store, [listing(1, department="Mills")], run=Execution("discover-local", "run-2"))
    [renewed] = wanted(house)
    assert renewed.job_id == job_id
    assert run_of(renewed) != run_of(first)
