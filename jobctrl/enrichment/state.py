"""The text that is known of each job, and whether the posting is still open."""

from __future__ import annotations

import sqlite3

from msgspec.structs import replace

from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched, PostingContentSnapshotCaptured
from jobctrl.events import Recorded
from jobctrl.store import ReadTable, Row, script


class Enrichment(Row, frozen=True):
    job_id: str
    source_id: str
    snapshot_version: int = 0
    description_hash: str | None = None
    page_ref: str | None = None
    facts_hash: str | None = None
    application_url: str | None = None
    extraction_tier: str | None = None
    confidence: str | None = None
    quarantine_reason: str | None = None
    language: str | None = None
    chars: int = 0
    active_state: str = "unknown"
    active_evidence: str | None = None
    checked_at: str | None = None
    enriched_at: str | None = None


def fold(row: Enrichment | None, fact: Recorded) -> Enrichment | None:
    """What is known of the job's text after *fact*."""
    match fact.event:
        case PostingContentSnapshotCaptured() as e:
            return replace(
                row or Enrichment(e.job_id, e.source_id),
                snapshot_version=e.snapshot_version,
                description_hash=e.snapshot_ref,
                page_ref=e.page_ref,
                extraction_tier=e.extraction_tier,
                confidence=e.confidence,
                quarantine_reason=e.quarantine_reason,
                language=e.language,
                chars=e.chars,
            )
        case JobEnriched() as e:
            row = row or Enrichment(e.job_id, e.source_id)
            return replace(
                row,
                description_hash=e.description_hash,
                # An address found earlier is kept when a later reading shows none.
                application_url=e.application_url or row.application_url,
                extraction_tier=e.extraction_tier,
                facts_hash=e.facts_hash,
                language=e.language or row.language,
                enriched_at=fact.occurred_at,
            )
        case JobActiveStateChanged() as e:
            return replace(
                row or Enrichment(e.job_id, e.source_id),
                active_state=e.active_state,
                active_evidence=e.verification_method,
                checked_at=fact.occurred_at,
            )
        case _:
            return row


JOB_ENRICHMENTS = ReadTable(
    name="job_enrichments",
    version=1,
    sql=script("jobctrl.enrichment", "state.sql"),
    row=Enrichment,
    key=("job_id",),
    handles=(PostingContentSnapshotCaptured, JobEnriched, JobActiveStateChanged),
    keys=lambda fact: [(fact.event.job_id,)],  # type: ignore[union-attr]
    fold=fold,
)


def enrichment_of(connection: sqlite3.Connection, job_id: str) -> Enrichment | None:
    return JOB_ENRICHMENTS.get(connection, job_id)
