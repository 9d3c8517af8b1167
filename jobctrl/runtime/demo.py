"""The demo: a whole search on invented postings, in a workspace of its own. A second run finds nothing new."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from jobctrl.errors import MissingInput
from jobctrl.operations.board import job_of_observation
from jobctrl.operations.job_list import JobFilter
from jobctrl.operations.jobs import Job
from jobctrl.operator import Operator
from jobctrl.profile.document import load_profile
from jobctrl.runtime.doing import Discovered, discover_in, report
from jobctrl.runtime.house import open_house
from jobctrl.runtime.session import Session, running
from jobctrl.runtime.setting_up import boards_in
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment

DATA = Path(__file__).resolve().parents[2] / "data"
WEB = f"recorded:{DATA / 'sample_web'}"


@dataclass(frozen=True)
class Demo:
    """What the demo did, and what there is to open."""

    workspace: Path
    found: Discovered
    bands: dict[str, int]
    """Scored jobs by fit band."""
    prepared: int
    applications: int
    best: list[Job]
    resume: Path | None
    report: list[Path] = field(default_factory=list)


def run(tell: Callable[[str], None]) -> Demo:
    """Run the demo in the named workspace. Raises MissingInput when the sample data is not beside the package."""
    if not (DATA / "sample_web" / "index.jsonl").exists():
        raise MissingInput(f"The sample data is not in {DATA}.", hint="Run the demo from a clone of the project.")
    workspace = named_workspace()
    house = open_house(workspace, create=True)
    try:
        house.profiles.save(load_profile(DATA / "sample_profile.json"))
    finally:
        house.close()
    return asyncio.run(_run(workspace.path, tell))


async def _run(workspace: Path, tell: Callable[[str], None]) -> Demo:
    async with running(workspace, Environment()) as session:
        for board in boards_in(DATA / "sample_sources.txt"):
            session.operator.add_source(board)
        found = await discover_in(session, WEB, (), 0, True, tell, [])
        applications = _simulate(session.operator)
        tell("Writing the report …")
        files = await asyncio.to_thread(report, "calibration", None, ("html", "ipynb", "parquet", "csv"))
        return _seen(session, found, applications, files)


def _simulate(operator: Operator) -> int:
    """Simulated applications and their outcomes; each is marked as simulated, and told once."""
    told = 0
    for line in _outcomes():
        with operator.store.reader() as connection:
            job_id = job_of_observation(connection, line["source_id"], line["native_id"])
        if job_id is None:
            # The posting was filtered or merged away: nobody applied to it.
            continue
        operator.mark_applied(job_id, datetime.fromisoformat(line["applied_at"]), simulated=True)
        told += 1
        for outcome in line["outcomes"]:
            operator.record_outcome(job_id, outcome["kind"], datetime.fromisoformat(outcome["at"]), simulated=True)
    return told


def _outcomes() -> Iterator[dict[str, Any]]:
    with (DATA / "sample_outcomes.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _seen(session: Session, found: Discovered, applications: int, files: list[Path]) -> Demo:
    jobs = session.operator.jobs(JobFilter(limit=0))
    bands = Counter(job.fit_band for job in jobs if job.fit_band)
    best = [job for job in jobs if job.has_resume][:5]
    resume = None
    if best:
        standing = session.operator.show_job(best[0].job_id).materials
        if standing and standing["resumePdf"]:
            resume = session.house.files.path(standing["resumePdf"])
    return Demo(
        workspace=session.house.workspace.path,
        found=found,
        bands=dict(bands),
        prepared=sum(job.has_pdf and job.has_letter for job in jobs),
        applications=applications,
        best=best,
        resume=resume,
        report=files,
    )
