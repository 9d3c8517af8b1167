"""Rows folded inside a transaction: seen at once by whoever asks, written once."""

from __future__ import annotations

import pytest

from jobctrl.errors import Conflict
from jobctrl.store import Store
from tests.store.parcels import PARCELS, ParcelLost, ParcelSent, ParcelWeighed
from tests.store.workspace import write_raw


def test_a_row_is_seen_as_it_was_just_folded(store: Store) -> None:
    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="Lublin"))
        tx.append("parcel/a", ParcelWeighed(parcel="a", grams=300))

        row = tx.row(PARCELS, "a")

        assert row is not None
        assert row == PARCELS.get(tx.connection, "a")


def test_a_row_that_comes_and_goes_in_one_transaction_leaves_nothing(store: Store) -> None:
    with store.writer() as tx:
        tx.append("parcel/a", ParcelSent(parcel="a", town="Lublin"))
        tx.append("parcel/a", ParcelLost(parcel="a"))

        assert tx.row(PARCELS, "a") is None

    with store.reader() as connection:
        assert PARCELS.all(connection) == []
        assert connection.execute("SELECT COUNT(*) FROM tallies").fetchone() == (0,)


def test_a_fact_written_past_append_counts_for_the_next_version(store: Store) -> None:
    with store.writer() as tx:
        tx.append("parcel/raw", ParcelSent(parcel="a", town="Lublin"))
        write_raw(tx.connection, "ParcelWeighed", {"parcel": "a", "grams": 1})

        with pytest.raises(Conflict):
            tx.append("parcel/raw", ParcelLost(parcel="a"), expected=1)
