"""How the row of a job comes to be: the fold behind the job list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.discovery.events import (
    DiscoveryFeedbackRecorded,
    DiscoveryFeedbackWithdrawn,
    DuplicateJobLinked,
    DuplicateJobLinkRejected,
    JobDiscovered,
    JobHidden,
    JobSnoozed,
    JobSourceObserved,
    JobUnhidden,
    JobUpdated,
    JobWoken,
    Posting,
    StatedPlace,
)
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched
from jobctrl.events import Recorded
from jobctrl.materials.events import CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.operations.job_list import CLOSED_STATES, JOB_LIST, Job
from jobctrl.outcomes.events import ApplicationOutcomeRecorded
from jobctrl.scoring.events import JobScored
from jobctrl.stages.events import (
    STAGE_EVENTS,
    StageBlocked,
    StageFailed,
    StageNeedsVerification,
    StageSkipped,
)
from jobctrl.store import ReadTable, script

REPLIES = ("recruiter_reply", "interview", "assessment", "offer", "rejection")
INTERVIEWS = ("interview", "assessment", "offer")
PREPARATION = ("enrich", "score", "tailor", "cover")
_STATE_OF = {
    "StageQueued": "queued",
    "StageStarted": "running",
    "StageCompleted": "succeeded",
    "StageFailed": "failed",
    "StageExhausted": "exhausted",
    "StageReset": "pending",
    "StageBlocked": "blocked",
    "StageSkipped": "skipped",
    "StageNeedsVerification": "needs_verification",
    "StageCanceled": "canceled",
    "StageStale": "stale",
}


def fold(row: Job | None, fact: Recorded) -> Job | None:
    """The job as it stands after *fact*."""
    if row is None:
        return _found(fact.event, fact.occurred_at) if isinstance(fact.event, JobDiscovered) else None
    if fact.event_type in _STATE_OF:
        return _staged(row, fact)
    match fact.event:
        case JobUpdated() as e:
            return replace(row, updated_at=fact.occurred_at, **_says(e.posting))
        case JobSourceObserved():
            return replace(row, observations=row.observations + 1)
        case DuplicateJobLinked():
            return replace(row, merges=row.merges + 1)
        case DuplicateJobLinkRejected():
            return replace(row, merges=row.merges - 1, observations=row.observations - 1)
        case JobHidden():
            return replace(row, hidden=1)
        case JobUnhidden():
            return replace(row, hidden=0)
        case DiscoveryFeedbackRecorded() as e:
            return replace(row, feedback=e.kind)
        case DiscoveryFeedbackWithdrawn():
            return replace(row, feedback=None)
        case JobSnoozed() as e:
            return replace(row, snoozed_until=e.until)
        case JobWoken():
            return replace(row, snoozed_until=None)
        case JobEnriched() as e:
            row = replace(row, apply_url=row.apply_url or e.application_url, language=row.language or e.language)
            return replace(row, **_adds(row, e.page)) if e.page else row
        case JobActiveStateChanged() as e:
            return replace(row, active_state=e.active_state)
        case JobScored() as e:
            return replace(
                row,
                fit_score=e.fit_score,
                fit_band=e.fit_band,
                score_confidence=e.confidence,
                eligibility=e.eligibility,
                score_version=e.version,
                corrected=int(e.corrected_from is not None),
            )
        case ResumeApproved():
            return replace(row, has_resume=1, has_letter=0, has_pdf=0)
        case CoverLetterGenerated():
            return replace(row, has_letter=1)
        case PdfRendered():
            return replace(row, has_pdf=1)
        case ApplicationManuallyMarked() as e:
            return replace(
                row, applied_at=row.applied_at or e.applied_at, applied_score=e.fit_score, simulated=int(e.simulated)
            )
        case ApplicationOutcomeRecorded() as e:
            return _answered(row, e)
        case _:
            return row


def _found(event: JobDiscovered, at: str) -> Job:
    return Job(
        job_id=event.job_id,
        source_id=event.source_id,
        native_id=event.source_native_id,
        discovered_at=at,
        updated_at=at,
        **_says(event.posting),
    )


def _says(posting: Posting) -> dict[str, Any]:
    pay = posting.pay
    return {
        "title": posting.title,
        "employer": posting.employer,
        "url": posting.url,
        "apply_url": posting.apply_url,
        "places": "; ".join(_place(place) for place in posting.places),
        "countries": "".join(f",{code}" for code in sorted({p.country for p in posting.places if p.country})) + ",",
        "mode": posting.mode,
        "mode_conflict": int(posting.mode_conflict),
        "pay_state": pay.state if pay else "not_stated",
        "pay_currency": pay.currency if pay else None,
        "pay_period": pay.period if pay else None,
        "pay_low": float(pay.low) if pay and pay.low is not None else None,
        "pay_high": float(pay.high) if pay and pay.high is not None else None,
        "employment_type": posting.employment_type,
        "department": posting.department,
        "language": posting.language,
        "published": posting.published.isoformat() if posting.published else None,
        "closes": posting.closes.isoformat() if posting.closes else None,
    }


def _adds(row: Job, page: Posting) -> dict[str, Any]:
    """What the posting's page says where the listing said nothing."""
    said = _says(page)
    silent = {name: said[name] for name in ("employer", "employment_type", "published", "closes", "language")}
    adds = {name: value for name, value in silent.items() if getattr(row, name) is None}
    groups = (
        (not row.places, ("places", "countries")),
        (row.mode == "unknown", ("mode", "mode_conflict")),
        (row.pay_state == "not_stated", ("pay_state", "pay_currency", "pay_period", "pay_low", "pay_high")),
    )
    for is_silent, names in groups:
        if is_silent:
            adds.update({name: said[name] for name in names})
    return adds


