"""A real server on loopback whose answers a test decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from jobctrl.network.live import LiveWeb
from jobctrl.network.model import WebSettings

Handler = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Site:
    """`pages` maps a path to what answers it; anything else is a 404."""

    url: str
    pages: dict[str, Handler] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def page(
        self, path: str, body: bytes | str = b"", *, status: int = 200, kind: str = "text/html", **headers: str
    ) -> None:
        data = body.encode() if isinstance(body, str) else body

        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            request.send_header("Content-Type", kind)
            request.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                request.send_header(name.replace("_", "-"), value)
            request.end_headers()
            request.wfile.write(data)

        self.pages[path] = answer


@pytest.fixture
def site() -> Iterator[Site]:
    found: Site

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found.asked.append(self.path)
            found.headers.append({k.lower(): v for k, v in self.headers.items()})
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            answer = found.pages.get(self.path.partition("?")[0])
            if answer is None:
                self.send_response(404)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            try:
                answer(self)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        do_POST = do_GET

        def log_message(self, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    found = Site(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield found
    server.shutdown()
    server.server_close()


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def live(time: Time) -> Iterator[Callable[..., LiveWeb]]:
    """Makes a live web that may reach loopback."""
    made: list[LiveWeb] = []

    def make(
        settings: WebSettings | None = None, *, allow: tuple[str, ...] = ("127.0.0.1",), **given: object
    ) -> LiveWeb:
        web = LiveWeb(settings, clock=time, sleep=time.sleep, allow_hosts=allow, **given)  # type: ignore[arg-type]
        made.append(web)
        return web

    yield make
    for web in made:
        web.close()
