"""Carry out what one stage's end means for the others, in the transaction that ended it."""

from __future__ import annotations

from jobctrl.pipeline.rules import Judged, Standing, explores, materials_threshold, moves
from jobctrl.scoring.events import ExplorationChosen
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.scoring.state import ScoreRow, explored, latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage, StageState
from jobctrl.stages.state import stage_of
from jobctrl.store import Transaction


def reconcile(tx: Transaction, job_id: str, *, min_score: int, exploration_share: float = 0) -> None:
    """Move the job's later stages to where its score and its tailoring put them.

    Of the jobs that only their score holds back, *exploration_share* is let through by chance, and recorded as such.
    """
    score = latest_score(tx.connection, job_id)
    judged = Judged(score.fit_score, EligibilityStatus(score.eligibility)) if score else None
    standings = _standings(tx, job_id)
    let_through = False
    if score is not None and judged is not None and standings[Stage.SCORE].state is StageState.SUCCEEDED:
        let_through = _explored(tx, score, judged, min_score=min_score, share=exploration_share)
    for move in list(moves(standings, judged, min_score=min_score, explored=let_through)):
        machine = StageMachine(tx, job_id, move.stage)
        match move.to:
            case StageState.BLOCKED:
                machine.block(move.code, by=[stage.value for stage in move.by], retryable=False)
            case StageState.SKIPPED:
                machine.skip(move.code)
            case _:
                machine.reset(reason=move.code)


def _explored(tx: Transaction, score: ScoreRow, judged: Judged, *, min_score: int, share: float) -> bool:
    """Whether chance has let the job through, now or before."""
    if explored(tx.connection, score):
        return True
    if score.corrected_from is not None or not explores(score.job_id, judged, min_score=min_score, share=share):
        return False
    chosen = ExplorationChosen(
        job_id=score.job_id,
        score=score.fit_score,
        score_version=score.version,
        threshold=materials_threshold(min_score),
        propensity=share,
        policy_version=score.policy_version,
    )
    tx.append(f"job/{score.job_id}", chosen, key=f"explored:{score.job_id}")
    return True


def _standings(tx: Transaction, job_id: str) -> dict[Stage, Standing]:
    standings = {}
    for stage in Stage:
        row = stage_of(tx.connection, job_id, stage)
        standings[stage] = Standing(StageState(row.state), row.error_code, bool(row.retryable))
    return standings
