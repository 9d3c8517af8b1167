"""Below the threshold chance lets a share of the jobs through: once, on the record, and never against a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.errors import ConfigurationError
from jobctrl.materials.activities import TailorInput
from jobctrl.pipeline.activities import SettleInput, settle_stage
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.pipeline.retries import known_of
from jobctrl.pipeline.rules import Judged, explores, lot
from jobctrl.pipeline.targets import derive_targets
from jobctrl.pipeline.waiting import best_waiting
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput, ScoringActivities
from jobctrl.scoring.model import EligibilityStatus, ScoringPolicy
from jobctrl.scoring.state import EXPLORATIONS, ExplorationRow
from jobctrl.settings.config import change_settings
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import Transaction, acting_for
from jobctrl.testing import Inline, SteadyPulse
from tests.runtime.searching import RUN, job_with_text, local_model, materials_of, new_house, operator_in, person

HIGH = 10
"""A threshold that no job of this search reaches."""
JOBS = [f"job-{number}" for number in range(4000)]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


async def scored(house: House, share: float, number: int = 1) -> str:
    def after(tx: Transaction, job_id: str) -> None:
        reconcile(tx, job_id, min_score=HIGH, exploration_share=share)

    job_id = await job_with_text(house, number)
    policy = ScoringPolicy(min_fit_score=HIGH)
    scoring = ScoringActivities(
        house.store, Inline(SteadyPulse()), house.profiles, local_model, lambda: policy, after
    )  # fmt: skip
    with acting_for(RUN):
        await scoring.score_job(ScoreInput("w", job_id))
    return job_id


def row_of(house: House, job_id: str) -> ExplorationRow | None:
    with house.store.reader() as connection:
        return EXPLORATIONS.get(connection, job_id)


def tailoring(house: House, job_id: str) -> tuple[str, str | None]:
    with house.store.reader() as connection:
        row = stage_of(connection, job_id, Stage.TAILOR)
    return row.state, row.error_code


def test_about_the_share_is_chosen_and_a_larger_share_keeps_whom_a_smaller_one_had():
    low = Judged(3, EligibilityStatus.ELIGIBLE)
    tenth = {job for job in JOBS if explores(job, low, min_score=7, share=0.1)}
    fifth = {job for job in JOBS if explores(job, low, min_score=7, share=0.2)}

    assert 0.085 < len(tenth) / len(JOBS) < 0.115
    assert tenth < fifth
    assert tenth == {job for job in JOBS if explores(job, low, min_score=7, share=0.1)}
    assert all(0 <= lot(job) < 1 for job in JOBS)


@pytest.mark.parametrize(
    ("score", "why"),
    [
        (Judged(7, EligibilityStatus.ELIGIBLE), "it is prepared anyway"),
        (Judged(3, EligibilityStatus.BLOCKED), "what rules it out is no matter of its score"),
    ],
)
def test_only_what_the_score_alone_holds_back_is_drawn(score, why):
    assert not any(explores(job, score, min_score=7, share=1.0) for job in JOBS), why


async def test_a_chosen_job_goes_on_to_its_materials_and_the_choice_is_recorded_once(house: House) -> None:
    job_id = await scored(house, 1.0)

    row = row_of(house, job_id)
    assert row is not None
    assert (row.score_version, row.threshold, row.propensity, row.policy_version) == (1, HIGH, 1.0, 1)
    assert row.score < HIGH
    assert tailoring(house, job_id) == ("pending", None)
    assert [target.job_id for target in derive_targets(house.store, min_score=HIGH)] == [job_id]
    now = house.store.clock()
    assert best_waiting(house.store, Stage.TAILOR, profile=person(), min_score=HIGH, now=now) == [job_id]
    with house.store.reader() as connection:
        assert known_of(connection, job_id).explored

    materials = materials_of(house)
    materials.threshold = lambda: HIGH
    with acting_for(RUN):
        assert (await materials.tailor_job(TailorInput("w", job_id))).status == "ok"
    before = house.store.position()
    with house.store.writer() as tx:
        reconcile(tx, job_id, min_score=HIGH, exploration_share=1.0)
    assert house.store.position() == before


async def test_without_a_share_a_low_score_is_skipped_and_nothing_is_drawn(house: House) -> None:
    job_id = await scored(house, 0.0)

    assert row_of(house, job_id) is None
    assert tailoring(house, job_id) == ("skipped", "MIN_SCORE")
    assert derive_targets(house.store, min_score=HIGH) == []


async def test_who_was_chosen_stays_chosen_when_the_share_goes_back_to_nothing(house: House) -> None:
    job_id = await scored(house, 1.0)

    with house.store.writer() as tx:
        reconcile(tx, job_id, min_score=HIGH)

    assert tailoring(house, job_id) == ("pending", None)


async def test_a_person_s_low_score_is_not_overruled_by_chance(house: House) -> None:
    chosen, other = await scored(house, 1.0), await scored(house, 0.0, 2)
    operator = operator_in(house)

    for job_id in (chosen, other):
        operator.correct_score(job_id, 2, "not my field")
        with house.store.writer() as tx:
            reconcile(tx, job_id, min_score=HIGH, exploration_share=1.0)

    assert tailoring(house, chosen) == tailoring(house, other) == ("skipped", "MIN_SCORE")
    assert row_of(house, other) is None
    assert derive_targets(house.store, min_score=HIGH) == []


async def test_a_stage_that_its_run_left_behind_is_settled_with_a_draw_too(house: House) -> None:
    job_id = await scored(house, 0.0)
    owned = SettleInput("w", job_id, "tailor", RUN.workflow_id, RUN.run_id, "OWNER_STOPPED", "It ended.", True)
    with acting_for(RUN), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.TAILOR)
        machine.reset(reason="retry_requested")
        machine.start()
        assert settle_stage(tx, owned, min_score=HIGH, exploration_share=1.0) == "failed"

    assert row_of(house, job_id) is not None


async def test_the_read_table_is_the_same_when_it_is_folded_again(house: House) -> None:
    job_id = await scored(house, 1.0)
    before = row_of(house, job_id)

    house.store.rebuild()

    assert row_of(house, job_id) == before


def test_the_share_is_a_setting_of_at_most_a_fifth_and_off_unless_asked_for(house: House) -> None:
    assert house.exploration_share() == 0

    change_settings(house.workspace.config, {"exploration_share": 0.2})

    assert house.exploration_share() == 0.2
    with pytest.raises(ConfigurationError, match="exploration_share"):
        change_settings(house.workspace.config, {"exploration_share": 0.3})
