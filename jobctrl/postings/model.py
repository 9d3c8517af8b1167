"""What a posting says, each value with the span it was read from."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


class WorkMode(StrEnum):
    REMOTE = "remote"
    HYBRID = "hybrid"
    ON_SITE = "on_site"
    UNKNOWN = "unknown"


class PayState(StrEnum):
    STATED = "stated"
    NOT_STATED = "not_stated"
    AMBIGUOUS = "ambiguous"
    UNPARSEABLE = "unparseable"


class PayPeriod(StrEnum):
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class PayComponent(StrEnum):
    BASE = "base"
    TOTAL = "total"
    BONUS = "bonus"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Span:
    """Where in the source text a value stands: half-open character offsets, and the words themselves."""

    start: int
    end: int
    text: str
    field: str = "text"
    """The field of the vendor's response the text came from; `text` for the body."""


@dataclass(frozen=True)
class Place:
    city: str | None = None
    region: str | None = None
    country: str | None = None
    """ISO 3166 alpha-2."""


@dataclass(frozen=True)
class PlaceReading:
    """A set of places and, apart from it, one mode. `conflict` is true when two statements disagree."""

    places: tuple[Place, ...] = ()
    mode: WorkMode = WorkMode.UNKNOWN
    conflict: bool = False
    spans: tuple[Span, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PayReading:
    """Pay as it is stated. Nothing is defaulted: what the text does not say is None."""

    state: PayState = PayState.NOT_STATED
    currency: str | None = None
    """ISO 4217."""
    period: PayPeriod | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    component: PayComponent = PayComponent.UNKNOWN
    span: Span | None = None
    warnings: tuple[str, ...] = ()
    zones: tuple[PayReading, ...] = ()
    """Further ranges of the same posting (by place, level or task)."""


@dataclass(frozen=True)
class DateReading:
    """A moment a posting states. A relative bound ("30+ days ago") is a bound, not a date."""

    day: date | None = None
    at: datetime | None = None
    bound: str | None = None
    """`before` or `after` when the text only bounds the date."""
    span: Span | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class IdentityReading:
    """Which posting an address names. `key` is None when the address names none."""

    key: str | None
    ats: str | None = None
    native_id: str | None = None
    canonical_url: str | None = None
    dropped: tuple[str, ...] = ()
    """Parameters left out of the key as proven noise."""


@dataclass(frozen=True)
class LanguageReading:
    language: str | None = None
    """ISO 639-1, or None when the text is too short or too mixed to tell."""
    confidence: float = 0.0


@dataclass(frozen=True)
class PostingFacts:
    """All that is read from one posting, once, at admission or enrichment."""

    place: PlaceReading = field(default_factory=PlaceReading)
    pay: PayReading = field(default_factory=PayReading)
    published: DateReading = field(default_factory=DateReading)
    updated: DateReading = field(default_factory=DateReading)
    valid_through: DateReading = field(default_factory=DateReading)
    language: LanguageReading = field(default_factory=LanguageReading)
    employment_type: str | None = None
    """One of full_time, part_time, contract, temporary, internship, freelance, volunteer, other; None when unstated."""
