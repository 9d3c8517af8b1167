"""What was recorded of a job, in short sentences. Pure."""

from __future__ import annotations

import re
from inspect import getdoc

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
)
from jobctrl.enrichment.events import JobActiveStateChanged, JobEnriched, PostingContentSnapshotCaptured
from jobctrl.events import Event, Recorded
from jobctrl.materials.events import (
    BulletProvenanceRecorded,
    CoverLetterGenerated,
    PdfRendered,
    ResumeApproved,
    ResumeFailed,
)
from jobctrl.outcomes.events import ApplicationOutcomeRecorded
from jobctrl.scoring.events import EmployerAnalyzed, ExplorationChosen, JobScored, ScoreCorrected
from jobctrl.spend.events import ModelCallReserved
from jobctrl.stages.events import (
    STAGE_EVENTS,
    StageBlocked,
    StageExhausted,
    StageFailed,
    StageSkipped,
    StageStarted,
)


def words_of(fact: Recorded) -> str:
    """The fact as a short sentence."""
    event = fact.event
    if not isinstance(event, Event):
        return f"{_spaced(fact.event_type)}, written by another version."
    if isinstance(event, STAGE_EVENTS):
        return _of_stage(event, str(fact.stage))
    return _of_job(event) or _of_work(event) or (getdoc(type(event)) or _spaced(fact.event_type)).splitlines()[0]


def _of_job(event: Event) -> str:
    """What boards and the person said of it."""
    match event:
        case JobDiscovered():
            return f"Found at {event.source_id}."
        case JobSourceObserved():
            return f"Seen at {event.source_id}."
        case JobUpdated():
            return f"{event.source_id} changed its {', '.join(event.changed_fields) or 'posting'}."
        case DuplicateJobLinked():
            return f"The posting at {event.source_id} was found to be the same ({_plain(event.reason)})."
        case DuplicateJobLinkRejected():
            return "You split a merge off."
        case JobHidden():
            return f"You dismissed it: {event.reason}." if event.reason != "dismissed" else "You dismissed it."
        case JobUnhidden():
            return "You brought it back."
        case JobSnoozed():
            return f"You put it off until {event.until[:10]}."
        case JobWoken():
            return "You no longer put it off."
        case DiscoveryFeedbackRecorded():
            return f"You marked it as {_plain(event.kind)}."
        case DiscoveryFeedbackWithdrawn():
            return f"You took back that it is {_plain(event.kind)}."
        case ApplicationManuallyMarked():
            return f"You applied on {event.applied_at[:10]}{_made_up(simulated=event.simulated)}."
        case ApplicationOutcomeRecorded():
            return (
                f"The answer: {_plain(event.kind)}, on {event.happened_at[:10]}{_made_up(simulated=event.simulated)}."
            )
        case JobActiveStateChanged():
            was, now = _plain(event.previous_state), _plain(event.active_state)
            return f"Availability: {was} became {now}, by {_plain(event.verification_method)}."
        case _:
            return ""


def _of_work(event: Event) -> str:
    """What was worked out for it."""
    match event:
        case PostingContentSnapshotCaptured():
            kept = f"Its text was kept: {event.chars:,} characters, {event.confidence} confidence"
            return f"{kept}, set aside: {_plain(event.quarantine_reason)}." if event.quarantine_reason else f"{kept}."
        case JobEnriched():
            return f"Its full text is known, by {_plain(event.extraction_tier)}."
        case EmployerAnalyzed():
            return f"Read into {event.requirement_count} requirements, {event.must_have_count} of them musts."
        case JobScored() if event.corrected_from is not None:
            return f"Your score stands: {event.fit_score} ({event.fit_band}) instead of {event.corrected_from}."
        case JobScored():
            return f"Scored {event.fit_score} ({event.fit_band}), by {event.provider}."
        case ScoreCorrected():
            return f"You corrected the score from {event.original_score} to {event.corrected_score}."
        case ExplorationChosen():
            return f"Chance let it through below the threshold of {event.threshold}."
        case ModelCallReserved():
            return f"A paid call to {event.lane}: up to ${event.reserved_usd_micros / 1_000_000:,.4f} set aside."
        case BulletProvenanceRecorded():
            return f"The origin of {event.bullet_count} lines was kept."
        case ResumeApproved():
            return f"A resume of {event.bullet_count} lines passed every gate."
        case ResumeFailed():
            return f"A resume did not pass: {', '.join(map(_plain, event.validation_errors))}."
        case CoverLetterGenerated():
            return f"A letter of {event.word_count} words passed every gate."
        case PdfRendered():
            pages = "1 page" if event.pages == 1 else f"{event.pages} pages"
            return f"A PDF of the {_plain(event.artifact_type).removesuffix(' pdf')} was made: {pages}."
        case _:
            return ""


def _of_stage(event: Event, stage: str) -> str:
    match event:
        case StageStarted():
            return f"{stage} began, attempt {event.attempt_number}."
        case StageFailed():
            again = "worth another try" if event.retryable else "not worth another try"
            return f"{stage} failed: {_plain(event.error_code)} ({again})."
        case StageExhausted():
            return f"{stage} gave up after {event.attempt_count} attempts."
        case StageBlocked():
            return f"{stage} waits: {_plain(event.error_code)}."
        case StageSkipped():
            return f"{stage} was passed over: {_plain(event.reason)}."
        case _:
            return f"{stage} {_STAGE_WORDS.get(event.event_type, _spaced(event.event_type).lower())}."


_STAGE_WORDS = {
    "StageQueued": "was asked for",
    "StageCompleted": "is done",
    "StageReset": "may be taken up again",
    "StageNeedsVerification": "needs you to say what came of it",
    "StageCanceled": "was stopped",
    "StageStale": "is out of date, since what it stands on moved",
}


def _plain(code: str) -> str:
    return code.lower().replace("_", " ")


def _spaced(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", name).capitalize()


def _made_up(*, simulated: bool) -> str:
    return " (made up)" if simulated else ""
