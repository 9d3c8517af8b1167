"""Read tables: what was folded live is what a refold makes, row for row."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.errors import WorkspaceBusy
from jobctrl.events import Event
from jobctrl.store import Store
from tests.store.parcels import PARCELS, ParcelLost, ParcelSent, ParcelWeighed
from tests.store.strategies import any_facts, foreign_rows
from tests.store.workspace import open_workspace, tables_of, write_raw

Batch = list[Event | tuple[str, int, Any]]


def record(store: Store, *events: Event) -> None:
    with store.writer() as tx:
        for event in events:
            tx.append("parcel/any", event)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.one_of(any_facts, any_facts, foreign_rows), max_size=6), max_size=6))
def test_live_folds_equal_a_refold_for_any_facts_in_any_order(batches: list[Batch]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_workspace(Path(folder) / "w.db")
        for batch in batches:
            with store.writer() as tx:
                for fact in batch:
                    if isinstance(fact, Event):
                        tx.append("any/stream", fact)
                    else:
                        write_raw(tx.connection, fact[0], fact[2], schema_version=fact[1])
        with store.writer():
            pass
        live = tables_of(store)

        count = store.rebuild()

        assert tables_of(store) == live
        assert count == sum(map(len, batches))
        store.close()


@settings(max_examples=25, deadline=None)
@given(st.lists(any_facts, max_size=20), st.integers(0, 20))
def test_a_refold_in_the_middle_changes_nothing_that_follows(facts: list[Event], middle: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        straight, interrupted = open_workspace(Path(folder) / "a.db"), open_workspace(Path(folder) / "b.db")
        for store in (straight, interrupted):
            record(store, *facts[:middle])
            if store is interrupted:
                store.rebuild()
            record(store, *facts[middle:])

        assert _without_times(tables_of(straight)) == _without_times(tables_of(interrupted))
        straight.close()
        interrupted.close()


def _without_times(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, list[tuple[Any, ...]]]:
    return {
        name: [tuple(value for value in row if not str(value).startswith("2026-03-01T")) for row in rows]
        for name, rows in tables.items()
    }


def test_a_row_goes_when_its_fold_says_so_and_its_tallies_go_too(store: Store) -> None:
    record(
        store,
        ParcelSent(parcel="a", town="Lublin"),
        ParcelSent(parcel="b", town="Lublin"),
        ParcelWeighed(parcel="a", grams=7),
        ParcelSent(parcel="b", town="Radom"),
    )
    assert tables_of(store)["tallies"] == [("town:Lublin", 1), ("town:Radom", 1), ("weighed", 1)]

    record(store, ParcelLost(parcel="a"), ParcelLost(parcel="never sent"))

    assert tables_of(store)["parcels"] == [("b", "Radom", None, 2)]
    assert tables_of(store)["tallies"] == [("town:Radom", 1)]


def test_a_fact_of_an_unknown_type_is_kept_and_skipped(store: Store) -> None:
    with store.writer() as tx:
        write_raw(tx.connection, "SomethingOfTomorrow", {"parcel": "a"}, stream="parcel/a")
    record(store, ParcelSent(parcel="a", town="Lublin"))

    assert store.rebuild() == 2
    assert [fact.event_type for fact in store.since(0)] == ["SomethingOfTomorrow", "ParcelSent"]
    assert tables_of(store)["parcels"] == [("a", "Lublin", None, 1)]


def test_an_old_fact_is_folded_in_todays_shape(store: Store) -> None:
    record(store, ParcelSent(parcel="a", town="Lublin"))
    with store.writer() as tx:
        write_raw(tx.connection, "ParcelWeighed", {"parcel": "a", "pounds": 2})

    with store.writer():
        pass

    assert tables_of(store)["parcels"] == [("a", "Lublin", 907, 1)]


def test_rows_that_somebody_changed_by_hand_come_back_right(store: Store) -> None:
    record(store, ParcelSent(parcel="a", town="Lublin"))
    right = tables_of(store)
    with store.writer() as tx:
        tx.connection.execute("UPDATE parcels SET town = 'Nowhere'")
        tx.connection.execute("DELETE FROM tallies")

    store.rebuild()

    assert tables_of(store) == right


LOUD = replace(
    PARCELS,
    version=2,
    fold=lambda row, fact: (
        msgspec.structs.replace(new, town=new.town.upper()) if (new := PARCELS.fold(row, fact)) is not None else None
    ),
)


def test_a_changed_version_of_a_fold_refolds_at_the_next_open(path: Path) -> None:
    old = open_workspace(path)
    record(old, ParcelSent(parcel="a", town="Lublin"))
    old.close()

    new = open_workspace(path, (LOUD,))

    assert tables_of(new, (LOUD,)) == {"parcels": [("a", "LUBLIN", None, 1)], "tallies": [("town:LUBLIN", 1)]}
    new.close()


def test_a_table_that_is_no_longer_folded_is_dropped(path: Path) -> None:
    open_workspace(path).close()

    fewer = open_workspace(path, (PARCELS,))

    with fewer.reader() as connection:
        left = connection.execute("SELECT name FROM sqlite_schema WHERE name = 'job_stage_states'").fetchall()
    assert left == []
    fewer.close()


def test_a_process_whose_folds_were_replaced_writes_nothing_until_it_restarts(path: Path) -> None:
    old = open_workspace(path)
    record(old, ParcelSent(parcel="a", town="Lublin"))
    new = open_workspace(path, (LOUD,))

    with pytest.raises(WorkspaceBusy, match="another version") as caught:
        record(old, ParcelSent(parcel="b", town="Radom"))

    assert caught.value.hint
    assert new.position() == 1
    record(new, ParcelSent(parcel="b", town="Radom"))
    assert [row[1] for row in tables_of(new, (LOUD,))["parcels"]] == ["LUBLIN", "RADOM"]
    old.close()
    again = open_workspace(path)
    assert [row[1] for row in tables_of(again)["parcels"]] == ["Lublin", "Radom"]
    new.close()
    again.close()


def test_facts_that_came_past_the_folds_are_noticed_by_the_next_writer(store: Store) -> None:
    with store.writer() as tx:
        write_raw(tx.connection, "ParcelSent", {"parcel": "a", "town": "Lublin"})

    record(store, ParcelSent(parcel="b", town="Radom"))

    assert [row[0] for row in tables_of(store)["parcels"]] == ["a", "b"]


def test_facts_that_came_past_the_folds_are_noticed_at_the_next_open(store: Store, path: Path) -> None:
    with store.writer() as tx:
        write_raw(tx.connection, "ParcelSent", {"parcel": "a", "town": "Lublin"})
        tx.append("parcel/b", ParcelSent(parcel="b", town="Radom"))

    again = open_workspace(path)

    assert [row[0] for row in tables_of(again)["parcels"]] == ["a", "b"]
    again.close()


def test_a_row_is_found_by_its_key_and_by_a_condition(store: Store) -> None:
    record(store, ParcelSent(parcel="a", town="Lublin"), ParcelSent(parcel="b", town="Radom"))

    with store.reader() as connection:
        row = PARCELS.get(connection, "a")
        rest = PARCELS.all(connection, "town = ?", ["Radom"])
        everything = PARCELS.all(connection)

    assert row is not None
    assert row.town == "Lublin"
    assert [found.parcel for found in rest] == ["b"]
    assert len(everything) == 2
