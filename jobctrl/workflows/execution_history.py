"""What one exact history proves: the steps and the members of a Discover execution, or the outcome of a preparation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import msgspec

from jobctrl.errors import InvalidRequest, RuntimeMismatch
from jobctrl.pipeline.coverage import StepKey
from jobctrl.pipeline.receipts import Outcome
from jobctrl.pipeline.targets import STEPS
from jobctrl.store import Execution
from jobctrl.workflows.ids import preparation_id

End = Literal["completed", "failed", "canceled", "terminated", "timed_out", "continued_as_new"]


@dataclass(frozen=True)
class ActivityRecord:
    """One activity as its history tells it. Of a failure only its code is kept."""

    name: str
    input: Any
    """Its first argument; None when it cannot be read."""
    state: Literal["scheduled", "completed", "failed", "canceled"]
    happened_at: str
    """When it came into this state."""
    duration_ms: int | None = None
    result: Any = None
    error_code: str | None = None
    retryable: bool = False


@dataclass(frozen=True)
class ExecutionHistory:
    """One exact execution as the server keeps it."""

    workflow_type: str
    input: Any
    last_event: int
    end: End | None = None
    """None while it is open."""
    result: Any = None
    activities: Sequence[ActivityRecord] = ()


@dataclass(frozen=True)
class ProvenStep:
    """How far a step came."""

    state: Literal["queued", "started", "completed", "failed"]
    item_count: int | None = None
    error_code: str | None = None
    retryable: bool = False
    duration_ms: int | None = None
    happened_at: str | None = None


@dataclass(frozen=True)
class Membership:
    """The count and the digest of all members, as the execution closed its membership."""

    count: int
    digest: str
    at: str


@dataclass(frozen=True)
class Proof:
    """What the history of a Discover execution says of its keys."""

    last_event: int
    end: End | None
    steps: dict[StepKey, ProvenStep] = field(default_factory=dict)
    membership: Membership | None = None
    """None until the execution closes its membership."""
    planned: int = 0
    """Members whose preparation was planned, at the least."""
    is_native: bool = True
    """False for a history from before executions had members: what it handed on is counted, and not named."""
    handed_on: int = 0
    """Preparations that its hand-ons started."""


class _Place(msgspec.Struct):
    workspace: str


class _Family(_Place):
    family: str


class _Pass(_Place):
    item: str | None = None


class _Plan(msgspec.Struct):
    families: dict[str, list[str]]


class _Read(msgspec.Struct):
    returned: int = 0


class _Enriched(msgspec.Struct):
    promoted: int = 0
    read: int = 0


class _HandedOn(msgspec.Struct):
    started: int = 0
    planned: int = 0
    members: int = 0
    members_digest: str = ""


class _Origin(msgspec.Struct):
    workflow_id: str
    run_id: str


class _Preparation(_Place):
    job_id: str
    steps: list[str]
    key: str
    discovery: _Origin | None = None


class _Prepared(msgspec.Struct):
    steps_completed: list[str]
    steps_skipped: list[str]
    steps_failed: list[str]
    failure: str | None = None


_RESULTS: dict[str, type[msgspec.Struct]] = {
    "plan_discovery_sources": _Plan,
    "discovery_source_family": _Read,
    "discovery_enrichment": _Enriched,
    "discovery_preparation_fanout": _HandedOn,
}
"""The activities that are steps, and what of their results is read. Streaming is none: it ends when others do."""


def proof_of(history: ExecutionHistory, workspace: str) -> Proof:
    """Read a Discover history. Raises RuntimeMismatch for another workspace's, InvalidRequest when it is ambiguous."""
    _its_own(history, "DiscoverWorkflow", _Place, workspace)
    steps: dict[StepKey, ProvenStep] = {}
    membership, planned, handed_on, is_native = None, 0, 0, True
    for activity in history.activities:
        if activity.name not in _RESULTS:
            continue
        result = _as(activity.result, _RESULTS[activity.name]) if activity.state == "completed" else None
        if isinstance(result, _HandedOn):
            handed_on += result.started
            planned = max(planned, result.planned)
            if result.members_digest:
                membership = Membership(result.members, result.members_digest, activity.happened_at)
        key = _step_of(activity)
        if key is None:
            is_native = False
            continue
        if key in steps and steps[key].state != "queued":
            raise InvalidRequest(f"The history takes the step {key[0]} {key[1]} more than once.")
        steps[key] = _proven(activity, result)
        if isinstance(result, _Plan):
            steps.update({("source_family", f"family:{name}"): ProvenStep("queued") for name in result.families})
    return Proof(history.last_event, history.end, steps, membership, planned, is_native, handed_on)


