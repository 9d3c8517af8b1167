"""From what a person types, a board's address or `kind:token`, to the source it names."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from jobctrl.discovery.model import BoardKind, Source
from jobctrl.errors import InvalidRequest
from jobctrl.postings.identity import board_of

_HOST = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+"
_NAME = r"\w[\w.+&-]*"
_HOST_OR_NAME = re.compile(rf"{_HOST}|[a-z0-9][a-z0-9-]*", re.I)
_TOKENS: dict[BoardKind, re.Pattern[str]] = {
    BoardKind.LEVER: re.compile(rf"(?:eu/)?{_NAME}"),
    BoardKind.WORKDAY: re.compile(rf"{_HOST}/{_NAME}/{_NAME}", re.I),
    BoardKind.RECRUITEE: _HOST_OR_NAME,
    BoardKind.PERSONIO: _HOST_OR_NAME,
    BoardKind.TEAMTAILOR: _HOST_OR_NAME,
}
_ANY_NAME = re.compile(r"\w[\w .+&-]*")
_HOSTED = {BoardKind.PERSONIO: "jobs.personio.de", BoardKind.TEAMTAILOR: "teamtailor.com"}
"""Boards whose token is a host: a bare name stands for the employer's host at the vendor."""
EXAMPLE = (
    "for example https://boards.greenhouse.io/acme, lever:acme or workday:acme.wd5.myworkdayjobs.com/acme/External"
)


def locate(text: str) -> Source:
    """The source that *text* names. Raises InvalidRequest when it names none, saying what would."""
    asked = text.strip()
    name, colon, token = asked.partition(":")
    kind = next((known for known in BoardKind if known.value == name.strip().lower()), None)
    if kind and colon:
        return _source(kind, token.strip(), asked)
    if not asked or (colon and not token.startswith("//")):
        raise _unknown(asked, "is no board address and begins with no known kind")
    found = board_of(asked)
    if found is None:
        raise _unknown(asked, "leads to no board that can be read")
    kind = BoardKind(found[0])
    host = urlsplit(asked if "://" in asked else f"https://{asked}").hostname or ""
    european = kind is BoardKind.LEVER and host.endswith(".eu.lever.co")
    return _source(kind, f"eu/{found[1]}" if european else found[1], asked)


def _source(kind: BoardKind, token: str, asked: str) -> Source:
    if not _TOKENS.get(kind, _ANY_NAME).fullmatch(token):
        raise _unknown(asked, f"has a token that no {kind.value} board can have ({token!r})")
    if kind in _HOSTED:
        token = token.lower() if "." in token else f"{token.lower()}.{_HOSTED[kind]}"
    return Source(kind, token)


def _unknown(asked: str, why: str) -> InvalidRequest:
    kinds = ", ".join(kind.value for kind in BoardKind)
    return InvalidRequest(f"{asked!r} {why}; known kinds: {kinds}", hint=f"Give the address of the board, {EXAMPLE}.")
