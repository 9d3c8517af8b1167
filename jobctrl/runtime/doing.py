"""A command's work from start to end: run it, wait for it, and say what came of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jobctrl.discovery.events import DiscoveryRunCompleted, DiscoveryRunFailed
from jobctrl.discovery.locate import locate
from jobctrl.errors import InvalidRequest, MissingInput, NotFound, WorkspaceError
from jobctrl.network.open import absolute_web, open_web
from jobctrl.operator import Operator, Started
from jobctrl.operator.runs import Retried
from jobctrl.pipeline.order import PER_JOB, PIPELINE, continuation
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.targets import STEPS
from jobctrl.runtime.session import Session, open_operator, running
from jobctrl.runtime.setting_up import boards_in
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment
from jobctrl.store import Store

Tell = Callable[[str], None]


@dataclass(frozen=True)
class SourceCounts:
    """What one source returned and what became of it; the four outcomes add up to `returned`."""

    source_id: str
    returned: int = 0
    admitted: int = 0
    merged: int = 0
    seen_before: int = 0
    filtered: int = 0
    rejected: int = 0
    problem: str = ""


@dataclass(frozen=True)
class Discovered:
    run: Run
    sources: list[SourceCounts]
    total: SourceCounts
    prepared: int = 0
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Prepared:
    started: int
    succeeded: int
    failed: int
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Ran:
    """What a run of stages did, stage by stage."""

    run: Run
    counts: dict[str, dict[str, Any]]
    """done, skipped and failed of each stage, with its first failure."""
    notes: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return self.run.status != "succeeded" or any(count["failed"] for count in self.per_job.values())

    @property
    def per_job(self) -> dict[str, dict[str, Any]]:
        """Without Discover and Enrich: a page of the web that cannot be read is no fault of the run."""
        return {stage: count for stage, count in self.counts.items() if stage in PER_JOB}


@dataclass(frozen=True)
class Again:
    """What was opened again, and what came of running it, where that was asked for."""

    retried: Retried
    ran: list[Ran] = field(default_factory=list)


def discover(*, web: str | None, source_ids: tuple[str, ...], limit: int, prepare: bool, tell: Tell) -> Discovered:
    """Read the boards and wait until the run and what it started have ended."""
    environment = Environment()
    mode = absolute_web(web or environment.web)
    check_web(mode)
    return asyncio.run(_discover(environment, mode, source_ids, limit, prepare, tell))


async def _discover(
    environment: Environment, web: str, source_ids: tuple[str, ...], limit: int, prepare: bool, tell: Tell
) -> Discovered:
    async with running(named_workspace().path, environment) as session:
        notes = add_recorded_boards(session.operator, web)
        _check_sources(session.operator, source_ids)
        if prepare and session.house.profiles.current() is None:
            notes.append("Nothing was scored: there is no profile yet (`jobctrl init --profile FILE`).")
        return await discover_in(session, web, source_ids, limit, prepare, tell, notes)


async def discover_in(
    session: Session,
    web: str,
    source_ids: tuple[str, ...],
    limit: int,
    prepare: bool,
    tell: Tell,
    notes: list[str],
) -> Discovered:
    """As `discover`, in a workspace that runs already."""
    store = session.house.store
    began = store.position()
    started = await asyncio.to_thread(
        session.operator.start_discover, web=web, source_ids=source_ids, limit=limit, prepare=prepare
    )
    run = await session.ended(started, lambda: tell(_progress(session.operator)))
    if prepare:
        await session.idle(lambda: tell(_progress(session.operator)))
    sources = source_counts(store, started)
    total = SourceCounts(
        "all",
        **{
            name: sum(getattr(each, name) for each in sources)
            for name in ("returned", "admitted", "merged", "seen_before", "filtered", "rejected")
        },
    )
    prepared = sum(1 for fact in store.since(began, 10_000_000) if fact.event_type == "JobScored")
    return Discovered(run, sources, total, prepared, notes)


def source_counts(store: Store, started: Started) -> list[SourceCounts]:
    """What each source returned in one exact run."""
    found: dict[str, SourceCounts] = {}
    with store.reader() as connection:
        rows = connection.execute(
            "SELECT position FROM job_events WHERE run_id = ? AND stream LIKE 'source/%'", (started.run_id,)
        ).fetchall()
    for (position,) in rows:
        fact = store.since(position - 1, 1)[0]
        match fact.event:
            case DiscoveryRunCompleted() as e:
                found[e.source_id] = SourceCounts(
                    e.source_id,
                    e.returned,
                    e.admitted,
                    e.merged,
                    e.seen_before,
                    e.filtered,
                    e.rejected,
                    _unavailable(len(e.unavailable)),
                )
            case DiscoveryRunFailed() as e:
                found.setdefault(e.source_id, SourceCounts(e.source_id, problem=e.error_message))
    return [found[source_id] for source_id in sorted(found)]


def _unavailable(parts: int) -> str:
    match parts:
        case 0:
            return ""
        case 1:
            return "one of its pages was not available"
        case _:
            return f"{parts} of its pages were not available"


def add_recorded_boards(operator: Operator, web: str) -> list[str]:
    """A recorded web knows its boards: they are added when the person has none of their own yet."""
    kind, _, folder = web.partition(":")
    if kind != "recorded" or operator.sources():
        return []
    index = Path(folder) / "index.jsonl"
    if not index.exists():
        return []
    added = set()
    for text in boards_in(index):
        try:
            locate(text)
        except InvalidRequest:
            # Most of what a recording holds are pages, not boards.
            continue
        source, is_new = operator.add_source(text)
        if is_new:
            added.add(source.id)
    return [f"There were no boards yet: the {len(added)} boards of this recording were added."] if added else []


def prepare(*, keys: tuple[str, ...], steps: tuple[str, ...], limit: int, tell: Tell) -> Prepared:
    """Prepare jobs and wait until every preparation has ended."""
    return asyncio.run(_prepare(Environment(), keys, steps or STEPS, limit, tell))


async def _prepare(
    environment: Environment, keys: tuple[str, ...], steps: tuple[str, ...], limit: int, tell: Tell
) -> Prepared:
    async with running(named_workspace().path, environment) as session:
        started = await asyncio.to_thread(session.operator.start_preparation, keys=keys, steps=steps, limit=limit)
        ended = [await session.ended(each, lambda: tell(_progress(session.operator))) for each in started]
    failed = [run for run in ended if run.status != "succeeded"]
    return Prepared(
        len(ended),
        len(ended) - len(failed),
        len(failed),
        [f"{run.error_code}: {run.error_message}" for run in failed],
    )


def run_stages(
    *,
    stages: tuple[str, ...],
    keys: tuple[str, ...],
    web: str | None,
    limit: int,
    workers: int,
    rescore: bool,
    retailor: bool,
    tell: Tell,
) -> Ran:
    """Run stages, or all of them, one after the other, and wait until the run has ended."""
    environment = Environment()
    mode = absolute_web(web or environment.web)
    check_web(mode)

    async def work() -> Ran:
        async with running(named_workspace().path, environment) as session:
            asked = stages if stages and "all" not in stages else _all_stages(keys)
            notes = add_recorded_boards(session.operator, mode) if "discover" in asked else []
            started = await asyncio.to_thread(
                session.operator.run_stages,
                asked,
                keys=keys,
                web=mode,
                limit=limit,
                workers=workers,
                rescore=rescore,
                retailor=retailor,
            )
            return await _ran(session, started, tell, notes)

    return asyncio.run(work())


def retry(*, stage: str, key: str | None, reset_attempts: bool, run_after: bool, web: str | None, tell: Tell) -> Again:
    """Open a stage of one job again, or of every job where it failed; *run_after* runs it and waits."""
    if not run_after:
        operator = open_operator()
        try:
            return Again(_open_again(operator, stage, key, reset_attempts, run_after, ""))
        finally:
            operator.close()
    environment = Environment()
    mode = absolute_web(web or environment.web)
    check_web(mode)

    async def work() -> Again:
        async with running(named_workspace().path, environment) as session:
            retried = await asyncio.to_thread(
                _open_again, session.operator, stage, key, reset_attempts, run_after, mode
            )
            return Again(retried, [await _ran(session, each, tell) for each in retried.runs])

    return asyncio.run(work())


def _open_again(
    operator: Operator, stage: str, key: str | None, reset_attempts: bool, run_after: bool, web: str
) -> Retried:
    if key is None:
        return operator.retry_failed(None if stage == "all" else stage, run_after=run_after, web=web)
    return operator.retry(stage, key, reset_attempts=reset_attempts, run_after=run_after, web=web)


def _all_stages(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Every stage there is, or every one that a named job can go through."""
    return tuple(continuation("enrich")) if keys else PIPELINE


