"""Looking again whether a page that led to no public address does so now: a name server's fault may have passed."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import starmap
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jobctrl.enrichment.events import EnrichmentFetchRechecked
from jobctrl.errors import UnsafeUrl
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.rules import attempts_left
from jobctrl.store import Store, moment, statements

if TYPE_CHECKING:
    from jobctrl.network.safety import Resolver

SQL = statements("jobctrl.pipeline", "public_fetch.sql")
A_PASS = 5
CHECKS = 5
FIRST = timedelta(minutes=1)
DEADLINE_SECONDS = 10.0
RESOLVED = "public_fetch_condition_resolved"
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Candidate:
    """One failure that may have passed, whole: a write finds it as it was read, or is not made."""

    job_id: str
    version: int
    """Of the job's stream."""
    failure_event_id: str
    failed_at: str
    attempts: int
    url: str
    cause: str
    host: str
    checks: int
    next_check_at: str | None

    @property
    def due(self) -> datetime:
        if self.next_check_at is not None:
            return datetime.fromisoformat(self.next_check_at)
        return datetime.fromisoformat(self.failed_at) + FIRST

    @property
    def may_recover(self) -> bool:
        return self.checks < CHECKS and attempts_left(Stage.ENRICH, self.attempts)


@dataclass(frozen=True)
class Rechecked:
    """What one pass did."""

    checked: int = 0
    resolved: int = 0
    """Jobs whose page may be asked for again."""


def recheck_public_fetches(
    store: Store, resolve: Resolver, now: datetime, *, deadline: float = DEADLINE_SECONDS
) -> Rechecked:
    """One pass over failures that are due. Names are looked up and no page is fetched; who stays unknown stays failed.

    All look-ups of a pass go on at once and share the *deadline*, in seconds.
    """
    with store.reader() as connection:
        waiting = [each for each in _candidates(connection) if each.may_recover and each.due <= now]
    due = [each for each in sorted(waiting, key=lambda each: each.due) if not _private_by_name(each.url)][:A_PASS]
    answers = _look_up({address for each in due for address in (each.url, _address(each.host))}, resolve, deadline)
    checked = resolved = 0
    for candidate in due:
        results = answers[candidate.url], answers[_address(candidate.host)]
        if _record(store, candidate, *results, now):
            checked += 1
            resolved += results == ("public", "public")
    return Rechecked(checked, resolved)


def backoff(checks: int) -> timedelta:
    """How long to wait after the check of that number, from 1."""
    return FIRST * (1 << checks)


def _candidates(connection: sqlite3.Connection, job_id: str | None = None) -> list[Candidate]:
    return list(starmap(Candidate, connection.execute(SQL["candidates"], {"job_id": job_id})))


def _record(store: Store, candidate: Candidate, posting: str, request: str, now: datetime) -> bool:
    """Record the check and open the stage when both are public. False when the job has moved since it was read."""
    count, passed = candidate.checks + 1, posting == request == "public"
    with store.writer() as tx:
        if _candidates(tx.connection, candidate.job_id) != [candidate]:
            return False
        tx.append(
            f"job/{candidate.job_id}",
            EnrichmentFetchRechecked(
                job_id=candidate.job_id,
                failure_event_id=candidate.failure_event_id,
                cause=candidate.cause,
                host=candidate.host,
                posting_result=posting,
                request_result=request,
                check_count=count,
                next_check_at=None if passed or count == CHECKS else moment(now + backoff(count)),
            ),
            expected=candidate.version,
        )
        if passed:
            StageMachine(tx, candidate.job_id, Stage.ENRICH).reset(reason=RESOLVED)
    return True


def _address(host: str) -> str:
    return f"https://{host}/"


def _private_by_name(url: str) -> bool:
    """Whether the address itself is none of the public web, wherever its name leads: looking it up would not help."""
    from jobctrl.network.safety import Guard

    try:
        Guard().check(url)
    except UnsafeUrl:
        return True
    return False


def _look_up(urls: Collection[str], resolve: Resolver, deadline: float) -> dict[str, str]:
    """Where each address leads. A look-up cannot be stopped: one that takes too long is left behind, unresolved."""
    found: dict[str, str] = {}

    def look(url: str) -> None:
        found[url] = _leads(url, resolve)

    threads = [Thread(target=look, args=(url,), name="recheck", daemon=True) for url in urls]
    for thread in threads:
        thread.start()
    end = time.monotonic() + deadline
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    return dict.fromkeys(urls, "unresolved") | found.copy()


def _leads(url: str, resolve: Resolver) -> str:
    from jobctrl.network.safety import Guard

    parts, guard = urlsplit(url), Guard(resolver=resolve)
    try:
        guard.check(url)
        found = guard.addresses(parts.hostname or "", parts.port or _PORTS[parts.scheme])
    except UnsafeUrl:
        return "non_public"
    except (OSError, UnicodeError):
        return "unresolved"
    return "public" if found else "unresolved"
