"""Workspaces for tests, and what stands in their tables."""

from __future__ import annotations

import itertools
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jobctrl.spend.state import CHARGES
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import ReadTable, Store
from tests.store.parcels import PARCELS

TABLES: tuple[ReadTable[Any], ...] = (STAGE_STATES, CHARGES, PARCELS)
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that a test sets; it moves by a second a look, so that the order of facts shows."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def open_workspace(path: Path, tables: tuple[ReadTable[Any], ...] = TABLES) -> Store:
    return Store(path, tables, clock=Clock())


def tables_of(store: Store, tables: tuple[ReadTable[Any], ...] = TABLES) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every read table and of the tallies, in the order of their keys."""
    with store.reader() as connection:
        found = {
            table.name: connection.execute(f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}").fetchall()
            for table in tables
        }
        return {**found, "tallies": connection.execute("SELECT * FROM tallies ORDER BY name").fetchall()}


def write_raw(
    connection: sqlite3.Connection,
    event_type: str,
    payload: object,
    *,
    stream: str = "parcel/raw",
    schema_version: int = 1,
    numbers: itertools.count[int] = itertools.count(1),
) -> None:
    """A row of the log as another version of the program may have written it."""
    connection.execute(
        "INSERT INTO job_events (event_id, stream, stream_version, event_type, schema_version, level, occurred_at,"
        " payload) SELECT ?, ?, COALESCE(MAX(stream_version), 0) + 1, ?, ?, 'info', '2026-03-01T12:00:00.000Z', ?"
        " FROM job_events WHERE stream = ?",
        (f"raw-{next(numbers)}", stream, event_type, schema_version, json.dumps(payload), stream),
    )
