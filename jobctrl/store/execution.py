"""Which Temporal execution is acting, so that every fact it records is stamped with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from jobctrl.errors import InvalidRequest


@dataclass(frozen=True)
class Execution:
    """One exact execution: a workflow id can name more than one run over time."""

    workflow_id: str
    run_id: str


_current: ContextVar[Execution | None] = ContextVar("execution", default=None)


def current_execution() -> Execution | None:
    """The execution this code runs in, or None outside of any."""
    return _current.get()


def acting_execution(work: str) -> Execution:
    """The execution this code runs in. Raises InvalidRequest, naming the *work*, outside of any."""
    execution = _current.get()
    if execution is None:
        raise InvalidRequest(f"This is done inside a workflow run only: {work}.")
    return execution


@contextmanager
def acting_for(execution: Execution | None) -> Iterator[None]:
    """Stamp the facts recorded inside with *execution*."""
    token = _current.set(execution)
    try:
        yield
    finally:
        _current.reset(token)
