"""What faults leave is taken up again; and the bench lays hands on no processes but its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.acceptance.chaos.bench import Outcome, run_all
from tests.acceptance.chaos.faults import Fault, parse, take
from tests.acceptance.chaos.ground import ROOT
from tests.acceptance.chaos.manifest import Foreign, Manifest, Started, start_time
from tests.acceptance.chaos.scenarios import SHORT
from tests.acceptance.chaos.world import build_web

SLEEPS = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """The short selection, side by side: most of its time is spent waiting for a heartbeat that does not come."""
    told = run_all(SHORT, seed=7, at_once=len(SHORT), keep=tmp_path_factory.mktemp("chaos"))
    return {outcome.name: outcome for outcome in told}


@pytest.mark.temporal
@pytest.mark.slow
@pytest.mark.parametrize("name", SHORT)
def test_the_workspace_comes_to_rest_by_itself_and_everything_holds(name: str, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[name]

    assert outcome.found.wrong == []
    assert outcome.faults > 0
    assert (outcome.found.lost, outcome.found.doubled, outcome.found.left_running) == (0, 0, 0)


@pytest.fixture
def manifest(tmp_path: Path) -> Iterator[Manifest]:
    kept = Manifest(tmp_path / "manifest.jsonl", "bench-of-a-test")
    yield kept
    kept.end_all()


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that no bench has started."""
    with subprocess.Popen(SLEEPS, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def spawned(manifest: Manifest, tmp_path: Path) -> int:
    return manifest.spawn("sleeper", SLEEPS, cwd=tmp_path, environment=dict(os.environ), said=tmp_path / "said").pid


def test_a_process_of_the_bench_is_ended(manifest: Manifest, tmp_path: Path) -> None:
    pid = spawned(manifest, tmp_path)

    manifest.end(pid)

    assert not manifest.alive(pid)


def test_a_foreign_process_is_never_signalled(manifest: Manifest, stranger: subprocess.Popen[bytes]) -> None:
    for touch in (manifest.send, manifest.end):
        with pytest.raises(Foreign):
            touch(stranger.pid, signal.SIGTERM)

    assert stranger.poll() is None


def test_a_pid_that_has_passed_to_another_process_is_not_signalled(
    manifest: Manifest, tmp_path: Path, stranger: subprocess.Popen[bytes]
) -> None:
    pid = spawned(manifest, tmp_path)
    ours = manifest._started[pid]
    manifest._started[stranger.pid] = replace(ours, pid=stranger.pid, started=ours.started + 1_000_000)

    with pytest.raises(Foreign):
        manifest.send(stranger.pid, signal.SIGKILL)

    assert stranger.poll() is None
    del manifest._started[stranger.pid]


def test_a_process_that_does_not_carry_the_mark_is_not_taken_in(
    manifest: Manifest, stranger: subprocess.Popen[bytes]
) -> None:
    with pytest.raises(Foreign):
        manifest.adopt(stranger.pid, "somebody else's server")


def test_a_child_of_a_process_of_the_bench_is_taken_in(manifest: Manifest, tmp_path: Path) -> None:
    # The shell starts the sleeper, and says its pid.
    command = ["/bin/sh", "-c", '"$@" > /dev/null & echo $!; wait', "sh", *SLEEPS]
    manifest.spawn("shell", command, cwd=tmp_path, environment=dict(os.environ), said=tmp_path / "said")
    deadline = time.monotonic() + 20
    while not (said := (tmp_path / "said").read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.02)

    manifest.adopt(int(said), "child")
    manifest.end(int(said))

    assert start_time(int(said)) is None


def test_the_manifest_says_what_was_started(manifest: Manifest, tmp_path: Path) -> None:
    pid = spawned(manifest, tmp_path)

    [line] = manifest.file.read_text().splitlines()

    started = start_time(pid)
    assert started is not None
    assert line == json.dumps(asdict(Started(pid, started, "sleeper", "bench-of-a-test")))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("JobScored:before:kill", Fault("JobScored", "before", "kill")),
        ("score_job:writer2:lock=8", Fault("score_job", "writer2", "lock", 8)),
        ("score_job:begin:killx3", Fault("score_job", "begin", "kill", times=3)),
        ("render_pdf:begin:block=1.5x2", Fault("render_pdf", "begin", "block", 1.5, 2)),
    ],
)
def test_a_fault_is_spelled_as_it_is_read(text: str, fault: Fault) -> None:
    assert parse(text) == fault
    assert str(fault) == text


def test_a_fault_that_nobody_could_inject_is_refused() -> None:
    with pytest.raises(ValueError, match="meteorite"):
        parse("score_job:begin:meteorite")


def test_a_fault_happens_as_often_as_it_says(tmp_path: Path) -> None:
    fault = parse("score_job:begin:killx2")

    assert [take(tmp_path, fault) for _ in range(3)] == [True, True, False]


def test_the_same_seed_makes_the_same_web_and_another_one_another(tmp_path: Path) -> None:
    webs = [build_web(tmp_path / str(number), seed=seed, boards=2, each=30) for number, seed in enumerate((1, 1, 2))]
    titles = [[part for web_file in sorted(web.folder.glob("*.json")) for part in _titles(web_file)] for web in webs]

    assert titles[0] == titles[1] != titles[2]
    assert len(set(titles[0])) == 60


def _titles(file: Path) -> list[str]:
    board = json.loads(file.read_text(encoding="utf-8"))
    return [f"{job['company_name']}: {job['title']}" for job in board["jobs"]]


def test_the_bench_says_what_it_can_do() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "tests.acceptance.chaos", "--list"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert set(SHORT) < set(listed.stdout.split())