async def _ran(session: Session, started: Started, tell: Tell, notes: list[str] | None = None) -> Ran:
    run = await session.ended(started, lambda: tell(_progress(session.operator)))
    summary = json.loads(run.summary)
    if run.workflow_type == "DiscoverWorkflow":
        found = {name: summary.get(name, 0) for name in ("admitted", "merged", "filtered", "rejected")}
        skipped = found["merged"] + found["filtered"]
        counts = {"discover": {"done": found["admitted"], "skipped": skipped, "failed": found["rejected"]}}
        return Ran(run, counts, notes or [])
    return Ran(run, summary.get("counts", {}), notes or [])


def report(
    name: str, to: str | None, formats: tuple[str, ...], *, as_of: str | None = None, personal: bool = False
) -> list[Path]:
    """Write a report beside the workspace, also as it was *as_of*. Raises WorkspaceError without a workspace."""
    from jobctrl.analytics.as_of import read_when
    from jobctrl.analytics.report import write_report
    from jobctrl.analytics.warehouse import Warehouse

    workspace = named_workspace()
    if not workspace.exists:
        raise WorkspaceError(f"There is no workspace in {workspace.path}.", hint="Make one with `jobctrl init`.")
    when = read_when(as_of) if as_of else None
    # What is for one's own eyes never lies among what can be passed on.
    kind = name + ("-with-personal" if personal else "") + (f"-as-of-{as_of}" if when is not None else "")
    folder = Path(to) if to else workspace.reports / kind
    return write_report(Warehouse(workspace.path), name, folder, formats, as_of=when, personal=personal)


def _progress(operator: Operator) -> str:
    counts = operator.counts()
    return (
        f"{counts.get('jobs:all', 0)} jobs, {counts.get('stage:score:succeeded', 0)} scored, "
        f"{counts.get('stage:cover:succeeded', 0)} prepared, {counts.get('runs:in_progress', 0)} runs open …"
    )


def check_web(web: str) -> None:
    """Raises what is wrong with a web before a run is started on it: an unknown kind, a recording that is not there."""
    if not web.startswith("record:"):
        # Opening makes the folder of a new recording, which is the run's to make.
        open_web(web).close()


def _check_sources(operator: Operator, wanted: tuple[str, ...]) -> None:
    known = {row.source_id for row in operator.sources()}
    if not known:
        raise MissingInput(
            "There are no boards yet.", hint="Add one: `jobctrl sources add https://boards.greenhouse.io/NAME`."
        )
    unknown = [source_id for source_id in wanted if source_id not in known]
    if unknown:
        raise NotFound(
            f"These boards are not in the workspace: {', '.join(unknown)}.",
            hint="`jobctrl sources` lists them; `jobctrl sources add URL` adds one.",
        )
