"""A stage that ended without its result can be opened again, and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.errors import InvalidRequest
from jobctrl.pipeline.retries import failed_stages, reset_stage, stage_to_retry
from jobctrl.runtime.house import House
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from tests.runtime.searching import admit, listing, new_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


def fail(machine: StageMachine, *, times: int = 1, code: str = "llm_transient", retryable: bool = True) -> None:
    for _ in range(times):
        machine.start()
        machine.fail(code, "No.", retryable=retryable)


Move = Callable[[StageMachine], object]
CASES: dict[str, tuple[Move, bool]] = {
    "failed": (fail, True),
    "failed for good": (lambda m: fail(m, retryable=False), True),
    "exhausted": (lambda m: fail(m, times=3), True),
    "canceled": (lambda m: (m.start(), m.cancel("asked")), True),
    "blocked for now": (lambda m: m.block("ENRICH_ROBOTS_DISALLOWED"), True),
    "stale": (lambda m: (m.start(), m.complete(), m.mark_stale("posting_changed")), True),
    "blocked by another": (lambda m: m.block("UPSTREAM_TAILOR_FAILED", by=["tailor"], retryable=False), False),
    "running": (lambda m: m.start(), False),
    "queued": (lambda m: m.queue("test"), False),
    "succeeded": (lambda m: (m.start(), m.complete()), False),
    "skipped": (lambda m: m.skip("MIN_SCORE"), False),
}


def reset(house: House, *, attempts: bool = False) -> bool:
    with house.store.writer() as tx:
        return reset_stage(tx, "j1", Stage.SCORE, attempts=attempts, min_score=1)


def row(house: House) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, "j1", Stage.SCORE)


@pytest.mark.parametrize(("move", "may"), CASES.values(), ids=CASES)
def test_only_what_ended_without_its_result_is_opened(house: House, move: Move, may: bool) -> None:
    with house.store.writer() as tx:
        move(StageMachine(tx, "j1", Stage.SCORE))
    before = row(house)

    if may:
        assert reset(house)
        assert row(house).state == "pending"
    else:
        with pytest.raises(InvalidRequest, match=f"is {before.state}"):
            reset(house)
        assert row(house) == before


@pytest.mark.parametrize(("times", "attempts", "left"), [(2, False, 2), (2, True, 0), (3, False, 0)])
def test_attempts_are_given_back_when_asked_for_or_when_none_is_left(
    house: House, times: int, attempts: bool, left: int
) -> None:
    with house.store.writer() as tx:
        fail(StageMachine(tx, "j1", Stage.SCORE), times=times)

    reset(house, attempts=attempts)

    assert row(house).attempt_count == left


def test_a_stage_that_waits_already_is_left_as_it_is(house: House) -> None:
    position = house.store.position()

    assert not reset(house)
    assert house.store.position() == position


@pytest.mark.parametrize("name", ["discover", "apply", "pdf", ""])
def test_what_is_no_stage_of_a_job_is_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidRequest, match=f"'{name}'"):
        stage_to_retry(name)


def test_failures_that_would_only_come_again_are_left_out_of_the_many(house: House) -> None:
    receipts = admit(house.store, [listing(number) for number in range(1, 7)])
    again, spent, broke, unfit, running, hidden = (str(receipt.job_id) for receipt in receipts)
    with house.store.writer() as tx:
        fail(StageMachine(tx, again, Stage.SCORE))
        fail(StageMachine(tx, spent, Stage.TAILOR), times=5)
        fail(StageMachine(tx, broke, Stage.SCORE), code="authentication", retryable=False)
        fail(StageMachine(tx, unfit, Stage.TAILOR), code="material_rejected", retryable=False)
        StageMachine(tx, running, Stage.SCORE).start()
        fail(StageMachine(tx, hidden, Stage.SCORE))
        tx.append(f"job/{hidden}", JobHidden(job_id=hidden, reason="test"))

    with house.store.reader() as connection:
        every = failed_stages(connection, (Stage.SCORE, Stage.TAILOR))
        tailored = failed_stages(connection, (Stage.TAILOR,))

    assert {(each.job_id, each.stage) for each in every} == {(again, "score"), (broke, "score"), (spent, "tailor")}
    assert [(each.job_id, each.stage) for each in tailored] == [(spent, "tailor")]
