"""What a stop or a kill -9 leaves, the next start goes on with: nothing lost, nothing doubled."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from jobctrl.discovery.events import DiscoveryRunCompleted
from jobctrl.operator import Operator, Started
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.runtime import open_operator
from jobctrl.runtime.doing import add_recorded_boards
from jobctrl.runtime.tables import TABLES
from tests.runtime.processes import SAMPLE, Gate, alive, jobctrl, kill_process, until, up
from tests.store.workspace import tables_of

pytestmark = [pytest.mark.temporal, pytest.mark.slow]
WEB = f"recorded:{SAMPLE / 'sample_web'}"
PREPARED = 8


def count(operator: Operator, table: str) -> int:
    with operator.store.reader() as connection:
        return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def run_of(operator: Operator, started: Started) -> Run | None:
    with operator.store.reader() as connection:
        return WORKFLOW_RUNS.get(connection, started.workflow_id, started.run_id)


def ended(operator: Operator, started: Started) -> bool:
    run = run_of(operator, started)
    return run is not None and run.status != "in_progress"


def found(operator: Operator) -> set[tuple[Any, ...]]:
    """What a person sees of the jobs, apart from when."""
    with operator.store.reader() as connection:
        return set(
            connection.execute(
                "SELECT job_id, title, employer, url, source_id, native_id, places, mode, pay_state, observations,"
                " merges, active_state, enrich_state FROM jobs"
            )
        )


def readings(operator: Operator) -> list[DiscoveryRunCompleted]:
    facts = operator.store.since(0, 1_000_000)
    return [fact.event for fact in facts if isinstance(fact.event, DiscoveryRunCompleted)]


def outcomes(operator: Operator) -> dict[str, tuple[int, ...]]:
    return {e.source_id: (e.returned, e.admitted, e.merged, e.filtered, e.rejected) for e in readings(operator)}


def new_workspace(path: Path) -> None:
    assert jobctrl(path, "init", "--profile", str(SAMPLE / "sample_profile.json")).returncode == 0


@dataclass
class Told:
    """What came of a search that was stopped once and killed twice, beside one that nobody disturbed."""

    operator: Operator
    undisturbed: Operator
    discover: Started
    receipts_at_stop: int
    receipts_at_kill: int
    run_at_kill: Run | None
    server_before: dict[str, Any]
    server_after: dict[str, Any]
    orphan_lived: bool
    preparations: list[Started]
    artifacts_at_kill: int


@pytest.fixture(scope="module")
def rough(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The workspace of the search that is killed. A server that is left of it is not left running."""
    workspace = tmp_path_factory.mktemp("rough") / "ws"
    yield workspace
    record = workspace / "temporal.json"
    if record.exists() and alive(pid := json.loads(record.read_text())["pid"]):
        kill_process(pid)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory, rough: Path) -> Iterator[Told]:
    calm = tmp_path_factory.mktemp("calm") / "ws"
    new_workspace(calm)
    assert jobctrl(calm, "discover", "--no-prepare", "--web", WEB, "--json").returncode == 0
    new_workspace(rough)

    web = tmp_path_factory.mktemp("web") / "web"
    shutil.copytree(SAMPLE / "sample_web", web)
    early, later = Gate(web / "greenhouse" / "bryndleport.json"), Gate(web / "lever" / "ostrdunia.json")

    with up(rough) as zeroth:
        operator = open_operator(rough)
        add_recorded_boards(operator, WEB)
        discover = operator.start_discover(web=f"recorded:{web}", prepare=False)
        early.wait_for_a_reader()
        zeroth.process.send_signal(signal.SIGINT)
        # The answer comes when the work that asked for it has been told to stop.
        time.sleep(5)
        early.open(hand_over=True)
        assert zeroth.process.wait(60) == 0
        receipts_at_stop = count(operator, "discovery_receipts")
    operator.close()

    with up(rough) as first:
        server_before = json.loads((rough / "temporal.json").read_text())
        operator = open_operator(rough)
        later.wait_for_a_reader()
        first.kill()
        later.open(hand_over=False)
        receipts_at_kill, run_at_kill = count(operator, "discovery_receipts"), run_of(operator, discover)
    orphan_lived = alive(server_before["pid"])
    operator.close()

    with up(rough) as second:
        server_after = json.loads((rough / "temporal.json").read_text())
        operator = open_operator(rough)
        until(lambda: ended(operator, discover))
        preparations = operator.start_preparation(limit=PREPARED)
        until(lambda: count(operator, "artifacts") >= 4)
        second.kill()
        artifacts_at_kill = count(operator, "artifacts")
    # This time the server dies too, as it does when the machine stops.
    kill_process(server_after["pid"])
    operator.close()

    with up(rough) as third:
        operator = open_operator(rough)
        until(lambda: all(ended(operator, each) for each in preparations))
        assert third.stop() == 0
    undisturbed = open_operator(calm)
    yield Told(
        operator,
        undisturbed,
        discover,
        receipts_at_stop,
        receipts_at_kill,
        run_at_kill,
        server_before,
        server_after,
        orphan_lived,
        preparations,
        artifacts_at_kill,
    )
    operator.close()
    undisturbed.close()


