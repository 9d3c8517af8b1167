"""The log: appended to, never changed, and each fact kept once."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest

from jobctrl.errors import Conflict, InvalidRequest, NotFound, WorkspaceError
from jobctrl.ids import sha256
from jobctrl.stages.events import StageQueued
from jobctrl.store import Execution, Store, acting_for
from tests.store.parcels import ParcelLost, ParcelMeasured, ParcelSent, ParcelWeighed
from tests.store.workspace import NOON, TABLES, Clock, open_workspace, tables_of


def send(store: Store, parcel: str = "p1", town: str = "Lublin", **options: object) -> int:
    with store.writer() as tx:
        return len(tx.append(f"parcel/{parcel}", ParcelSent(parcel=parcel, town=town), **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE job_events SET payload = '{}'",
        "UPDATE job_events SET idempotency_key = 'k'",
        "DELETE FROM job_events",
        "DELETE FROM job_events WHERE position = 1",
        "INSERT OR REPLACE INTO job_events SELECT * FROM job_events WHERE position = 1",
    ],
)
def test_the_log_refuses_to_be_changed(store: Store, change: str) -> None:
    send(store)
    before = store.since(0)

    with pytest.raises(WorkspaceError), store.writer() as tx:
        tx.connection.execute(change)

    assert store.since(0) == before


def test_a_fact_carries_all_that_names_it(store: Store) -> None:
    with acting_for(Execution("discover-local", "run-1")), store.writer() as tx:
        recorded = tx.append("job/j1", StageQueued(job_id="j1", stage="score", source="test"))[0]

    kept = store.stream("job/j1")[0]
    assert kept == recorded
    assert (kept.position, kept.stream_version, kept.schema_version) == (1, 1, 1)
    assert (kept.event_type, kept.job_id, kept.stage) == ("StageQueued", "j1", "score")
    assert (kept.workflow_id, kept.run_id) == ("discover-local", "run-1")
    assert kept.occurred_at == "2026-03-01T12:00:01.000Z"
    assert kept.payload == '{"jobId":"j1","stage":"score","source":"test","reservedBy":null}'
    assert store.job_history("j1") == [kept]


def test_a_fact_outside_any_execution_names_none(store: Store) -> None:
    with acting_for(Execution("w", "r")):
        pass

    send(store)

    assert (store.since(0)[0].workflow_id, store.since(0)[0].run_id) == (None, None)


def test_versions_count_within_a_stream_and_positions_over_all(store: Store) -> None:
    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="X"), ParcelLost(parcel="a"))
        tx.append("parcel/b", ParcelSent(parcel="b", town="X"))
        tx.append("parcel/a", ParcelSent(parcel="a", town="Y"))

    assert [(f.position, f.stream, f.stream_version) for f in store.since(0)] == [
        (1, "parcel/a", 1),
        (2, "parcel/a", 2),
        (3, "parcel/b", 1),
        (4, "parcel/a", 3),
    ]
    assert [f.position for f in store.since(1, limit=2)] == [2, 3]
    assert store.position() == 4


@pytest.mark.parametrize("expected", [0, 2])
def test_a_stream_at_another_version_is_a_conflict_and_nothing_is_written(store: Store, expected: int) -> None:
    send(store)

    with pytest.raises(Conflict):
        send(store, expected=expected)

    assert store.position() == 1
    assert send(store, expected=1) == 1


def test_the_same_key_twice_is_one_fact(store: Store) -> None:
    assert send(store, key="once") == 1
    assert send(store, key="once") == 0
    assert send(store, parcel="other", key="once") == 0
    assert store.position() == 1


def test_the_same_key_twice_is_one_group_of_facts(store: Store) -> None:
    group = ParcelSent(parcel="a", town="X"), ParcelWeighed(parcel="a", grams=4)

    for _ in range(2):
        with store.writer() as tx:
            tx.append("parcel/a", *group, key="both")

    assert [fact.event for fact in store.stream("parcel/a")] == list(group)


def test_a_failing_transaction_leaves_nothing(store: Store) -> None:
    before = tables_of(store)

    with pytest.raises(RuntimeError), store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="X"))
        tx.put(b"kept?")
        raise RuntimeError

    assert store.position() == 0
    assert tables_of(store) == before
    with pytest.raises(NotFound):
        store.content(sha256(b"kept?"))


def test_a_failing_clock_leaves_the_workspace_free(path: Path) -> None:
    store = open_workspace(path)
    store.clock = lambda: 1 / 0  # type: ignore[assignment, return-value]
    with pytest.raises(ZeroDivisionError):
        send(store)

    store.clock = Clock()

    assert send(store) == 1


def test_a_transaction_inside_another_is_refused_at_once(store: Store) -> None:
    with store.writer() as tx:
        with pytest.raises(InvalidRequest, match="open"), store.writer():
            pass
        tx.append("parcel/a", ParcelSent(parcel="a", town="X"))
    with store.reader(), pytest.raises(InvalidRequest), store.writer():
        pass

    assert store.position() == 1


def test_a_reader_inside_a_writer_sees_what_is_being_written(store: Store) -> None:
    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="X"))
        with store.reader() as connection:
            assert TABLES[2].get(connection, "a") is not None


def test_threads_of_one_process_lose_nothing(store: Store) -> None:
    def work(name: str) -> None:
        for _ in range(20):
            send(store, parcel=name)

    threads = [threading.Thread(target=work, args=(f"p{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert store.position() == 80
    assert {len(store.stream(f"parcel/p{n}")) for n in range(4)} == {20}


@pytest.mark.parametrize("metres", [math.nan, math.inf])
def test_a_fact_that_would_not_come_back_from_its_payload_is_refused(store: Store, metres: float) -> None:
    with pytest.raises(InvalidRequest, match="ParcelMeasured"), store.writer() as tx:
        tx.append("parcel/a", ParcelMeasured(parcel="a", metres=metres))

    assert store.position() == 0


def test_text_that_is_no_unicode_is_refused_in_our_words(store: Store) -> None:
    with pytest.raises(InvalidRequest, match="ParcelSent"):
        send(store, town="half of a pair: \ud83d")


@pytest.mark.parametrize("content", [b"", b"\x00\xff", "Łódź", "half of a pair: \ud83d"])
def test_a_content_is_kept_once_under_its_hash(store: Store, content: bytes | str) -> None:
    with store.writer() as tx:
        first, again = tx.put(content), tx.put(content, "application/octet-stream")

    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    assert first == again == sha256(content)
    assert store.content(first) == data
    with store.reader() as connection:
        assert connection.execute("SELECT media_type FROM contents").fetchall() == [("text/plain",)]


def test_a_content_nobody_kept_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="0000"):
        store.content("0" * 64)


def test_readers_do_not_wait_for_a_writer(store: Store, path: Path) -> None:
    send(store)
    other = open_workspace(path)

    with store.writer() as tx:
        tx.append("parcel/b", ParcelSent(parcel="b", town="X"))
        seen = other.position()
        rows = tables_of(other)["parcels"]

    assert (seen, len(rows)) == (1, 1)
    assert other.position() == 2
    other.close()


def test_a_reader_sees_one_moment(store: Store, path: Path) -> None:
    other = open_workspace(path)

    with other.reader() as connection:
        first = connection.execute("SELECT COUNT(*) FROM job_events").fetchone()
        send(store)
        second = connection.execute("SELECT COUNT(*) FROM job_events").fetchone()

    assert first == second == (0,)
    other.close()


def test_every_commit_is_on_the_disk_before_it_is_answered(store: Store) -> None:
    with store.reader() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_backup_is_a_whole_workspace(store: Store, tmp_path: Path) -> None:
    send(store)
    target = tmp_path / "copy.db"

    store.backup(target)

    copy = open_workspace(target)
    assert copy.since(0) == store.since(0)
    assert tables_of(copy) == tables_of(store)
    assert send(copy) == 1
    assert store.position() == 1
    copy.close()


def test_a_backup_never_overwrites(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    target.write_text("precious")

    with pytest.raises(WorkspaceError, match=r"copy\.db") as caught:
        store.backup(target)

    assert caught.value.hint
    assert target.read_text() == "precious"


def test_opening_again_changes_nothing(store: Store, path: Path) -> None:
    send(store)
    store.close()

    again = open_workspace(path)

    assert again.position() == 1
    assert again.clock() > NOON
    again.close()
