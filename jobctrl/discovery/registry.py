"""The boards that are read and how each of them does; adding, pausing and judging them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from msgspec.structs import replace

from jobctrl.discovery.events import (
    DiscoveryRunCompleted,
    DiscoveryRunFailed,
    DuplicateJobLinked,
    SourceRegistryEntryCreated,
    SourceStateChanged,
)
from jobctrl.discovery.model import BoardKind, Source, SourceState
from jobctrl.errors import NotFound
from jobctrl.events import Recorded
from jobctrl.store import ReadTable, Row, Store, script

MIN_SAMPLE = 10


class SourceRow(Row, frozen=True):
    source_id: str
    kind: str
    token: str
    display_name: str
    state: str
    created_at: str
    runs: int = 0
    failed_runs: int = 0
    consecutive_failures: int = 0
    refused_runs: int = 0
    returned: int = 0
    admitted: int = 0
    merged: int = 0
    filtered: int = 0
    rejected: int = 0
    duplicates: int = 0
    last_returned: int | None = None
    last_run_at: str | None = None
    last_error: str | None = None
    recommended_state: str = "keep"

    def as_source(self) -> Source:
        return Source(BoardKind(self.kind), self.token, SourceState(self.state), self.display_name)


def recommended_state(row: SourceRow) -> str:
    """keep, quarantined or disabled: by the failures in a row, then by how much of it is known from elsewhere."""
    if row.consecutive_failures >= 5:
        return "disabled"
    if row.consecutive_failures >= 3:
        return "quarantined"
    found = row.admitted + row.duplicates
    if found >= MIN_SAMPLE and row.duplicates / found >= 0.85:
        return "quarantined"
    return "keep"


def fold(row: SourceRow | None, fact: Recorded) -> SourceRow | None:
    """The source as it stands after *fact*; facts of a source that was never added leave no row."""
    match fact.event:
        case SourceRegistryEntryCreated() as e if row is None:
            return SourceRow(e.source_id, e.kind, e.token, e.display_name, e.state, fact.occurred_at)
        case SourceStateChanged() as e if row:
            return replace(row, state=e.to_state)
        case DiscoveryRunCompleted() as e if row:
            row = replace(
                row,
                runs=row.runs + 1,
                consecutive_failures=0,
                returned=row.returned + e.returned,
                admitted=row.admitted + e.admitted,
                merged=row.merged + e.merged,
                filtered=row.filtered + e.filtered,
                rejected=row.rejected + e.rejected,
                last_returned=e.returned,
                last_run_at=fact.occurred_at,
                last_error=None,
            )
        case DiscoveryRunFailed() as e if row and e.refused:
            return replace(row, refused_runs=row.refused_runs + 1, last_error=e.error_class)
        case DiscoveryRunFailed() as e if row:
            row = replace(
                row,
                runs=row.runs + 1,
                failed_runs=row.failed_runs + 1,
                consecutive_failures=row.consecutive_failures + 1,
                last_run_at=fact.occurred_at,
                last_error=e.error_class,
            )
        case DuplicateJobLinked() if row:
            row = replace(row, duplicates=row.duplicates + 1)
        case _:
            return row
    return replace(row, recommended_state=recommended_state(row))


def _keys(fact: Recorded) -> Iterable[tuple[str]]:
    return [(fact.event.source_id,)]  # type: ignore[union-attr]


SOURCES = ReadTable(
    name="sources",
    version=1,
    sql=script("jobctrl.discovery", "registry.sql"),
    row=SourceRow,
    key=("source_id",),
    handles=(
        SourceRegistryEntryCreated,
        SourceStateChanged,
        DiscoveryRunCompleted,
        DiscoveryRunFailed,
        DuplicateJobLinked,
    ),
    keys=_keys,
    fold=fold,
)


class Registry:
    """The person's list of boards."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, source: Source) -> bool:
        """Add a board; False when it was there already."""
        with self._store.writer() as tx:
            added = tx.append(
                f"source/{source.id}",
                SourceRegistryEntryCreated(
                    source_id=source.id,
                    kind=source.kind.value,
                    token=source.token,
                    display_name=source.display_name,
                    policy_id=f"{source.family.value}_canonical",
                ),
                key=f"source-added:{source.id}",
            )
        return bool(added)

    def set_state(self, source_id: str, state: SourceState, reason: str) -> None:
        """Pause, resume or switch off a board. Raises NotFound when it was never added."""
        with self._store.writer() as tx:
            row = self.get(tx.connection, source_id)
            if row.state != state.value:
                tx.append(
                    f"source/{source_id}",
                    SourceStateChanged(source_id=source_id, from_state=row.state, to_state=state.value, reason=reason),
                )

    def get(self, connection: sqlite3.Connection, source_id: str) -> SourceRow:
        row = SOURCES.get(connection, source_id)
        if row is None:
            raise NotFound(
                f"There is no source {source_id}.",
                hint="`jobctrl sources` lists them; `jobctrl sources add URL` adds one.",
            )
        return row

    def all(self) -> list[SourceRow]:
        with self._store.reader() as connection:
            return sorted(SOURCES.all(connection), key=lambda row: row.source_id)
