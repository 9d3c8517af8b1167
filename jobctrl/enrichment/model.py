"""What a page says about one posting, how sure that is, and whether the posting is still open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from jobctrl.postings.model import PayReading, PostingFacts, Span
from jobctrl.postings.place import StatedPlace


class ExtractionTier(StrEnum):
    """Where the description came from, best first."""

    ATS_API = "ats_api"
    JSON_LD = "json_ld"
    CSS_SELECTORS = "css_selectors"
    LLM_ASSISTED = "llm_assisted"


class ActiveState(StrEnum):
    UNKNOWN = "unknown"
    ACTIVE = "active"
    CLOSED = "closed"
    EXPIRED = "expired"
    REMOVED = "removed"
    LOCATION_INCOMPATIBLE = "location_incompatible"

    @property
    def openness(self) -> Openness:
        """What a person is told. A place that does not suit says nothing about the posting being open."""
        if self in (ActiveState.CLOSED, ActiveState.EXPIRED, ActiveState.REMOVED):
            return Openness.CLOSED
        return Openness.OPEN if self is ActiveState.ACTIVE else Openness.UNSURE


class Openness(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    UNSURE = "unsure"


class Verification(StrEnum):
    """What the active state rests on."""

    HTTP_STATUS = "http_status"
    JSON_LD_VALID_THROUGH = "json_ld_valid_through"
    STATED_DEADLINE = "stated_deadline"
    CLOSED_MARKER = "closed_marker"
    REMOVED_MARKER = "removed_marker"
    STATUS_FLAG = "status_flag"
    APPLY_CONTROL = "apply_control"
    DEFAULT_BODY_PRESENT = "default_body_present"
    UNKNOWN = "unknown"


class PageKind(StrEnum):
    POSTING = "posting"
    LISTING = "listing"
    """Several postings, or a search page: none of them is *the* posting."""
    BLOCKED = "blocked"
    """A bot wall, a refusal or an overloaded server in place of the page."""
    LOGIN = "login"
    CLOSED_PAGE = "closed_page"
    """A page that says only that the posting is gone."""
    SHELL = "shell"
    """No posting and no words about one: a page that needs its scripts, or another page altogether."""


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Quarantine(StrEnum):
    """Why a reading waits for a person. `none` is accepted."""

    NONE = "none"
    UNKNOWN_ACTIVE_STATE = "unknown_active_state"
    LOW_CONFIDENCE_EXTRACTION = "low_confidence_extraction"
    SHORT_DESCRIPTION = "short_description"
    POSTING_INACTIVE = "posting_inactive"


@dataclass(frozen=True)
class Said:
    """Words of the page, and where they stand (`json_ld.title`, `h1`, `label:location`)."""

    text: str
    field: str

    @property
    def span(self) -> Span:
        return Span(0, len(self.text), self.text, self.field)


@dataclass(frozen=True)
class Stated:
    """What one tier finds on a page, before it is read."""

    tier: ExtractionTier
    title: Said | None = None
    company: Said | None = None
    places: tuple[StatedPlace, ...] = ()
    work_mode: Said | None = None
    """A word of the page for the work mode."""
    telecommute: bool = False
    pay: PayReading | None = None
    """Pay in fields of its own."""
    pay_text: Said | None = None
    published: Said | None = None
    updated: Said | None = None
    valid_through: Said | None = None
    employment_type: Said | None = None
    description_html: str = ""
    description_field: str = ""
    about_one: bool = False
    """The page's own title repeats the job's, and there is one long text: a list elsewhere on the page is beside it."""
    apply_url: Said | None = None
    apply_control: Said | None = None
    """The words of a button or link that offers to apply, whether or not it leads anywhere without scripts."""
    open_flag: Said | None = None
    """A status in the page's own data that says the posting is open, in its words."""
    closed_flag: Said | None = None


@dataclass(frozen=True)
class ActiveReading:
    state: ActiveState = ActiveState.UNKNOWN
    verification: Verification = Verification.UNKNOWN
    evidence: Span | None = None
    reason: str = ""
    """Why nothing surer can be said, when the state is unknown."""


@dataclass(frozen=True)
class FieldSource:
    tier: ExtractionTier
    span: Span | None = None


@dataclass(frozen=True)
class PageReading:
    """One page, read. Fields that the page does not state are None."""

    url: str
    kind: PageKind
    active: ActiveReading
    title: str | None = None
    company: str | None = None
    facts: PostingFacts = field(default_factory=PostingFacts)
    description: str = ""
    """Plain text."""
    description_markdown: str = ""
    apply_url: str | None = None
    tier: ExtractionTier | None = None
    """Where the description came from."""
    sources: Mapping[str, FieldSource] = field(default_factory=dict)
    """By field name: the tier it came from, and its span."""
    confidence: Confidence = Confidence.LOW
    quarantine: Quarantine = Quarantine.NONE
    warnings: tuple[str, ...] = ()
