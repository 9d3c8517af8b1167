"""Which rows of a board are read: a new one, and a known one that its own source shows changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jobctrl.discovery import admission
from jobctrl.discovery.admission import Admission, Batch
from jobctrl.discovery.events import JobUpdated
from jobctrl.discovery.intake import name_all, read_one
from jobctrl.discovery.model import BoardKind, Listing, LocationText, NamedListing, ReadListing, SearchPolicy, Source
from jobctrl.runtime.tables import TABLES
from jobctrl.store import Execution, Store

BOARD = Source(BoardKind.GREENHOUSE, "acme", display_name="Acme")
ELSEWHERE = Source(BoardKind.LEVER, "acme", display_name="Acme")
NOW = datetime(2026, 3, 2, tzinfo=UTC)
TEXT = "\n".join(f"You will look after part {number} of our data platform and its users." for number in range(30))
POSTING = Listing(
    native_id="77",
    title="Data Engineer",
    url="https://boards.greenhouse.io/acme/jobs/77",
    locations=(LocationText("Oslo, Norway", "location.name"),),
    description_text=TEXT,
    updated="2026-02-01T00:00:00Z",
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "w.db", TABLES, clock=lambda: NOW)
    yield store
    store.close()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rows that were read, in order."""
    names: list[str] = []

    def noting(named: NamedListing, source: Source, *, now: datetime) -> ReadListing:
        names.append(named.item_key)
        return read_one(named, source, now=now)

    monkeypatch.setattr(admission, "read_one", noting)
    return names


def take_in(
    store: Store, *listings: Listing, run: str, source: Source = BOARD, policy: SearchPolicy = SearchPolicy()
) -> list[tuple[str, str]]:
    """Outcome and reason of each row."""
    batch = Batch(source, Execution("discover", run), listings=list(name_all(listings, source)))
    receipts = Admission(store).admit(batch, policy, date(2026, 3, 2))
    return [(receipt.outcome.value, receipt.reason) for receipt in receipts]


def updates(store: Store) -> list[JobUpdated]:
    return [fact.event for fact in store.since(0) if isinstance(fact.event, JobUpdated)]


def test_a_row_that_comes_again_unchanged_is_not_read_again(store, read):
    take_in(store, POSTING, run="1")
    began = store.position()

    again = take_in(store, POSTING, run="2")

    assert again == [("merged", "seen_before")]
    assert read == ["77"]
    assert store.position() == began


def test_a_changed_row_is_read_again_and_recorded(store, read):
    take_in(store, POSTING, run="1")

    take_in(store, replace(POSTING, title="Senior Data Engineer"), run="2")
    take_in(store, replace(POSTING, title="Senior Data Engineer"), run="3")

    assert read == ["77", "77"]
    (update,) = updates(store)
    assert "title" in update.changed_fields


@pytest.mark.parametrize(
    "change",
    [
        {"updated": "2026-02-20T00:00:00Z"},
        {"metadata": {"slot": 4}},
        {"team": "Data"},
        {"description_text": TEXT + " "},
    ],
)
def test_a_row_that_says_nothing_else_is_no_news(store, change):
    take_in(store, POSTING, run="1")

    again = take_in(store, replace(POSTING, **change), run="2")

    assert again == [("merged", "seen_before")]
    assert updates(store) == []


def test_a_title_nobody_wants_is_turned_away_unread(store, read):
    outcome = take_in(store, POSTING, run="1", policy=SearchPolicy(titles=("Pastry Chef",)))

    assert outcome == [("filtered", "title_mismatch")]
    assert read == []


def test_a_retry_of_the_same_execution_adds_no_receipt(store):
    take_in(store, POSTING, run="1")

    retry = take_in(store, POSTING, replace(POSTING, native_id="78", title="Cook"), run="1")

    assert retry == [("admitted", "new")]
    assert Admission(store).counts(Execution("discover", "1"), BOARD.id) == {("admitted", "new"): 2}


def test_a_copy_elsewhere_is_merged_and_does_not_speak_for_the_job(store):
    take_in(store, POSTING, run="1")
    copy = replace(POSTING, native_id="abc", url="https://jobs.lever.co/acme/abc")

    merged = take_in(store, copy, run="1", source=ELSEWHERE)
    later = take_in(store, replace(copy, title="Baker"), run="2", source=ELSEWHERE)

    assert merged == [("merged", "content_fingerprint_match")]
    assert later == [("merged", "seen_before")]
    assert updates(store) == []


def test_two_rows_with_one_id_each_have_a_receipt(store):
    outcomes = take_in(store, POSTING, POSTING, run="1")

    assert outcomes == [("admitted", "new"), ("merged", "seen_before")]
