"""Which jobs wait for a stage that needs nobody, and which of them go first."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from jobctrl.ids import JobId
from jobctrl.pipeline.automatic import COHORT, Waiting, may_be_tried
from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.rules import materials_threshold
from jobctrl.pipeline.targets import STEPS, Target
from jobctrl.profile.model import Profile
from jobctrl.stages.model import Stage
from jobctrl.store import Store, statements

SQL = statements("jobctrl.pipeline", "waiting.sql")
MOST_COMPARED = 500
"""Postings that are compared with the profile for one cohort, the newest ones: it is done every few seconds."""


def waiting(
    connection: sqlite3.Connection, stage: Stage, *, min_score: int, now: datetime, among: Sequence[str] | None = None
) -> list[Waiting]:
    """What can be taken up now, best score first; *among* asks for these jobs alone."""
    asked = {
        "stage": stage.value,
        "threshold": materials_threshold(min_score),
        "every": among is None,
        "job_ids": json.dumps(list(among or ())),
    }
    found = [
        Waiting(job_id, stage, attempts, datetime.fromisoformat(failed_at) if failed_at else None)
        for job_id, attempts, failed_at in connection.execute(SQL["waiting"], asked)
    ]
    return [each for each in found if may_be_tried(each, now=now)]


def best_waiting(
    store: Store, stage: Stage, *, profile: Profile | None, min_score: int, now: datetime, most: int = COHORT
) -> list[str]:
    """The jobs that go first. Without a *profile* only texts can be taken."""
    if profile is None and stage is not Stage.ENRICH:
        return []
    with store.reader() as connection:
        found = [each.job_id for each in waiting(connection, stage, min_score=min_score, now=now)]
    if stage is not Stage.SCORE or profile is None:
        return found[:most]
    unscored = [Target(JobId(job_id), "score_job", STEPS, "") for job_id in found[:MOST_COMPARED]]
    return [str(each.job_id) for each in preselected(store, profile, unscored, limit=most, now=now)]
