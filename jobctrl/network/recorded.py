"""The recorded web: the same calls, answered from a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from jobctrl.errors import ConfigurationError, SourceUnavailable, UnsafeUrl
from jobctrl.network.model import Refused, Request, Response

INDEX = "index.jsonl"
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Recording:
    """One line of the index."""

    method: str
    url: str
    status: int
    content_type: str
    file: str
    json: Mapping[str, Any] | None = None
    """The part of a request's JSON body that must match; None matches any body."""
    headers: Mapping[str, str] = field(default_factory=dict)
    final_url: str | None = None
    """The address after redirects, when it differs."""
    rendered: bool = False
    """The page after its scripts have run."""


class RecordedWeb:
    """Answers from `index.jsonl` and the files it names. What was not recorded is unavailable, never empty."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._recordings: dict[tuple[str, str], list[Recording]] = {}
        for recording in read_index(folder):
            self._recordings.setdefault((recording.method, address_key(recording.url)), []).append(recording)

    def fetch(self, request: Request) -> Response | Refused:
        recording = self._find(request, rendered=False)
        if recording is not None:
            return self._answer(request.url, recording)
        if urlsplit(request.url).path == "/robots.txt":
            return Response(request.url, 404, "text/plain", b"")
        body = f" with the body {json.dumps(dict(request.json))}" if request.json is not None else ""
        raise SourceUnavailable(
            f"{request.method} {request.url}{body}: the recorded web in {self._folder} has no recording of it",
            hint="record it with JOBCTRL_WEB=record:DIR, or run on the live web",
        )

    def render(self, url: str) -> Response | Refused:
        """The rendered recording when there is one, else the page as it was fetched: scripts are not run."""
        recording = self._find(Request(url), rendered=True)
        return self._answer(url, recording) if recording is not None else self.fetch(Request(url))

    def close(self) -> None:
        """Nothing is held open."""

    def _find(self, request: Request, *, rendered: bool) -> Recording | None:
        try:
            key = address_key(request.url)
        except ValueError as error:
            raise UnsafeUrl(f"{request.url!r} is not a web address: {error}") from None
        # Of two recordings of one request the one that names more of its body fits better, then the later is newer.
        best: Recording | None = None
        for recording in self._recordings.get((request.method.upper(), key), []):
            if recording.rendered != rendered or not _body_fits(recording.json, request.json):
                continue
            if best is None or len(recording.json or {}) >= len(best.json or {}):
                best = recording
        return best

    def _answer(self, url: str, recording: Recording) -> Response:
        path = self._folder / recording.file
        try:
            body = path.read_bytes()
        except OSError as error:
            raise SourceUnavailable(
                f"{recording.method} {url}: its recording names {path}, which cannot be read ({error.strerror})"
            ) from error
        final = recording.final_url or url
        return Response(final, recording.status, recording.content_type, body, dict(recording.headers))


def read_index(folder: Path) -> list[Recording]:
    """The lines of a folder's index. Raises ConfigurationError naming the line that cannot be read."""
    index = folder / INDEX
    try:
        text = index.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"{folder} is no recorded web: {index} cannot be read ({error.strerror})",
            hint="name a folder that holds an index.jsonl",
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{index} is not UTF-8: {error}") from error
    return [
        _recording(line, f"{index}, line {number}") for number, line in enumerate(text.split("\n"), 1) if line.strip()
    ]


def _recording(line: str, where: str) -> Recording:
    try:
        raw = json.loads(line)
    except ValueError as error:
        raise ConfigurationError(f"{where}: not JSON ({error})") from error
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{where}: not a JSON object")
    for name, kind in (("method", str), ("url", str), ("status", int), ("content_type", str), ("file", str)):
        if not isinstance(raw.get(name), kind):
            raise ConfigurationError(f"{where}: {name!r} is missing or not {kind.__name__}")
    for name in ("json", "headers"):
        if not isinstance(raw.get(name, {}), dict):
            raise ConfigurationError(f"{where}: {name!r} is not a JSON object")
    if Path(raw["file"]).is_absolute() or ".." in Path(raw["file"]).parts:
        raise ConfigurationError(f"{where}: the file {raw['file']!r} lies outside of the folder")
    try:
        address_key(raw["url"])
    except ValueError as error:
        raise ConfigurationError(f"{where}: {raw['url']!r} is not a web address ({error})") from error
    return Recording(
        method=raw["method"].upper(),
        url=raw["url"],
        status=raw["status"],
        content_type=raw["content_type"],
        file=raw["file"],
        json=raw.get("json"),
        headers={str(k).lower(): str(v) for k, v in raw.get("headers", {}).items()},
        final_url=raw.get("final_url"),
        rendered=bool(raw.get("rendered", False)),
    )


def address_key(url: str) -> str:
    """*url* without what never tells two requests apart: case of the host, default port, query order, fragment."""
    parts = urlsplit(url)
    port = parts.port
    host = (parts.hostname or "") + (f":{port}" if port and port != _DEFAULT_PORTS.get(parts.scheme) else "")
    query = "&".join(f"{name}={value}" for name, value in sorted(parse_qsl(parts.query, keep_blank_values=True)))
    return f"{parts.scheme}://{host}{parts.path or '/'}?{query}"


def _body_fits(part: Mapping[str, Any] | None, body: Mapping[str, Any] | None) -> bool:
    return part is None or all((body or {}).get(name) == value for name, value in part.items())
