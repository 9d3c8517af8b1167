"""What the newest Discover execution that knows a job decided to do for it, in words."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass

from jobctrl.pipeline.membership import Cohort, PlanState
from jobctrl.store import statements

SQL = statements("jobctrl.operations", "job_plan.sql")
_WHY = {Cohort.OBSERVED: "a board showed it", Cohort.BACKLOG: "it waited from before and was taken along"}


@dataclass(frozen=True)
class JobPlan:
    """A job's membership in one exact execution."""

    workflow_id: str
    run_id: str
    status: str | None
    """Of the execution; None when its start was not recorded here."""
    cohort: Cohort
    state: PlanState
    steps: tuple[str, ...]
    reason: str | None
    preparation_workflow_id: str | None
    linked_at: str

    @property
    def says(self) -> str:
        """Why the job belongs to the run, and what was decided for it."""
        day = self.linked_at[:16].replace("T", " ")
        return f"In the run `{self.workflow_id}` since {day} (UTC), because {_WHY[self.cohort]}: {self._decided()}"

    def _decided(self) -> str:
        because = f" ({self.reason.replace('_', ' ')})" if self.reason else ""
        match self.state:
            case PlanState.PLANNED:
                return f"planned are {', '.join(self.steps)}, by `{self.preparation_workflow_id}`."
            case PlanState.NOT_ELIGIBLE:
                return f"there was nothing to do for it{because}."
            case PlanState.FAILED:
                return f"its plan could not be made{because}; it is tried again."
            case PlanState.PENDING:
                return "nothing is decided yet."


def newest_plan(connection: sqlite3.Connection, job_id: str) -> JobPlan | None:
    """None when no execution knows the job."""
    row = connection.execute(SQL["newest"], {"job_id": job_id}).fetchone()
    if row is None:
        return None
    workflow_id, run_id, cohort, state, steps, reason, preparation, linked_at, status = row
    return JobPlan(
        workflow_id,
        run_id,
        status,
        Cohort(cohort),
        PlanState(state),
        tuple(json.loads(steps or "[]")),
        reason,
        preparation,
        linked_at,
    )
