"""Record one history of each path: `python -m tests.workflows.record_histories`. Run after a change meant to break."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from temporalio.client import WorkflowFailureError, WorkflowHandle
from temporalio.testing import WorkflowEnvironment

from jobctrl.discovery.activities import FamilyResult
from jobctrl.errors import MaterialRejected, NotFound
from jobctrl.materials.activities import StepResult
from jobctrl.runtime.temporal_server import connect
from tests.runtime.searching import new_house
from tests.workflows.fakes import Bench, FakeBoards, FakeSteps, UntilStopped

FOLDER = Path(__file__).parent / "histories"
READ = FamilyResult("ats_api", returned=9, admitted=4, merged=2, filtered=2, rejected=1, sources_read=3)
ALSO_READ = FamilyResult("workday", returned=3, admitted=3, sources_read=1)
GONE = NotFound("The board is not there.")
Start = Callable[[Bench], Awaitable[WorkflowHandle[Any, Any]]]


def discover(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.discover()


def prepare(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.prepare(key="preparation:recorded")


async def record(
    bench: Bench, name: str, start: Start, fake: FakeBoards | FakeSteps, stop: UntilStopped | None
) -> None:
    async with bench.worker(fake):
        handle = await start(bench)
        if stop is not None:
            await stop.begun.wait()
            await handle.cancel()
        try:
            await handle.result()
        except WorkflowFailureError:
            # Half of the paths end so.
            pass
        history = json.loads((await handle.fetch_history()).to_json())
    history.pop("id", None)
    (FOLDER / f"{name}.json").write_text(json.dumps(_without_this_machine(history), sort_keys=True) + "\n")


def _without_this_machine(value: Any) -> Any:
    """Who and where it was recorded does not matter to a replay."""
    if isinstance(value, list):
        return [_without_this_machine(each) for each in value]
    if isinstance(value, dict):
        left_out = {"stackTrace", "identity", "workerVersion", "sdkMetadata", "meteringMetadata", "rawStackTrace"}
        return {key: _without_this_machine(each) for key, each in value.items() if key not in left_out}
    # The name of a sticky queue is the process and the machine.
    return re.sub(r"^\d+@.*", "recorder", value) if isinstance(value, str) else value


async def main() -> None:
    """Write every history anew."""
    program = str(Path(sys.executable).parent / "temporal")
    FOLDER.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp())
    reading, scoring = UntilStopped(), UntilStopped()
    paths: list[tuple[str, Start, FakeBoards | FakeSteps, UntilStopped | None]] = [
        ("discover-success", discover, FakeBoards({"ats_api": READ, "workday": ALSO_READ}), None),
        ("discover-partial-failure", discover, FakeBoards({"ats_api": GONE, "workday": ALSO_READ}), None),
        ("discover-failure", discover, FakeBoards({"ats_api": GONE}), None),
        ("discover-cancel", discover, FakeBoards({"ats_api": reading}), reading),
        ("prepare-success", prepare, FakeSteps(), None),
        ("prepare-skipped", prepare, FakeSteps(tailor=StepResult("skipped", reason="MIN_SCORE")), None),
        ("prepare-failure", prepare, FakeSteps(tailor=MaterialRejected("Ungrounded.")), None),
        ("prepare-cancel", prepare, FakeSteps(score=scoring), scoring),
    ]
    async with await WorkflowEnvironment.start_local(
        dev_server_existing_path=program, dev_server_log_level="error"
    ) as environment:
        house = new_house(folder / "workspace")
        bench = Bench(house, await connect(environment.client.service_client.config.target_host))
        for name, start, fake, stop in paths:
            await record(bench, name, start, fake, stop)
        house.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main())
