"""One posting's page, looked at: what it says, or why it says nothing. No database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.model import ActiveState, PageKind, PageReading
from jobctrl.errors import JobCtrlError, UnsafeUrl
from jobctrl.llm.model import Model
from jobctrl.network.model import Politeness, Refused, Request, Response, Web
from jobctrl.network.unsafe import NotPublic

SHORTEST = 50
"""Characters below which a page's text is no description."""
RETRYABLE_STATUS = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Failure:
    """Why a page gave no text."""

    code: str
    message: str
    retryable: bool
    blocks: bool = False
    active: ActiveState | None = None
    evidence: str = ""
    cause: str | None = None
    host: str | None = None


Found = PageReading | Failure


def look(url: str, web: Web, model: Model | None, now: datetime) -> Found:
    """The page, read."""
    try:
        answer = web.fetch(Request(url))
        if isinstance(answer, Response) and answer.status == 200:
            reading = read_page(answer, url=url, now=now, model=model)
            if reading.kind is PageKind.SHELL:
                answer = web.render(url)
    except UnsafeUrl as error:
        return _unsafe(error)
    except JobCtrlError as error:
        return Failure("FETCH_ERROR", error.message, error.retryable)
    if isinstance(answer, Refused):
        return _refused(answer)
    reading = read_page(answer, url=url, now=now, model=model)
    if reading.active.state in (ActiveState.CLOSED, ActiveState.EXPIRED, ActiveState.REMOVED):
        return Failure(
            "POSTING_INACTIVE",
            f"The posting is {reading.active.state.value}.",
            False,
            active=reading.active.state,
            evidence=reading.active.verification.value,
        )
    if answer.status != 200:
        return Failure("FETCH_ERROR", f"The page answered {answer.status}.", answer.status in RETRYABLE_STATUS)
    if reading.kind is PageKind.BLOCKED:
        return Failure("FETCH_ERROR", "The site shows a bot wall in place of the page.", False)
    if len(reading.description) < SHORTEST:
        return Failure("EXTRACTION_EXHAUSTED", f"The page ({reading.kind.value}) holds no description.", True)
    return reading


def _unsafe(error: UnsafeUrl) -> Failure:
    """Of the error only its typed cause is kept: its words quote what a page may have sent us to."""
    cause = error.cause if isinstance(error, NotPublic) else None
    # A host that has addresses is a name; any other is whatever a page wrote in its place.
    host = error.host if isinstance(error, NotPublic) and cause == "dns_non_public" else None
    return Failure(
        "DETAIL_UNSAFE_URL", "The address does not lead to a public web page.", False, cause=cause, host=host
    )


def _refused(answer: Refused) -> Failure:
    if answer.reason is Politeness.ROBOTS_DISALLOWED:
        return Failure("ENRICH_ROBOTS_DISALLOWED", "The site's robots.txt does not allow it.", True, blocks=True)
    return Failure("ENRICH_POLITENESS_DEFERRED", f"Put off: {answer.reason.value}.", True)
