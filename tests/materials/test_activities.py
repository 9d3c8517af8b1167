"""A resume, a letter and their PDFs are made once for a score; what is not grounded is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobctrl.errors import InvalidRequest, LlmTransient, MaterialRejected, NotFound, OwnershipLost
from jobctrl.ids import sha256
from jobctrl.llm.model import Answer, Ask
from jobctrl.materials import activities as module
from jobctrl.materials.activities import CoverInput, MaterialsActivities, RenderInput, StepResult, TailorInput
from jobctrl.materials.model import Finding
from jobctrl.materials.state import ARTIFACTS, Materials
from jobctrl.materials.state import materials_of as standing
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, acting_for
from jobctrl.testing import AskedModel, SteadyPulse
from tests.runtime.searching import job_with_text, local_model, materials_of, new_house, operator_in, scoring_of

PREPARE, OTHER = Execution("prep-1", "r1"), Execution("prep-2", "r2")
STAGES = {"tailor": Stage.TAILOR, "cover": Stage.COVER}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


async def scored_job(house: House) -> str:
    job_id = await job_with_text(house)
    with acting_for(PREPARE):
        await scoring_of(house).score_job(ScoreInput("w", job_id))
    operator_in(house).correct_score(job_id, 9, "worth it")
    return job_id


async def do(activities: MaterialsActivities, step: str, job_id: str, run: Execution = PREPARE) -> StepResult:
    with acting_for(run):
        match step:
            case "tailor":
                return await activities.tailor_job(TailorInput("w", job_id))
            case "cover":
                return await activities.cover_letter(CoverInput("w", job_id))
            case _:
                return await activities.render_pdf(RenderInput("w", job_id))


async def prepared(house: House, *steps: str) -> str:
    job_id = await scored_job(house)
    for step in steps:
        assert (await do(materials_of(house), step, job_id)).status == "ok"
    return job_id


def materials(house: House, job_id: str) -> Materials | None:
    with house.store.reader() as connection:
        return standing(connection, job_id)


def stage(house: House, job_id: str, step: str) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, STAGES[step])


def kinds(house: House) -> list[str]:
    with house.store.reader() as connection:
        return sorted(artifact.kind for artifact in ARTIFACTS.all(connection))


class Thief(AskedModel):
    """While it is asked, another run takes the stage over."""

    def __init__(self, house: House, job_id: str, step: str) -> None:
        super().__init__(local_model())
        self.house, self.job_id, self.stage = house, job_id, STAGES[step]

    def ask(self, ask: Ask[Any]) -> Answer[Any]:
        with acting_for(OTHER), self.house.store.writer() as tx:
            machine = StageMachine(tx, self.job_id, self.stage)
            machine.fail("LOST", "", retryable=True)
            machine.start()
        return super().ask(ask)


async def test_a_preparation_leaves_a_resume_a_letter_and_both_pdfs_by_hash(house: House) -> None:
    job_id = await prepared(house, "tailor", "cover", "pdf")

    now = materials(house, job_id)
    assert now is not None
    assert (now.generation, now.lifecycle) == (1, "complete")
    for ref in (now.resume_pdf_ref, now.letter_pdf_ref):
        pdf = house.files.read(ref or "")
        assert pdf.startswith(b"%PDF")
        assert sha256(pdf) == ref
    for ref in (now.resume_ref, now.letter_ref, now.provenance_ref):
        assert house.store.content(ref or "")
    assert kinds(house) == ["cover_letter", "cover_letter_pdf", "resume_pdf", "tailored_resume"]
    assert (stage(house, job_id, "tailor").state, stage(house, job_id, "cover").state) == ("succeeded", "succeeded")


@pytest.mark.parametrize("step", ["tailor", "cover", "pdf"])
async def test_a_retry_finds_what_was_made_and_asks_nobody(house: House, step: str) -> None:
    job_id = await prepared(house, "tailor", "cover", "pdf")
    model, before = AskedModel(local_model()), house.store.position()

    again = await do(materials_of(house, model, SteadyPulse(attempt=2)), step, job_id)

    assert again == StepResult("already_done", 1)
    assert model.asked == []
    assert house.store.position() == before


@pytest.mark.parametrize("step", ["tailor", "cover"])
async def test_an_attempt_that_failed_is_gone_on_with(house: House, step: str) -> None:
    job_id = await prepared(house, *(["tailor"] if step == "cover" else []))
    model = AskedModel(local_model(), failures=[LlmTransient("busy")])
    with pytest.raises(LlmTransient):
        await do(materials_of(house, model), step, job_id)
    assert stage(house, job_id, step).state == "running"

    result = await do(materials_of(house, model, SteadyPulse(attempt=2)), step, job_id)

    assert result == StepResult("ok", 1)
    assert stage(house, job_id, step).attempt_count == 1


@pytest.mark.parametrize("step", ["tailor", "cover"])
async def test_who_lost_the_job_while_working_writes_nothing(house: House, step: str) -> None:
    job_id = await prepared(house, *(["tailor"] if step == "cover" else []))
    before = kinds(house)

    with pytest.raises(OwnershipLost):
        await do(materials_of(house, Thief(house, job_id, step)), step, job_id)

    row = stage(house, job_id, step)
    assert kinds(house) == before
    assert (row.state, row.owner_run) == ("running", "r2")


async def test_a_resume_that_is_not_grounded_is_rejected_with_codes_and_never_with_its_words(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = await scored_job(house)
    finding = Finding("unknown_number", "300% more grain", 0, 15, "no line of the profile says it")
    monkeypatch.setattr(module, "check_resume", lambda resume, profile: (finding, finding))

    for _ in range(2):
        with pytest.raises(MaterialRejected, match="unknown_number"):
            await do(materials_of(house), "tailor", job_id)

    failures = [fact for fact in house.store.stream(f"job/{job_id}") if fact.event_type == "ResumeFailed"]
    assert len(failures) == 1
    assert "grain" not in failures[0].payload
    assert materials(house, job_id) is None
    assert kinds(house) == []


async def test_a_new_generation_stands_in_place_of_the_old_one_and_both_are_kept(house: House) -> None:
    job_id = await prepared(house, "tailor", "cover", "pdf")
    with house.store.writer() as tx:
        for step in ("tailor", "cover"):
            machine = StageMachine(tx, job_id, STAGES[step])
            machine.mark_stale("profile_changed")
            machine.reset(reason="profile_changed")

    for step in ("tailor", "cover", "pdf"):
        assert (await do(materials_of(house), step, job_id, OTHER)) == StepResult("ok", 2)

    now = materials(house, job_id)
    assert now is not None
    assert (now.generation, now.lifecycle) == (2, "complete")
    assert len(kinds(house)) == 8


@pytest.mark.parametrize(
    ("step", "made", "result"),
    [
        ("cover", (), StepResult("not_eligible", reason="no_resume")),
        ("pdf", (), StepResult("not_eligible", reason="no_letter")),
        ("pdf", ("tailor",), StepResult("not_eligible", reason="no_letter")),
    ],
)
async def test_a_step_whose_ground_is_missing_says_so(
    house: House, step: str, made: tuple[str, ...], result: StepResult
) -> None:
    job_id = await prepared(house, *made)

    assert await do(materials_of(house), step, job_id) == result


async def test_a_job_without_a_score_gets_no_resume(house: House) -> None:
    job_id = await job_with_text(house)

    assert await do(materials_of(house), "tailor", job_id) == StepResult("not_eligible", reason="score")
    assert stage(house, job_id, "tailor").state == "pending"


async def test_a_score_that_sank_gets_no_resume(house: House) -> None:
    job_id = await scored_job(house)
    operator_in(house).correct_score(job_id, 1, "not for me")

    result = await do(materials_of(house), "tailor", job_id)

    assert result.status in ("skipped", "not_eligible")
    assert materials(house, job_id) is None


async def test_a_stage_that_a_person_stopped_is_passed_over(house: House) -> None:
    job_id = await scored_job(house)
    with house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.TAILOR)
        machine.queue("inbox")
        machine.cancel("not now")

    assert (await do(materials_of(house), "tailor", job_id)).status == "skipped"


async def test_a_letter_whose_resume_was_replaced_meanwhile_is_not_kept(house: House) -> None:
    job_id = await prepared(house, "tailor")

    class Slow(AskedModel):
        def ask(self, ask: Ask[Any]) -> Answer[Any]:
            old = materials(house, job_id)
            assert old is not None
            with house.store.writer() as tx:
                tx.append(f"job/{job_id}", _resume(job_id, old, generation=2))
            return super().ask(ask)

    with pytest.raises(InvalidRequest, match="replaced"):
        await do(materials_of(house, Slow(local_model())), "cover", job_id)

    assert "cover_letter" not in kinds(house)


def _resume(job_id: str, old: Materials, *, generation: int) -> module.ResumeApproved:
    return module.ResumeApproved(
        job_id=job_id, artifact_id=f"resume:{job_id}:{generation}", generation=generation,
        content_ref=old.resume_ref or "", score_version=1, profile_version=1, bullet_count=1, must_have_coverage=1.0,
        provider="local", model="local-1",
    )  # fmt: skip


async def test_an_unknown_job_is_not_found(house: House) -> None:
    with pytest.raises(NotFound):
        await do(materials_of(house), "tailor", "nobody")


@pytest.mark.parametrize("step", ["tailor", "cover"])
async def test_materials_are_prepared_inside_a_run_only(house: House, step: str) -> None:
    job_id = await scored_job(house)
    activities = materials_of(house)

    with pytest.raises(InvalidRequest, match="inside a workflow run"):
        await (
            activities.tailor_job(TailorInput("w", job_id))
            if step == "tailor"
            else activities.cover_letter(CoverInput("w", job_id))
        )
