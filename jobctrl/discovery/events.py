"""What is recorded of sources, of their runs, and of the postings they return."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from jobctrl.events import Event, Level


class Part(BaseModel):
    """A part of a payload."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, defer_build=True)


class StatedPlace(Part):
    city: str | None = None
    region: str | None = None
    country: str | None = None


class StatedSalary(Part):
    state: str
    currency: str | None = None
    period: str | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    component: str = "unknown"


class Posting(Part):
    """What a posting says, as facts. Its text and the spans the facts were read from are named by hash."""

    title: str
    employer: str | None = None
    url: str
    apply_url: str | None = None
    requisition_id: str | None = None
    department: str | None = None
    employment_type: str | None = None
    places: list[StatedPlace] = []
    mode: str = "unknown"
    mode_conflict: bool = False
    pay: StatedSalary | None = None
    published: date | None = None
    updated: date | None = None
    closes: date | None = None
    language: str | None = None
    description_hash: str | None = None
    description_chars: int = 0
    facts_hash: str
    content_key: str | None = None
    """Employer and title, folded; only postings that share it can be the same by content."""
    fingerprint: str | None = None
    signature: str | None = None
    """MinHash of the text's shingles, in hex."""


class SourceRegistryEntryCreated(Event):
    """A person (or the demo) added a board."""

    source_id: str
    kind: str
    token: str
    display_name: str = ""
    state: str = "active"
    policy_id: str


class SourceStateChanged(Event):
    source_id: str
    from_state: str
    to_state: str
    reason: str


class DiscoveryRunStarted(Event):
    """One source is being read in one execution."""

    run_id: str
    source_id: str


class DiscoveryRunCompleted(Event):
    """A source was read. The four outcomes add up to what it returned."""

    run_id: str
    source_id: str
    returned: int
    admitted: int
    merged: int
    filtered: int
    rejected: int
    seen_before: int
    """Of the merged: postings this source had shown before."""
    reasons: dict[str, int] = {}
    """How often each reason led to an outcome, as `outcome:reason`."""
    unavailable: list[str] = []
    reported_total: int | None = None
    field_nulls: dict[str, int] = {}
    """Of the listings: how many state nothing for a field. A jump tells of a renamed field."""
    duration_ms: int | None = None


class DiscoveryRunFailed(Event):
    """A source could not be read, or politeness kept us from it."""

    level: ClassVar[Level] = "warn"
    run_id: str
    source_id: str
    error_class: str
    error_message: str
    retryable: bool
    refused: bool = False
    """True when it was politeness: an outcome, not a fault of the source."""


class JobDiscovered(Event):
    """A posting nobody had seen before was admitted."""

    job_id: str
    source_id: str
    source_native_id: str
    identity_key: str
    posting: Posting


class JobUpdated(Event):
    """A known posting now says something else."""

    job_id: str
    source_id: str
    identity_key: str
    changed_fields: list[str]
    posting: Posting


class JobSourceObserved(Event):
    """A source shows this job. Recorded once for each identity; what the source said is kept with it."""

    job_id: str
    source_observation_id: str
    source_id: str
    source_native_id: str
    identity_key: str
    observed_url: str
    run_id: str
    first_finder: bool
    posting: Posting


class CanonicalJobIdentityResolved(Event):
    job_id: str
    canonical_url: str | None
    ats_kind: str
    source_native_id: str
    confidence: float


class DuplicateJobLinked(Event):
    """An observation was found to be a job that is known already. Can be undone."""

    duplicate_link_id: str
    surviving_job_id: str
    superseded_job_or_observation_id: str
    source_id: str
    reason: str
    confidence: float


class DuplicateJobLinkRejected(Event):
    """A person undid a merge: the observation is a job of its own."""

    duplicate_link_id: str
    job_id: str
    candidate_posting_url: str
    new_job_id: str
    reason: str


class JobHidden(Event):
    """A person does not want to see this job."""

    job_id: str
    reason: str


class JobUnhidden(Event):
    job_id: str


class JobSnoozed(Event):
    """A person wants to decide on this job later."""

    job_id: str
    until: str
    """UTC, ISO 8601."""


class JobWoken(Event):
    """A person wants to decide on a snoozed job after all."""

    job_id: str


class DiscoveryFeedbackWithdrawn(Event):
    """A person took back what they thought of a find: it is undecided again."""

    job_id: str
    kind: str
    """What was taken back."""


class DiscoveryFeedbackRecorded(Event):
    """What a person thought of a find: saved, dismissed, wrong_location …"""

    feedback_id: str
    job_id: str
    source_id: str | None
    kind: str
    detail: dict[str, Any] = {}
