"""Several processes on one workspace: nothing lost, nothing doubled, nothing half."""

from __future__ import annotations

import multiprocessing
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobctrl.store import Store
from tests.store.parcels import ParcelSent
from tests.store.workspace import open_workspace, tables_of
from tests.store.writing import GROUP, open_together, stand_at, write_together

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def four() -> Iterator[ProcessPoolExecutor]:
    """Four real processes that can start at one moment."""
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(4)
    with ProcessPoolExecutor(4, mp_context=context, initializer=stand_at, initargs=(gate,)) as pool:
        yield pool


@contextmanager
def process(what: str, path: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.store.writing", what, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def assert_sound(store: Store) -> None:
    """Positions and versions without gaps, an intact file, and tables that are the fold of the log."""
    facts = store.since(0, limit=1_000_000)
    assert [fact.position for fact in facts] == list(range(1, len(facts) + 1))
    assert len({fact.event_id for fact in facts}) == len(facts)
    versions: dict[str, list[int]] = {}
    for fact in facts:
        versions.setdefault(fact.stream, []).append(fact.stream_version)
    assert all(found == list(range(1, len(found) + 1)) for found in versions.values())
    with store.reader() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    live = tables_of(store)
    store.rebuild()
    assert tables_of(store) == live


def test_four_processes_that_open_a_new_workspace_at_once_all_get_it(four: ProcessPoolExecutor, tmp_path: Path) -> None:
    for number in range(6):
        path = tmp_path / f"{number}.db"

        opened = list(four.map(open_together, [path] * 4))

        assert opened == [0, 0, 0, 0]


def test_four_writers_lose_nothing_and_double_nothing(four: ProcessPoolExecutor, path: Path) -> None:
    names, rounds = ["a", "b", "c", "d"], 40

    results = list(four.map(write_together, [path] * 4, names, [rounds] * 4))

    store = open_workspace(path)
    by_stream = Counter(fact.stream for fact in store.since(0, limit=1_000_000))
    assert sum(recorded for recorded, _, _ in results) == store.position()
    assert {by_stream[f"parcel/{name}"] for name in names} == {2 * rounds}
    assert sum(once for _, once, _ in results) == by_stream["parcel/shared"] == rounds
    assert by_stream["parcel/contended"] + sum(conflicts for _, _, conflicts in results) == 4 * rounds
    assert by_stream["job/shared"] == 4 * rounds * 4
    assert_sound(store)
    store.close()


def test_a_killed_writer_leaves_no_half_transaction(path: Path) -> None:
    chance = random.Random(7)
    said: list[int] = []
    for _ in range(5):
        with process("write_groups", path) as writer:
            assert writer.stdout is not None
            said.append(int(writer.stdout.readline()))
            time.sleep(chance.uniform(0.002, 0.08))
            writer.send_signal(signal.SIGKILL)
            # A last line may be cut short by the kill; what was said whole was committed before.
            said += [int(line) for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]

        store = open_workspace(path)
        groups = Counter(fact.event.town for fact in store.stream("parcel/groups"))  # type: ignore[union-attr]
        assert set(groups.values()) == {GROUP}
        assert {f"group {number}" for number in said} <= set(groups)
        with store.reader() as connection:
            assert connection.execute("SELECT COUNT(*) FROM contents").fetchone() == (len(groups) * GROUP,)
        assert_sound(store)
        store.close()
    assert len(said) == len(set(said)) > 5


def test_a_writer_killed_inside_its_transaction_leaves_nothing_and_frees_the_workspace(store: Store) -> None:
    with process("stop_inside", store.path) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "inside\n"
        assert store.position() == 0
        writer.send_signal(signal.SIGKILL)
        writer.wait()

    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="X"))

    assert [fact.stream for fact in store.since(0)] == ["parcel/a"]
    assert_sound(store)


def test_readers_of_another_process_do_not_wait_for_a_writer(store: Store) -> None:
    with process("stop_inside", store.path) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        with store.reader() as connection:
            connection.execute("PRAGMA busy_timeout = 0")

        assert store.position() == 0
        assert tables_of(store)["parcels"] == []


def test_a_backup_taken_while_others_write_is_whole(store: Store, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            with store.writer() as tx:
                for part in range(GROUP):
                    tx.append("parcel/groups", ParcelSent(parcel=f"{number}-{part}", town=f"group {number}"))
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        targets = [tmp_path / f"copy-{number}.db" for number in range(3)]
        for target in targets:
            time.sleep(0.05)
            store.backup(target)
    finally:
        stop.set()
        writer.join()

    for target in targets:
        with sqlite3.connect(target) as look:
            folded = look.execute("SELECT COUNT(*) FROM parcels").fetchone()
        copy = open_workspace(target)
        assert folded == (copy.position(),)
        assert copy.position() % GROUP == 0
        assert_sound(copy)
        copy.close()
    assert_sound(store)
