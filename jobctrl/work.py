"""The contract of long work: it shows that it lives, learns that it shall stop, and blocks no event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Pulse(Protocol):
    """Handed to long work. It beats now and then, and looks whether it shall stop."""

    @property
    def attempt(self) -> int:
        """The Temporal attempt of the activity that does the work, from 1."""
        ...

    def beat(self, *details: Any) -> None: ...

    def cancelled(self) -> bool: ...


class Blocking(Protocol):
    """Runs a synchronous function off the event loop, with heartbeats, and stops it when the activity is cancelled."""

    async def __call__(self, work: Callable[[Pulse], T]) -> T: ...
