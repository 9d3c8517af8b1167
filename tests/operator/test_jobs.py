"""What a person does with jobs is a fact each; doing it twice changes nothing, and a bad request is a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from jobctrl.errors import InvalidRequest, MissingInput, NotFound
from jobctrl.operations.job_list import JobFilter
from jobctrl.operations.jobs import Job
from jobctrl.operator import Operator
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.scoring.state import SCORING_POLICIES
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import Execution, acting_for
from tests.runtime.searching import (
    BOARD,
    OTHER_BOARD,
    admit,
    job_with_text,
    listing,
    new_house,
    operator_in,
    scoring_of,
)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
def operator(house: House) -> Operator:
    return operator_in(house)


@pytest.fixture
def job_id(house: House) -> str:
    [receipt] = admit(house.store, [listing(1)])
    assert receipt.job_id is not None
    return receipt.job_id


async def scored(house: House) -> str:
    job_id = await job_with_text(house)
    with acting_for(Execution("prep-1", "r1")):
        await scoring_of(house).score_job(ScoreInput("w", job_id))
    return job_id


def job(operator: Operator, job_id: str) -> Job:
    return operator.show_job(job_id).job


@pytest.mark.parametrize(
    "key", [lambda job: job.job_id, lambda job: job.job_id[:8], lambda job: job.url, lambda job: job.native_id]
)
def test_a_job_is_named_by_its_id_the_beginning_of_it_its_address_or_its_boards_id(
    operator: Operator, job_id: str, key: object
) -> None:
    assert operator.show_job(key(job(operator, job_id))).job.job_id == job_id  # type: ignore[operator]


@pytest.mark.parametrize("key", ["", "nobody", "123", "%", "%%%%%%", "______", "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_job_is_an_error_with_advice(operator: Operator, job_id: str, key: str) -> None:
    for act in (
        operator.save_job,
        operator.dismiss_job,
        operator.restore_job,
        operator.mark_applied,
        operator.show_job,
    ):
        with pytest.raises(NotFound, match="no job") as caught:
            act(key)
        assert "jobctrl jobs" in (caught.value.hint or "")


def test_a_key_that_names_two_jobs_is_refused(operator: Operator, house: House) -> None:
    admit(house.store, [listing(1)])
    admit(house.store, [listing(1, company="Elsewhere", url="https://jobs.lever.co/elsewhere/1")], source=OTHER_BOARD)

    with pytest.raises(InvalidRequest, match="more than one"):
        operator.save_job("1")


def test_dismissing_hides_a_job_and_restoring_brings_it_back(operator: Operator, job_id: str) -> None:
    before = operator.store.position()
    for _ in range(2):
        operator.dismiss_job(job_id, "too far")
    assert operator.store.position() == before + 2
    assert operator.jobs() == []
    assert [each.job_id for each in operator.jobs(JobFilter(hidden=True))] == [job_id]
    assert operator.counts()["jobs:hidden"] == 1

    for _ in range(2):
        operator.restore_job(job_id)

    assert operator.store.position() == before + 4
    assert [each.job_id for each in operator.jobs()] == [job_id]


def test_keeping_a_job_twice_keeps_it_once(operator: Operator, job_id: str) -> None:
    assert operator.save_job(job_id) == "Kept: Data Engineer."
    before = operator.store.position()

    operator.save_job(job_id)

    assert operator.store.position() == before
    assert job(operator, job_id).feedback == "saved"


async def test_a_correction_stands_beside_what_it_corrects(house: House) -> None:
    job_id, operator = await scored(house), operator_in(house)
    ours = job(operator, job_id).fit_score

    operator.correct_score(job_id, 3, "They want on-call")
    operator.correct_score(job_id, 4, "Not that bad")

    now = job(operator, job_id)
    score = operator.show_job(job_id).score
    assert score is not None
    assert (now.fit_score, now.corrected, now.score_version) == (4, 1, 3)
    assert (score.corrected_from, score.provider) == (ours, "person")
    assert house.store.content(score.reason_ref or "").decode() == "Not that bad"
    assert not any("on-call" in fact.payload for fact in house.store.stream(f"job/{job_id}"))


async def test_a_correction_moves_the_stages_after_the_score(house: House) -> None:
    job_id, operator = await scored(house), operator_in(house)

    def tailor() -> str:
        with house.store.reader() as connection:
            return stage_of(connection, job_id, Stage.TAILOR).state

    operator.correct_score(job_id, 2, "no")
    assert tailor() == "skipped"
    operator.correct_score(job_id, 9, "after all")
    assert tailor() == "pending"


@pytest.mark.parametrize(("score", "reason"), [(0, "low"), (11, "high"), (5, ""), (5, "   "), (5, "x" * 10_000)])
async def test_a_correction_needs_a_score_in_range_and_a_reason(house: House, score: int, reason: str) -> None:
    job_id, operator = await scored(house), operator_in(house)
    before = house.store.position()

    with pytest.raises(InvalidRequest):
        operator.correct_score(job_id, score, reason)

    assert house.store.position() == before


def test_what_was_never_scored_cannot_be_corrected(operator: Operator, job_id: str) -> None:
    with pytest.raises(MissingInput, match="no score") as caught:
        operator.correct_score(job_id, 5, "because")

    assert "jobctrl prepare" in (caught.value.hint or "")


async def test_an_application_keeps_the_score_of_its_moment(house: House) -> None:
    job_id, operator = await scored(house), operator_in(house)
    before = job(operator, job_id).fit_score

    for _ in range(2):
        operator.mark_applied(job_id)
    operator.correct_score(job_id, 1, "they never answered")

    now = job(operator, job_id)
    assert (now.applied_score, now.fit_score, now.simulated) == (before, 1, 0)
    assert sum(fact.event_type == "ApplicationManuallyMarked" for fact in house.store.stream(f"job/{job_id}")) == 1


def test_nobody_has_applied_tomorrow(operator: Operator, job_id: str) -> None:
    with pytest.raises(InvalidRequest, match="future"):
        operator.mark_applied(job_id, datetime.now(UTC) + timedelta(days=2))


def test_an_outcome_belongs_to_an_application(operator: Operator, job_id: str) -> None:
    with pytest.raises(InvalidRequest, match="applied"):
        operator.record_outcome(job_id, "interview")

    operator.mark_applied(job_id, datetime(2026, 3, 1, tzinfo=UTC))
    for _ in range(2):
        operator.record_outcome(job_id, "recruiter_reply", datetime(2026, 3, 4, tzinfo=UTC))
    operator.record_outcome(job_id, "interview", datetime(2026, 3, 9, tzinfo=UTC))
    operator.record_outcome(job_id, "interview", datetime(2026, 3, 6, tzinfo=UTC))

    now = job(operator, job_id)
    assert (now.replied_at or "")[:10] == "2026-03-04"
    assert (now.interview_at or "")[:10] == "2026-03-06"
    assert (now.offer_at, now.rejected_at) == (None, None)
    names = [fact.event_type for fact in operator.store.stream(f"job/{job_id}")]
    assert names.count("ApplicationOutcomeRecorded") == 3


def test_a_merge_is_split_by_the_link_that_the_job_shows(operator: Operator, house: House) -> None:
    [first] = admit(house.store, [listing(1)])
    elsewhere = listing(1, native_id="x1", url="https://jobs.lever.co/northmill/x1")
    admit(house.store, [elsewhere], source=OTHER_BOARD)
    [link] = [seen["linkId"] for seen in operator.show_job(first.job_id or "").observations if seen.get("linkId")]

    with pytest.raises(InvalidRequest, match="reason"):
        operator.split(link, "  ")
    new_id = operator.split(link, "another office")

    assert {each.job_id for each in operator.jobs()} == {first.job_id, new_id}
    assert [seen["sourceId"] for seen in operator.show_job(new_id).observations] == [OTHER_BOARD.id]
    assert [seen["sourceId"] for seen in operator.show_job(first.job_id or "").observations] == [BOARD.id]


async def test_a_correction_taken_back_brings_our_score_back_and_forgets_its_lesson(
    house: House, operator: Operator
) -> None:
    job_id = await scored(house)
    ours = operator.show_job(job_id).score
    assert ours is not None
    for score in (2, 3):
        operator.correct_score(job_id, score, "I know them")
    with house.store.reader() as connection:
        taught = SCORING_POLICIES.all(connection, "1 ORDER BY version DESC LIMIT 1")[0]

    operator.take_back_correction(job_id)

    stands = operator.show_job(job_id).score
    assert stands is not None
    assert (stands.fit_score, stands.corrected_from, stands.version) == (ours.fit_score, None, 4)
    assert (stands.ledger_ref, stands.provider) == (ours.ledger_ref, ours.provider)
    with house.store.reader() as connection:
        policy = SCORING_POLICIES.all(connection, "1 ORDER BY version DESC LIMIT 1")[0]
    assert (policy.reason, policy.version) == ("correction_taken_back", taught.version + 1)
    assert json.loads(house.store.content(policy.anchors_ref)) == []
    with pytest.raises(InvalidRequest, match="not a person's"):
        operator.take_back_correction(job_id)
