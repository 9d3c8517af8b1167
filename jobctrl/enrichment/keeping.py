"""What is recorded of a job's text: from its board, from its page, or why there is none. One transaction each."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.discovery.admission import keep_facts, stated
from jobctrl.discovery.events import Posting
from jobctrl.discovery.state import JOB_CONTENTS, JobContent
from jobctrl.enrichment.events import (
    JobActiveStateChanged,
    JobEnriched,
    PostingContentSnapshotCaptured,
    PostingContentSnapshotFailed,
)
from jobctrl.enrichment.looking import Failure
from jobctrl.enrichment.model import ActiveState, ExtractionTier, PageReading
from jobctrl.enrichment.state import JOB_ENRICHMENTS, Enrichment
from jobctrl.errors import OwnershipLost
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.store import Transaction, statements

SQL = statements("jobctrl.enrichment", "selection.sql")


@dataclass(frozen=True)
class Target:
    """A page that is to be read, and who holds its stage meanwhile."""

    job_id: str
    url: str
    source_id: str
    owner: Owner


def keep_board_text(tx: Transaction, job_id: str, attempt: int) -> bool:
    """Take the text that the job's board gave; False when there is nothing new, or another run holds the stage."""
    content = JOB_CONTENTS.get(tx.connection, job_id)
    before = JOB_ENRICHMENTS.get(tx.connection, job_id)
    if content is None or content.description_hash is None:
        return False
    if before is not None and before.description_hash == content.description_hash:
        return False
    machine = StageMachine(tx, job_id, Stage.ENRICH)
    state = StageState(machine.row.state)
    if state in (StageState.SUCCEEDED, StageState.STALE):
        machine.mark_stale("posting_changed")
    if state not in (StageState.PENDING, StageState.QUEUED, StageState.RUNNING):
        machine.reset(reason="posting_changed", attempts=True)
    try:
        machine.start(owner_attempt=attempt)
    except OwnershipLost:
        return False
    source_id, facts_hash, chars = _board_facts(tx, job_id)
    version = (before.snapshot_version if before else 0) + 1
    tx.append(
        f"job/{job_id}",
        PostingContentSnapshotCaptured(
            job_id=job_id,
            snapshot_version=version,
            snapshot_ref=content.description_hash,
            source_id=source_id,
            extraction_tier=ExtractionTier.ATS_API.value,
            confidence="high" if chars >= 200 else "low",
            quarantine_reason=None if chars >= 200 else "low_confidence_extraction",
            chars=chars,
            language=content.language,
        ),
        JobEnriched(
            job_id=job_id,
            source_id=source_id,
            description_hash=content.description_hash,
            application_url=None,
            extraction_tier=ExtractionTier.ATS_API.value,
            facts_hash=facts_hash,
            language=content.language,
        ),
    )
    _record_active(tx, job_id, source_id, before, ActiveState.ACTIVE, "board_lists_it")
    machine.complete()
    return True


def _board_facts(tx: Transaction, job_id: str) -> tuple[str, str, int]:
    """The source that shows the job, the facts it gave, and the length of its text."""
    _, source_id, stored = tx.connection.execute(SQL["address"], {"job_id": job_id}).fetchone()
    posting = Posting.model_validate_json(stored)
    return source_id, posting.facts_hash, posting.description_chars


def keep_failure(tx: Transaction, machine: StageMachine, target: Target, failure: Failure) -> str:
    """End the stage without a text; returns how it counts: blocked, inactive or failed."""
    before = JOB_ENRICHMENTS.get(tx.connection, target.job_id)
    if failure.active is not None:
        _record_active(tx, target.job_id, target.source_id, before, failure.active, failure.evidence)
    if failure.blocks:
        machine.block(failure.code, detail=failure.message)
        return "blocked"
    tx.append(
        f"job/{target.job_id}",
        PostingContentSnapshotFailed(
            job_id=target.job_id,
            source_id=target.source_id,
            error_class=failure.code,
            retryable=failure.retryable,
            cause=failure.cause,
            host=failure.host,
        ),
    )
    machine.fail(failure.code, failure.message, retryable=failure.retryable)
    return "inactive" if failure.active is not None else "failed"


def keep_reading(tx: Transaction, machine: StageMachine, target: Target, reading: PageReading) -> str:
    """End the stage with what the page says; returns how it counts."""
    before = JOB_ENRICHMENTS.get(tx.connection, target.job_id)
    content = JOB_CONTENTS.get(tx.connection, target.job_id)
    text = tx.put(reading.description)
    facts = keep_facts(tx, reading.facts)
    tier = (reading.tier or ExtractionTier.CSS_SELECTORS).value
    language = reading.facts.language.language
    tx.append(
        f"job/{target.job_id}",
        PostingContentSnapshotCaptured(
            job_id=target.job_id,
            snapshot_version=(before.snapshot_version if before else 0) + 1,
            snapshot_ref=text,
            source_id=target.source_id,
            extraction_tier=tier,
            confidence=reading.confidence.value,
            quarantine_reason=None if reading.quarantine.value == "none" else reading.quarantine.value,
            chars=len(reading.description),
            language=language,
        ),
        JobEnriched(
            job_id=target.job_id,
            source_id=target.source_id,
            description_hash=text,
            application_url=reading.apply_url,
            extraction_tier=tier,
            facts_hash=facts,
            language=language,
            page=_page_posting(content, reading, text, facts, target.url),
        ),
    )
    _record_active(tx, target.job_id, target.source_id, before, reading.active.state, reading.active.verification.value)
    machine.complete()
    return "read"


def _page_posting(content: JobContent | None, reading: PageReading, text: str, facts: str, url: str) -> Posting:
    return Posting(
        title=content.title if content else reading.title or "",
        employer=reading.company,
        url=url,
        apply_url=reading.apply_url,
        description_hash=text,
        description_chars=len(reading.description),
        facts_hash=facts,
        **stated(reading.facts),
    )


def _record_active(
    tx: Transaction,
    job_id: str,
    source_id: str,
    before: Enrichment | None,
    state: ActiveState,
    evidence: str,
) -> None:
    previous = before.active_state if before else ActiveState.UNKNOWN.value
    if previous != state.value:
        tx.append(
            f"job/{job_id}",
            JobActiveStateChanged(
                job_id=job_id,
                source_id=source_id,
                active_state=state.value,
                previous_state=previous,
                verification_method=evidence,
            ),
        )