def test_the_stop_and_the_kill_came_in_the_middle(told: Told) -> None:
    assert told.run_at_kill is not None
    assert told.run_at_kill.status == "in_progress"
    assert 0 < told.receipts_at_stop < told.receipts_at_kill < count(told.operator, "discovery_receipts")


def test_the_same_execution_finishes(told: Told) -> None:
    run = run_of(told.operator, told.discover)

    assert run is not None
    assert (run.status, run.late_outcomes) == ("succeeded", 0)
    with told.operator.store.reader() as connection:
        discovers = WORKFLOW_RUNS.all(connection, "workflow_type = 'DiscoverWorkflow'")
    assert len(discovers) == 1


def test_every_row_a_source_returned_is_accounted_for_once(told: Told) -> None:
    for reading in readings(told.operator):
        parts = reading.admitted + reading.merged + reading.filtered + reading.rejected
        assert reading.returned == parts, reading.source_id
    assert set(Counter(reading.source_id for reading in readings(told.operator)).values()) == {1}
    assert outcomes(told.operator) == outcomes(told.undisturbed)


def test_the_jobs_are_those_of_a_run_that_nobody_disturbed(told: Told) -> None:
    assert found(told.operator) == found(told.undisturbed)
    assert count(told.operator, "jobs") > 20


def test_an_orphaned_server_is_adopted(told: Told) -> None:
    assert told.orphan_lived
    assert told.server_after == told.server_before


def test_a_preparation_that_was_killed_doubles_no_document(told: Told) -> None:
    with told.operator.store.reader() as connection:
        documents = Counter(connection.execute("SELECT job_id, kind FROM artifacts").fetchall())
        generations = {row[0] for row in connection.execute("SELECT DISTINCT generation FROM artifacts")}
        scores = Counter(connection.execute("SELECT job_id FROM job_scores").fetchall())
    assert set(documents.values()) == {1}
    assert generations == {1}
    assert set(scores.values()) == {1}
    assert len(told.preparations) == PREPARED
    assert sum(documents.values()) > told.artifacts_at_kill


def test_every_preparation_ended_and_left_no_stage_running(told: Told) -> None:
    runs = [run_of(told.operator, each) for each in told.preparations]

    assert {run.status for run in runs if run} == {"succeeded"}
    with told.operator.store.reader() as connection:
        running = connection.execute("SELECT COUNT(*) FROM job_stage_states WHERE state = 'running'").fetchone()
    assert running == (0,)


def test_every_document_can_be_opened(told: Told) -> None:
    with told.operator.store.reader() as connection:
        pdfs = connection.execute("SELECT content_ref FROM artifacts WHERE kind LIKE '%pdf'").fetchall()

    assert pdfs
    assert all(told.operator.files.read(digest).startswith(b"%PDF") for (digest,) in pdfs)


def test_the_tables_are_still_the_fold_of_the_log(told: Told) -> None:
    live = tables_of(told.operator.store, TABLES)

    told.operator.rebuild()

    assert tables_of(told.operator.store, TABLES) == live


def test_stopping_in_good_order_stops_the_server_too(told: Told) -> None:
    assert not told.operator.config.with_name("temporal.json").exists()
