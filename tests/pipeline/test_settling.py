"""A stage whose run has ended is ended by its owner's end alone; an application that may have been sent is nobody's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.pipeline.activities import SettleInput, settle_stage
from jobctrl.runtime.house import House
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, acting_for
from tests.runtime.searching import new_house

HOLDER, OTHER = Execution("apply-local-j1", "r1"), Execution("apply-local-j1", "r2")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


def take(house: House, stage: Stage, run: Execution = HOLDER) -> None:
    with acting_for(run), house.store.writer() as tx:
        StageMachine(tx, "j1", stage).start()


def settle(house: House, stage: str, *, canceled: bool = False, run: Execution = HOLDER) -> str:
    owned = SettleInput(
        "w", "j1", stage, run.workflow_id, run.run_id, "OWNER_STOPPED", "The run ended.", True, canceled  # type: ignore[arg-type]
    )  # fmt: skip
    with house.store.writer() as tx:
        return settle_stage(tx, owned, min_score=1)


def row_of(house: House, stage: Stage) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, "j1", stage)


@pytest.mark.parametrize("canceled", [False, True])
def test_an_application_whose_run_stopped_is_never_retryable(house: House, canceled: bool) -> None:
    take(house, Stage.APPLY)

    assert settle(house, "apply", canceled=canceled) == "parked"
    assert settle(house, "apply", canceled=canceled) == "untouched"

    row = row_of(house, Stage.APPLY)
    assert (row.state, row.error_code, row.retryable) == ("needs_verification", "APPLY_NEEDS_VERIFICATION", 0)


@pytest.mark.parametrize("stage", ["enrich", "score", "tailor", "cover"])
@pytest.mark.parametrize(("canceled", "state"), [(False, "failed"), (True, "canceled")])
def test_work_that_can_be_done_again_is_failed_or_canceled_as_its_run_was(
    house: House, stage: str, canceled: bool, state: str
) -> None:
    take(house, Stage(stage))

    assert settle(house, stage, canceled=canceled) == state
    assert (row_of(house, Stage(stage)).state, row_of(house, Stage(stage)).retryable) == (state, 1)


@pytest.mark.parametrize("stage", ["score", "apply"])
def test_a_stage_that_another_run_holds_is_left_to_it(house: House, stage: str) -> None:
    take(house, Stage(stage), OTHER)
    before = house.store.position()

    assert settle(house, stage) == "untouched"
    assert house.store.position() == before
