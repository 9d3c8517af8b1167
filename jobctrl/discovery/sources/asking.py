"""Asking a board: the answer, a polite refusal, or an error that says what went wrong and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jobctrl.discovery.model import Source, SourceRefused
from jobctrl.errors import InvalidRequest, NotFound, SourceUnavailable
from jobctrl.network.model import Refused, Request, Response, Web

_NO_SUCH_BOARD = frozenset({404, 410})
_NOT_UNDERSTOOD = frozenset({400, 405, 406, 413, 414, 415, 422})


@dataclass(frozen=True)
class Answer:
    """What a board sent, and how much poorer the question was than the one first asked."""

    body: bytes
    fallback: str = ""
    """Why the fuller question was not answered; empty when it was."""


def ask(web: Web, requests: Sequence[Request], source: Source) -> Answer | SourceRefused:
    """The first answer to *requests*, the fullest first: a poorer one is tried only when there is no answer at all.

    Raises NotFound for an unknown board, InvalidRequest when the vendor does not take the question, and
    SourceUnavailable when the board does not answer or answers with a failure.
    """
    fallback = ""
    for request in requests:
        try:
            answer = web.fetch(request)
        except SourceUnavailable as fault:
            if request is requests[-1]:
                raise SourceUnavailable(f"{source.id}: {fault.message}", hint=fault.hint) from fault
            fallback = fault.message
            continue
        if isinstance(answer, Refused):
            return SourceRefused(source.id, answer.reason.value, answer.detail or answer.url, answer.retry_after)
        return Answer(_checked(answer, source), fallback)
    raise AssertionError("a source is asked at least one question")


def _checked(answer: Response, source: Source) -> bytes:
    if 200 <= answer.status < 300:
        return answer.body
    kind = source.kind.value
    if answer.status in _NO_SUCH_BOARD:
        raise NotFound(
            f"{source.id}: {kind} knows no board or posting at {answer.url} (HTTP {answer.status})",
            hint=f"Check the token {source.token!r}: it is the employer's name in the address of the board.",
        )
    if answer.status in _NOT_UNDERSTOOD:
        raise InvalidRequest(
            f"{source.id}: {kind} does not take the request {answer.url} (HTTP {answer.status})",
            hint=f"Check the token {source.token!r}.",
        )
    raise SourceUnavailable(f"{source.id}: {answer.url} answered HTTP {answer.status}")
