"""The live web: httpx behind the guard, at the pace that hosts ask for."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime
from http.cookiejar import DefaultCookiePolicy
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import httpx

from jobctrl.errors import SourceUnavailable, TransientNetwork, UnsafeUrl
from jobctrl.network.model import Politeness, Purpose, Refused, Request, Response, WebSettings
from jobctrl.network.pacing import RETRY_AFTER_MAX, Pacer, RunBudget, retry_after
from jobctrl.network.render import render
from jobctrl.network.robots import FETCH_TIMEOUT, SIZE_CAP, Robots, RobotsAnswer
from jobctrl.network.safety import Guard, GuardedTransport, Resolver, resolve

MAX_REDIRECTS = 5
_REDIRECTS = {301, 302, 303, 307, 308}
_BUSY = {429, 503}
_Answer = TypeVar("_Answer", Response, Response | Refused)
_ACCEPT_BOARD = "application/json, application/xml;q=0.9, */*;q=0.5"
_ACCEPT_PAGE = "text/html, */*;q=0.5"
_SLOW_HOSTS = (".myworkdayjobs.com", ".myworkdaysite.com", ".workday.com")


class LiveWeb:
    """Fetches from the public web for one run: the request budget and the hosts put aside are its own.

    Safe to share between threads. Webs of one process keep one pace towards a host when they share a `pacer`.
    `clock` is monotonic seconds and `now` the moment of the day (Retry-After may name one); both and `sleep` are
    arguments so that no test waits. `allow_hosts` exempts loopback servers of tests from the guard.
    """

    def __init__(
        self,
        settings: WebSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        resolver: Resolver = resolve,
        allow_hosts: Collection[str] = (),
        pacer: Pacer | None = None,
    ) -> None:
        self._settings = settings or WebSettings()
        self._sleep = sleep
        self._clock = clock
        self._now = now
        self._guard = Guard(resolver=resolver, allow_hosts=allow_hosts)
        self._client = httpx.Client(
            transport=GuardedTransport(self._guard),
            headers={"User-Agent": self._settings.user_agent, "Accept-Language": "en;q=0.8, *;q=0.5"},
            trust_env=False,
            follow_redirects=False,
        )
        # No cookie outlives its request: what one run was told must not colour another's answers.
        self._client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))
        self._pacer = pacer or Pacer(concurrency=self._settings.host_concurrency, clock=clock, sleep=sleep)
        self._robots = Robots(self._settings.user_agent, self._fetch_robots, clock)
        self._budget = RunBudget(self._settings.run_requests)

    def fetch(self, request: Request) -> Response | Refused:
        """The answer after at most five redirects. Any status is an answer; no answer at all raises."""
        return _follow(request, self._ask)

    def render(self, url: str) -> Response | Refused:
        """The page at *url* after its scripts have run in a headless Chromium."""
        document = self.fetch(Request(url))
        if isinstance(document, Refused) or "html" not in document.content_type.lower():
            return document
        spent = 0

        def fetch(request: Request, body: bytes | None) -> Response:
            nonlocal spent
            left = self._settings.board_cap - spent
            answer = _follow(request, lambda hop: self._send(hop, content=body, cap=left))
            spent += len(answer.body)
            return answer

        return render(document, fetch, user_agent=self._settings.user_agent)

    def close(self) -> None:
        """Ends all connections."""
        self._client.close()

    def _admit(self, request: Request) -> Refused | None:
        """Whether *request* may be made now: safe, allowed by robots, its host not skipped, the budget not spent."""
        self._guard.check(request.url)
        host = _host(request.url)
        if (pause := self._budget.skipped(host)) is not None:
            detail = f"{host} asked for a pause of {pause:.0f} s; it is left alone for this run"
            return Refused(request.url, Politeness.RATE_LIMITED, detail, pause)
        if request.purpose is Purpose.PAGE and (why := self._robots.refusal(request.url)):
            return Refused(request.url, Politeness.ROBOTS_DISALLOWED, why)
        if not self._budget.take():
            return Refused(
                request.url,
                Politeness.BUDGET_EXHAUSTED,
                f"this run has made its {self._settings.run_requests} requests",
            )
        return None

    def _ask(self, request: Request) -> Response | Refused:
        """One address, without following a redirect; once more when the host named a pause it can be given."""
        for last in (False, True):
            refused = self._admit(request)
            if refused is not None:
                return refused
            host = _host(request.url)
            asked = self._robots.delay(request.url) if request.purpose is Purpose.PAGE else None
            with self._pacer.turn(host, interval=max(self._settings.interval_seconds, asked or 0.0)):
                answer = self._send(request)
            if answer.status not in _BUSY:
                return answer
            pause = retry_after(answer.headers.get("retry-after", ""), self._now())
            if pause is None:
                return answer
            if pause > RETRY_AFTER_MAX:
                self._budget.skip(host, pause)
                detail = f"{host} answered {answer.status} and asks for a pause of {pause:.0f} s"
                return Refused(request.url, Politeness.RATE_LIMITED, detail, pause)
            self._pacer.hold(host, pause)
            if last:
                return answer
        raise AssertionError("unreachable")

    def _send(
        self,
        request: Request,
        *,
        content: bytes | None = None,
        cap: int | None = None,
    ) -> Response:
        """The answer of one address, whatever its status."""
        board = request.purpose is Purpose.BOARD_API
        if cap is None:
            cap = self._settings.board_cap if board else self._settings.page_cap
        headers = httpx.Headers({"Accept": _ACCEPT_BOARD if board else _ACCEPT_PAGE})
        headers.update(dict(request.headers))
        what = f"{request.method} {request.url}"
        self._guard.check(request.url)
        try:
            return self._stream(request, headers, content=content, cap=cap, limit=self._timeout(request.url))
        except httpx.TimeoutException as error:
            raise TransientNetwork(f"{what}: no answer in time ({type(error).__name__})") from error
        except httpx.RequestError as error:
            raise TransientNetwork(f"{what}: {error}") from error
        except httpx.InvalidURL as error:
            raise UnsafeUrl(f"{request.url!r} is not a web address: {error}") from error

    def _stream(
        self, request: Request, headers: httpx.Headers, *, content: bytes | None = None, cap: int, limit: float
    ) -> Response:
        body = dict(request.json) if request.json is not None else None
        what = f"{request.method} {request.url}"
        # httpx limits each wait; an answer that drips byte by byte is ended here.
        deadline = self._clock() + 3 * limit
        with self._client.stream(
            request.method, request.url, json=body, content=content, headers=headers, timeout=limit
        ) as answer:
            received = bytearray()
            for chunk in answer.iter_bytes():
                received += chunk
                if len(received) > cap:
                    raise SourceUnavailable(f"{what}: the answer is larger than {cap:,} bytes")
                if self._clock() > deadline:
                    raise TransientNetwork(f"{what}: the answer did not end within {3 * limit:.0f} s")
            return Response(
                url=request.url,
                status=answer.status_code,
                content_type=answer.headers.get("content-type", ""),
                body=bytes(received),
                headers={name.lower(): value for name, value in answer.headers.items()},
            )

    def _timeout(self, url: str) -> float:
        slow = _host(url).endswith(_SLOW_HOSTS)
        return self._settings.slow_timeout_seconds if slow else self._settings.timeout_seconds

    def _fetch_robots(self, url: str) -> RobotsAnswer:
        def ask(request: Request) -> Response:
            self._guard.check(request.url)
            return self._stream(
                request, httpx.Headers({"Accept": "text/plain, */*"}), cap=SIZE_CAP, limit=FETCH_TIMEOUT
            )

        try:
            answer = _follow(Request(url), ask)
            return RobotsAnswer(answer.status, answer.text)
        except UnsafeUrl as error:
            return RobotsAnswer(failure=error.message)
        except (httpx.TimeoutException, TransientNetwork):
            return RobotsAnswer(failure="timeout")
        except httpx.ConnectError:
            return RobotsAnswer(failure="no_host")
        except (httpx.RequestError, httpx.InvalidURL, SourceUnavailable) as error:
            return RobotsAnswer(failure=str(error))


def _follow(request: Request, ask: Callable[[Request], _Answer]) -> _Answer:
    """What stands at the end of at most five redirects, each hop asked for like the first."""
    for _ in range(MAX_REDIRECTS + 1):
        answer = ask(request)
        if isinstance(answer, Refused) or answer.status not in _REDIRECTS or not answer.headers.get("location"):
            return answer
        request = _redirected(request, answer)
    raise SourceUnavailable(f"{request.method} {request.url}: more than {MAX_REDIRECTS} redirects")


def _redirected(request: Request, answer: Response) -> Request:
    target = urljoin(request.url, answer.headers["location"])
    if urlsplit(target).hostname != urlsplit(request.url).hostname:
        # What was meant for one host (a key in a header) is not told to another.
        request = replace(request, headers={})
    if answer.status == 303 or (answer.status in (301, 302) and request.method == "POST"):
        return replace(request, url=target, method="GET", json=None)
    return replace(request, url=target)


def _host(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)
