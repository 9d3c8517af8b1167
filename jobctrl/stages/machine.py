"""The moves that are allowed on one job's stage, each checked against the table of legal moves first."""

from __future__ import annotations

from collections.abc import Iterable

from jobctrl.errors import InvalidRequest, OwnershipLost
from jobctrl.events import Event
from jobctrl.stages.events import (
    StageBlocked,
    StageCanceled,
    StageCompleted,
    StageExhausted,
    StageFailed,
    StageNeedsVerification,
    StageQueued,
    StageReset,
    StageSkipped,
    StageStale,
    StageStarted,
)
from jobctrl.stages.model import MAX_ATTEMPTS, Owner, Stage, StageState
from jobctrl.stages.rules import FRESH_START, attempts_left, check_move, check_skip
from jobctrl.stages.state import STAGE_STATES, StageRow
from jobctrl.store import Transaction, current_execution


class StageMachine:
    """The moves of one job's stage inside one transaction. Each checks the table of legal moves first."""

    def __init__(self, transaction: Transaction, job_id: str, stage: Stage) -> None:
        self._tx = transaction
        self.job_id = job_id
        self.stage = stage

    @property
    def row(self) -> StageRow:
        row = self._tx.row(STAGE_STATES, self.job_id, self.stage.value)
        return row or StageRow(self.job_id, self.stage.value, StageState.PENDING.value)

    def queue(self, source: str, *, reserved_by: str | None = None) -> None:
        """Mark the stage as asked for; *reserved_by* keeps it for one workflow."""
        if self._move(StageState.QUEUED):
            self._record(
                StageQueued(job_id=self.job_id, stage=self.stage.value, source=source, reserved_by=reserved_by)
            )

    def start(self, *, owner_attempt: int = 1, baseline: str | None = None) -> int:
        """Take the stage; returns the durable attempt. A retry of the same execution continues its own attempt.

        Raises InvalidRequest when the stage may not run, OwnershipLost when another execution holds it.
        """
        row = self.row
        execution = current_execution()
        if row.state == StageState.RUNNING:
            mine = execution and (row.owner_workflow, row.owner_run) == (execution.workflow_id, execution.run_id)
            if not mine:
                raise OwnershipLost(f"The stage {self.stage.value} of this job is held by {row.owner_workflow}.")
            if owner_attempt <= (row.owner_attempt or 0):
                return row.attempt_count
            attempt = row.attempt_count
        else:
            if row.state == StageState.QUEUED and row.owner_workflow not in (None, execution and execution.workflow_id):
                raise OwnershipLost(f"The stage {self.stage.value} of this job is kept for {row.owner_workflow}.")
            if row.state == StageState.FAILED and row.retryable and attempts_left(self.stage, row.attempt_count):
                self.reset(reason="retry")
            check_move(self.stage, StageState(self.row.state), StageState.RUNNING)
            if not attempts_left(self.stage, row.attempt_count):
                raise InvalidRequest(
                    f"The stage {self.stage.value} of this job has no attempts left.",
                    hint="Reset the stage together with its attempts.",
                )
            attempt = row.attempt_count + 1
        self._record(
            StageStarted(
                job_id=self.job_id,
                stage=self.stage.value,
                attempt_number=attempt,
                owner_attempt=owner_attempt,
                baseline=baseline if row.state != StageState.RUNNING else row.baseline,
            )
        )
        return attempt

    def check_owner(self, owner: Owner) -> None:
        """The fence: raise OwnershipLost unless *owner* holds the running stage."""
        row = self.row
        holder = (row.owner_workflow, row.owner_run, row.owner_attempt)
        if row.state != StageState.RUNNING or holder != (owner.workflow_id, owner.run_id, owner.attempt):
            raise OwnershipLost(f"The stage {self.stage.value} of this job is {row.state} and no longer held here.")

    def complete(self, *, duration_ms: int | None = None) -> None:
        if self._move(StageState.SUCCEEDED):
            self._record(StageCompleted(job_id=self.job_id, stage=self.stage.value, duration_ms=duration_ms))

    def fail(self, code: str, message: str, *, retryable: bool) -> None:
        """Record the failed attempt; the last allowed one also exhausts the stage."""
        attempts = max(1, self.row.attempt_count)
        if not self._move(StageState.FAILED):
            return
        self._record(
            StageFailed(
                job_id=self.job_id,
                stage=self.stage.value,
                error_code=code,
                error_message=message[:300],
                retryable=retryable,
                attempt_number=attempts,
            )
        )
        if not attempts_left(self.stage, attempts):
            ceiling = MAX_ATTEMPTS[self.stage] or attempts
            self._record(
                StageExhausted(job_id=self.job_id, stage=self.stage.value, attempt_count=attempts, max_attempts=ceiling)
            )

    def reset(self, *, reason: str, attempts: bool = False) -> None:
        """Make the stage ready to be picked up; *attempts* gives all of them back, also when it is ready already."""
        row = self.row
        afresh = attempts or StageState(row.state) in FRESH_START
        if self._move(StageState.PENDING) or (afresh and row.attempt_count):
            self._record(StageReset(job_id=self.job_id, stage=self.stage.value, reset_attempts=afresh, reason=reason))

    def block(self, code: str, *, by: Iterable[str] = (), retryable: bool = True, detail: str = "") -> None:
        row = self.row
        if row.state == StageState.BLOCKED and row.error_code == code:
            return
        if row.state == StageState.BLOCKED:
            self.reset(reason="other_blocker")
        self._move(StageState.BLOCKED)
        self._record(
            StageBlocked(
                job_id=self.job_id,
                stage=self.stage.value,
                error_code=code,
                blocked_by=list(by),
                retryable=retryable,
                detail=detail,
            )
        )

    def skip(self, reason: str, *, detail: str = "") -> None:
        old = StageState(self.row.state)
        check_skip(self.stage, old, reason)
        if old is not StageState.SKIPPED:
            self._record(StageSkipped(job_id=self.job_id, stage=self.stage.value, reason=reason, detail=detail))

    def park(self, code: str, *, detail: str = "") -> None:
        """Leave the running stage to a person: it may have done what cannot be undone, and nobody knows."""
        if self._move(StageState.NEEDS_VERIFICATION):
            self._record(
                StageNeedsVerification(job_id=self.job_id, stage=self.stage.value, error_code=code, detail=detail)
            )

    def cancel(self, reason: str) -> None:
        if self._move(StageState.CANCELED):
            self._record(StageCanceled(job_id=self.job_id, stage=self.stage.value, reason=reason))

    def mark_stale(self, reason: str) -> None:
        if self._move(StageState.STALE):
            self._record(StageStale(job_id=self.job_id, stage=self.stage.value, reason=reason))

    def _move(self, new: StageState) -> bool:
        """Check the move; False when the stage is there already."""
        old = StageState(self.row.state)
        check_move(self.stage, old, new)
        return old is not new

    def _record(self, event: Event) -> None:
        self._tx.append(f"job/{self.job_id}", event)
