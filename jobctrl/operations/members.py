"""Reading how the jobs stand: the members of an execution with what was planned for them, all others in sum."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from dataclasses import asdict, replace
from typing import Any, Literal

from jobctrl.operations.groups import JobGroup, Plan, Scope
from jobctrl.operations.job_list import CLOSED_STATES
from jobctrl.pipeline.membership import Cohort, PlanState
from jobctrl.pipeline.receipts import Outcome, outcomes_of
from jobctrl.store import Execution, statements

SQL = statements("jobctrl.operations", "members.sql")
SCOPE_OF: dict[Cohort, Scope] = {Cohort.OBSERVED: "current_execution", Cohort.BACKLOG: "execution_sweep"}
_CLOSED = json.dumps(sorted(CLOSED_STATES))


def member_groups(connection: sqlite3.Connection, execution: Execution) -> list[JobGroup]:
    """The visible members of *execution*."""
    name = asdict(execution)
    receipts = outcomes_of(connection, execution)
    holds = {row[0] for row in connection.execute(SQL["holds"], name)}
    found: Counter[JobGroup] = Counter()
    for job_id, cohort, plan_state, steps, owner, pdf, ruled_out, *standing in connection.execute(
        SQL["members"], {**name, "closed_states": _CLOSED}
    ):
        receipt = receipts.get(job_id)
        plan = Plan(
            PlanState(plan_state),
            tuple(json.loads(steps or "[]")),
            owner,
            pdf,
            _of_pdf(receipt),
            _hold(receipt, stands=job_id in holds) if ruled_out else None,
        )
        found[_member(SCOPE_OF[Cohort(cohort)], plan, *standing)] += 1
    return [replace(group, jobs=jobs) for group, jobs in found.items()]


def other_groups(connection: sqlite3.Connection, execution: Execution | None) -> list[JobGroup]:
    """All visible jobs that are no work of *execution*: no members of it, or members that it leaves alone."""
    name = asdict(execution) if execution else {"workflow_id": "", "run_id": ""}
    return [
        JobGroup(
            "global_outside_execution", enrich, score, tailor, cover, jobs, bool(prepared), bool(closed), bool(complete)
        )
        for enrich, score, tailor, cover, jobs, prepared, closed, complete in connection.execute(
            SQL["others"], {**name, "closed_states": _CLOSED}
        )
    ]


def _member(scope: Scope, plan: Plan, *standing: Any) -> JobGroup:
    enrich, score, tailor, cover, prepared, closed, complete, retryable = standing
    again = frozenset(retryable.split(",")) if retryable else frozenset()
    return JobGroup(scope, enrich, score, tailor, cover, 1, bool(prepared), bool(closed), bool(complete), again, plan)


def _of_pdf(receipt: Outcome | None) -> Literal["succeeded", "skipped"] | None:
    if receipt is None:
        return None
    if "pdf" in receipt.completed:
        return "succeeded"
    return "skipped" if "pdf" in receipt.skipped else None


def _hold(receipt: Outcome | None, *, stands: bool) -> Literal["recorded", "proven"]:
    """Proven by a preparation that scored and then stopped, while the score *stands* as it left it."""
    stopped = receipt is not None and "score" in receipt.completed and "tailor" in receipt.skipped
    return "proven" if stands and stopped else "recorded"
