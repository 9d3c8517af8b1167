"""While a workspace is hosted, what died is cleared up: at the start, and again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from jobctrl.errors import TransientNetwork
from jobctrl.pipeline.events import WorkflowStarted
from jobctrl.pipeline.runs import NOT_FOUND, WORKFLOW_RUNS
from jobctrl.runtime import reconciling as module
from jobctrl.runtime.house import House
from jobctrl.runtime.reconciling import reconciling
from jobctrl.store import Execution
from jobctrl.workflows.reconciler import HistoryState
from tests.runtime.searching import new_house


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


class Server:
    """A server that answers after it has been silent for some passes."""

    def __init__(self, silent: int, silence: Exception | None = None) -> None:
        self.silent = silent
        self.silence = silence or TransientNetwork("silence")
        self.asked = 0
        self.heard = asyncio.Event()
        """Set when it is asked again after its first answer: what that said is recorded by then."""

    async def state(self, workflow_id: str, run_id: str) -> HistoryState:
        self.asked += 1
        if self.asked <= self.silent:
            raise self.silence
        if self.asked > self.silent + 1:
            self.heard.set()
        return HistoryState.NOT_FOUND

    async def cancellation(self, workflow_id: str, run_id: str) -> None:
        """Nobody canceled anything here."""

    async def history(self, execution: Execution) -> None:
        """It has none."""


def begin(house: House) -> None:
    started = WorkflowStarted(workflow_id="w", workflow_type="DiscoverWorkflow", temporal_run_id="r")
    with house.store.writer() as tx:
        tx.append("run/w/r", started)


async def run_until_ended(house: House, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TemporalHistories", lambda client: server)
    nobody: Any = None
    async with reconciling(house, nobody, every=0.01):
        await asyncio.wait_for(server.heard.wait(), 5)


def _status(house: House) -> tuple[str, str | None]:
    with house.store.reader() as connection:
        run = WORKFLOW_RUNS.get(connection, "w", "r")
    assert run is not None
    return run.status, run.error_code


@pytest.mark.parametrize("silence", [TransientNetwork("silence"), ValueError("a fault of ours")])
async def test_a_pass_that_fails_is_followed_by_the_next(
    house: House, monkeypatch: pytest.MonkeyPatch, silence: Exception
) -> None:
    begin(house)
    server = Server(3, silence)

    await run_until_ended(house, server, monkeypatch)

    assert _status(house) == ("terminated", NOT_FOUND)
    assert server.asked >= 4


async def test_money_set_aside_by_a_process_that_died_is_held(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ABANDONED_AFTER", timedelta(seconds=-1))
    house.ledger.reserve("score", provider="p", model="m", estimate=Decimal(1), tokens=5)
    begin(house)

    await run_until_ended(house, Server(silent=0), monkeypatch)

    day = house.ledger.today()
    assert (day.reserved, day.held) == (Decimal(0), Decimal(1))


async def test_it_stops_with_its_block(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(house)
    server = Server(silent=1_000_000)
    monkeypatch.setattr(module, "TemporalHistories", lambda client: server)
    nobody: Any = None
    async with reconciling(house, nobody, every=0.01):
        await asyncio.sleep(0.05)
    asked = server.asked

    await asyncio.sleep(0.05)

    assert server.asked == asked > 0
