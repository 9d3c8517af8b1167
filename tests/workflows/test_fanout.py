"""The fan-out plans one preparation a job and starts it under the id it planned; a repeat joins what it had started."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.pipeline.coverage import membership_digest
from jobctrl.pipeline.events import WorkflowCompleted, WorkflowStarted
from jobctrl.pipeline.membership import Cohort, Member, PlanState, link, members
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.store import Execution, acting_for
from jobctrl.testing import Inline
from jobctrl.workflows import fanout
from jobctrl.workflows.fanout import FanoutActivities, FanoutInput, FanoutResult
from jobctrl.workflows.ids import preparation_id
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.preparation import PreparationInput
from tests.runtime.searching import RUN, admit, listing, new_house, scoring_of, take_texts

THIS = Execution("discover-local", "r1")
CLOSING = FanoutInput("w", closes=True)


@dataclass
class Started:
    inputs: list[PreparationInput] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)

    async def __call__(self, inputs: Sequence[PreparationInput]) -> None:
        self.batches.append(len(inputs))
        self.inputs += inputs

    @property
    def keys(self) -> list[str]:
        return [each.key for each in self.inputs]


@pytest.fixture
async def house(tmp_path: Path) -> House:
    house = new_house(tmp_path / "ws")
    admit(house.store, [listing(number) for number in range(1, 8)])
    await take_texts(house)
    return house


@pytest.fixture(autouse=True)
def closed(house: House) -> Iterator[None]:
    yield
    house.close()


def activities_of(house: House, start: object) -> FanoutActivities:
    return FanoutActivities(house.store, Inline(), start, lambda: 1, house.profiles.current)  # type: ignore[arg-type]


async def fan_out(house: House, started: Started, asked: FanoutInput = FanoutInput("w")) -> FanoutResult:
    with acting_for(THIS):
        activities = activities_of(house, started)
        return await ActivityEnvironment().run(activities.discovery_preparation_fanout, asked)


def members_of(house: House) -> list[Member]:
    with house.store.reader() as connection:
        return members(connection, THIS)


def jobs_of(house: House) -> list[str]:
    with house.store.reader() as connection:
        return [row[0] for row in connection.execute("SELECT job_id FROM job_contents ORDER BY job_id")]


def ended(house: House, input: PreparationInput) -> None:
    """The preparation has started and ended."""
    name = {
        "workflow_id": preparation_id(input.key),
        "workflow_type": "JobPreparationWorkflow",
        "temporal_run_id": "p1",
    }
    with house.store.writer() as tx:
        stream = run_stream(name["workflow_id"], "p1")
        tx.append(stream, WorkflowStarted(**name, input_summary={"jobId": input.job_id}), WorkflowCompleted(**name))


async def test_every_job_gets_a_run_that_names_the_discover_it_came_from(house: House) -> None:
    started = Started()

    result = await fan_out(house, started)

    assert (result.started, result.planned) == (7, 7)
    assert len({each.job_id for each in started.inputs}) == len(set(started.keys)) == 7
    assert {each.discovery for each in started.inputs} == {THIS}


async def test_a_plan_is_kept_before_its_run_is_started_and_the_run_is_what_was_planned(house: House) -> None:
    seen: list[list[Member]] = []

    async def look(inputs: Sequence[PreparationInput]) -> None:
        seen.append(members_of(house))

    with acting_for(THIS):
        await ActivityEnvironment().run(activities_of(house, look).discovery_preparation_fanout, FanoutInput("w"))

    assert {member.plan for member in seen[0]} == {PlanState.PLANNED}
    assert {member.steps for member in seen[0]} == {("score", "tailor", "cover", "pdf")}


async def test_what_no_source_showed_is_swept_in_from_the_backlog(house: House) -> None:
    [first, *_] = jobs_of(house)
    with house.store.writer() as tx:
        link(tx, THIS, [first], Cohort.OBSERVED, source_id="board")

    await fan_out(house, Started(), FanoutInput("w", item="backlog"))

    cohorts = {member.job_id: member.cohort for member in members_of(house)}
    assert cohorts.pop(first) is Cohort.OBSERVED
    assert set(cohorts.values()) == {Cohort.BACKLOG}


async def test_a_repeat_asks_for_the_same_runs(house: House) -> None:
    first, second = Started(), Started()

    await fan_out(house, first)
    await fan_out(house, second)

    assert sorted(first.keys) == sorted(second.keys)
    assert len(members_of(house)) == 7


async def test_a_preparation_that_has_ended_is_not_begun_again_in_the_same_execution(house: House) -> None:
    first, second = Started(), Started()
    await fan_out(house, first)
    ended(house, first.inputs[0])

    result = await fan_out(house, second)

    assert sorted(second.keys) == sorted(first.keys[1:])
    assert (result.started, result.planned) == (6, 7)


async def test_a_later_pass_keeps_to_the_plan_that_was_made_first(house: House) -> None:
    first, second = Started(), Started()
    await fan_out(house, first)
    await take_texts(house)  # more facts about the same jobs
    [job, *_] = jobs_of(house)
    with house.store.writer() as tx:
        key = "preparation:planned-before"
        tx.connection.execute(
            "UPDATE discovery_execution_jobs SET preparation_workflow_id = ?, required_steps = ? WHERE job_id = ?",
            (preparation_id(key), '["score"]', job),
        )

    await fan_out(house, second)

    [kept] = [each for each in second.inputs if each.job_id == job]
    assert (kept.key, kept.steps) == (key, ["score"])


async def test_they_start_in_batches(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "BATCH", 3)
    started = Started()

    await fan_out(house, started)

    assert started.batches == [3, 3, 1]


async def test_a_limit_is_kept_by_all_passes_together(house: House) -> None:
    first, second = Started(), Started()

    assert (await fan_out(house, first, FanoutInput("w", limit=2))).started == 2
    assert (await fan_out(house, second, FanoutInput("w", limit=3))).planned == 3
    # Those of the first pass go on: their runs are joined, or started where that was lost.
    assert set(first.keys) < set(second.keys)
    assert (await fan_out(house, Started(), FanoutInput("w", limit=3))).planned == 3


async def test_a_streaming_pass_leaves_what_has_its_score_alone(house: House) -> None:
    [job, *_] = jobs_of(house)
    with acting_for(RUN):
        await ActivityEnvironment().run(scoring_of(house).score_job, ScoreInput("w", job))
    started = Started()

    await fan_out(house, started, FanoutInput("w", item="streaming:pass-1", scores_only=True))

    assert job not in {each.job_id for each in started.inputs}


async def test_a_job_that_has_just_got_its_text_is_handed_on_alone(house: House) -> None:
    [first, second, *_] = jobs_of(house)
    started = Started()

    with acting_for(THIS):
        assert await ActivityEnvironment().run(activities_of(house, started).hand_on, "w", [first, second]) == 2

    assert {each.job_id for each in started.inputs} == {first, second}
    assert [member.job_id for member in members_of(house)] == [first, second]


async def test_the_closing_pass_leaves_no_plan_pending_and_tells_what_the_members_are(house: House) -> None:
    admit(house.store, [replace(listing(20), description_text="")], run=RUN)
    with house.store.writer() as tx:
        link(tx, THIS, [*jobs_of(house), "gone"], Cohort.OBSERVED, source_id="board")

    result = await fan_out(house, Started(), CLOSING)

    plans = [(member.plan, member.reason) for member in members_of(house) if member.plan is not PlanState.PLANNED]
    assert sorted(plans) == [
        (PlanState.FAILED, "canonical_job_missing"),
        (PlanState.NOT_ELIGIBLE, "posting_text_missing"),
    ]
    with house.store.reader() as connection:
        assert (result.members, result.members_digest) == membership_digest(connection, THIS)
    assert result.members == 9


async def test_without_preparation_the_closing_pass_only_says_so(house: House) -> None:
    with house.store.writer() as tx:
        link(tx, THIS, jobs_of(house), Cohort.OBSERVED, source_id="board")
    started = Started()

    await fan_out(house, started, replace(CLOSING, prepare=False))

    assert started.inputs == []
    assert {(member.plan, member.reason) for member in members_of(house)} == {
        (PlanState.NOT_ELIGIBLE, "preparation_not_asked_for")
    }


async def test_a_start_that_fails_fails_the_fan_out_so_that_it_is_tried_again(house: House) -> None:
    async def fails(inputs: Sequence[PreparationInput]) -> None:
        raise ConnectionError("no server")

    with acting_for(THIS), pytest.raises(ConnectionError):
        await ActivityEnvironment().run(activities_of(house, fails).discovery_preparation_fanout, FanoutInput("w"))
    again = Started()

    assert (await fan_out(house, again)).started == 7
