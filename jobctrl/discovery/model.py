"""Boards, what they list, and what became of each listing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

from jobctrl.ids import JobId, SourceId
from jobctrl.postings.model import PostingFacts


class BoardKind(StrEnum):
    GREENHOUSE = "greenhouse"
    LEVER = "lever"
    ASHBY = "ashby"
    SMARTRECRUITERS = "smartrecruiters"
    WORKABLE = "workable"
    RECRUITEE = "recruitee"
    PERSONIO = "personio"
    TEAMTAILOR = "teamtailor"
    WORKDAY = "workday"


class Family(StrEnum):
    ATS_API = "ats_api"
    WORKDAY = "workday"


class SourceState(StrEnum):
    ACTIVE = "active"
    EXPERIMENTAL = "experimental"
    QUARANTINED = "quarantined"
    DISABLED = "disabled"


@dataclass(frozen=True)
class Source:
    """One board of one employer. `token` is what the vendor calls it; for Workday `host/tenant/site`."""

    kind: BoardKind
    token: str
    state: SourceState = SourceState.ACTIVE
    display_name: str = ""

    @property
    def id(self) -> SourceId:
        return SourceId(f"{self.kind.value}:{self.token}")

    @property
    def family(self) -> Family:
        return Family.WORKDAY if self.kind is BoardKind.WORKDAY else Family.ATS_API


@dataclass(frozen=True)
class LocationText:
    """One statement of place by the vendor: the words, and the field they stand in."""

    text: str
    field: str
    country: str | None = None
    """ISO alpha-2 when the vendor gives one for this place."""
    city: str | None = None
    region: str | None = None


@dataclass(frozen=True)
class StatedPay:
    """Pay in fields of its own. What the vendor leaves out stays None; `text` is the vendor's own summary."""

    low: Decimal | None = None
    high: Decimal | None = None
    currency: str | None = None
    period: str | None = None
    """hour, day, week, month or year."""
    component: str | None = None
    """base, total, bonus; None when not said."""
    text: str | None = None
    field: str = ""


@dataclass(frozen=True)
class Listing:
    """One posting as a board lists it, with every field the vendor carries, unread."""

    native_id: str
    title: str
    url: str
    company: str | None = None
    apply_url: str | None = None
    requisition_id: str | None = None
    locations: tuple[LocationText, ...] = ()
    country: str | None = None
    """The country of the posting as a whole, ISO alpha-2 or the vendor's word."""
    workplace_type: str | None = None
    """The vendor's own word, e.g. `Hybrid`, `remote`, `OnSite`."""
    remote_flag: bool | None = None
    employment_type: str | None = None
    """The vendor's own word."""
    department: str | None = None
    team: str | None = None
    description_html: str | None = None
    description_text: str | None = None
    pay: tuple[StatedPay, ...] = ()
    published: str | None = None
    """As stated: ISO 8601, epoch milliseconds, or relative words."""
    updated: str | None = None
    closes: str | None = None
    language: str | None = None
    listed: bool = True
    """False when the vendor marks the posting as not public."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """Vendor fields that state a fact but have no place above (Greenhouse `metadata` and the like)."""
    unread: tuple[str, ...] = ()
    """Fields that came in a shape nobody expected; they were left out and the posting kept."""


@dataclass(frozen=True)
class RowProblem:
    """A row the board sent that is no posting, and why."""

    index: int
    reason: str
    """missing_id, missing_title, missing_url, not_an_object, unlisted …"""
    native_id: str | None = None
    detail: str = ""


@dataclass(frozen=True)
class BoardListing:
    """All of one board: every row the vendor sent is either a listing or a problem."""

    listings: tuple[Listing, ...]
    problems: tuple[RowProblem, ...] = ()
    reported_total: int | None = None
    unavailable: tuple[str, ...] = ()
    """What could not be read (a page, a detail), by a short reason each; the rest stands."""

    @property
    def returned(self) -> int:
        return len(self.listings) + len(self.problems)


@dataclass(frozen=True)
class SourceRefused:
    """The board was not asked, for politeness. An outcome, not an error."""

    source_id: SourceId
    reason: str
    """robots_disallowed, rate_limited or budget_exhausted."""
    detail: str = ""
    retry_after: float | None = None
    """Seconds, when the host named them."""


class Outcome(StrEnum):
    """What became of one row a source returned. The four add up to what was returned."""

    ADMITTED = "admitted"
    MERGED = "merged"
    FILTERED = "filtered"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Receipt:
    source_id: SourceId
    item_key: str
    outcome: Outcome
    reason: str
    job_id: JobId | None = None


@dataclass(frozen=True)
class SearchPolicy:
    """Which postings are wanted. Empty tuples do not filter."""

    titles: tuple[str, ...] = ()
    exclude_titles: tuple[str, ...] = ()
    seniority_floor: str | None = None
    countries: frozenset[str] = frozenset()
    cities: frozenset[str] = frozenset()
    work_modes: frozenset[str] = frozenset()
    exclude_companies: tuple[str, ...] = ()
    max_age_days: int | None = None
    """Postings published longer ago are taken to be ghosts; None keeps all."""


@dataclass(frozen=True)
class NamedListing:
    """A listing with what names it, before anything else is read from it."""

    listing: Listing
    item_key: str
    """The row's name in its source's receipts: the native id, numbered when a board lists it twice."""
    identity_key: str
    canonical_url: str | None
    digest: str
    """Equal when the board sends the row unchanged and this version of JobCtrl would read it in the same way."""

    @property
    def is_repeat(self) -> bool:
        """Whether the board listed the posting before in the same answer; the first row is what it says."""
        return self.item_key != self.listing.native_id


@dataclass(frozen=True)
class ReadListing:
    """A listing with all that was read from it: what admission decides on."""

    listing: Listing
    item_key: str
    """The row's name in its source's receipts: the native id, numbered when a board lists it twice."""
    identity_key: str
    canonical_url: str | None
    description: str
    facts: PostingFacts
    content_key: str | None
    fingerprint: str | None
    signature: bytes
