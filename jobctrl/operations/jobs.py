"""The job list: one row a job, made to be filtered and sorted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.discovery.events import (
    DiscoveryFeedbackRecorded,
    DuplicateJobLinked,
    DuplicateJobLinkRejected,
    JobDiscovered,
    JobHidden,
    JobSourceObserved,
    JobUnhidden,
    JobUpdated,
    Posting,
    StatedPlace,
)
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched
from jobctrl.enrichment.state import CLOSED_STATES
from jobctrl.events import Recorded
from jobctrl.materials.events import CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.outcomes.events import ApplicationOutcomeRecorded
from jobctrl.scoring.events import JobScored
from jobctrl.stages.events import (
    STAGE_EVENTS,
    StageBlocked,
    StageFailed,
    StageSkipped,
)
from jobctrl.store import ReadTable, revised, script

REPLIES = ("recruiter_reply", "interview", "assessment", "offer", "rejection")
INTERVIEWS = ("interview", "assessment", "offer")
_STATE_OF = {
    "StageQueued": "queued",
    "StageStarted": "running",
    "StageCompleted": "succeeded",
    "StageFailed": "failed",
    "StageExhausted": "exhausted",
    "StageReset": "pending",
    "StageBlocked": "blocked",
    "StageSkipped": "skipped",
    "StageCanceled": "canceled",
    "StageStale": "stale",
}


@dataclass(frozen=True)
class Job:
    job_id: str
    title: str
    employer: str | None
    url: str
    apply_url: str | None
    source_id: str
    native_id: str
    places: str
    """`City, Region, Country; …`"""
    countries: str
    """ISO codes between commas, as in `,PL,PT,`."""
    mode: str
    mode_conflict: int
    pay_state: str
    pay_currency: str | None
    pay_period: str | None
    pay_low: float | None
    pay_high: float | None
    employment_type: str | None
    department: str | None
    language: str | None
    published: str | None
    closes: str | None
    discovered_at: str
    updated_at: str
    observations: int = 0
    merges: int = 0
    active_state: str = "unknown"
    hidden: int = 0
    feedback: str | None = None
    current_stage: str = "enrich"
    current_state: str = "pending"
    enrich_state: str = "pending"
    score_state: str = "pending"
    tailor_state: str = "pending"
    cover_state: str = "pending"
    error_code: str | None = None
    fit_score: int | None = None
    fit_band: str | None = None
    score_confidence: str | None = None
    eligibility: str | None = None
    score_version: int | None = None
    corrected: int = 0
    has_resume: int = 0
    has_letter: int = 0
    has_pdf: int = 0
    applied_at: str | None = None
    applied_score: int | None = None
    replied_at: str | None = None
    interview_at: str | None = None
    offer_at: str | None = None
    rejected_at: str | None = None
    simulated: int = 0


def fold(row: Job | None, fact: Recorded) -> Job | None:
    """The job as it stands after *fact*."""
    match fact.event:
        case JobDiscovered() as e if row is None:
            return Job(
                job_id=e.job_id,
                source_id=e.source_id,
                native_id=e.source_native_id,
                discovered_at=fact.occurred_at,
                updated_at=fact.occurred_at,
                **_says(e.posting),
            )
        case _ if row is None:
            return None
        case JobUpdated() as e:
            return revised(row, updated_at=fact.occurred_at, **_says(e.posting))
        case JobSourceObserved():
            return revised(row, observations=row.observations + 1)
        case DuplicateJobLinked():
            return revised(row, merges=row.merges + 1)
        case DuplicateJobLinkRejected():
            return revised(row, merges=row.merges - 1, observations=row.observations - 1)
        case JobHidden():
            return revised(row, hidden=1)
        case JobUnhidden():
            return revised(row, hidden=0)
        case DiscoveryFeedbackRecorded() as e:
            return revised(row, feedback=e.kind)
        case JobEnriched() as e:
            row = revised(row, apply_url=row.apply_url or e.application_url, language=row.language or e.language)
            return revised(row, **_adds(row, e.page)) if e.page else row
        case JobActiveStateChanged() as e:
            return revised(row, active_state=e.active_state)
        case JobScored() as e:
            return revised(
                row,
                fit_score=e.fit_score,
                fit_band=e.fit_band,
                score_confidence=e.confidence,
                eligibility=e.eligibility,
                score_version=e.version,
                corrected=int(e.corrected_from is not None),
            )
        case ResumeApproved():
            return revised(row, has_resume=1, has_letter=0, has_pdf=0)
        case CoverLetterGenerated():
            return revised(row, has_letter=1)
        case PdfRendered():
            return revised(row, has_pdf=1)
        case ApplicationManuallyMarked() as e:
            return revised(
                row, applied_at=row.applied_at or e.applied_at, applied_score=e.fit_score, simulated=int(e.simulated)
            )
        case ApplicationOutcomeRecorded() as e:
            return _answered(row, e)
        case _:
            return _staged(row, fact)


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
        row = revised(row, replied_at=min(filter(None, (row.replied_at, at))))
    if event.kind in INTERVIEWS:
        row = revised(row, interview_at=min(filter(None, (row.interview_at, at))))
    if event.kind == "offer":
        row = revised(row, offer_at=min(filter(None, (row.offer_at, at))))
    if event.kind == "rejection":
        row = revised(row, rejected_at=min(filter(None, (row.rejected_at, at))))
    return row


def _staged(row: Job, fact: Recorded) -> Job:
    event = fact.event
    stage, state = getattr(event, "stage", None), _STATE_OF.get(fact.event_type)
    if state is None or stage is None:
        return row
    if stage in ("enrich", "score", "tailor", "cover"):
        moved: dict[str, Any] = {f"{stage}_state": state}
        row = revised(row, **moved)
    match event:
        case StageFailed() | StageBlocked() as e:
            row = revised(row, error_code=e.error_code)
        case StageSkipped() as e:
            row = revised(row, error_code=e.reason)
        case _ if state in ("running", "succeeded", "pending"):
            row = revised(row, error_code=None)
    return _at_present(row)


def _at_present(row: Job) -> Job:
    """The first stage that is neither done nor passed over; apply when all are."""
    for stage in ("enrich", "score", "tailor", "cover"):
        state = getattr(row, f"{stage}_state")
        if state not in ("succeeded", "skipped"):
            return revised(row, current_stage=stage, current_state=state)
    return revised(row, current_stage="apply", current_state="pending" if row.has_resume else "skipped")


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
    name="jobs",
    version=1,
    sql=script("jobctrl.operations", "jobs.sql"),
    row=Job,
    key=("job_id",),
    handles=(
        JobDiscovered,
        JobUpdated,
        JobSourceObserved,
        DuplicateJobLinked,
        DuplicateJobLinkRejected,
        JobHidden,
        JobUnhidden,
        DiscoveryFeedbackRecorded,
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
