"""The durability probe: two looks at the log, a timer between, and one end whatever comes."""

from __future__ import annotations

import asyncio

import pytest
from temporalio.client import WorkflowFailureError

from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime.house import House
from jobctrl.workflows.probe import LONGEST_HOLD, ProbeActivities, ProbeLook
from tests.workflows.fakes import Bench, FakeProbe, UntilStopped

pytestmark = pytest.mark.temporal


def the_run(house: House) -> Run:
    with house.store.reader() as connection:
        [run] = WORKFLOW_RUNS.all(connection)
    return run


async def test_a_probe_looks_at_the_log_on_both_sides_of_its_timer(bench: Bench) -> None:
    probe = FakeProbe()
    async with bench.worker(probe):
        handle = await bench.probe(1)
        result = await handle.result()

    run = the_run(bench.house)
    assert (result.workflow_id, result.hold_seconds, probe.looked) == (handle.id, 1, 2)
    assert handle.id.startswith("durability-probe-local-")
    assert (run.status, run.run_id) == ("succeeded", result.run_id)
    assert run.duration_ms is not None
    assert run.duration_ms >= 1000


async def test_a_probe_survives_that_its_worker_is_replaced_while_it_holds(bench: Bench) -> None:
    before = FakeProbe()
    async with bench.worker(before):
        handle = await bench.probe(2)
        async with asyncio.timeout(20):
            await before.done.wait()
    after = FakeProbe()
    async with bench.worker(after):
        await handle.result()

    assert (before.looked, after.looked) == (1, 1)
    assert the_run(bench.house).status == "succeeded"


@pytest.mark.parametrize("hold", [-1, LONGEST_HOLD + 1])
async def test_a_probe_that_would_hold_too_long_is_refused(bench: Bench, hold: int) -> None:
    async with bench.worker(FakeProbe()):
        with pytest.raises(WorkflowFailureError):
            await (await bench.probe(hold)).result()

    assert (the_run(bench.house).status, the_run(bench.house).error_code) == ("failed", "invalid_request")


async def test_a_canceled_probe_is_recorded_as_canceled(bench: Bench) -> None:
    looking = UntilStopped()
    async with bench.worker(FakeProbe(looking)):
        handle = await bench.probe()
        await looking.begun.wait()
        await handle.cancel()
        with pytest.raises(WorkflowFailureError):
            await handle.result()

    assert the_run(bench.house).status == "canceled"


async def test_the_probe_sees_the_log_as_it_stands(house: House) -> None:
    assert await ProbeActivities(house.store).probe_log(ProbeLook("w")) == house.store.position() > 0
