"""Which jobs a run is about: decided once, and what is to be done again is opened once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.materials.activities import CoverInput, RenderInput, TailorInput
from jobctrl.pipeline.cohorts import CohortActivities, CohortInput, Cohorts
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import acting_for
from jobctrl.testing import Inline
from tests.runtime.searching import MIN_SCORE, RUN, job_with_text, materials_of, new_house, scoring_of


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


async def freeze(house: House, *stages: str, job_ids: tuple[str, ...] = (), **choices: object) -> dict[str, list[str]]:
    activities = CohortActivities(house.store, Inline(), lambda: MIN_SCORE, house.profiles.current)
    asked = CohortInput("w", list(stages), list(job_ids), **choices)  # type: ignore[arg-type]
    found: Cohorts = await ActivityEnvironment().run(activities.freeze_cohorts, asked)
    return {stage: jobs for stage, jobs in found.jobs.items() if jobs}


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
            await materials.render_pdf(RenderInput("w", job_id))
    return job_id


def states(house: House, job_id: str) -> tuple[str, str, str]:
    with house.store.reader() as connection:
        score, tailor, cover = (
            stage_of(connection, job_id, stage).state for stage in (Stage.SCORE, Stage.TAILOR, Stage.COVER)
        )
    return score, tailor, cover


async def test_each_job_that_waits_is_taken_by_the_stage_it_waits_for(house: House) -> None:
    found, scored = await taken_to(house, 1), await taken_to(house, 2, "score")
    tailored = await taken_to(house, 3, "score", "tailor")
    await taken_to(house, 4, "score", "tailor", "cover")

    cohorts = await freeze(house, "discover", "score", "tailor", "cover")

    assert cohorts == {"score": [found], "tailor": [scored], "cover": [tailored]}


async def test_what_waits_for_a_stage_that_was_not_asked_for_is_left(house: House) -> None:
    await taken_to(house, 1)
    scored = await taken_to(house, 2, "score")

    assert await freeze(house, "tailor", "cover") == {"tailor": [scored]}


async def test_a_limit_is_kept_and_what_is_nearer_to_its_end_goes_first(house: House) -> None:
    await taken_to(house, 1)
    scored = await taken_to(house, 2, "score")

    assert await freeze(house, "score", "tailor", limit=1) == {"tailor": [scored]}


async def test_named_jobs_begin_with_the_first_stage_once_each(house: House) -> None:
    assert await freeze(house, "tailor", "score", job_ids=("b", "a", "b")) == {"score": ["b", "a"]}
    assert await freeze(house, "enrich", job_ids=("a",)) == {}


async def test_nothing_is_taken_without_a_profile(tmp_path: Path) -> None:
    house = new_house(tmp_path / "empty", profile=False)
    await job_with_text(house)

    assert await freeze(house, "score") == {}
    house.close()


async def test_what_has_its_score_is_scored_again_when_asked_for_and_a_repeat_opens_nothing_more(house: House) -> None:
    done, other = await taken_to(house, 1, "score", "tailor"), await taken_to(house, 2, "score")

    first = await freeze(house, "score", rescore=True)
    position = house.store.position()
    again = await freeze(house, "score", rescore=True)

    assert first == again
    assert set(first["score"]) == {done, other}
    assert house.store.position() == position
    assert states(house, done) == ("pending", "succeeded", "pending")


async def test_tailoring_again_opens_the_letter_too_and_only_of_the_named_jobs(house: House) -> None:
    asked, other = [await taken_to(house, number, "score", "tailor", "cover") for number in (1, 2)]

    cohorts = await freeze(house, "tailor", "cover", job_ids=(asked,), retailor=True)

    assert cohorts == {"tailor": [asked]}
    assert states(house, asked) == ("succeeded", "pending", "pending")
    assert states(house, other) == ("succeeded", "succeeded", "succeeded")