def _place(place: StatedPlace) -> str:
    return ", ".join(filter(None, (place.city, place.region, place.country)))


def _answered(row: Job, event: ApplicationOutcomeRecorded) -> Job:
    at = event.happened_at
    if event.kind in REPLIES:
        row = replace(row, replied_at=min(filter(None, (row.replied_at, at))))
    if event.kind in INTERVIEWS:
        row = replace(row, interview_at=min(filter(None, (row.interview_at, at))))
    if event.kind == "offer":
        row = replace(row, offer_at=min(filter(None, (row.offer_at, at))))
    if event.kind == "rejection":
        row = replace(row, rejected_at=min(filter(None, (row.rejected_at, at))))
    return row


def _staged(row: Job, fact: Recorded) -> Job:
    event, state = fact.event, _STATE_OF[fact.event_type]
    moved: dict[str, Any] = {}
    match event:
        case StageFailed() | StageBlocked() | StageNeedsVerification() as e:
            moved["error_code"] = e.error_code
        case StageSkipped() as e:
            moved["error_code"] = e.reason
        case _ if state in ("running", "succeeded", "pending"):
            moved["error_code"] = None
    stage = getattr(event, "stage", None)
    if stage in PREPARATION:
        moved[f"{stage}_state"] = state
    return _at_present(replace(row, **moved))


def _at_present(row: Job) -> Job:
    """The first stage that is neither done nor passed over; apply when all are."""
    for stage in PREPARATION:
        state = getattr(row, f"{stage}_state")
        if state not in ("succeeded", "skipped"):
            break
    else:
        stage, state = "apply", "pending" if row.has_resume else "skipped"
    if (stage, state) == (row.current_stage, row.current_state):
        return row
    return replace(row, current_stage=stage, current_state=state)


def _tallies(row: Job) -> Iterable[str]:
    if row.hidden:
        yield "jobs:hidden"
        return
    yield "jobs:all"
    yield f"source:{row.source_id}"
    yield f"fit:{row.fit_band or 'unscored'}"
    if row.active_state in CLOSED_STATES:
        yield "jobs:closed"
    if row.current_state in ("failed", "exhausted"):
        yield "jobs:failed"
    if row.current_state == "blocked":
        yield "jobs:blocked"
    if row.has_pdf and not row.applied_at:
        yield "jobs:ready"
    for name in ("applied", "replied", "interview", "offer", "rejected"):
        if getattr(row, f"{name}_at"):
            yield f"outcome:{name}"


def _keys(fact: Recorded) -> Iterable[tuple[str]]:
    event = fact.event
    return [(event.surviving_job_id if isinstance(event, DuplicateJobLinked) else event.job_id,)]  # type: ignore[union-attr]


JOBS = ReadTable(
    name=JOB_LIST.name,
    version=JOB_LIST.version,
    sql=script("jobctrl.operations", "jobs.sql"),
    row=JOB_LIST.row,
    key=JOB_LIST.key,
    handles=(
        JobDiscovered,
        JobUpdated,
        JobSourceObserved,
        DuplicateJobLinked,
        DuplicateJobLinkRejected,
        JobHidden,
        JobUnhidden,
        DiscoveryFeedbackRecorded,
        DiscoveryFeedbackWithdrawn,
        JobSnoozed,
        JobWoken,
        JobEnriched,
        JobActiveStateChanged,
        JobScored,
        ResumeApproved,
        CoverLetterGenerated,
        PdfRendered,
        ApplicationManuallyMarked,
        ApplicationOutcomeRecorded,
        *STAGE_EVENTS,
    ),
    keys=_keys,
    fold=fold,
    tallies=_tallies,
)

__all__ = ["INTERVIEWS", "JOBS", "REPLIES", "Job", "fold"]
