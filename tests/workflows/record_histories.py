"""Record one history of each path: `python -m tests.workflows.record_histories`. Run after a change meant to break.

With a word behind it, such as `pipeline`, only those whose names begin so.
"""

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
from jobctrl.errors import LlmTransient, MaterialRejected, NotFound, TransientNetwork, WorkspaceError
from jobctrl.materials.activities import StepResult
from jobctrl.runtime.temporal_server import connect
from jobctrl.scoring.activities import Scored
from jobctrl.store import Execution
from jobctrl.workflows.pipeline import PART
from tests.runtime.searching import new_house
from tests.workflows.fakes import Bench, Fake, FakeBoards, FakeProbe, FakeReports, FakeSteps, UntilStopped

FOLDER = Path(__file__).parent / "histories"
READ = FamilyResult("ats_api", returned=9, admitted=4, merged=2, filtered=2, rejected=1, sources_read=3)
ALSO_READ = FamilyResult("workday", returned=3, admitted=3, sources_read=1)
GONE = NotFound("The board is not there.")
LATER = LlmTransient("The provider is busy.")
Fakes = tuple[Fake, ...]
Start = Callable[[Bench], Awaitable[WorkflowHandle[Any, Any]]]


def discover(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.discover()


def prepare(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.prepare(key="preparation:recorded")


def prepare_for_discover(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.prepare(key="preparation:recorded-for-discover", discovery=Execution("discover-local", "run-1"))


def probe(hold_seconds: int) -> Start:
    return lambda bench: bench.probe(hold_seconds)


def scheduled(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.scheduled()


def reported(bench: Bench) -> Awaitable[WorkflowHandle[Any, Any]]:
    return bench.weekly_report()


def after_a_failure(result: Any) -> Callable[[Any], Awaitable[Any]]:
    """Work whose first attempt fails for a moment."""
    attempts: list[Any] = []

    async def work(input: Any) -> Any:
        attempts.append(input)
        if len(attempts) == 1:
            raise TransientNetwork("The board did not answer.")
        return result

    return work


def run(*stages: str, part_size: int = PART, automatic: bool = False) -> Start:
    return lambda bench: bench.pipeline(
        *stages, job_ids=["j1", "j2"], workers=1, part_size=part_size, automatic=automatic
    )


async def record(bench: Bench, name: str, start: Start, fakes: Fakes, stop: UntilStopped | None) -> None:
    async with bench.worker(*fakes):
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


async def main(beginning: str = "") -> None:
    """Write every history anew whose name begins so."""
    program = str(Path(sys.executable).parent / "temporal")
    FOLDER.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp())
    reading, scoring, tailoring = UntilStopped(), UntilStopped(), UntilStopped()
    planned, probing = UntilStopped(), UntilStopped()
    covering, writing = UntilStopped(), UntilStopped()
    paths: list[tuple[str, Start, Fakes, UntilStopped | None]] = [
        ("discover-success", discover, (FakeBoards({"ats_api": READ, "workday": ALSO_READ}),), None),
        ("discover-partial-failure", discover, (FakeBoards({"ats_api": GONE, "workday": ALSO_READ}),), None),
        ("discover-failure", discover, (FakeBoards({"ats_api": GONE}),), None),
        ("discover-retry", discover, (FakeBoards({"ats_api": after_a_failure(READ)}),), None),
        ("discover-cancel", discover, (FakeBoards({"ats_api": reading}),), reading),
        ("prepare-success", prepare, (FakeSteps(),), None),
        ("prepare-for-discover", prepare_for_discover, (FakeSteps(),), None),
        ("prepare-skipped", prepare, (FakeSteps(tailor=StepResult("skipped", reason="MIN_SCORE")),), None),
        ("prepare-retry", prepare, (FakeSteps(score=after_a_failure(Scored("ok", 8, 1))),), None),
        ("prepare-failure", prepare, (FakeSteps(tailor=MaterialRejected("Ungrounded.")),), None),
        ("prepare-cancel", prepare, (FakeSteps(score=scoring),), scoring),
        (
            "pipeline-success",
            run("discover", "enrich", "score", "tailor", "cover"),
            (FakeBoards({"ats_api": READ}), FakeSteps()),
            None,
        ),
        ("pipeline-failure", run("score", "tailor"), (FakeSteps(score=MaterialRejected("Ungrounded.")),), None),
        ("pipeline-refused", run("score", "apply"), (FakeSteps(),), None),
        ("pipeline-cancel", run("score", "tailor"), (FakeSteps(tailor=tailoring),), tailoring),
        ("scheduled-success", scheduled, (FakeBoards({"ats_api": READ}),), None),
        ("scheduled-failure", scheduled, (FakeBoards({"ats_api": GONE}),), None),
        ("scheduled-cancel", scheduled, (FakeBoards({"ats_api": planned}),), planned),
        ("probe-success", probe(1), (FakeProbe(),), None),
        ("probe-failure", probe(9999), (FakeProbe(),), None),
        ("probe-cancel", probe(1), (FakeProbe(probing),), probing),
        ("report-success", reported, (FakeReports(),), None),
        ("report-failure", reported, (FakeReports(WorkspaceError("The folder cannot be written.")),), None),
        ("report-cancel", reported, (FakeReports(writing),), writing),
        ("pipeline-automatic-success", run("cover", automatic=True), (FakeSteps(),), None),
        ("pipeline-automatic-texts", run("enrich", automatic=True), (FakeBoards({}),), None),
        ("pipeline-automatic-failure", run("score", automatic=True), (FakeSteps(score=LATER),), None),
        ("pipeline-automatic-cancel", run("cover", automatic=True), (FakeSteps(cover=covering),), covering),
        ("pipeline-parts", run("score", "tailor", part_size=1), (FakeSteps(),), None),
    ]
    async with await WorkflowEnvironment.start_local(
        dev_server_existing_path=program, dev_server_log_level="error"
    ) as environment:
        house = new_house(folder / "workspace")
        bench = Bench(house, await connect(environment.client.service_client.config.target_host))
        for name, start, fakes, stop in paths:
            if name.startswith(beginning):
                await record(bench, name, start, fakes, stop)
        house.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:2]))
