"""Who may ask."""

from __future__ import annotations

import httpx
import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from jobctrl.api.guard import COOKIE, Guard, loopback_hosts
from tests.api.conftest import BEARER, PORT, TOKEN

SOCKET = f"ws://localhost:{PORT}/desk/jobs/ws"
EXTENSION = "chrome-extension://" + "abcdefghijklmnop" * 2
ROUTES = [
    ("GET", "/v1/jobs"),
    ("GET", "/v1/jobs/abcdef"),
    ("GET", "/v1/workflow-runs"),
    ("GET", "/v1/events/stream"),
    ("POST", "/v1/pipeline/actions/run-stage"),
    ("GET", "/openapi.json"),
    ("GET", "/nothing"),
    ("OPTIONS", "/v1/jobs"),
    ("GET", "/desk/jobs/"),
]


@pytest.mark.parametrize(("method", "path"), ROUTES)
async def test_everything_but_health_needs_the_token(anyone: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await anyone.request(method, path)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"]["code"] == "invalid_token"
    assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "sent", ["", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", TOKEN, "Bearer ŻŻŻ"]
)
async def test_a_wrong_token_is_no_token(anyone: httpx.AsyncClient, sent: str) -> None:
    answer = await anyone.get("/v1/jobs", headers=[(b"Authorization", sent.encode())])

    assert answer.status_code == 401


async def test_health_needs_no_token(anyone: httpx.AsyncClient) -> None:
    assert (await anyone.get("/v1/health")).status_code == 200


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LocalHost:{PORT}", f"[::1]:{PORT}"])
async def test_a_name_of_this_machine_with_the_port_is_heard(client: httpx.AsyncClient, host: str) -> None:
    assert (await client.get("/v1/jobs", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", "", f"127.0.0.1.evil:{PORT}"]
)
@pytest.mark.parametrize("path", ["/v1/jobs", "/v1/health"])
async def test_a_rebound_name_is_refused_even_with_the_token(client: httpx.AsyncClient, host: str, path: str) -> None:
    answer = await client.get(path, headers={"Host": host})

    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden_host")


async def test_two_host_headers_are_refused(client: httpx.AsyncClient) -> None:
    request = client.build_request("GET", "/v1/jobs")
    request.headers = httpx.Headers([*request.headers.raw, (b"Host", f"localhost:{PORT}".encode())])

    assert (await client.send(request)).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {"Origin": f"http://127.0.0.1:{PORT + 1}"},
        {"Origin": EXTENSION + "q"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": f"http://127.0.0.1:{PORT}", "Sec-Fetch-Site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_strange_page_is_refused_even_with_the_token(
    client: httpx.AsyncClient, headers: dict[str, str], method: str
) -> None:
    answer = await client.request(method, "/v1/jobs", headers=headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_site_request")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": f"http://127.0.0.1:{PORT}", "Sec-Fetch-Site": "same-origin"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Origin": EXTENSION, "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "none"},
    ],
)
async def test_our_own_pages_and_the_extension_are_heard(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    assert (await client.get("/v1/jobs", headers=headers)).status_code == 200


@pytest.fixture
def browser() -> TestClient:
    """A browser before a guarded application that echoes, over HTTP and WebSocket."""

    async def echo(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": "open"})
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"desk"})

    return TestClient(Guard(echo, token=TOKEN, hosts=loopback_hosts(PORT)), base_url=f"http://localhost:{PORT}")


def test_a_desk_takes_the_token_once_and_then_a_cookie(browser: TestClient) -> None:
    first = browser.get(f"/desk/jobs/?token={TOKEN}&day=2", follow_redirects=False)

    assert (first.status_code, first.headers["location"]) == (303, "/desk/jobs/?day=2")
    kept = first.headers["set-cookie"].lower()
    assert all(word in kept for word in ("httponly", "samesite=strict", "path=/desk"))
    assert browser.get("/desk/jobs/").text == "desk"
    with browser.websocket_connect(SOCKET) as socket:
        assert socket.receive_text() == "open"


def test_the_cookie_of_the_desks_opens_no_route(browser: TestClient) -> None:
    browser.cookies.set(COOKIE, TOKEN)

    assert browser.get("/v1/jobs").status_code == 401


@pytest.mark.parametrize("headers", [{}, {**BEARER, "Origin": "https://evil.example"}])
def test_a_websocket_is_guarded_like_a_page(browser: TestClient, headers: dict[str, str]) -> None:
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(SOCKET, headers=headers) as socket:
        socket.receive_text()
