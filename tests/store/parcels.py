"""A small context of its own for the tests of the log: parcels that are sent, weighed and lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec.structs import replace

from jobctrl.events import Event, Level, Recorded, Upcast
from jobctrl.store import ReadTable, Row


class ParcelSent(Event):
    """A parcel left."""

    parcel: str
    town: str
    job_id: str | None = None


def _pounds_to_grams(payload: dict[str, Any]) -> dict[str, Any]:
    return {"parcel": payload["parcel"], "grams": round(payload["pounds"] * 453.592)}


class ParcelWeighed(Event):
    """Version 1 said pounds."""

    schema_version: ClassVar[int] = 2
    upcasts: ClassVar[dict[int, Upcast]] = {1: _pounds_to_grams}
    parcel: str
    grams: int


class ParcelLost(Event):
    """Nobody will see it again."""

    level: ClassVar[Level] = "warn"
    parcel: str


class ParcelMeasured(Event):
    """A reading that may be no number at all."""

    parcel: str
    metres: float


PARCEL_EVENTS: tuple[type[Event], ...] = (ParcelSent, ParcelWeighed, ParcelLost)


class Parcel(Row, frozen=True):
    parcel: str
    town: str
    grams: int | None = None
    moves: int = 0


def fold(row: Parcel | None, fact: Recorded) -> Parcel | None:
    match fact.event:
        case ParcelSent() as e:
            return Parcel(e.parcel, e.town, row.grams if row else None, row.moves + 1 if row else 1)
        case ParcelWeighed() as e if row:
            return replace(row, grams=e.grams)
        case ParcelLost():
            return None
        case _:
            return row


def tallies(row: Parcel) -> Iterable[str]:
    yield f"town:{row.town}"
    if row.grams is not None:
        yield "weighed"


SQL = """
-- read table: one row a parcel; a note with a semicolon
CREATE TABLE parcels (
  parcel TEXT PRIMARY KEY,
  town   TEXT NOT NULL,
  grams  INTEGER,
  moves  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX parcels_by_town ON parcels (town)
"""

PARCELS = ReadTable(
    name="parcels",
    version=1,
    sql=SQL,
    row=Parcel,
    key=("parcel",),
    handles=PARCEL_EVENTS,
    keys=lambda fact: [(fact.event.parcel,)],  # type: ignore[union-attr]
    fold=fold,
    tallies=tallies,
)
