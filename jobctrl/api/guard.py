"""Who may ask: this machine, by a name of this machine, from no strange page, with the token."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from jobctrl.api.failures import failure

OPEN_PATHS = ("/v1/health",)
DESK = "/desk"
COOKIE = "jobctrl_desk"
_EXTENSION = re.compile(r"chrome-extension://[a-p]{32}|moz-extension://[0-9a-f-]{36}")
_NEAR = (None, "none", "same-origin", "same-site")


def loopback_hosts(port: int) -> frozenset[str]:
    """The Host headers of a server on this machine's *port*: any other name may be a rebound one."""
    return frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))


class Guard:
    """ASGI middleware around everything, HTTP and WebSocket alike, mounted applications included.

    Without a token whoever sits at this machine may ask; strange names and pages of other sites still may not.
    """

    def __init__(self, app: ASGIApp, *, token: str | None, hosts: Iterable[str]) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(host.lower() for host in hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else None
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await refusal(scope, receive, send)
        else:
            # Before the handshake is accepted this is answered as 403, which is all a WebSocket can be told.
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._is_for_us(headers):
            return failure(
                403, "forbidden_host", "This name is not one of the API's.", "Use 127.0.0.1 or localhost with its port."
            )
        if not self._is_near(headers):
            return failure(403, "cross_site_request", "Pages of other sites may not call the API.")
        path = scope["path"]
        if self._token is None or path in OPEN_PATHS or self._is_ours(_bearer(headers)):
            return None
        if path == DESK or path.startswith(f"{DESK}/"):
            return self._desk_refusal(scope, headers)
        return failure(
            401,
            "invalid_token",
            "This needs the API's token.",
            "Send `Authorization: Bearer TOKEN`; it is the content of the file api-token in the workspace.",
        )

    def _is_for_us(self, headers: Headers) -> bool:
        named = headers.getlist("host")
        return len(named) == 1 and named[0].lower() in self._hosts

    def _is_near(self, headers: Headers) -> bool:
        origins = headers.getlist("origin")
        if origins and all(_EXTENSION.fullmatch(origin) for origin in origins):
            return True
        return all(origin in self._origins for origin in origins) and headers.get("sec-fetch-site") in _NEAR

    def _is_ours(self, token: str | None) -> bool:
        return None not in (token, self._token) and secrets.compare_digest(
            str(token).encode(), str(self._token).encode()
        )

    def _desk_refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """A browser cannot send the token with every request: it brings it once in the address, then as a cookie."""
        if self._is_ours(_cookie(headers)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if scope["type"] == "http" and self._is_ours(dict(query).get("token")):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            answer = RedirectResponse(scope["path"] + (f"?{rest}" if rest else ""), status_code=303)
            answer.set_cookie(COOKIE, self._token or "", path=DESK, httponly=True, samesite="strict")
            return answer
        return failure(
            401, "invalid_token", "The desks need the API's token.", f"Open {DESK}/?token=TOKEN once in this browser."
        )


def _bearer(headers: Headers) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _cookie(headers: Headers) -> str | None:
    try:
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return kept.value if kept else None
