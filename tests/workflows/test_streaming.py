"""Texts are taken while boards are read, and each job is handed on at once; the stream ends by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.enrichment.activities import EnrichmentActivities
from jobctrl.pipeline.membership import Cohort, link, members
from jobctrl.runtime.house import House
from jobctrl.store import Execution, acting_for
from jobctrl.testing import Inline, TableWeb
from jobctrl.workflows import streaming
from jobctrl.workflows.fanout import FanoutActivities
from jobctrl.workflows.preparation import PreparationInput
from jobctrl.workflows.steps import StepMark, Steps
from jobctrl.workflows.streaming import StreamActivities, StreamInput, StreamResult
from tests.runtime.searching import admit, listing, new_house

THIS = Execution("discover-local", "run-1")
ASKED = StreamInput("w", "recorded:x")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "POLL_SECONDS", 0.01)


async def family(house: House, state: str) -> None:
    mark = StepMark("w", THIS, "source_family", "family:ats_api", state)  # type: ignore[arg-type]
    await Steps(house.store).record_steps([mark])


def show(house: House, *numbers: int) -> list[str]:
    """A board shows these postings in the execution."""
    receipts = admit(house.store, [listing(number) for number in numbers], run=THIS)
    jobs = [str(receipt.job_id) for receipt in receipts]
    with house.store.writer() as tx:
        link(tx, THIS, jobs, Cohort.OBSERVED, source_id="board")
    return jobs


async def stream(
    house: House, started: list[str], asked: StreamInput = ASKED, *, handed_on: asyncio.Event | None = None
) -> StreamResult:
    handed_on = handed_on or asyncio.Event()

    async def start(inputs: Sequence[PreparationInput]) -> None:
        started.extend(each.job_id for each in inputs)
        handed_on.set()

    enrichment = EnrichmentActivities(house.store, Inline(), lambda mode: TableWeb({}), lambda: None)
    fanout = FanoutActivities(house.store, Inline(), start, lambda: 1, house.profiles.current)
    activities = StreamActivities(house.store, Inline(), enrichment, fanout)
    with acting_for(THIS):
        return await ActivityEnvironment().run(activities.discovery_stream, asked)


async def test_it_takes_what_comes_and_ends_when_the_families_have(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaming, "PATIENCE", 1_000)
    await family(house, "started")
    shown = show(house, 1, 2)
    started: list[str] = []
    handed_on = asyncio.Event()
    running = asyncio.ensure_future(stream(house, started, handed_on=handed_on))
    await handed_on.wait()

    shown += show(house, 3)
    await family(house, "completed")

    assert await running == StreamResult(3, 3)
    assert sorted(started) == sorted(shown)
    with house.store.reader() as connection:
        assert {member.plan.value for member in members(connection, THIS)} == {"planned"}


async def test_it_gives_its_slot_back_when_nothing_comes(house: House) -> None:
    await family(house, "queued")

    assert await stream(house, []) == StreamResult(0, 0)


async def test_without_handing_on_it_only_takes_texts(house: House) -> None:
    show(house, 1)
    started: list[str] = []

    assert await stream(house, started, replace(ASKED, hand_on=False)) == StreamResult(1, 0)
    assert started == []
