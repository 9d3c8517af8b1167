"""What must be nought after every scenario: lost, doubled, left running, changed by a refold."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

from jobctrl.runtime.tables import TABLES
from jobctrl.store import Store
from tests.acceptance.chaos.case import Case
from tests.store.workspace import tables_of

ONCE = {
    "JobDiscovered": ("job_id",),
    "JobEnriched": ("job_id", "description_hash"),
    "JobScored": ("job_id", "snapshot_hash", "profile_version", "policy_version"),
    "ResumeApproved": ("job_id", "score_version", "profile_version"),
    "CoverLetterGenerated": ("job_id", "generation"),
    "PdfRendered": ("job_id", "artifact_type", "generation"),
    "DiscoveryRunCompleted": ("run_id", "source_id"),
    "ModelCallSettled": ("call_id",),
}
"""Results, each with the inputs that it is made of: for the same inputs there is one."""


def nothing_lost(case: Case) -> list[str]:
    """Rows that a board returned and nobody accounted for, jobs that nobody goes on with, holes in a stream."""
    wrong = []
    for fact in case.log:
        if fact.event_type == "DiscoveryRunCompleted":
            said: Any = fact.event
            parts = said.admitted + said.merged + said.filtered + said.rejected
            if said.returned != parts:
                wrong.append(f"{said.source_id} returned {said.returned}, of which {parts} are accounted for")
    discovered = {fact.job_id for fact in case.log if fact.event_type == "JobDiscovered"}
    wrong += [f"the job {job} is not in the list" for job in discovered - set(case.seen.stages)]
    wrong += [f"nobody goes on with {job}" for job in case.seen.waiting(case.ground.canceled_cohort)]
    newest: dict[str, int] = {}
    for fact in case.log:
        if fact.stream_version != newest.get(fact.stream, 0) + 1:
            wrong.append(f"{fact.stream} has a hole before version {fact.stream_version}")
        newest[fact.stream] = fact.stream_version
    return wrong


def nothing_doubled(case: Case) -> list[str]:
    """Results that were made twice of the same inputs, and money that was counted twice."""
    found: Counter[tuple[str, ...]] = Counter()
    asked_again: Counter[str | None] = Counter()
    for fact in case.log:
        if fact.event_type == "StageStale" and fact.job_id in case.ground.asked_again:
            asked_again[fact.job_id] += 1
        elif fact.event_type in ONCE:
            said = vars(fact.event)
            made_of = (str(said[name]) for name in ONCE[fact.event_type])
            found[(fact.event_type, *made_of, f"({asked_again[fact.job_id]})")] += 1
    wrong = [f"{' '.join(key)} is there {n} times" for key, n in found.items() if n > 1]
    settled = sum(vars(fact.event)["usd_micros"] for fact in case.log if fact.event_type == "ModelCallSettled")
    with case.ground.house.store.reader() as connection:
        (ledger,) = connection.execute("SELECT COALESCE(SUM(usd_micros), 0) FROM llm_spend").fetchone()
        (reserved,) = connection.execute("SELECT COUNT(*) FROM spend_reservations WHERE state = 'reserved'").fetchone()
        (charged,) = connection.execute(
            "SELECT COALESCE(SUM(usd_micros), 0) FROM charges WHERE state = 'settled'"
        ).fetchone()
    if not settled == ledger == charged:
        wrong.append(f"the calls of the log cost {settled}, the ledger says {ledger}, the charges {charged} millionths")
    return wrong + ([f"{reserved} reservations are open"] if reserved and not case.ground.calls_cut_off else [])


def nothing_running(case: Case) -> list[str]:
    """Runs that are open at rest, in the log or in Temporal, and stages that are queued or held."""
    wrong = [f"the run {run.workflow_id}" for run in case.seen.runs if run.status == "in_progress"]
    wrong += [f"the execution {exact}" for exact, said in case.temporal.items() if said == "in_progress"]
    return wrong + [
        f"{job} {row.stage}" for job, rows in case.seen.stages.items() for row in rows.values()
        if row.state in ("queued", "running")
    ]  # fmt: skip


def refolds(case: Case) -> list[str]:
    """The live tables are what a fold of the whole log gives, on a copy."""
    copy = Path(case.ground.folder / f"copy-{time.monotonic_ns()}.db")
    case.ground.house.store.backup(copy)
    store = Store(copy, TABLES)
    try:
        live = tables_of(store, TABLES)
        store.rebuild()
        again = tables_of(store, TABLES)
    finally:
        store.close()
        copy.unlink()
    return [f"the table {name} differs" for name in live if live[name] != again[name]]
