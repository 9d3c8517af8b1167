"""Settling a stage whose activity ended without settling it: owner-scoped, and idempotent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from temporalio import activity

from jobctrl.materials.state import materials_of
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.scoring.state import latest_score
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage, StageState
from jobctrl.store import Store, Transaction


@dataclass(frozen=True)
class SettleInput:
    """The stage that one exact run may have left running."""

    workspace: str
    job_id: str
    stage: Literal["enrich", "score", "tailor", "cover", "apply"]
    workflow_id: str
    run_id: str
    error_code: str
    error_message: str
    retryable: bool
    canceled: bool = False


@dataclass
class PipelineActivities:
    store: Store
    min_score: Callable[[], int]
    exploration_share: Callable[[], float] = lambda: 0.0

    @activity.defn
    async def settle_owned_stage(self, settle: SettleInput) -> str:
        """restored when the result had been written after all, failed or canceled otherwise; untouched if not owned.

        parked when the stage may have done what cannot be undone.
        """
        return await asyncio.to_thread(self._settle, settle)

    def _settle(self, settle: SettleInput) -> str:
        with self.store.writer() as tx:
            share = self.exploration_share()
            return settle_stage(tx, settle, min_score=self.min_score(), exploration_share=share)


def settle_stage(tx: Transaction, settle: SettleInput, *, min_score: int, exploration_share: float = 0) -> str:
    """End a stage that its own run left running; a stage that another run holds by now is left untouched.

    An application is neither failed nor canceled: a person has to look whether it was sent.
    """
    stage = Stage(settle.stage)
    machine = StageMachine(tx, settle.job_id, stage)
    row = machine.row
    owned = (row.owner_workflow, row.owner_run) == (settle.workflow_id, settle.run_id)
    if row.state != StageState.RUNNING or not owned:
        return "untouched"
    if stage is Stage.APPLY:
        # It may have been sent: whether the owner stopped by itself or was stopped, trying again could send it twice.
        machine.park("APPLY_NEEDS_VERIFICATION", detail="The run that held this stage has ended.")
        outcome = "parked"
    elif _result(tx, settle.job_id, stage) != row.baseline:
        machine.complete()
        outcome = "restored"
    elif settle.canceled:
        machine.cancel("the run was canceled")
        outcome = "canceled"
    else:
        machine.fail(settle.error_code, settle.error_message, retryable=settle.retryable)
        outcome = "failed"
    reconcile(tx, settle.job_id, min_score=min_score, exploration_share=exploration_share)
    return outcome


def _result(tx: Transaction, job_id: str, stage: Stage) -> str | None:
    """The result that stands now, in the words of a baseline."""
    if stage is Stage.SCORE:
        score = latest_score(tx.connection, job_id)
        return str(score.version) if score else None
    if stage in (Stage.TAILOR, Stage.COVER):
        materials = materials_of(tx.connection, job_id)
        if stage is Stage.TAILOR:
            return str(materials.generation) if materials else None
        return materials.letter_ref if materials else None
    return None
