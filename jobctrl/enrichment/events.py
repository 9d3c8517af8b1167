"""What is recorded of reading a posting's text and of whether it is still open."""

from __future__ import annotations

from typing import ClassVar

from jobctrl.discovery.events import Posting
from jobctrl.events import Event, Level


class PostingContentSnapshotCaptured(Event):
    """The text of a posting was kept, as it stood then."""

    job_id: str
    snapshot_version: int
    snapshot_ref: str
    """The sha256 of the text."""
    page_ref: str | None = None
    """The sha256 of the page it was read from; None when it came from the board's own interface."""
    source_id: str
    extraction_tier: str
    confidence: str
    quarantine_reason: str | None = None
    chars: int
    language: str | None = None


class PostingContentSnapshotFailed(Event):
    level: ClassVar[Level] = "warn"
    job_id: str
    source_id: str
    error_class: str
    retryable: bool
    cause: str | None = None
    """Why the address was not safe: `host_non_public`, by its own name, or `dns_non_public`, by where its name led."""
    host: str | None = None
    """With `dns_non_public`: of the request that was not made, which a redirect may have led to another host."""


class EnrichmentFetchRechecked(Event):
    """It was looked up again whether a page that led to no public address does so now. Nothing was fetched.

    A result is `public`, `non_public`, or `unresolved` when nothing was known in time.
    """

    job_id: str
    failure_event_id: str
    """The StageFailed that is looked at again; it stays as it was."""
    cause: str
    host: str
    """Of the request that had not been made."""
    posting_result: str
    request_result: str
    check_count: int
    next_check_at: str | None
    """None when this was the last check, or none is needed any more."""


class JobEnriched(Event):
    """The posting's full text is known."""

    job_id: str
    source_id: str
    description_hash: str
    application_url: str | None
    extraction_tier: str
    facts_hash: str | None = None
    language: str | None = None
    page: Posting | None = None
    """What the posting's own page says; it fills what the listing left open."""


class JobActiveStateChanged(Event):
    """Evidence on whether the posting is still open. Only positive evidence closes."""

    job_id: str
    source_id: str
    active_state: str
    previous_state: str
    verification_method: str
