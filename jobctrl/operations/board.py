"""Looking things up: one job in full, runs, and the counts of the dashboard."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from jobctrl.enrichment.state import Enrichment, enrichment_of
from jobctrl.errors import InvalidRequest, NotFound
from jobctrl.materials.state import ARTIFACTS, Artifact, materials_of
from jobctrl.operations.details import JOB_DETAILS
from jobctrl.operations.job_history import words_of
from jobctrl.operations.job_plan import JobPlan, newest_plan
from jobctrl.operations.jobs import JOBS, Job
from jobctrl.pipeline.runs import Run
from jobctrl.scoring.state import ScoreRow, latest_score
from jobctrl.stages.state import STAGE_STATES, StageRow
from jobctrl.store import Store, statements

SQL = statements("jobctrl.operations", "board.sql")


def job_id_of(connection: sqlite3.Connection, key: str) -> str:
    """The job that *key* names: its id or the first 6 or more characters of it, an address, or a board's own id.

    Raises NotFound for none, InvalidRequest for more than one.
    """
    prefix = key if len(key) >= 6 else ""
    rows = [row[0] for row in connection.execute(SQL["find"], {"key": key, "prefix": prefix})]
    if not rows:
        raise NotFound(f"There is no job {key!r}.", hint="`jobctrl jobs` lists them with their ids.")
    if len(rows) > 1:
        raise InvalidRequest(f"{key!r} names more than one job.", hint="Give more of its id.")
    return str(rows[0])


def job_of_observation(connection: sqlite3.Connection, source_id: str, native_id: str) -> str | None:
    """The job that a board's own id stands for, also after a merge; None when it was never admitted."""
    row = connection.execute(SQL["by_observation"], {"source_id": source_id, "native_id": native_id}).fetchone()
    return None if row is None else str(row[0])


@dataclass(frozen=True)
class JobView:
    """One job in full."""

    job: Job
    description: str
    facts: dict[str, Any]
    """Places, pay, dates and language with the spans they were read from."""
    stages: Sequence[StageRow]
    score: ScoreRow | None
    requirements: Sequence[dict[str, Any]]
    """The ledger, row by row: requirement, tier, weight, fit, points, evidence and why."""
    eligibility: dict[str, Any]
    materials: dict[str, Any] | None
    """The lifecycle, the resume and the letter with their lines' provenance."""
    artifacts: Sequence[Artifact]
    observations: Sequence[dict[str, Any]]
    """Where the job was seen; those with a `linkId` were merged and can be split off."""
    history: Sequence[dict[str, Any]] = field(default_factory=tuple)
    enrichment: Enrichment | None = None
    """How its text was taken, and what says whether the posting is open."""
    plan: JobPlan | None = None
    """What the newest Discover execution decided for it."""


def job_view(store: Store, key: str) -> JobView:
    """One job with everything that is known of it. Raises NotFound."""
    with store.reader() as connection:
        job_id = job_id_of(connection, key)
        job = JOBS.get(connection, job_id)
        detail = JOB_DETAILS.get(connection, job_id)
        if job is None or detail is None:
            raise NotFound(f"There is no job {key!r}.")
        enriched = enrichment_of(connection, job_id)
        score = latest_score(connection, job_id)
        standing = materials_of(connection, job_id)
        stages = STAGE_STATES.all(connection, "job_id = ?", (job_id,))
        plan = newest_plan(connection, job_id)
        artifacts = ARTIFACTS.all(connection, "job_id = ? ORDER BY generation, kind", (job_id,))
    description = detail.description_hash or (enriched.description_hash if enriched else None)
    requirements, eligibility = _ledger(store, score)
    return JobView(
        job=job,
        description=store.content(description).decode("utf-8", "replace") if description else "",
        facts=_json(store, detail.facts_hash),
        stages=stages,
        score=score,
        requirements=requirements,
        eligibility=eligibility,
        materials=None
        if standing is None
        else {
            "lifecycle": standing.lifecycle,
            "generation": standing.generation,
            "resume": _json(store, standing.resume_ref),
            "letter": _json(store, standing.letter_ref),
            "provenance": _json(store, standing.provenance_ref),
            "resumePdf": standing.resume_pdf_ref,
            "letterPdf": standing.letter_pdf_ref,
            "mustHaveCoverage": standing.must_have_coverage,
        },
        artifacts=artifacts,
        observations=json.loads(detail.observations),
        history=[
            {
                "position": fact.position,
                "at": fact.occurred_at,
                "event": fact.event_type,
                "words": words_of(fact),
                "stage": fact.stage,
                "workflowId": fact.workflow_id,
            }
            for fact in store.job_history(job_id)
        ],
        enrichment=enriched,
        plan=plan,
    )


def _ledger(store: Store, score: ScoreRow | None) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    if score is None:
        return [], {}
    analysis, stored = _json(store, score.analysis_ref), _json(store, score.ledger_ref)
    asked = {each["id"]: each for each in analysis["requirements"]}
    rows = []
    for item in stored["ledger"]["items"]:
        requirement = asked.get(item["requirement_id"], {})
        rows.append({**item, "text": requirement.get("text", ""), "span": requirement.get("span")})
    return rows, stored["eligibility"]


def _json(store: Store, ref: str | None) -> Any:
    return msgspec.json.decode(store.content(ref)) if ref else None


def list_runs(connection: sqlite3.Connection, limit: int = 20) -> list[Run]:
    """The newest workflow runs first."""
    return [Run(*row) for row in connection.execute(SQL["runs"], {"limit": limit})]


def open_runs(connection: sqlite3.Connection, workflow_type: str) -> int:
    """How many runs of a type have not ended."""
    return int(connection.execute(SQL["open_runs"], {"workflow_type": workflow_type}).fetchone()[0])


def tallies(connection: sqlite3.Connection) -> dict[str, int]:
    """The counts of the dashboard: `jobs:all`, `fit:strong`, `stage:score:succeeded`, `runs:failed` …"""
    return dict(connection.execute(SQL["tallies"]).fetchall())


@dataclass(frozen=True)
class Turned:
    """A row that a source returned and that was not admitted."""

    source_id: str
    item_key: str
    outcome: str
    reason: str
    title: str | None
    at: str


def turned_away(connection: sqlite3.Connection, limit: int) -> list[Turned]:
    """What the newest Discover run filtered or rejected."""
    return [Turned(*row) for row in connection.execute(SQL["turned_away"], {"limit": limit})]
