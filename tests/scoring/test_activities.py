"""A job is scored once for each text, profile and policy; whoever lost it writes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jobctrl.errors import InvalidRequest, LlmTransient, MissingInput, NotFound, OwnershipLost
from jobctrl.llm.model import Answer, Ask
from jobctrl.pipeline.targets import derive_targets
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import Scored, ScoreInput, ScoringActivities
from jobctrl.scoring.state import ScoreRow, latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, acting_for
from jobctrl.testing import AskedModel, SteadyPulse
from tests.runtime.searching import (
    TEXT,
    admit,
    job_with_text,
    listing,
    local_model,
    new_house,
    operator_in,
    person,
    scoring_of,
    take_texts,
)

NEXT = Execution("discover-local", "run-2")
PREPARE, OTHER = Execution("prep-1", "r1"), Execution("prep-2", "r2")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


async def score(activities: ScoringActivities, job_id: str, run: Execution = PREPARE, **more: Any) -> Scored:
    with acting_for(run):
        return await activities.score_job(ScoreInput("w", job_id, **more))


def stage(house: House, job_id: str, which: Stage = Stage.SCORE) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, which)


def latest(house: House, job_id: str) -> ScoreRow | None:
    with house.store.reader() as connection:
        return latest_score(connection, job_id)


class Thief(AskedModel):
    """While it is asked, another run takes the job over."""

    def __init__(self, house: House, job_id: str) -> None:
        super().__init__(local_model())
        self.house, self.job_id = house, job_id

    def ask(self, ask: Ask[Any]) -> Answer[Any]:
        if not self.asked:
            with acting_for(OTHER), self.house.store.writer() as tx:
                machine = StageMachine(tx, self.job_id, Stage.SCORE)
                machine.fail("LOST", "", retryable=True)
                machine.start()
        return super().ask(ask)


async def test_a_score_keeps_what_it_was_made_of(house: House) -> None:
    job_id = await job_with_text(house)

    scored = await score(scoring_of(house), job_id)

    row = latest(house, job_id)
    assert row is not None
    assert (scored.status, scored.version, scored.score) == ("ok", 1, row.fit_score)
    assert 1 <= row.fit_score <= 10
    assert (row.profile_version, row.provider, row.corrected_from) == (1, "local", None)
    ledger = json.loads(house.store.content(row.ledger_ref))
    assert ledger["ledger"]["items"]
    assert json.loads(house.store.content(row.analysis_ref))["requirements"]
    assert stage(house, job_id).state == "succeeded"


async def test_a_retry_finds_the_first_answer_and_asks_nobody(house: House) -> None:
    job_id = await job_with_text(house)
    model = AskedModel(local_model())
    first = await score(scoring_of(house, model), job_id)
    asked, before = len(model.asked), house.store.position()

    again = await score(scoring_of(house, model, SteadyPulse(attempt=2)), job_id)

    assert again == Scored("already_done", first.score, first.version)
    assert (len(model.asked), house.store.position()) == (asked, before)


async def test_an_attempt_that_failed_is_gone_on_with_as_the_same_attempt_of_the_stage(house: House) -> None:
    job_id = await job_with_text(house)
    model = AskedModel(local_model(), failures=[LlmTransient("busy")])
    with pytest.raises(LlmTransient):
        await score(scoring_of(house, model), job_id)
    assert stage(house, job_id).state == "running"
    assert latest(house, job_id) is None

    scored = await score(scoring_of(house, model, SteadyPulse(attempt=2)), job_id)

    row = stage(house, job_id)
    assert (scored.status, row.state, row.attempt_count, row.owner_attempt) == ("ok", "succeeded", 1, 2)


async def test_who_lost_the_job_while_working_writes_nothing(house: House) -> None:
    job_id = await job_with_text(house)

    with pytest.raises(OwnershipLost):
        await score(scoring_of(house, Thief(house, job_id)), job_id)

    row = stage(house, job_id)
    assert latest(house, job_id) is None
    assert (row.state, row.owner_run) == ("running", "r2")


async def test_an_older_attempt_that_wakes_up_late_writes_nothing(house: House) -> None:
    job_id = await job_with_text(house)

    class Later(AskedModel):
        def ask(self, ask: Ask[Any]) -> Answer[Any]:
            with house.store.writer() as tx:
                StageMachine(tx, job_id, Stage.SCORE).start(owner_attempt=2)
            return super().ask(ask)

    with pytest.raises(OwnershipLost):
        await score(scoring_of(house, Later(local_model())), job_id)

    assert latest(house, job_id) is None


async def test_a_job_that_another_run_scores_is_left_to_it(house: House) -> None:
    job_id = await job_with_text(house)
    with acting_for(OTHER), house.store.writer() as tx:
        StageMachine(tx, job_id, Stage.SCORE).start()

    with pytest.raises(OwnershipLost, match="prep-2"):
        await score(scoring_of(house), job_id)


@pytest.mark.parametrize("change", ["profile", "asked for"])
async def test_a_new_version_is_scored_beside_the_old_one(house: House, change: str) -> None:
    job_id = await job_with_text(house)
    await score(scoring_of(house), job_id)
    if change == "profile":
        house.profiles.save(person().model_copy(update={"years_of_experience": 1}))

    again = await score(scoring_of(house), job_id, OTHER, rescore=change == "asked for")

    assert (again.status, again.version) == ("ok", 2)
    assert stage(house, job_id).attempt_count == 1
    with house.store.reader() as connection:
        versions = connection.execute("SELECT version FROM job_scores ORDER BY version").fetchall()
    assert versions == [(1,), (2,)]


async def test_a_changed_text_makes_the_score_outdated(house: House) -> None:
    job_id = await job_with_text(house)
    await score(scoring_of(house), job_id)
    assert not any("score" in target.steps for target in derive_targets(house.store, min_score=1))

    admit(house.store, [listing(1, description_text=TEXT.format(place="the sea"))], run=NEXT)
    await take_texts(house, NEXT)

    [target] = [target for target in derive_targets(house.store, min_score=1) if target.job_id == job_id]
    assert "score" in target.steps
    assert (await score(scoring_of(house), job_id, OTHER)).version == 2


async def test_a_person_who_corrected_the_score_is_not_overruled_by_a_retry(house: House) -> None:
    job_id = await job_with_text(house)
    await score(scoring_of(house), job_id)
    operator_in(house).correct_score(job_id, 2, "I know them")

    again = await score(scoring_of(house), job_id)

    assert again == Scored("already_done", 2, 2)


async def test_a_job_without_a_text_is_not_scored(house: House) -> None:
    [receipt] = admit(house.store, [listing(1, description_text=None)])

    assert await score(scoring_of(house), receipt.job_id or "") == Scored("not_eligible")
    assert stage(house, receipt.job_id or "").state == "pending"


async def test_a_text_of_a_few_words_is_refused_not_scored(house: House) -> None:
    job_id = await job_with_text(house, description_text="Come and work.")

    with pytest.raises(MissingInput):
        await score(scoring_of(house), job_id)

    assert latest(house, job_id) is None


async def test_an_unknown_job_is_not_found(house: House) -> None:
    with pytest.raises(NotFound, match="no job nobody"):
        await score(scoring_of(house), "nobody")


async def test_jobs_are_scored_inside_a_run_only(house: House) -> None:
    job_id = await job_with_text(house)

    with pytest.raises(InvalidRequest, match="inside a workflow run"):
        await scoring_of(house).score_job(ScoreInput("w", job_id))


async def test_without_a_profile_nothing_is_scored_and_the_way_to_one_is_named(tmp_path: Path) -> None:
    house = new_house(tmp_path / "empty", profile=False)
    job_id = await job_with_text(house)

    with pytest.raises(MissingInput, match="no profile") as caught:
        await score(scoring_of(house), job_id)

    assert "jobctrl init" in (caught.value.hint or "")
    house.close()


async def test_a_low_score_passes_the_later_stages_over(house: House) -> None:
    job_id = await job_with_text(house, description_text=WELDING)

    scored = await score(scoring_of(house), job_id)

    assert scored.score is not None
    assert scored.score < 6
    row = stage(house, job_id, Stage.TAILOR)
    assert row.state in ("skipped", "blocked")
    assert row.error_code in ("MIN_SCORE", "SCORE_ELIGIBILITY_BLOCKED")


WELDING = """What you bring
- 10+ years of welding stainless steel pipes
- A valid TIG and MIG certificate
- Reading of isometric drawings
- A forklift licence and experience with pressure vessels
- Readiness for shift work in the shipyard, at heights and in the cold
"""
