"""One recording of the sample web: a request, and what answers it."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any

JSON_TYPE = "application/json"


@dataclass(frozen=True)
class Recording:
    """`body_match`: what of a POST's JSON body must agree. `aliases`: further addresses with the same answer."""

    url: str
    file: str
    body: bytes
    method: str = "GET"
    status: int = 200
    content_type: str = JSON_TYPE
    body_match: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    final_url: str | None = None
    """The address after redirects, when it is another."""

    def index_lines(self) -> list[str]:
        """The lines of `index.jsonl`, one for each address."""
        lines = []
        for url in (self.url, *self.aliases):
            line: dict[str, Any] = {
                "method": self.method,
                "url": url,
                "status": self.status,
                "content_type": self.content_type,
                "file": self.file,
            }
            if self.body_match is not None:
                line["json"] = self.body_match
            if self.final_url:
                line["final_url"] = self.final_url
            if self.headers:
                line["headers"] = self.headers
            lines.append(json.dumps(line, ensure_ascii=False))
        return lines


def json_bytes(value: Any) -> bytes:
    """Compact JSON; lone surrogates are written as escapes, as real feeds do."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return re.sub(r"[\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text).encode("utf-8")


def slug(text: str) -> str:
    """A title as vendors put it into addresses."""
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    ascii_only = plain.encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]+", "-", ascii_only).strip("-").lower() or "opening"
