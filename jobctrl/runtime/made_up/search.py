"""A made-up search written into a workspace, through the store's own writer, in large transactions."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from jobctrl.discovery.events import SourceRegistryEntryCreated
from jobctrl.errors import WorkspaceError
from jobctrl.profile.document import load_profile
from jobctrl.profile.events import ProfileUpdated
from jobctrl.profile.rules import changed_sections
from jobctrl.runtime.made_up.contents import keep_contents
from jobctrl.runtime.made_up.days import BEGINS, in_order
from jobctrl.runtime.made_up.told import Told
from jobctrl.runtime.made_up.trades import BOARDS
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at
from jobctrl.store import Store, Transaction, acting_for, moment, statements

SQL = statements("jobctrl.runtime.made_up", "canonical.sql")
PROFILE = Path(__file__).resolve().parents[3] / "data" / "sample_profile.json"
_BATCH = 20_000
"""Facts of one transaction."""


@dataclass(frozen=True)
class MadeUp:
    folder: Path
    jobs: int
    facts: int
    seconds: float


def made_up_search(folder: Path, *, jobs: int = 50_000, seed: int = 1, worked: float = 1.0) -> MadeUp:
    """Write a search of *jobs* postings over five months into a new workspace in *folder*.

    *worked* is the share of jobs that are read, scored and so on, some twenty facts each; the others are found, and no
    more. Applications and their answers are marked as simulated. The same *seed* tells the same search, but for the
    ids of its facts. Raises WorkspaceError when a workspace stands there.
    """
    began = time.monotonic()
    workspace = workspace_at(folder)
    if workspace.exists:
        raise WorkspaceError(f"There is a workspace in {folder} already.", hint="Name a folder that is not there yet.")
    workspace.create()
    # Folding all of it once at the end takes no longer than folding along.
    store = Store(workspace.database, (), clock=lambda: BEGINS)
    try:
        with store.writer() as tx:
            contents = keep_contents(tx)
            _prepare(tx)
        for facts in _batches(in_order(jobs, seed, worked, contents)):
            with store.writer() as tx:
                _write(tx, facts)
    finally:
        store.close()
    store = open_store(workspace)
    try:
        with store.writer() as tx:
            for name in ("spent", "set_aside", "taken_in", "turned_away"):
                tx.connection.execute(SQL[name])
        count = store.position()
    finally:
        store.close()
    return MadeUp(folder, jobs, count, time.monotonic() - began)


def _prepare(tx: Transaction) -> None:
    """The boards that are read, and the person who looks."""
    for kind, token, _ in BOARDS:
        source_id = f"{kind}:{token}"
        entry = SourceRegistryEntryCreated(
            source_id=source_id, kind=kind, token=token, display_name=token.title(), policy_id="ats_api"
        )
        tx.append(f"source/{source_id}", entry)
    profile = load_profile(PROFILE)
    ref = tx.put(profile.model_dump_json(), "application/json")
    sections = changed_sections(None, profile)
    tx.append("profile/default", ProfileUpdated(profile_version=1, profile_ref=ref, changed_sections=sections))


def _write(tx: Transaction, facts: Iterable[Told]) -> None:
    for told in facts:
        # A transaction of the store has one moment; here each fact brings its own.
        tx.moment = moment(told.at)
        with acting_for(told.execution) if told.execution else nullcontext():
            tx.append(told.stream, told.event, job_id=told.job_id)


def _batches(facts: Iterator[Told]) -> Iterator[list[Told]]:
    while batch := list(islice(facts, _BATCH)):
        yield batch
