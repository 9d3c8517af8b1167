"""Carry out what one stage's end means for the others, in the transaction that ended it."""

from __future__ import annotations

from jobctrl.pipeline.rules import Judged, Standing, moves
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.scoring.state import latest_score
from jobctrl.stages.model import Stage, StageState
from jobctrl.stages.state import StageMachine, stage_of
from jobctrl.store import Transaction


def reconcile(tx: Transaction, job_id: str, *, min_score: int) -> None:
    """Move the job's later stages to where its score and its tailoring put them."""
    score = latest_score(tx.connection, job_id)
    judged = Judged(score.fit_score, EligibilityStatus(score.eligibility)) if score else None
    for move in list(moves(_standings(tx, job_id), judged, min_score=min_score)):
        machine = StageMachine(tx, job_id, move.stage)
        match move.to:
            case StageState.BLOCKED:
                machine.block(move.code, by=[stage.value for stage in move.by], retryable=False)
            case StageState.SKIPPED:
                machine.skip(move.code)
            case _:
                machine.reset(reason=move.code)


def _standings(tx: Transaction, job_id: str) -> dict[Stage, Standing]:
    standings = {}
    for stage in Stage:
        row = stage_of(tx.connection, job_id, stage)
        standings[stage] = Standing(StageState(row.state), row.error_code, bool(row.retryable))
    return standings
