"""Which move of a stage is legal, and what a failed attempt leads to."""

from __future__ import annotations

from jobctrl.errors import InvalidRequest
from jobctrl.stages.model import MAX_ATTEMPTS, Stage, StageState

LEGAL: dict[StageState, frozenset[StageState]] = {
    StageState.PENDING: frozenset({StageState.QUEUED, StageState.RUNNING, StageState.BLOCKED, StageState.SKIPPED}),
    # A reservation that is released without an attempt goes back to pending.
    StageState.QUEUED: frozenset({StageState.RUNNING, StageState.CANCELED, StageState.PENDING}),
    # A rehearsal ends as skipped (see DRY_RUN); an irreversible step with an unknown end waits for a person.
    StageState.RUNNING: frozenset(
        {
            StageState.SUCCEEDED,
            StageState.FAILED,
            StageState.CANCELED,
            StageState.BLOCKED,
            StageState.SKIPPED,
            StageState.NEEDS_VERIFICATION,
        }
    ),
    StageState.FAILED: frozenset({StageState.PENDING, StageState.EXHAUSTED, StageState.BLOCKED}),
    StageState.BLOCKED: frozenset({StageState.PENDING, StageState.SKIPPED}),
    StageState.EXHAUSTED: frozenset({StageState.PENDING}),
    StageState.CANCELED: frozenset({StageState.PENDING}),
    StageState.SUCCEEDED: frozenset({StageState.STALE}),
    StageState.STALE: frozenset({StageState.PENDING}),
    # What a person says of it, or that it is to be tried again; nothing else makes it ready.
    StageState.NEEDS_VERIFICATION: frozenset({StageState.PENDING, StageState.SUCCEEDED, StageState.FAILED}),
    StageState.SKIPPED: frozenset({StageState.PENDING, StageState.BLOCKED}),
}


def check_move(stage: Stage, old: StageState, new: StageState) -> None:
    """Raise InvalidRequest when *old* may not become *new*. Writing the same state again is no move."""
    if new is not old and new not in LEGAL[old]:
        raise InvalidRequest(f"The stage {stage.value} is {old.value}; it cannot become {new.value}.")


DRY_RUN = "DRY_RUN"
"""The one reason for which a running stage is skipped: it was rehearsed. A policy decides before a stage runs."""


def check_skip(stage: Stage, old: StageState, reason: str) -> None:
    """Raise InvalidRequest when *old* may not be skipped, or not for *reason*."""
    check_move(stage, old, StageState.SKIPPED)
    if old is StageState.RUNNING and reason != DRY_RUN:
        raise InvalidRequest(f"The stage {stage.value} is running; it is skipped for {DRY_RUN} only, not for {reason}.")


FRESH_START: frozenset[StageState] = frozenset({StageState.EXHAUSTED, StageState.STALE, StageState.SKIPPED})
"""States that end a life of the stage: attempts of before do not count against what comes after."""


def attempts_left(stage: Stage, attempts: int) -> bool:
    """Whether another durable attempt is allowed after *attempts* of them."""
    ceiling = MAX_ATTEMPTS[stage]
    return ceiling is None or attempts < ceiling
