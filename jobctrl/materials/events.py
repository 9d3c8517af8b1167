"""What is recorded of prepared resumes, letters and their PDFs. Each names its content by hash."""

from __future__ import annotations

from typing import ClassVar

from jobctrl.events import Event, Level


class ResumeApproved(Event):
    """A tailored resume passed every gate."""

    job_id: str
    artifact_id: str
    generation: int
    content_ref: str
    score_version: int
    profile_version: int
    bullet_count: int
    must_have_coverage: float
    provider: str
    model: str


class ResumeFailed(Event):
    level: ClassVar[Level] = "warn"
    job_id: str
    validation_errors: list[str]
    """Codes of the gates, never the text they found."""
    attempt_number: int


class BulletProvenanceRecorded(Event):
    """Where every line of a resume comes from, kept by hash."""

    job_id: str
    artifact_id: str
    generation: int
    bullet_count: int
    provenance_ref: str


class CoverLetterGenerated(Event):
    job_id: str
    artifact_id: str
    generation: int
    content_ref: str
    word_count: int
    provider: str
    model: str


class PdfRendered(Event):
    """A PDF was made, read back and found right."""

    job_id: str
    artifact_type: str
    """resume_pdf or cover_letter_pdf."""
    artifact_id: str
    generation: int
    content_ref: str
    pages: int
    bytes: int
