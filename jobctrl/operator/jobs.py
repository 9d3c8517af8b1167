"""What a person does with jobs: correct a score, split a merge, and say what came of an application."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import msgspec

from jobctrl.apply.events import ApplicationManuallyMarked
from jobctrl.discovery.admission import Admission
from jobctrl.errors import InvalidRequest, MissingInput
from jobctrl.ids import digest_of
from jobctrl.operations.board import job_id_of
from jobctrl.operations.jobs import JOBS, Job
from jobctrl.outcomes.events import ApplicationOutcomeRecorded, OutcomeKind
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.scoring.events import JobScored, ScoreCorrected, ScoreCorrectionWithdrawn
from jobctrl.scoring.model import PostingAnalysis
from jobctrl.scoring.policy import Policies
from jobctrl.scoring.rules import anchor, band, check_correction
from jobctrl.scoring.state import latest_score
from jobctrl.store import Store, Transaction, moment


class JobActions:
    store: Store
    min_score: Callable[[], int]

    def split(self, link_id: str, reason: str) -> str:
        """Undo a merge; returns the id of the job that the observation now is. Raises NotFound."""
        if not reason.strip():
            raise InvalidRequest("Splitting a merge needs its reason.", hint="Say in a few words why they differ.")
        return Admission(self.store).split(link_id, reason.strip())

    def correct_score(self, key: str, score: int, reason: str) -> str:
        """Put a person's score in place of ours; both stay in the history. Raises InvalidRequest or MissingInput."""
        words = check_correction(score, reason)
        with self.store.writer() as tx:
            job = _job(tx, key)
            latest = latest_score(tx.connection, job.job_id)
            if latest is None:
                raise MissingInput("This job has no score yet.", hint="Prepare it first with `jobctrl prepare`.")
            ref = tx.put(words)
            original = latest.fit_score if latest.corrected_from is None else latest.corrected_from
            tx.append(
                f"job/{job.job_id}",
                ScoreCorrected(
                    job_id=job.job_id,
                    version=latest.version + 1,
                    original_score=original,
                    corrected_score=score,
                    reason_ref=ref,
                ),
                JobScored(
                    job_id=job.job_id,
                    version=latest.version + 1,
                    fit_score=score,
                    fit_band=band(score).value,
                    confidence=latest.confidence,
                    weighted_fit=latest.weighted_fit,
                    must_have_coverage=latest.must_have_coverage,
                    eligibility=latest.eligibility,
                    profile_version=latest.profile_version,
                    policy_version=latest.policy_version,
                    formula_version="person",
                    analysis_ref=latest.analysis_ref,
                    ledger_ref=latest.ledger_ref,
                    snapshot_hash=latest.snapshot_hash,
                    provider="person",
                    model="person",
                    corrected_from=original,
                    reason_ref=ref,
                ),
            )
            analysis = msgspec.json.decode(tx.content(latest.analysis_ref), type=PostingAnalysis)
            learned = anchor(original, score, must_have_coverage=latest.must_have_coverage, analysis=analysis)
            Policies(self.store, self.min_score).learn(tx, learned)
            reconcile(tx, job.job_id, min_score=self.min_score())
        return f"{job.title}: {original} became {score}."

    def take_back_correction(self, key: str) -> str:
        """Put our own score back in place of a person's, as a new version; what the corrections taught goes.

        What a run has prepared meanwhile stays. Raises InvalidRequest when the current score is no correction.
        """
        with self.store.writer() as tx:
            job = _job(tx, key)
            history = [fact.event for fact in self.store.job_history(job.job_id)]
            scored = [event for event in history if isinstance(event, JobScored)]
            ours = next((event for event in reversed(scored) if event.corrected_from is None), None)
            if ours is None or ours is scored[-1]:
                raise InvalidRequest(f"The score of {job.title} is not a person's.", hint="There is nothing to undo.")
            latest = scored[-1]
            version = latest.version + 1
            withdrawn = ScoreCorrectionWithdrawn(
                job_id=job.job_id,
                version=version,
                corrected_score=latest.fit_score,
                restored_score=ours.fit_score,
            )
            tx.append(f"job/{job.job_id}", withdrawn, ours.model_copy(update={"version": version}))
            analysis = msgspec.json.decode(tx.content(ours.analysis_ref), type=PostingAnalysis)
            taught = [
                anchor(ours.fit_score, each.fit_score, must_have_coverage=ours.must_have_coverage, analysis=analysis)
                for each in scored
                if each.version > ours.version
            ]
            Policies(self.store, self.min_score).forget(tx, taught)
            reconcile(tx, job.job_id, min_score=self.min_score())
        return f"{job.title}: {latest.fit_score} became {ours.fit_score} again."

    def mark_applied(self, key: str, applied_at: datetime | None = None, *, simulated: bool = False) -> str:
        """A person applied by themselves; the score of this moment is kept with it. Marking twice changes nothing."""
        with self.store.writer() as tx:
            job = _job(tx, key)
            at = applied_at or tx.now
            if at > tx.now:
                raise InvalidRequest(f"{at:%Y-%m-%d} lies in the future.")
            latest = latest_score(tx.connection, job.job_id)
            tx.append(
                f"job/{job.job_id}",
                ApplicationManuallyMarked(
                    job_id=job.job_id,
                    applied_at=moment(at),
                    fit_score=latest.fit_score if latest else None,
                    score_version=latest.version if latest else None,
                    simulated=simulated,
                ),
                key=f"applied:{job.job_id}",
            )
        return f"Applied: {job.title}."

    def record_outcome(
        self, key: str, kind: OutcomeKind, happened_at: datetime | None = None, *, simulated: bool = False
    ) -> str:
        """What came of an application. Raises InvalidRequest before the job was applied to."""
        with self.store.writer() as tx:
            job = _job(tx, key)
            if job.applied_at is None:
                raise InvalidRequest(
                    "Nobody has applied to this job yet.", hint="Mark it first with `jobctrl jobs applied JOB`."
                )
            at = moment((happened_at or tx.now).astimezone(UTC))
            outcome = digest_of([job.job_id, kind, at])[:32]
            tx.append(
                f"job/{job.job_id}",
                ApplicationOutcomeRecorded(
                    job_id=job.job_id, outcome_id=outcome, kind=kind, happened_at=at, simulated=simulated
                ),
                key=f"outcome:{outcome}",
            )
        return f"{job.title}: {kind.replace('_', ' ')}."


def _job(tx: Transaction, key: str) -> Job:
    job = JOBS.get(tx.connection, job_id_of(tx.connection, key))
    assert job is not None
    return job
