"""Decisions on one or many jobs: one transaction each, doing it twice changes nothing, and each can be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.operations.job_list import JobFilter
from jobctrl.operations.jobs import Job
from jobctrl.operator import Operator
from jobctrl.runtime.house import House
from tests.runtime.searching import admit, listing, new_house, operator_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
def operator(house: House) -> Operator:
    return operator_in(house)


@pytest.fixture
def ids(house: House) -> list[str]:
    names = ("Data Engineer", "Baker", "Train Driver")
    found = admit(house.store, [listing(number, title) for number, title in enumerate(names, 1)])
    return [str(receipt.job_id) for receipt in found]


def rows(operator: Operator) -> list[Job]:
    return sorted(operator.jobs(JobFilter(hidden=True, closed=True, limit=0)), key=lambda job: job.job_id)


DECISIONS = {
    "keep": lambda operator, ids: operator.save_jobs(ids),
    "dismiss": lambda operator, ids: operator.dismiss_jobs(ids, "too far"),
    "snooze": lambda operator, ids: operator.snooze_jobs(ids, 7),
    "put back": lambda operator, ids: operator.put_back_jobs(ids),
}


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)
@pytest.mark.parametrize("earlier", DECISIONS.values(), ids=DECISIONS)
def test_what_was_taken_back_stands_as_before(operator, ids, earlier, decide):
    earlier(operator, ids)
    before = rows(operator)

    decision = decide(operator, ids)
    back = operator.take_back(decision)

    assert rows(operator) == before
    assert back.says == "Took back: 3 jobs as before."


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)
def test_taking_back_twice_takes_back_once(operator, ids, decide):
    decision = decide(operator, ids)
    operator.take_back(decision)
    position = operator.store.position()

    operator.take_back(decision)

    assert operator.store.position() == position


@pytest.mark.parametrize("name", ["keep", "dismiss"])
def test_deciding_the_same_twice_records_it_once(operator, ids, name):
    DECISIONS[name](operator, ids)
    position = operator.store.position()

    decision = DECISIONS[name](operator, ids)

    assert operator.store.position() == position
    assert all(change.before == change.after for change in decision.changes)


def test_a_job_that_was_decided_on_since_is_left_alone(operator, ids):
    decision = operator.dismiss_jobs(ids, "far")
    operator.put_back_jobs(ids[:1])
    operator.save_jobs(ids[:1])

    back = operator.take_back(decision)

    assert [job.hidden for job in rows(operator)] == [0, 0, 0]
    assert {job.feedback for job in rows(operator)} == {"saved", None}
    assert back.says == "Took back: 2 jobs as before. 1 job decided on since, left alone."


@pytest.mark.parametrize("decide", DECISIONS.values(), ids=DECISIONS)
def test_an_unknown_job_among_them_changes_none(operator, ids, decide):
    position = operator.store.position()

    with pytest.raises(NotFound):
        decide(operator, [*ids, "nobody-here"])

    assert operator.store.position() == position


@pytest.mark.parametrize("days", [0, -1, 366])
def test_a_job_does_not_sleep_for_ever_nor_at_all(operator, ids, days):
    with pytest.raises(InvalidRequest, match="1 to 365"):
        operator.snooze_jobs(ids, days)


def test_one_job_is_named_and_many_are_counted(operator, ids):
    assert operator.save_jobs(ids[:1]).says == "Kept: Data Engineer."
    assert operator.snooze_jobs(ids, 1).says == "Snoozed: 3 jobs."
    assert operator.dismiss_jobs([ids[0], ids[0][:8]]).says == "Dismissed: Data Engineer."


def test_the_rows_are_the_same_after_a_refold(operator, ids):
    operator.snooze_jobs(ids, 3)
    operator.take_back(operator.dismiss_jobs(ids[1:], "far"))
    before = rows(operator)

    operator.rebuild()

    assert rows(operator) == before
