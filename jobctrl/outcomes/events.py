"""What is recorded of the answers to an application."""

from __future__ import annotations

from typing import Literal

from jobctrl.events import Event

OutcomeKind = Literal[
    "applied_confirmation",
    "recruiter_reply",
    "interview",
    "assessment",
    "rejection",
    "offer",
    "withdrawn",
    "bounced",
    "no_response",
    "unknown",
]


class ApplicationOutcomeRecorded(Event):
    job_id: str
    outcome_id: str
    kind: OutcomeKind
    source: Literal["manual", "email_suggestion"] = "manual"
    happened_at: str
    """UTC, ISO 8601: when it happened, not when it was told."""
    note_ref: str | None = None
    simulated: bool = False