def _step_of(activity: ActivityRecord) -> StepKey | None:
    """The step that an activity is; None for a pass of an older version, whose name stands in its marks alone."""
    match activity.name:
        case "plan_discovery_sources":
            return "source_planning", "plan"
        case "discovery_source_family":
            return "source_family", f"family:{_as(activity.input, _Family).family}"
    item = _as(activity.input, _Pass).item
    if item is None:
        return None
    if activity.name == "discovery_enrichment":
        return "enrichment_pass", item
    return ("existing_backlog_sweep" if item == "backlog" else "preparation_fanout"), item


def _proven(activity: ActivityRecord, result: msgspec.Struct | None) -> ProvenStep:
    at = activity.happened_at
    if activity.state == "scheduled":
        return ProvenStep("started", happened_at=at)
    if activity.state == "completed":
        return ProvenStep("completed", _count(result), duration_ms=activity.duration_ms, happened_at=at)
    code = activity.error_code or "unclassified"
    return ProvenStep("failed", None, code, activity.retryable, activity.duration_ms, at)


def _count(result: msgspec.Struct | None) -> int | None:
    match result:
        case _Plan():
            return sum(map(len, result.families.values()))
        case _Read():
            return result.returned
        case _Enriched():
            return result.promoted + result.read
        case _HandedOn():
            return result.started
        case _:
            return None


def outcome_of(
    history: ExecutionHistory, *, workspace: str, workflow_id: str, job_id: str, steps: Sequence[str]
) -> tuple[Outcome, Execution | None]:
    """What a completed preparation did, and the Discover execution it was started for.

    Raises RuntimeMismatch for another workspace's, InvalidRequest when it is not this job's, not by this plan, or when
    its result is not that of a success.
    """
    asked = _its_own(history, "JobPreparationWorkflow", _Preparation, workspace)
    if (asked.job_id, preparation_id(asked.key), tuple(asked.steps)) != (job_id, workflow_id, tuple(steps)):
        raise InvalidRequest("The history is of another job, another key or another plan.")
    if history.end != "completed":
        raise InvalidRequest("The history does not end with a result.")
    said = _as(history.result, _Prepared)
    completed, skipped = tuple(said.steps_completed), tuple(said.steps_skipped)
    if said.failure is not None or said.steps_failed:
        raise InvalidRequest("The result tells of a failure.")
    in_order = [step for step in STEPS if step in asked.steps]
    if asked.steps != in_order or sorted(completed + skipped) != sorted(in_order):
        raise InvalidRequest("The result does not account for each planned step once.")
    origin = Execution(asked.discovery.workflow_id, asked.discovery.run_id) if asked.discovery else None
    return Outcome(completed, skipped), origin


S = TypeVar("S", bound=msgspec.Struct)
P = TypeVar("P", bound=_Place)


def _its_own(history: ExecutionHistory, workflow_type: str, shape: type[P], workspace: str) -> P:
    if history.workflow_type != workflow_type:
        raise InvalidRequest(f"The history is that of a {history.workflow_type}.")
    asked = _as(history.input, shape)
    if asked.workspace != workspace:
        raise RuntimeMismatch("The history belongs to another workspace.")
    return asked


def _as(value: Any, shape: type[S]) -> S:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise InvalidRequest(f"The history has no {shape.__name__.strip('_').lower()} that can be read.") from error
