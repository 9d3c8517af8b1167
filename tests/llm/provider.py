"""A loopback server that answers as the two providers do on the wire: `/v1/messages` and `/v1/chat/completions`."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    status: int = 200
    body: dict[str, Any] | str = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    """Takes the request and does not answer until the server is stopped."""


Script = Callable[[dict[str, Any]], Reply]
"""From a request's body to what is answered."""


@dataclass
class Provider:
    """The running server, and every request it was sent."""

    url: str
    script: Script
    asked: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(script: Script) -> Iterator[Provider]:
    """A provider that follows *script*, on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            provider.asked.append(body)
            provider.paths.append(self.path)
            reply = provider.script(body)
            if reply.hang:
                provider.released.wait(10)
                return
            content = (reply.body if isinstance(reply.body, str) else json.dumps(reply.body)).encode()
            self.send_response_only(reply.status)
            for name, value in {"content-type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider = Provider(f"http://127.0.0.1:{server.server_address[1]}", script)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


def anthropic_message(text: str, *, stop_reason: str = "end_turn", usage: bool = True) -> Reply:
    body: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test",
        "content": [{"type": "text", "text": text}],
        "stop_reason": stop_reason,
        "stop_sequence": None,
    }
    if usage:
        body["usage"] = {"input_tokens": 120, "output_tokens": 30}
    return Reply(body=body, headers={"request-id": "req_a"})


def openai_completion(
    text: str | None, *, finish_reason: str = "stop", usage: bool = True, refusal: str | None = None
) -> Reply:
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-test",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": refusal},
                "finish_reason": finish_reason,
            }
        ],
    }
    if usage:
        body["usage"] = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}
    return Reply(body=body, headers={"x-request-id": "req_o"})


def failure(status: int, **headers: str) -> Reply:
    """An error in the shape that both providers use."""
    return Reply(
        status=status,
        body={"type": "error", "error": {"type": "some_error", "message": "SECRET words of the request"}},
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )
