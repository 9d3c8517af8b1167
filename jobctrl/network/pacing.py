"""How fast a host is asked: one at a time, a pause between, and the pauses it asks for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime

RETRY_AFTER_MAX = 300.0


@dataclass
class _Host:
    slots: threading.Semaphore
    lock: threading.Lock = field(default_factory=threading.Lock)
    next_at: float = 0.0


class Pacer:
    """Keeps each host's pace, for all threads and runs of a process."""

    def __init__(self, *, concurrency: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._concurrency = concurrency
        self._clock = clock
        self._sleep = sleep
        self._hosts: dict[str, _Host] = {}
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, host: str, *, interval: float) -> Iterator[None]:
        """Waits for a turn at *host* and holds it; the next begins no sooner than *interval* seconds later."""
        state = self._host(host)
        with state.slots:
            with state.lock:
                start = max(self._clock(), state.next_at)
                state.next_at = start + interval
            if (wait := start - self._clock()) > 0:
                self._sleep(wait)
            yield

    def hold(self, host: str, seconds: float) -> None:
        """Nobody asks *host* before *seconds* have passed."""
        state = self._host(host)
        with state.lock:
            state.next_at = max(state.next_at, self._clock() + seconds)

    def _host(self, host: str) -> _Host:
        with self._lock:
            if host not in self._hosts:
                self._hosts[host] = _Host(threading.Semaphore(self._concurrency))
            return self._hosts[host]


class RunBudget:
    """What one run may still ask for, and the hosts it leaves alone from now on."""

    def __init__(self, requests: int) -> None:
        self._left = requests
        self._skipped: dict[str, float] = {}
        self._lock = threading.Lock()

    def take(self) -> bool:
        """Counts one request; False when none is left."""
        with self._lock:
            if self._left <= 0:
                return False
            self._left -= 1
            return True

    def skip(self, host: str, retry_after: float) -> None:
        with self._lock:
            self._skipped[host] = retry_after

    def skipped(self, host: str) -> float | None:
        """The pause *host* asked for when it was put aside, or None."""
        with self._lock:
            return self._skipped.get(host)


def retry_after(value: str, now: datetime) -> float | None:
    """Seconds named by a Retry-After header, in either of its forms; None when it names none."""
    value = value.strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, TypeError):
        return None
    if at.tzinfo is None:
        return None
    return max(0.0, (at - now).total_seconds())
