"""A page after its scripts have run, in a headless Chromium that has no way out but the guard's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from jobctrl.errors import BrowserTransient, ConfigurationError, JobCtrlError
from jobctrl.network.model import Request, Response

if TYPE_CHECKING:
    from playwright.sync_api import Playwright, Route

NAVIGATION_MS = 45_000
DOM_READY_MS = 15_000
NETWORK_IDLE_MS = 10_000
MAX_REQUESTS = 300

# The browser itself resolves no name: whatever is not answered by the route handler goes nowhere.
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_NOT_NEEDED = {"image", "media", "font", "texttrack", "manifest", "websocket", "eventsource", "ping", "prefetch"}
# The body reaches the browser unpacked, and policies of the page must not stop its own answer.
_DROPPED_HEADERS = {"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"}

Fetch = Callable[[Request, bytes | None], Response]


def find_chromium() -> str | None:
    """The Chromium named by CHROMIUM or found on the path; None leaves it to Playwright's own download."""
    if named := os.environ.get("CHROMIUM"):
        if shutil.which(named) is None:
            raise ConfigurationError(f"CHROMIUM names {named}, which is no program", hint="unset it or correct it")
        return named
    for name in ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def render(document: Response, fetch: Fetch, *, user_agent: str) -> Response:
    """*document*, already fetched, with its scripts run. `fetch` gets what the page asks for, through the guard.

    A fresh profile each time; images, fonts, sockets, workers and downloads are refused. Raises BrowserTransient.
    """
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            return _render(playwright, document, fetch, user_agent)
    except Error as error:
        first = error.message.strip().splitlines()[0] if error.message.strip() else "no reason given"
        hint = None
        if "Executable doesn't exist" in error.message:
            hint = "install Chromium, or name it with CHROMIUM"
        raise BrowserTransient(f"{document.url}: the browser did not finish ({first})", hint=hint) from error


def _render(playwright: Playwright, document: Response, fetch: Fetch, user_agent: str) -> Response:
    from playwright.sync_api import Error, TimeoutError

    # The sandbox cannot be set up by root.
    flags = [*_FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(_FLAGS)
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
    try:
        context = browser.new_context(user_agent=user_agent, accept_downloads=False, service_workers="block")
        page = context.new_page()
        asked = 0

        def answer(route: Route) -> None:
            nonlocal asked
            request = route.request
            if request.is_navigation_request() and request.frame == page.main_frame:
                if request.url.partition("#")[0] != document.url.partition("#")[0]:
                    # A page that sends the browser elsewhere is a redirect that was not admitted.
                    route.abort()
                    return
                route.fulfill(status=document.status, headers=_headers(document), body=document.body)
                return
            asked += 1
            if request.resource_type in _NOT_NEEDED or asked > MAX_REQUESTS:
                route.abort()
                return
            try:
                own = Request(request.url, method=request.method, headers=_sent(request.all_headers()))
                found = fetch(own, request.post_data_buffer)
            except JobCtrlError:
                route.abort()
                return
            route.fulfill(status=found.status, headers=_headers(found), body=found.body)

        context.route("**/*", answer)
        context.route_web_socket("**/*", lambda socket: socket.close())
        context.on("page", lambda other: other.close() if other != page else None)
        page.goto(document.url, wait_until="commit", timeout=NAVIGATION_MS)
        for state, limit in (("domcontentloaded", DOM_READY_MS), ("networkidle", NETWORK_IDLE_MS)):
            try:
                page.wait_for_load_state(state, timeout=limit)  # type: ignore[arg-type]
            except TimeoutError:
                # Best effort: many pages never fall silent, and what stands there is still the page.
                continue
        content = page.content()
        return Response(page.url, document.status, "text/html; charset=utf-8", content.encode("utf-8", "replace"))
    finally:
        try:
            browser.close()
        except Error as error:
            raise BrowserTransient(f"{document.url}: the browser did not close ({error.message})") from error


def _headers(response: Response) -> dict[str, str]:
    kept = {name: value for name, value in response.headers.items() if name not in _DROPPED_HEADERS}
    return kept | {"content-type": response.content_type} if response.content_type else kept


def _sent(headers: dict[str, str]) -> dict[str, str]:
    dropped = {"host", "connection", "content-length", "accept-encoding"}
    return {name: value for name, value in headers.items() if not name.startswith(":") and name not in dropped}
