"""The materials that stand for each job, and every document that was ever prepared."""

from __future__ import annotations

import sqlite3

from msgspec.structs import replace

from jobctrl.events import Recorded
from jobctrl.materials.events import BulletProvenanceRecorded, CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.store import ReadTable, Row, script


class Materials(Row, frozen=True):
    job_id: str
    generation: int
    lifecycle: str
    """resume_approved, cover_letter_ready or complete."""
    resume_ref: str | None
    provenance_ref: str | None
    resume_pdf_ref: str | None
    letter_ref: str | None
    letter_pdf_ref: str | None
    score_version: int
    profile_version: int
    must_have_coverage: float
    updated_at: str


def _lifecycle(row: Materials) -> Materials:
    if row.letter_ref is None:
        state = "resume_approved"
    elif row.resume_pdf_ref and row.letter_pdf_ref:
        state = "complete"
    else:
        state = "cover_letter_ready"
    return replace(row, lifecycle=state)


def _fold_materials(row: Materials | None, fact: Recorded) -> Materials | None:
    """The set as it stands; a fact of an older generation changes nothing."""
    at = fact.occurred_at
    match fact.event:
        case ResumeApproved() as e if row is None or e.generation > row.generation:
            return Materials(
                e.job_id,
                e.generation,
                "resume_approved",
                e.content_ref,
                None,
                None,
                None,
                None,
                e.score_version,
                e.profile_version,
                e.must_have_coverage,
                at,
            )
        case BulletProvenanceRecorded() as e if row and e.generation == row.generation:
            return replace(row, provenance_ref=e.provenance_ref, updated_at=at)
        case CoverLetterGenerated() as e if row and e.generation == row.generation:
            return _lifecycle(replace(row, letter_ref=e.content_ref, updated_at=at))
        case PdfRendered(artifact_type="resume_pdf") as e if row and e.generation == row.generation:
            return _lifecycle(replace(row, resume_pdf_ref=e.content_ref, updated_at=at))
        case PdfRendered(artifact_type="cover_letter_pdf") as e if row and e.generation == row.generation:
            return _lifecycle(replace(row, letter_pdf_ref=e.content_ref, updated_at=at))
        case _:
            return row


JOB_MATERIALS = ReadTable(
    name="job_materials",
    version=1,
    sql=script("jobctrl.materials", "state.sql"),
    row=Materials,
    key=("job_id",),
    handles=(ResumeApproved, BulletProvenanceRecorded, CoverLetterGenerated, PdfRendered),
    keys=lambda fact: [(fact.event.job_id,)],  # type: ignore[union-attr]
    fold=_fold_materials,
)


class Artifact(Row, frozen=True):
    artifact_id: str
    job_id: str
    kind: str
    """tailored_resume, cover_letter, resume_pdf or cover_letter_pdf."""
    generation: int
    content_ref: str
    pages: int | None
    bytes: int | None
    created_at: str


def _fold_artifact(row: Artifact | None, fact: Recorded) -> Artifact | None:
    if row is not None:
        return row
    at = fact.occurred_at
    match fact.event:
        case ResumeApproved() as e:
            return Artifact(e.artifact_id, e.job_id, "tailored_resume", e.generation, e.content_ref, None, None, at)
        case CoverLetterGenerated() as e:
            return Artifact(e.artifact_id, e.job_id, "cover_letter", e.generation, e.content_ref, None, None, at)
        case PdfRendered() as e:
            return Artifact(e.artifact_id, e.job_id, e.artifact_type, e.generation, e.content_ref, e.pages, e.bytes, at)
        case _:
            return None


ARTIFACTS = ReadTable(
    name="artifacts",
    version=1,
    sql=script("jobctrl.materials", "artifacts.sql"),
    row=Artifact,
    key=("artifact_id",),
    handles=(ResumeApproved, CoverLetterGenerated, PdfRendered),
    keys=lambda fact: [(fact.event.artifact_id,)],  # type: ignore[union-attr]
    fold=_fold_artifact,
)


def materials_of(connection: sqlite3.Connection, job_id: str) -> Materials | None:
    """The set that stands for a job, or None before its first resume."""
    return JOB_MATERIALS.get(connection, job_id)
