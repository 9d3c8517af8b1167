"""A web that answers from a table and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jobctrl.errors import SourceUnavailable
from jobctrl.network.model import Refused, Request, Response

PAGES = Path(__file__).parents[1] / "pages"

type_of = {".json": "application/json", ".xml": "text/xml", ".rss": "application/rss+xml"}
Answer = Refused | Exception | tuple[int, bytes]


def page(name: str) -> bytes:
    return (PAGES / name).read_bytes()


def key(request: Request) -> str:
    """The address, and for a page of a list its offset."""
    offset = (request.json or {}).get("offset")
    return f"{request.method} {request.url}" if offset is None else f"{request.method} {request.url} @{offset}"


class BoardWeb:
    """Answers each key with a status and a body, a refusal or an error; with SourceUnavailable when it has none."""

    def __init__(self, answers: dict[str, Answer | bytes]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def fetch(self, request: Request) -> Response | Refused:
        self.asked.append(key(request))
        answer = self.answers.get(key(request), SourceUnavailable(f"nothing recorded for {key(request)}"))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Refused):
            return answer
        status, body = (200, answer) if isinstance(answer, bytes) else answer
        return Response(request.url, status, "application/json", body)

    def render(self, url: str) -> Response | Refused:
        raise AssertionError(f"no board is rendered ({url})")

    def close(self) -> None:
        pass


def after(calls: int) -> Callable[[], bool]:
    """A cancellation that comes with the call after *calls*."""
    left = iter([False] * calls)
    return lambda: next(left, True)
