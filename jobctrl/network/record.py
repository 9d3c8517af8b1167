"""Keeps what the web answered, so that it can be replayed."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

from jobctrl.errors import ConfigurationError
from jobctrl.ids import sha256
from jobctrl.network.model import Refused, Request, Response, Web
from jobctrl.network.recorded import INDEX

# What a replay may need; cookies and the rest say more about the machine than about the answer.
_KEPT_HEADERS = ("retry-after", "last-modified", "etag", "location", "content-language")


class RecordingWeb:
    """Another web, with every answer written to a folder. The file is safe on disk before the index names it."""

    def __init__(self, inner: Web, folder: Path) -> None:
        self.inner = inner
        self._folder = folder
        self._lock = threading.Lock()
        try:
            (folder / "bodies").mkdir(parents=True, exist_ok=True)
            with (folder / INDEX).open("ab") as index:
                _end_line(folder / INDEX, index)
        except OSError as error:
            raise ConfigurationError(f"{folder} cannot hold a recording ({error.strerror})") from error

    def fetch(self, request: Request) -> Response | Refused:
        answer = self.inner.fetch(request)
        if isinstance(answer, Response):
            self._keep(request, answer, rendered=False)
        return answer

    def render(self, url: str) -> Response | Refused:
        answer = self.inner.render(url)
        if isinstance(answer, Response):
            self._keep(Request(url), answer, rendered=True)
        return answer

    def close(self) -> None:
        self.inner.close()

    def _keep(self, request: Request, answer: Response, *, rendered: bool) -> None:
        name = f"bodies/{sha256(answer.body)}"
        line: dict[str, Any] = {
            "method": request.method.upper(),
            "url": request.url,
            "status": answer.status,
            "content_type": answer.content_type,
            "file": name,
        }
        if request.json is not None:
            line["json"] = dict(request.json)
        if answer.url != request.url:
            line["final_url"] = answer.url
        if rendered:
            line["rendered"] = True
        if headers := {key: answer.headers[key] for key in _KEPT_HEADERS if key in answer.headers}:
            line["headers"] = headers
        with self._lock:
            _write_body(self._folder / name, answer.body)
            with (self._folder / INDEX).open("ab") as index:
                index.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
                index.flush()
                os.fsync(index.fileno())


def _write_body(path: Path, body: bytes) -> None:
    if path.exists():
        return
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def _end_line(path: Path, index: Any) -> None:
    """Cuts off the half line a killed process left behind."""
    content = path.read_bytes()
    if content and not content.endswith(b"\n"):
        index.truncate(content.rfind(b"\n") + 1)
