"""Which jobs want which preparation now, each under a key that names the facts it is prepared for."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from jobctrl.ids import JobId
from jobctrl.pipeline.rules import materials_threshold
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Store, Transaction, statements

SQL = statements("jobctrl.pipeline", "targets.sql")
STEPS = ("score", "tailor", "cover", "pdf")


@dataclass(frozen=True)
class Target:
    job_id: JobId
    kind: str
    """score_job, tailor_resume or finish_materials."""
    steps: tuple[str, ...]
    source_event_id: str


def targets(connection: sqlite3.Connection, *, min_score: int) -> list[Target]:
    """Every job that can go a step further and that no run prepares now, once."""
    threshold = materials_threshold(min_score)
    chosen: dict[str, tuple[str, tuple[str, ...]]] = {}
    for job_id in _to_score(connection, None):
        chosen[job_id] = ("score_job", STEPS)
    for (job_id,) in connection.execute(SQL["to_tailor"], {"threshold": threshold}):
        chosen.setdefault(job_id, ("tailor_resume", STEPS[1:]))
    for job_id, has_letter in connection.execute(SQL["to_finish"]):
        chosen.setdefault(job_id, ("finish_materials", STEPS[3:] if has_letter else STEPS[2:]))
    return [
        Target(JobId(job_id), kind, steps, _source_event(connection, job_id))
        for job_id, (kind, steps) in chosen.items()
    ]


def targets_among(connection: sqlite3.Connection, job_ids: Sequence[str]) -> list[Target]:
    """Those of the jobs that can be scored now; it costs what they are many, not what the workspace holds."""
    return [
        Target(JobId(job_id), "score_job", STEPS, _source_event(connection, job_id))
        for job_id in _to_score(connection, job_ids)
    ]


def finishing(connection: sqlite3.Connection, job_id: str) -> Target:
    """The PDF of materials whose words are done."""
    return Target(JobId(job_id), "finish_materials", STEPS[3:], _source_event(connection, job_id))


def _to_score(connection: sqlite3.Connection, job_ids: Sequence[str] | None) -> list[str]:
    scope = {"every": job_ids is None, "job_ids": json.dumps(list(job_ids or []))}
    return [row[0] for row in connection.execute(SQL["to_score"], scope)]


def renew_outdated(tx: Transaction) -> int:
    """Open the score of every posting whose text has changed since it was scored; returns how many that were."""
    outdated = [row[0] for row in tx.connection.execute(SQL["outdated_scores"])]
    for job_id in outdated:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.mark_stale("posting_changed")
        machine.reset(reason="posting_changed", attempts=True)
    return len(outdated)


def derive_targets(store: Store, *, min_score: int) -> list[Target]:
    """`targets`, after what is outdated has been opened again."""
    with store.writer() as tx:
        renew_outdated(tx)
    with store.reader() as connection:
        return targets(connection, min_score=min_score)


def _source_event(connection: sqlite3.Connection, job_id: str) -> str:
    row = connection.execute(SQL["source_event"], {"job_id": job_id}).fetchone()
    return str(row[0]) if row else ""
