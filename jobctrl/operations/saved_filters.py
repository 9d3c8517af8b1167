"""Filters of the job list that a person gave a name: canonical, kept in the workspace, no history."""

from __future__ import annotations

import sqlite3

import msgspec

from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.store import Transaction, statements

SQL = statements("jobctrl.operations", "saved_filters.sql")
LONGEST_NAME = 60


class BoardFilter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which jobs the list keeps, and in which order. An empty facet keeps all."""

    words: str = ""
    """All of them stand in title, employer, places, department, source or what a scored posting asks for."""
    min_score: int = 0
    """0 also keeps what is not scored yet."""
    bands: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    pays: tuple[str, ...] = ()
    ages: tuple[str, ...] = ()
    sort: str = "best fit"


class SavedFilter(msgspec.Struct, frozen=True):
    name: str
    filter: BoardFilter


def saved_filters(connection: sqlite3.Connection) -> list[SavedFilter]:
    """All of them by name. One that this version cannot read keeps nothing out."""
    return [SavedFilter(name, _read(raw)) for name, raw in connection.execute(SQL["list"])]


def save(tx: Transaction, name: str, wanted: BoardFilter) -> str:
    """Keep *wanted* under *name*, in place of what had that name; returns the name. Raises InvalidRequest."""
    kept = _named(name)
    raw = msgspec.json.encode(wanted).decode()
    tx.connection.execute(SQL["save"], {"name": kept, "filter": raw, "at": tx.moment})
    return kept


def rename(tx: Transaction, name: str, new: str) -> str:
    """Give a filter another name; returns it. Raises NotFound, and InvalidRequest when the new name is taken."""
    kept = _named(new)
    if kept != name and any(each.name == kept for each in saved_filters(tx.connection)):
        raise InvalidRequest(f"There is a filter {kept!r} already.", hint="Choose another name, or delete that one.")
    if tx.connection.execute(SQL["rename"], {"name": name, "new": kept}).rowcount == 0:
        raise _missing(name)
    return kept


def delete(tx: Transaction, name: str) -> None:
    """Raises NotFound."""
    if tx.connection.execute(SQL["delete"], {"name": name}).rowcount == 0:
        raise _missing(name)


def _read(raw: str) -> BoardFilter:
    try:
        return msgspec.json.decode(raw, type=BoardFilter)
    except msgspec.DecodeError:
        return BoardFilter()


def _named(name: str) -> str:
    words = " ".join(name.split())
    if not words:
        raise InvalidRequest("A filter needs a name.", hint="Say in a word or two what it shows.")
    if len(words) > LONGEST_NAME:
        raise InvalidRequest(f"The name has {len(words)} characters; {LONGEST_NAME} is the most.")
    return words


def _missing(name: str) -> NotFound:
    return NotFound(f"There is no saved filter {name!r}.", hint="It may have been renamed or deleted elsewhere.")
