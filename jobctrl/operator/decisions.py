"""What a person decides on jobs, one or many at a time: keep, dismiss, sleep on it; and taking a decision back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from jobctrl.discovery.events import (
    DiscoveryFeedbackRecorded,
    DiscoveryFeedbackWithdrawn,
    JobHidden,
    JobSnoozed,
    JobUnhidden,
    JobWoken,
)
from jobctrl.errors import InvalidRequest
from jobctrl.events import Event
from jobctrl.ids import digest_of
from jobctrl.operations.board import job_id_of
from jobctrl.operations.decisions import UNDECIDED, Change, Decision, Kind, Standing
from jobctrl.operations.jobs import JOBS, Job
from jobctrl.store import Store, Transaction, moment

LONGEST_SNOOZE_DAYS = 365


_Wanted = Callable[[Standing], Standing]


class DecisionActions:
    """Each is one transaction: all of the jobs or, when one of the keys names none, not any. Raises NotFound."""

    store: Store

    def save_jobs(self, keys: Sequence[str]) -> Decision:
        """Keep jobs: a person wants to pursue them. Nothing is sent and nothing is started."""
        return self._decide("kept", keys, lambda was: Standing(was.hidden, "saved"), "saved")

    def dismiss_jobs(self, keys: Sequence[str], reason: str = "dismissed") -> Decision:
        """Take jobs out of sight; nothing more is prepared for them."""
        return self._decide("dismissed", keys, lambda was: Standing(True, "dismissed"), reason)

    def snooze_jobs(self, keys: Sequence[str], days: int) -> Decision:
        """Decide on jobs in *days* days: until then the inbox is without them. Raises InvalidRequest."""
        if not 1 <= days <= LONGEST_SNOOZE_DAYS:
            raise InvalidRequest(f"A job sleeps for 1 to {LONGEST_SNOOZE_DAYS} days, not {days}.")
        until = moment(self.store.clock() + timedelta(days=days))
        return self._decide("snoozed", keys, lambda was: Standing(was.hidden, was.feedback, until), "snoozed")

    def put_back_jobs(self, keys: Sequence[str]) -> Decision:
        """Make jobs undecided again, whatever was decided: the inbox shows those that are good and open."""
        return self._decide("put back", keys, lambda was: UNDECIDED, "put back")

    def take_back(self, decision: Decision) -> Decision:
        """Bring each job back to where it stood before *decision*; those that were decided on since stay as they are.

        What a run has done meanwhile stays done.
        """
        with self.store.writer() as tx:
            jobs = [(change, tx.row(JOBS, change.job_id)) for change in decision.changes]
            changes = tuple(
                _bring(tx, job, change.before, "taken back")
                for change, job in jobs
                if job is not None and _standing(job) == change.after
            )
        left = len(decision.changes) - len(changes)
        words = f"Took back: {_many(len(changes))} as before."
        return Decision("put back", f"{words} {_many(left)} decided on since, left alone." if left else words, changes)

    def save_job(self, key: str) -> str:
        """Keep a job: a person wants to pursue it."""
        return self.save_jobs([key]).says

    def dismiss_job(self, key: str, reason: str = "dismissed") -> str:
        """Take a job out of sight; nothing more is prepared for it. Can be undone with `restore_job`."""
        return self.dismiss_jobs([key], reason).says

    def restore_job(self, key: str) -> str:
        """Bring a dismissed job back: it is undecided again."""
        with self.store.writer() as tx:
            job = _job(tx, key)
            if job.hidden:
                feedback = None if job.feedback == "dismissed" else job.feedback
                _bring(tx, job, Standing(False, feedback, job.snoozed_until), "restored")
        return f"Back in the list: {job.title}."

    def _decide(self, kind: Kind, keys: Sequence[str], wanted: _Wanted, reason: str) -> Decision:
        with self.store.writer() as tx:
            jobs = {job.job_id: job for job in (_job(tx, key) for key in keys)}
            changes = tuple(_bring(tx, job, wanted(_standing(job)), reason) for job in jobs.values())
        named = next(iter(jobs.values())).title if len(jobs) == 1 else _many(len(jobs))
        return Decision(kind, f"{kind.capitalize()}: {named}.", changes)


def _standing(job: Job) -> Standing:
    return Standing(bool(job.hidden), job.feedback, job.snoozed_until)


def _bring(tx: Transaction, job: Job, wanted: Standing, reason: str) -> Change:
    """Record what leads from how the job stands to *wanted*; nothing when it stands so already."""
    stands = _standing(job)
    tx.append(f"job/{job.job_id}", *_facts(job, stands, wanted, reason, tx.moment))
    return Change(job.job_id, stands, wanted)


def _facts(job: Job, stands: Standing, wanted: Standing, reason: str, at: str) -> Iterator[Event]:
    if wanted.hidden != stands.hidden:
        yield JobHidden(job_id=job.job_id, reason=reason) if wanted.hidden else JobUnhidden(job_id=job.job_id)
    if wanted.feedback != stands.feedback:
        if wanted.feedback is None:
            yield DiscoveryFeedbackWithdrawn(job_id=job.job_id, kind=str(stands.feedback))
        else:
            yield DiscoveryFeedbackRecorded(
                feedback_id=digest_of([job.job_id, wanted.feedback, at])[:32],
                job_id=job.job_id,
                source_id=job.source_id,
                kind=wanted.feedback,
            )
    if wanted.snoozed_until != stands.snoozed_until:
        if wanted.snoozed_until is None:
            yield JobWoken(job_id=job.job_id)
        else:
            yield JobSnoozed(job_id=job.job_id, until=wanted.snoozed_until)


def _job(tx: Transaction, key: str) -> Job:
    job = JOBS.get(tx.connection, job_id_of(tx.connection, key))
    assert job is not None
    return job


def _many(number: int) -> str:
    return "1 job" if number == 1 else f"{number:,} jobs"
