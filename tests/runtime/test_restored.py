"""A backup that is taken in the middle of runs: restored elsewhere, the same executions go on to their one end."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobctrl.discovery.events import DiscoveryRunCompleted
from jobctrl.operator import Operator, Started
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime import open_operator
from jobctrl.runtime.backup import Backup, backup, restore
from jobctrl.runtime.probing import start_probe
from jobctrl.runtime.session import running
from jobctrl.runtime.tables import TABLES
from jobctrl.runtime.workspace import Workspace
from jobctrl.settings.environment import Environment
from jobctrl.workflows.marks import run_stream
from tests.runtime.processes import SAMPLE, Gate, jobctrl, kill_process, until, up
from tests.store.workspace import tables_of

pytestmark = [pytest.mark.temporal, pytest.mark.slow]
BOARDS = ("greenhouse:quorlmere", "lever:ostrdunia")
NOW = datetime(2026, 3, 9, tzinfo=UTC)


def run_of(operator: Operator, started: Started) -> Run | None:
    with operator.store.reader() as connection:
        return WORKFLOW_RUNS.get(connection, started.workflow_id, started.run_id)


def ended(operator: Operator, started: Started) -> bool:
    run = run_of(operator, started)
    return run is not None and run.status != "in_progress"


@dataclass
class Told:
    operator: Operator
    backup: Backup
    discover: Started
    probe: Started
    jobs_at_backup: int


def jobs_of(operator: Operator) -> int:
    with operator.store.reader() as connection:
        return int(connection.execute("SELECT COUNT(*) FROM jobs").fetchone()[0])


async def a_probe(workspace: Path) -> Started:
    async with running(workspace, Environment()) as session:
        return await start_probe(session, Environment(), 5)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """One board was read when the backup was taken, the other one waited; a probe's timer ran. Then all was killed."""
    folder = tmp_path_factory.mktemp("restored")
    assert jobctrl(folder / "ws", "init", "--profile", str(SAMPLE / "sample_profile.json")).returncode == 0
    assert jobctrl(folder / "ws", "sources", "add", *BOARDS).returncode == 0
    web = folder / "web"
    shutil.copytree(SAMPLE / "sample_web", web)
    gate = Gate(web / "lever" / "ostrdunia.json")
    with up(folder / "ws") as host:
        operator = open_operator(folder / "ws")
        discover = operator.start_discover(web=f"recorded:{web}", prepare=False)
        gate.wait_for_a_reader()
        probe = asyncio.run(a_probe(folder / "ws"))
        until(lambda: run_of(operator, probe) is not None)
        jobs_at_backup = jobs_of(operator)
        made = backup(Workspace(folder / "ws"), folder / "kept", NOW)
        host.kill()
        gate.open(hand_over=False)
        operator.close()
    kill_process(json.loads((folder / "ws" / "temporal.json").read_text())["pid"])
    shutil.rmtree(folder / "ws")

    restore(folder / "kept", Workspace(folder / "elsewhere"), NOW)
    with up(folder / "elsewhere") as host:
        operator = open_operator(folder / "elsewhere")
        until(lambda: ended(operator, discover) and ended(operator, probe))
        assert host.stop() == 0
    yield Told(operator, made, discover, probe, jobs_at_backup)
    operator.close()


def test_the_backup_was_taken_in_the_middle(told: Told) -> None:
    assert told.jobs_at_backup < jobs_of(told.operator)


@pytest.mark.parametrize("which", ["discover", "probe"])
def test_the_same_execution_ends_once(told: Told, which: str) -> None:
    started: Started = getattr(told, which)
    marks = told.operator.store.stream(run_stream(started.workflow_id, started.run_id))
    kinds = Counter(fact.event_type for fact in marks if fact.event_type.startswith("Workflow"))

    run = run_of(told.operator, started)
    assert run is not None
    assert (run.status, run.late_outcomes) == ("succeeded", 0)
    assert kinds.pop("WorkflowStarted") in (1, 2)  # the dispatch leaves a mark too
    assert kinds == {"WorkflowCompleted": 1}


def test_every_row_is_accounted_for_once(told: Told) -> None:
    facts = told.operator.store.since(0, 1_000_000)
    readings = [fact.event for fact in facts if isinstance(fact.event, DiscoveryRunCompleted)]

    assert Counter(reading.source_id for reading in readings) == Counter(BOARDS)
    for reading in readings:
        assert reading.returned == reading.admitted + reading.merged + reading.filtered + reading.rejected
    found = [fact.job_id for fact in facts if fact.event_type == "JobDiscovered"]
    assert len(found) == len(set(found)) == jobs_of(told.operator)


def test_the_tables_are_still_the_fold_of_the_log(told: Told) -> None:
    live = tables_of(told.operator.store, TABLES)

    told.operator.rebuild()

    assert tables_of(told.operator.store, TABLES) == live
