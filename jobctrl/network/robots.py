"""What a host's robots.txt allows, remembered for an hour."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

log = logging.getLogger(__name__)

FETCH_TIMEOUT = 5.0
CACHE_SECONDS = 3600.0
UNREACHABLE_SECONDS = 300.0
SIZE_CAP = 512_000


@dataclass(frozen=True)
class RobotsAnswer:
    """How the request for robots.txt ended: with a status, or without one and `failure` saying why."""

    status: int | None = None
    text: str = ""
    failure: str = ""
    """`no_host` (no address, connection refused), `timeout`, `unsafe` or `error`."""


@dataclass(frozen=True)
class _Rules:
    until: float
    parsed: Protego | None
    allow_all: bool
    why: str


class Robots:
    """Answers for one user agent. `fetch` gets robots.txt once an hour and host."""

    def __init__(self, agent: str, fetch: Callable[[str], RobotsAnswer], clock: Callable[[], float]) -> None:
        self._agent = agent
        self._fetch = fetch
        self._clock = clock
        self._known: dict[str, _Rules] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def refusal(self, url: str) -> str | None:
        """Why *url* must not be fetched, or None when it may be."""
        rules = self._rules(url)
        if rules.parsed is not None:
            allowed = bool(rules.parsed.can_fetch(url, self._agent))
            return None if allowed else f"robots.txt of {urlsplit(url).hostname} disallows it"
        return None if rules.allow_all else rules.why

    def delay(self, url: str) -> float | None:
        """The pause robots.txt asks for between two requests, in seconds."""
        parsed = self._rules(url).parsed
        delay = parsed.crawl_delay(self._agent) if parsed is not None else None
        return float(delay) if delay is not None else None

    def _rules(self, url: str) -> _Rules:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            lock = self._locks.setdefault(origin, threading.Lock())
        with lock:
            rules = self._known.get(origin)
            if rules is None or self._clock() >= rules.until:
                rules = self._known[origin] = self._read(origin)
        return rules

    def _read(self, origin: str) -> _Rules:
        answer = self._fetch(f"{origin}/robots.txt")
        now = self._clock()
        if answer.status is not None and 200 <= answer.status < 300:
            return _Rules(now + CACHE_SECONDS, Protego.parse(answer.text), True, "")
        if answer.status is not None and 400 <= answer.status < 500:
            return _Rules(now + CACHE_SECONDS, None, True, "")
        if answer.failure == "no_host":
            log.warning("robots.txt of %s could not be reached; the host itself will answer or not", origin)
            return _Rules(now + UNREACHABLE_SECONDS, None, True, "")
        why = f"status {answer.status}" if answer.status is not None else answer.failure
        return _Rules(now + UNREACHABLE_SECONDS, None, False, f"robots.txt of {origin} could not be read ({why})")
