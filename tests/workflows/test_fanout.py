"""The fan-out starts one preparation a job, in batches, and a repeat joins what it had started."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.runtime.house import House
from jobctrl.workflows import fanout
from jobctrl.workflows.fanout import FanoutActivities, FanoutInput, FanoutResult
from jobctrl.workflows.preparation import PreparationInput
from tests.runtime.searching import admit, listing, new_house, take_texts

ASKED = FanoutInput("w", discover_workflow_id="discover-local", discover_run_id="r1")


@dataclass
class Started:
    keys: list[str] = field(default_factory=list)
    inputs: list[PreparationInput] = field(default_factory=list)

    async def __call__(self, input: PreparationInput) -> None:
        self.keys.append(input.key)
        self.inputs.append(input)


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


async def fan_out(house: House, started: Started, asked: FanoutInput = ASKED) -> FanoutResult:
    activities = FanoutActivities(house.store, started, lambda: 1, house.profiles.current)
    return await ActivityEnvironment().run(activities.discovery_preparation_fanout, asked)


async def test_every_job_gets_a_run_that_names_the_discover_it_came_from(house: House) -> None:
    started = Started()

    result = await fan_out(house, started)

    assert result == FanoutResult(7, 7)
    assert len({each.job_id for each in started.inputs}) == len(set(started.keys)) == 7
    assert {(each.discover_workflow_id, each.discover_run_id) for each in started.inputs} == {("discover-local", "r1")}


async def test_a_repeat_asks_for_the_same_runs(house: House) -> None:
    first, second = Started(), Started()

    await fan_out(house, first)
    await fan_out(house, second)

    assert sorted(first.keys) == sorted(second.keys)


async def test_they_start_in_batches(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanout, "BATCH", 3)
    beats: list[object] = []
    environment = ActivityEnvironment()
    environment.on_heartbeat = lambda *details: beats.append(details[0])
    activities = FanoutActivities(house.store, Started(), lambda: 1, house.profiles.current)

    await environment.run(activities.discovery_preparation_fanout, ASKED)

    assert beats == [0, 3, 6]


async def test_a_limit_is_kept(house: House) -> None:
    started = Started()

    assert await fan_out(house, started, FanoutInput("w", limit=2)) == FanoutResult(2, 2)
    assert len(started.inputs) == 2


async def test_a_start_that_fails_fails_the_fan_out_so_that_it_is_tried_again(house: House) -> None:
    async def fails(input: PreparationInput) -> None:
        raise ConnectionError("no server")

    activities = FanoutActivities(house.store, fails, lambda: 1, house.profiles.current)
    with pytest.raises(ConnectionError):
        await ActivityEnvironment().run(activities.discovery_preparation_fanout, ASKED)
