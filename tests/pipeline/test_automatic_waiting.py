"""What waits for a stage that needs nobody: each of its conditions, and what goes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.enrichment.events import JobActiveStateChanged, PostingContentSnapshotCaptured
from jobctrl.materials.activities import CoverInput, RenderInput, TailorInput
from jobctrl.pipeline.events import WorkflowCompleted, WorkflowStarted
from jobctrl.pipeline.waiting import best_waiting
from jobctrl.profile.model import Profile
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Transaction, acting_for
from tests.runtime.searching import (
    MIN_SCORE,
    RUN,
    admit,
    job_with_text,
    listing,
    materials_of,
    new_house,
    person,
    scoring_of,
)

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    house.store.clock = lambda: NOW
    yield house
    house.close()


async def taken_to(house: House, number: int, *steps: str) -> str:
    """A job that has been through these steps."""
    job_id = await job_with_text(house, number)
    materials = materials_of(house)
    with acting_for(RUN):
        if "score" in steps:
            await scoring_of(house).score_job(ScoreInput("w", job_id))
        if "tailor" in steps:
            await materials.tailor_job(TailorInput("w", job_id))
        if "cover" in steps:
            await materials.cover_letter(CoverInput("w", job_id))
        if "pdf" in steps:
            await materials.render_pdf(RenderInput("w", job_id))
    return job_id


def waits(
    house: House, stage: Stage, *, after: timedelta = timedelta(0), profile: Profile | None = None, least: int = 1
) -> list[str]:
    chosen = profile or person()
    return best_waiting(house.store, stage, profile=chosen, min_score=least, now=NOW + after)


def changed(house: House, change: Callable[[Transaction], object]) -> None:
    with house.store.writer() as tx:
        change(tx)


async def test_each_job_waits_for_the_stage_that_it_has_come_to(house: House) -> None:
    found = await taken_to(house, 1)
    scored = await taken_to(house, 2, "score")
    tailored = await taken_to(house, 3, "score", "tailor")
    await taken_to(house, 4, "score", "tailor", "cover", "pdf")
    [receipt] = admit(house.store, [listing(0, description_text=None)])
    textless = receipt.job_id

    assert {stage: waits(house, stage) for stage in (Stage.ENRICH, Stage.SCORE, Stage.TAILOR, Stage.COVER)} == {
        Stage.ENRICH: [textless],
        Stage.SCORE: [found],
        Stage.TAILOR: [scored],
        Stage.COVER: [tailored],
    }


async def test_without_a_profile_only_texts_are_taken(house: House) -> None:
    await taken_to(house, 1)
    admit(house.store, [listing(0, description_text=None)])

    assert best_waiting(house.store, Stage.SCORE, profile=None, min_score=1, now=NOW) == []
    assert len(best_waiting(house.store, Stage.ENRICH, profile=None, min_score=1, now=NOW)) == 1


def _fail(machine: StageMachine, *, times: int = 1, retryable: bool = True) -> None:
    for _ in range(times):
        machine.start()
        machine.fail("llm_transient", "No.", retryable=retryable)


def _cancel(machine: StageMachine) -> None:
    machine.start()
    machine.cancel("asked")


@pytest.mark.parametrize(("seconds", "there"), [(0, False), (119, False), (120, True)])
async def test_what_failed_waits_for_its_time(house: House, seconds: int, there: bool) -> None:
    job_id = await taken_to(house, 1)
    changed(house, lambda tx: _fail(StageMachine(tx, job_id, Stage.SCORE)))

    assert (waits(house, Stage.SCORE, after=timedelta(seconds=seconds)) == [job_id]) == there


REFUSED: dict[str, Callable[[Transaction, str], object]] = {
    "failed for good": lambda tx, job_id: _fail(StageMachine(tx, job_id, Stage.SCORE), retryable=False),
    "exhausted": lambda tx, job_id: _fail(StageMachine(tx, job_id, Stage.SCORE), times=3),
    "canceled": lambda tx, job_id: _cancel(StageMachine(tx, job_id, Stage.SCORE)),
    "blocked": lambda tx, job_id: StageMachine(tx, job_id, Stage.SCORE).block("PREPARATION_RECOVERY_STOPPED"),
    "skipped": lambda tx, job_id: StageMachine(tx, job_id, Stage.SCORE).skip("MIN_SCORE"),
    "running elsewhere": lambda tx, job_id: StageMachine(tx, job_id, Stage.SCORE).start(),
    "another stage of it asked for": lambda tx, job_id: StageMachine(tx, job_id, Stage.TAILOR).queue("run"),
    "hidden": lambda tx, job_id: tx.append(f"job/{job_id}", JobHidden(job_id=job_id, reason="no")),
    "closed": lambda tx, job_id: tx.append(
        f"job/{job_id}",
        JobActiveStateChanged(
            job_id=job_id,
            source_id="s",
            active_state="closed",
            previous_state="active",
            verification_method="seen",
        ),
    ),
    "in a run of its own": lambda tx, job_id: tx.append(
        "run/prep-1/r",
        WorkflowStarted(
            workflow_id="prep-1",
            workflow_type="JobPreparationWorkflow",
            temporal_run_id="r",
            input_summary={"jobId": job_id},
        ),
    ),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
async def test_what_is_not_to_be_done_is_never_taken(
    house: House, change: Callable[[Transaction, str], object]
) -> None:
    job_id, other = await taken_to(house, 1), await taken_to(house, 2)
    changed(house, lambda tx: change(tx, job_id))

    assert waits(house, Stage.SCORE, after=timedelta(days=1)) == [other]


async def test_a_member_of_a_run_that_goes_on_is_left_to_it(house: House) -> None:
    job_id = await taken_to(house, 1, "score")
    started = WorkflowStarted(
        workflow_id=RUN.workflow_id, workflow_type="JobPipelineWorkflow", temporal_run_id=RUN.run_id
    )
    stream = f"run/{RUN.workflow_id}/{RUN.run_id}"
    changed(house, lambda tx: tx.append(stream, started))
    during = waits(house, Stage.TAILOR)
    ended = WorkflowCompleted(
        workflow_id=RUN.workflow_id, workflow_type="JobPipelineWorkflow", temporal_run_id=RUN.run_id
    )
    changed(house, lambda tx: tx.append(stream, ended))

    assert (during, waits(house, Stage.TAILOR)) == ([], [job_id])


async def test_no_materials_below_the_threshold_or_from_a_text_nobody_trusts(house: House) -> None:
    low, doubtful = await taken_to(house, 1, "score"), await taken_to(house, 2, "score")
    with house.store.reader() as connection:
        text = connection.execute("SELECT description_hash FROM job_enrichments WHERE job_id = ?", (doubtful,))
        reference = text.fetchone()[0]
    captured = PostingContentSnapshotCaptured(
        job_id=doubtful,
        snapshot_version=2,
        snapshot_ref=reference,
        source_id="s",
        extraction_tier="css_selectors",
        confidence="low",
        quarantine_reason="low_confidence_extraction",
        chars=100,
        language="en",
    )
    changed(house, lambda tx: tx.append(f"job/{doubtful}", captured))

    assert waits(house, Stage.TAILOR, least=11) == []
    assert waits(house, Stage.TAILOR, least=MIN_SCORE) == [low]


async def test_no_materials_for_what_a_person_has_declined(house: House) -> None:
    declined, below = await taken_to(house, 1, "score"), await taken_to(house, 2, "score")
    changed(house, lambda tx: StageMachine(tx, declined, Stage.APPLY).skip("declined"))
    changed(house, lambda tx: StageMachine(tx, below, Stage.APPLY).skip("MIN_SCORE"))

    assert waits(house, Stage.TAILOR) == [below]


async def test_what_is_nearest_to_the_profile_is_scored_first_and_no_more_than_a_cohort(house: House) -> None:
    for number in range(27):
        dishes = " ".join(f"dish{number}no{dish}" for dish in range(40))
        await job_with_text(house, number, title=f"Pastry chef {number}", description_text=f"You will bake {dishes}.")
    near = await job_with_text(house, 99)

    chosen = waits(house, Stage.SCORE)

    assert (chosen[0], len(chosen), len(set(chosen))) == (near, 25, 25)
