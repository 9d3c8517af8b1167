"""Materials that only lack their PDF. Rendering is no stage: its attempts are the runs that failed at it."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from jobctrl.pipeline.automatic import COHORT, Waiting, may_be_tried
from jobctrl.pipeline.targets import Target, finishing
from jobctrl.stages.model import Stage
from jobctrl.store import statements

SQL = statements("jobctrl.pipeline", "unrendered.sql")


def unrendered(connection: sqlite3.Connection, *, now: datetime, most: int = COHORT) -> list[Target]:
    """The jobs whose PDF may be tried again now, with the step that is left."""
    found = [
        Waiting(job_id, Stage.COVER, failures, datetime.fromisoformat(failed_at) if failed_at else None)
        for job_id, failures, failed_at in connection.execute(SQL["unrendered"])
    ]
    ready = [each.job_id for each in found if may_be_tried(each, now=now)]
    return [finishing(connection, job_id) for job_id in ready[:most]]
