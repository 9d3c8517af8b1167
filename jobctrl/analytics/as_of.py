"""The warehouse as it stood earlier: a part of the log folded into a scratch file, and its snapshots kept for later.

The scratch file is SQLite's own temporary one: it belongs to this process and is gone with it. The workspace is read
through a connection that cannot write, in short stretches, so that nobody waits for it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from itertools import starmap
from pathlib import Path
from zoneinfo import ZoneInfo

from jobctrl.analytics.folded import FOLDED
from jobctrl.analytics.manifest import LAYOUT, Keyed, Manifest, Part, load, swap
from jobctrl.analytics.parquet import SQL, ParquetFolder
from jobctrl.analytics.snapshots import Snapshots
from jobctrl.analytics.tables import CANONICAL, tables
from jobctrl.errors import InvalidRequest
from jobctrl.events import Recorded
from jobctrl.store import moment
from jobctrl.store.read_table import Folds
from jobctrl.store.schema import migrations
from jobctrl.store.statements import split

When = int | date | datetime
"""A position of the log, a moment, or a day, which means its end."""
KEPT = 6
"""Earlier states that stay however long nobody has asked for them."""
MOST = 16
"""Earlier states that stay while they are in use."""
IDLE_SECONDS = 3600
_STRETCH = 20_000


def read_when(text: str) -> When:
    """A position, a day or a moment as a person types it. Raises InvalidRequest when it is none of them."""
    if text.isdecimal():
        return int(text)
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidRequest(
            f"{text!r} is no position, day or moment.",
            hint="A position is a number, a day 2026-05-01, a moment 2026-05-01T12:00 or 2026-05-01T12:00Z.",
        ) from error


def position_of(log: sqlite3.Connection, when: When, zone: str) -> int:
    """The newest fact that *when* includes; 0 when it is before all of them. A moment without a zone is in *zone*.

    Raises InvalidRequest for a position that the log does not have.
    """
    if isinstance(when, int):
        (last,) = log.execute(SQL["last_position"]).fetchone()
        if not 0 <= when <= last:
            raise InvalidRequest(
                f"The log has no position {when:,}: its newest fact is {last:,}.",
                hint="`jobctrl sql \"SELECT max(position) FROM events WHERE occurred_at < '2026-05-01'\"` finds one.",
            )
        return when
    return int(log.execute(SQL["position_before"], {"moment": moment(_end(when, ZoneInfo(zone)))}).fetchone()[0])


def _end(when: date | datetime, zone: ZoneInfo) -> datetime:
    """The first millisecond that *when* no longer includes."""
    if not isinstance(when, datetime):
        return datetime.combine(when + timedelta(days=1), datetime.min.time(), zone)
    return (when if when.tzinfo else when.replace(tzinfo=zone)).astimezone(UTC) + timedelta(milliseconds=1)


def snapshots_at(log: sqlite3.Connection, cache: Path, position: int) -> Snapshots:
    """The snapshots of the log up to *position*, under *cache*: those that stand there when they still hold, else new.

    What is no fold of the log is cut at the moment of the fact at *position*.
    """
    folder = cache / str(position)
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "build.lock").open("a") as lock:
        # Whoever asks for the same state meanwhile finds it here.
        fcntl.flock(lock, fcntl.LOCK_EX)
        event = log.execute(SQL["fact_at"], {"position": position}).fetchone()
        event_id, at = event or (None, "")
        standing = load(folder)
        if standing is None or (standing.event_id, standing.versions) != (event_id, _versions()):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            _build(log, folder, position, event_id, at)
        os.utime(folder)
        _keep_few(cache)
    return Snapshots(folder)


def _versions() -> dict[str, int]:
    return {table.name: table.version for table in FOLDED}


def _build(log: sqlite3.Connection, folder: Path, position: int, event_id: str | None, at: str) -> None:
    files = ParquetFolder(folder)
    keyed: dict[str, Keyed] = {}
    facts: dict[str, list[Part]] = {}
    # An empty name is SQLite's for a file that nobody else sees.
    with closing(sqlite3.connect("", isolation_level=None)) as scratch:
        _fold(log, scratch, position)
        for each in tables():
            if each.kept == "facts":
                facts[each.name], _ = files.facts(log, each, [], 0, position)
            elif each.name in CANONICAL:
                keyed[each.name], _ = files.whole(log, each, f"{CANONICAL[each.name]} <= :at", {"at": at})
            else:
                keyed[each.name], _ = files.whole(scratch, each)
    swap(folder, Manifest(LAYOUT, position, event_id, _versions(), keyed, facts))


def _fold(log: sqlite3.Connection, scratch: sqlite3.Connection, position: int) -> None:
    """Make the read tables in *scratch* what they were at *position*."""
    for migration in migrations():
        for statement in split(migration):
            scratch.execute(statement)
    scratch.execute("BEGIN")
    Folds(FOLDED).refold(scratch, _facts(log, position))
    scratch.execute("COMMIT")


def _facts(log: sqlite3.Connection, position: int) -> Iterator[Recorded]:
    # No view is held open between the stretches: the log can be written to and tidied up meanwhile.
    for start in range(0, position, _STRETCH):
        rows = log.execute(SQL["facts"], {"after": start, "upto": min(start + _STRETCH, position)}).fetchall()
        yield from starmap(Recorded, rows)


def _keep_few(cache: Path) -> None:
    """Remove the states that were asked for longest ago."""
    states = sorted(filter(Path.is_dir, cache.iterdir()), key=lambda path: path.stat().st_mtime, reverse=True)
    for number, state in enumerate(states):
        idle = time.time() - state.stat().st_mtime > IDLE_SECONDS
        if number >= MOST or (number >= KEPT and idle):
            shutil.rmtree(state, ignore_errors=True)
