"""The one web: what is asked of it and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from jobctrl.network.charset import decode

PAGE_CAP = 2_000_000
BOARD_CAP = 32_000_000


class Purpose(StrEnum):
    """Why a request is made; it decides the size cap and whether robots.txt applies."""

    BOARD_API = "board_api"
    """A documented board interface: exempt from robots, 32 MB."""
    PAGE = "page"
    """A web page: robots apply, 2 MB."""


class Politeness(StrEnum):
    """Why a request was not made. An outcome, not an error."""

    ROBOTS_DISALLOWED = "robots_disallowed"
    RATE_LIMITED = "rate_limited"
    BUDGET_EXHAUSTED = "budget_exhausted"


@dataclass(frozen=True)
class Request:
    url: str
    method: str = "GET"
    json: Mapping[str, Any] | None = None
    purpose: Purpose = Purpose.PAGE
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Response:
    """What the web answered, whatever its status. `url` is the address after redirects."""

    url: str
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    """Lower-case names."""

    @property
    def text(self) -> str:
        """The body as text, by its declared or detected charset; never fails."""
        return decode(self.body, self.content_type)


@dataclass(frozen=True)
class Refused:
    """The request was not made, for politeness."""

    url: str
    reason: Politeness
    detail: str = ""
    retry_after: float | None = None
    """Seconds, when the host named them."""


@dataclass(frozen=True)
class WebSettings:
    """How politely and how long the live web asks."""

    version: str = "0.1.0"
    contact: str = ""
    """A page or mail address where the owner of a site reaches whoever runs this."""
    interval_seconds: float = 1.0
    """The pause between two requests to one host."""
    host_concurrency: int = 1
    run_requests: int = 2000
    """How many requests one run may make."""
    timeout_seconds: float = 20.0
    slow_timeout_seconds: float = 30.0
    """For Workday's hosts, which take their time."""
    page_cap: int = PAGE_CAP
    board_cap: int = BOARD_CAP

    @property
    def user_agent(self) -> str:
        return f"JobCtrl/{self.version} (+{self.contact})" if self.contact else f"JobCtrl/{self.version}"


class Web(Protocol):
    """The only door out. Raises SourceUnavailable, TransientNetwork or UnsafeUrl when there is no answer at all."""

    def fetch(self, request: Request) -> Response | Refused: ...

    def render(self, url: str) -> Response | Refused:
        """The page after its scripts have run, as HTML."""
        ...

    def close(self) -> None: ...
