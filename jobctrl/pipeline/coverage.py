"""How far the members and the steps of a Discover execution are proven, and the proof that advances with each write.

The proof is a sum over the hashes of all keys: it does not depend on their order, and a new key is added to it without
reading the others.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from jobctrl.pipeline.events import StepFact
from jobctrl.pipeline.steps import PIPELINE_STEPS
from jobctrl.store import Execution, Transaction, statements

SQL = statements("jobctrl.pipeline", "coverage.sql")
_MODULUS = 1 << 256
NOTHING = f"{0:064x}"
"""The digest of no keys."""
StepKey = tuple[str, str]
"""The kind and the item of a step."""


class CoverageState(StrEnum):
    READY = "ready"
    """Both sets of keys are those that the exact history proves."""
    RECOVERING = "recovering"
    """What is missing is being put back."""
    RETRYING = "retrying"
    """The history could not be read, or says what cannot be decided; it is tried again."""
    INCOMPLETE = "incomplete"
    """The evidence ends before it names every job; what is there stands, and no more will come."""


class Mode(StrEnum):
    NATIVE = "native"
    """The execution proves its own keys; later keys of its own join the proof."""
    RECONSTRUCTED = "reconstructed"
    """An older history without a proof: the keys are those that other evidence names, and none joins them."""


@dataclass(frozen=True)
class Coverage:
    """The checkpoint of one execution."""

    state: CoverageState
    mode: Mode
    decoder_version: int
    history_event_id: int
    """The last event of the history that was read."""
    expected_members: int
    members: int
    expected_steps: int
    steps: int
    digest: str
    error_code: str | None
    updated_at: str
    """When the history was last read; keys that join the proof by themselves leave it."""


def digest(members: Iterable[str] = (), steps: Iterable[StepKey] = ()) -> str:
    """64 hex digits over both sets of keys, in whatever order they come."""
    return advanced(NOTHING, members, steps)


def advanced(before: str, members: Iterable[str] = (), steps: Iterable[StepKey] = ()) -> str:
    """The digest after these keys, none of which was in it, have come."""
    total = int(before, 16)
    for job_id in members:
        total += _weight("member", job_id)
    for kind, item in steps:
        total += _weight("step", kind, item)
    return f"{total % _MODULUS:064x}"


def _weight(*parts: str) -> int:
    # Each part goes in behind its length, so that no two keys read the same.
    key = b"".join(len(part).to_bytes(4, "big") + part for part in (part.encode() for part in parts))
    return int.from_bytes(hashlib.sha256(key).digest(), "big")


def membership_digest(connection: sqlite3.Connection, execution: Execution) -> tuple[int, str]:
    """How many members the execution has, and the digest of all of them."""
    members = member_keys(connection, execution)
    return len(members), digest(members)


def member_keys(connection: sqlite3.Connection, execution: Execution) -> set[str]:
    """The jobs of the execution."""
    return {row[0] for row in connection.execute(SQL["member_keys"], asdict(execution))}


def step_keys(connection: sqlite3.Connection, execution: Execution) -> set[StepKey]:
    """The steps of the execution that anything is known of."""
    return {(kind, item) for kind, item in connection.execute(SQL["step_keys"], asdict(execution))}


def checkpoint(connection: sqlite3.Connection, execution: Execution) -> Coverage | None:
    """The checkpoint as it was left, whether or not the rows still are what it says."""
    row = connection.execute(SQL["checkpoint"], asdict(execution)).fetchone()
    return Coverage(CoverageState(row[0]), Mode(row[1]), *row[2:]) if row else None


def coverage_of(connection: sqlite3.Connection, execution: Execution) -> Coverage | None:
    """The checkpoint, which is ready only while the rows are the ones that it proves; None before there is any."""
    found = checkpoint(connection, execution)
    if found is None or found.state is not CoverageState.READY:
        return found
    members, steps = member_keys(connection, execution), step_keys(connection, execution)
    if (found.members, found.steps, found.digest) == (len(members), len(steps), digest(members, steps)):
        return found
    return replace(found, state=CoverageState.RECOVERING, members=len(members), steps=len(steps))


def publish(tx: Transaction, execution: Execution, coverage: Coverage) -> None:
    """Leave the checkpoint in place of the one before."""
    tx.connection.execute(SQL["publish"], {**asdict(execution), **asdict(coverage)})


def unlinked(tx: Transaction, execution: Execution, job_ids: Iterable[str]) -> list[str]:
    """Those of the jobs that are no members yet."""
    scope = asdict(execution)
    return [
        job_id
        for job_id in dict.fromkeys(job_ids)
        if tx.connection.execute(SQL["is_member"], {**scope, "job_id": job_id}).fetchone() is None
    ]


def advance(
    tx: Transaction, execution: Execution, *, members: Sequence[str] = (), steps: Sequence[StepKey] = ()
) -> None:
    """Let keys that were just written join a proof that stands. Others are proven by the next look at the history."""
    if not members and not steps:
        return
    found = checkpoint(tx.connection, execution)
    if found is None or found.state is not CoverageState.READY or found.mode is not Mode.NATIVE:
        return
    publish(
        tx,
        execution,
        replace(
            found,
            expected_members=found.expected_members + len(members),
            members=found.members + len(members),
            expected_steps=found.expected_steps + len(steps),
            steps=found.steps + len(steps),
            digest=advanced(found.digest, members, steps),
        ),
    )


def mark_step(tx: Transaction, stream: str, mark: StepFact) -> bool:
    """Append a mark of a step, once; the first of its step joins the proof in the same transaction."""
    execution = Execution(mark.execution.workflow_id, mark.execution.temporal_run_id)
    name = (execution.workflow_id, execution.run_id, mark.step_kind, mark.item_key)
    is_new = tx.row(PIPELINE_STEPS, *name) is None
    state = mark.event_type.removeprefix("PipelineStep").lower()
    if not tx.append(stream, mark, key=f"step:{':'.join(name)}:{mark.attempt}:{state}"):
        return False
    if is_new:
        advance(tx, execution, steps=[(mark.step_kind, mark.item_key)])
    return True
