"""The list of boards: added once, judged by how they do, and never by politeness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.discovery.events import DiscoveryRunCompleted, DiscoveryRunFailed, SourceRegistryEntryCreated
from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import SourceState
from jobctrl.discovery.registry import SOURCES, Registry, SourceRow, fold, recommended_state
from jobctrl.errors import NotFound
from jobctrl.events import Event, Recorded
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import Workspace
from jobctrl.store import Store

BOARD = locate("greenhouse:northmill")
NEW = SourceRow(BOARD.id, "greenhouse", "northmill", "", "active", "2026-03-01T12:00:00.000Z")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(Workspace(tmp_path / "ws"), create=True)
    yield store
    store.close()


def recorded(event: Event) -> Recorded:
    return Recorded(
        1, "e", f"source/{BOARD.id}", 1, event.event_type, 1, None, None, None, None, "2026-03-01T12:00:00.000Z",
        event.model_dump_json(by_alias=True),
    )  # fmt: skip


def failed(*, refused: bool = False) -> DiscoveryRunFailed:
    return DiscoveryRunFailed(
        run_id="r",
        source_id=BOARD.id,
        error_class="source_unavailable",
        error_message="",
        retryable=True,
        refused=refused,
    )


READ = DiscoveryRunCompleted(
    run_id="r", source_id=BOARD.id, returned=3, admitted=1, merged=1, filtered=1, rejected=0, seen_before=1
)


def after(*events: Event) -> SourceRow:
    row: SourceRow | None = NEW
    for event in events:
        row = fold(row, recorded(event))
    assert row is not None
    return row


def test_a_board_is_added_once(store: Store) -> None:
    registry = Registry(store)

    assert [registry.add(BOARD), registry.add(BOARD)] == [True, False]
    assert [(row.source_id, row.state, row.as_source()) for row in registry.all()] == [(BOARD.id, "active", BOARD)]


def test_pausing_and_resuming_are_each_recorded_once(store: Store) -> None:
    registry = Registry(store)
    registry.add(BOARD)

    for state in (SourceState.DISABLED, SourceState.DISABLED, SourceState.ACTIVE):
        registry.set_state(BOARD.id, state, "by hand")

    names = [fact.event_type for fact in store.stream(f"source/{BOARD.id}")]
    assert names == ["SourceRegistryEntryCreated", "SourceStateChanged", "SourceStateChanged"]
    assert registry.all()[0].state == "active"


def test_a_board_that_was_never_added_cannot_be_paused(store: Store) -> None:
    with pytest.raises(NotFound, match="lever:nobody") as caught:
        Registry(store).set_state("lever:nobody", SourceState.DISABLED, "by hand")

    assert "jobctrl sources add" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("failures", "advice"), [(0, "keep"), (2, "keep"), (3, "quarantined"), (4, "quarantined"), (5, "disabled")]
)
def test_failures_in_a_row_cost_a_board_its_place(failures: int, advice: str) -> None:
    row = after(*[failed()] * failures)

    assert (row.recommended_state, row.consecutive_failures) == (advice, failures)


def test_one_success_forgives_the_failures_before_it() -> None:
    row = after(*[failed()] * 4, READ)

    assert (row.recommended_state, row.consecutive_failures, row.failed_runs, row.runs) == ("keep", 0, 4, 5)
    assert row.last_error is None


def test_politeness_is_no_failure() -> None:
    row = after(*[failed(refused=True)] * 9)

    assert (row.recommended_state, row.failed_runs, row.refused_runs, row.runs) == ("keep", 0, 9, 0)


@pytest.mark.parametrize(
    ("admitted", "duplicates", "advice"),
    [(1, 8, "keep"), (2, 8, "keep"), (1, 9, "quarantined"), (0, 10, "quarantined")],
)
def test_a_board_that_shows_little_of_its_own_is_not_worth_reading(admitted: int, duplicates: int, advice: str) -> None:
    row = SourceRow(BOARD.id, "greenhouse", "n", "", "active", "", admitted=admitted, duplicates=duplicates)

    assert recommended_state(row) == advice


def test_facts_of_a_board_that_was_never_added_leave_no_row() -> None:
    assert fold(None, recorded(READ)) is None
    assert fold(None, recorded(failed())) is None


def test_being_added_twice_changes_nothing() -> None:
    added = SourceRegistryEntryCreated(source_id=BOARD.id, kind="lever", token="x", policy_id="p")

    assert fold(NEW, recorded(added)) == NEW
    assert SourceRegistryEntryCreated in SOURCES.handles
