"""Log, Temporal, snapshot, commands and desks beside one another: they say the same."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Any

from tests.acceptance.chaos.case import Case
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import WAY, failed_by_result


def runs_differ(case: Case) -> list[str]:
    """What the log, Temporal, `jobctrl runs` and the desk of that name say of every execution."""
    ours = {(run.workflow_id, run.run_id): run.status for run in case.seen.runs}
    # A run that has carried out its order to the end may have to say that it failed: then its result has it.
    doubted = [exact for exact, said in case.temporal.items() if (said, ours.get(exact)) == ("succeeded", "failed")]
    theirs = {**case.temporal, **dict.fromkeys(failed_by_result(case.ground, doubted), "failed")}
    wrong = [
        f"Temporal lists {exact} as {said}, the log as {ours.get(exact)}"
        for exact, said in theirs.items()
        if ours.get(exact) != said
    ]
    # What Temporal does not list any more has to be told as ended by the log: gone with its history, or before.
    gone = [exact for exact, said in ours.items() if exact not in theirs and said == "in_progress"]
    wrong += [f"the log has {exact} as open, Temporal has no such run" for exact in gone]
    told = {
        (run["workflow_id"], run["run_id"]): run["status"] for run in case.ground.asked("runs", "--limit", "100000")
    }
    if told != ours:
        wrong.append("`jobctrl runs` and the log differ")
    desk = _desks(case.ground)
    # The desk shows the newest 500.
    shown = {(workflow_id, run_id): status for workflow_id, run_id, status in desk["runs"]}
    if not shown.items() <= ours.items() or len(shown) < min(500, len(ours)):
        wrong.append("the desk `runs` and the log differ")
    return wrong + [f"the desk: {each}" for each in _stages_differ(case, desk["operations"])]


def ops_differs(case: Case) -> list[str]:
    """What `jobctrl ops` says of a workspace at rest; a heartbeat may be fifteen seconds old."""
    deadline = time.monotonic() + 40
    while True:
        said = case.ground.asked("ops")
        wrong = [f"ops: {each}" for each in _stages_differ(case, said)]
        if said["active_items_total"] != 0:
            wrong.append(f"ops: {said['active_items_total']} active items at rest ({said['freshness']['status']})")
        if not wrong or time.monotonic() > deadline:
            return wrong
        time.sleep(3)


def _stages_differ(case: Case, said: dict[str, Any]) -> list[str]:
    """The scopes of the snapshot taken together, beside the stages of the log."""
    wrong = []
    for stage in WAY:
        told: Counter[str] = Counter()
        for view in said["stages"]:
            if view["stage"] == stage and view["counts"] is not None:
                told.update({name: n for name, n in view["counts"].items() if n})
        ours = Counter(rows[stage].state for rows in case.seen.stages.values() if stage in rows)
        for state in ("succeeded", "skipped", "failed", "exhausted", "canceled"):
            if told[state] != ours[state]:
                wrong.append(f"{stage} {state}: {told[state]} in the snapshot, {ours[state]} in the log")
    return wrong


def _desks(ground: Ground) -> Any:
    done = ground.run("desks", sys.executable, "-m", "tests.acceptance.chaos.desks")
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])
