"""The eight things that hold after every scenario. Each proof returns what it found wrong."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from jobctrl.runtime.reconciling import TemporalHistories
from jobctrl.runtime.temporal_server import connect
from jobctrl.stages.model import MAX_ATTEMPTS, Stage
from jobctrl.workflows.reconciler import reconcile_runs
from tests.acceptance.chaos.agreement import ops_differs, runs_differ
from tests.acceptance.chaos.case import Case, case_of
from tests.acceptance.chaos.ground import Ground
from tests.acceptance.chaos.looking import WAY, facts
from tests.acceptance.chaos.nought import nothing_doubled, nothing_lost, nothing_running, refolds
from tests.acceptance.chaos.watch import ORPHAN_SECONDS, Watched

REASONED = ("skipped", "blocked", "failed", "exhausted", "canceled")
TERMINAL = ("WorkflowCompleted", "WorkflowFailed", "WorkflowCanceled", "WorkflowTimedOut", "WorkflowTerminated")
REFS = ("content_ref", "ledger_ref", "analysis_ref", "provenance_ref", "snapshot_ref")


@dataclass
class Found:
    """What the proofs have found."""

    wrong: list[str] = field(default_factory=list)
    lost: int = 0
    doubled: int = 0
    left_running: int = 0


def prove(ground: Ground, watched: Watched, found: Found) -> None:
    """Every proof, on a workspace at rest with its worker and its server up; what is wrong is added to *found*."""
    case = case_of(ground, watched)
    proofs: list[tuple[str, Callable[[Case], list[str]]]] = [
        ("owners", owners),
        ("one decision", one_decision),
        ("reuse", reuse),
        ("accepted results", accepted),
        ("counts", counts),
        ("cancellation", cancellation),
        ("bounds", bounds),
        ("skips", skips),
    ]
    lost, doubled, running = nothing_lost(case), nothing_doubled(case), nothing_running(case)
    found.lost, found.doubled, found.left_running = len(lost), len(doubled), len(running)
    for name, wrong in [("lost", lost), ("doubled", doubled), ("left running", running)]:
        found.wrong += [f"{name}: {each}" for each in wrong]
    for name, proof in proofs:
        found.wrong += [f"{name}: {each}" for each in proof(case)]
    found.wrong += [f"refold: {each}" for each in refolds(case)]


def owners(case: Case) -> list[str]:
    """1. Whatever is said to run has an owner that Temporal shows as running."""
    wrong = [f"{job} {row.stage} is held by {row.owner_workflow}" for job, row in case.seen.running()]
    if case.watched.longest_orphan > ORPHAN_SECONDS:
        wrong.append(f"a stage was held by a run that had ended for {case.watched.longest_orphan:.0f} s")
    return wrong


def one_decision(case: Case) -> list[str]:
    """2. What became of a run is decided once: reconciling again adds nothing, and no run has two ends."""
    store = case.ground.house.store
    before = store.position()

    async def again() -> None:
        histories = TemporalHistories(await connect(case.ground.address))
        for _ in range(2):
            await reconcile_runs(store, histories, min_score=case.ground.house.min_score())
        await asyncio.sleep(0.05)

    asyncio.run(again())
    added = [fact.event_type for fact in facts(store, before)]
    wrong = [f"reconciling again added {added}"] if added else []
    ends = Counter(fact.stream for fact in case.log if fact.event_type in TERMINAL)
    reopened = Counter(
        fact.stream for fact in case.log if json.loads(fact.payload).get("recoveredFromMissingHistory") is True
    )
    wrong += [f"{stream} ended {n} times" for stream, n in ends.items() if n > 1 + reopened[stream]]
    return wrong


def reuse(case: Case) -> list[str]:
    """3. Work goes on at the earliest unfinished stage: a stage that has its result is not begun again for it."""
    state: dict[tuple[str, str], str] = {}
    wrong = []
    for fact in case.log:
        if fact.stage is None or fact.job_id is None:
            continue
        key = (fact.job_id, fact.stage)
        if fact.event_type == "StageStarted":
            if state.get(key) == "StageCompleted":
                wrong.append(f"{fact.job_id} {fact.stage} was begun again after it was done")
            number = WAY.index(fact.stage) if fact.stage in WAY else 0
            earlier = [stage for stage in WAY[:number] if state.get((fact.job_id, stage)) != "StageCompleted"]
            if earlier:
                wrong.append(f"{fact.job_id} {fact.stage} was begun before {earlier[0]} was done")
        if fact.event_type == "StageStale" and fact.job_id not in case.ground.asked_again:
            wrong.append(f"{fact.job_id} {fact.stage} was opened again, and nobody asked for it")
        if fact.event_type.startswith("Stage"):
            state[key] = fact.event_type
    return wrong


def accepted(case: Case) -> list[str]:
    """4. What was accepted stands: every fact that was ever read is there, every document opens."""
    there = {fact.event_id for fact in case.log}
    wrong = [f"the fact {gone} is gone" for gone in sorted(case.watched.kept - there)]
    store, files = case.ground.house.store, case.ground.house.files
    with store.reader() as connection:
        kept = {row[0] for row in connection.execute("SELECT sha256 FROM contents")}
    for fact in case.log:
        said = vars(fact.event)
        if fact.event_type == "PdfRendered":
            content = files.read(said["content_ref"])
            if not content.startswith(b"%PDF") or hashlib.sha256(content).hexdigest() != said["content_ref"]:
                wrong.append(f"the document {said['artifact_id']} is damaged")
            continue
        wrong += [
            f"{fact.event_type} names a content that is gone" for ref in REFS if said.get(ref) and said[ref] not in kept
        ]
    return wrong


def counts(case: Case) -> list[str]:
    """5. Log, Temporal, snapshot and desks say the same of runs, and of how the stages stand."""
    return runs_differ(case) + ops_differs(case)


def cancellation(case: Case) -> list[str]:
    """6. Only what a person canceled is canceled."""
    stopped = {job for job, rows in case.seen.stages.items() if any(row.state == "canceled" for row in rows.values())}
    return [f"{job} was canceled and nobody asked for it" for job in sorted(stopped - case.ground.canceled_cohort)]


def bounds(case: Case) -> list[str]:
    """7. No stage was tried more often than it may be."""
    wrong = []
    for job, rows in case.seen.stages.items():
        for stage, row in rows.items():
            most = MAX_ATTEMPTS[Stage(stage)]
            if most is not None and row.attempt_count > most:
                wrong.append(f"{job} {stage}: {row.attempt_count} attempts of {most}")
    return wrong


def skips(case: Case) -> list[str]:
    """8. What does not go on says why."""
    return [
        f"{job} {row.stage} is {row.state} without a reason"
        for job, rows in case.seen.stages.items()
        for row in rows.values()
        if row.state in REASONED and not row.error_code
    ]
