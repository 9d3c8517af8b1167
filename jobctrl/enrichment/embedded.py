"""The page's own data: JSON that scripts and hidden fields carry (`__NEXT_DATA__`, Redux states, `window.pageData`)."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from jobctrl.enrichment.model import ExtractionTier, Said, Stated
from jobctrl.enrichment.wording import sections
from jobctrl.postings.place import StatedPlace
from jobctrl.postings.text import fold

Object = Mapping[str, Any]

_START = re.compile(r"(?:=|\(|:|^)\s*(?=[{\[])")
_PARSED = re.compile(r"JSON\.parse\(\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')", re.S)
_UNDEFINED = re.compile(r"\bundefined\b(?=\s*[,}\]])")
_SHORTEST_STATE = 200
_MOST_NODES = 60_000
DESCRIPTION_MIN = 150

_OPEN_WORDS = {"active", "open", "published", "live", "posted", "online"}
_CLOSED_WORDS = {
    "closed",
    "expired",
    "inactive",
    "filled",
    "archived",
    "unpublished",
    "deactivated",
    "removed",
    "deleted",
    "cancelled",
    "canceled",
    "offline",
}
_CLOSED_WHEN = {
    "isexpired": True,
    "expired": True,
    "isclosed": True,
    "jobclosed": True,
    "isfilled": True,
    "postingavailable": False,
    "isactive": False,
    "isopen": False,
    "acceptingapplications": False,
}
_FLAG = re.compile(r"[\"']?\b(postingAvailable)[\"']?\s*:\s*(true|false)\b")


def job_objects(tree: LexborHTMLParser) -> list[Object]:
    """The objects in the page's data that look like a posting with its text, each once."""
    found: dict[tuple[str, str], Object] = {}
    for state in _states(tree):
        for node in _objects(state):
            title, body = _title(node), _description(node)
            if title and body:
                found.setdefault((fold(title), body[:200]), node)
    return list(found.values())


def listed_titles(tree: LexborHTMLParser) -> set[str]:
    """The titles of lists of postings in the page's data, whether or not their texts are there."""
    titles: set[str] = set()
    for state in _states(tree):
        for node in _objects(state):
            keys = {_key(name) for name in node}
            named = keys & set(_keys("title")) - {"name", "text", "headline"} and keys & {
                *_keys("location"),
                *_keys("published"),
                *_keys("employment"),
                "jobid",
                "reqid",
                "requisitionid",
                "jobseqno",
            }
            if named and (title := _title(node)):
                titles.add(fold(title))
    return titles


def job_for(objects: list[Object], title: str | None) -> Object | None:
    """The object of the posting that the page is headed by; without a heading the only one."""
    if title:
        named = [node for node in objects if fold(_title(node) or "") == fold(title)]
        return named[0] if named else None
    return objects[0] if len(objects) == 1 else None


def stated(node: Object) -> Stated:
    """What the page's data says of a posting. Keys are matched without their case and separators."""
    flat = {_key(name): value for name, value in node.items()}

    def said(names: tuple[str, ...]) -> Said | None:
        for name in names:
            if text := _words(flat.get(name)):
                return Said(text, f"state.{name}")
        return None

    places: list[StatedPlace] = []
    for name in _keys("location"):
        if places:
            break
        values = flat.get(name)
        for value in values if isinstance(values, list) else [values]:
            if text := _place_words(value):
                places.append(StatedPlace(text=text, field=f"state.{name}"))
    open_flag, closed_flag = _flags(flat)
    title = _title(node)
    return Stated(
        tier=ExtractionTier.CSS_SELECTORS,
        title=Said(title, "state.title") if title else None,
        company=said(_keys("company")),
        places=tuple(places),
        work_mode=said(_keys("mode")),
        telecommute=flat.get("isremote") is True or flat.get("remote") is True,
        published=said(_keys("published")),
        valid_through=said(_keys("deadline")),
        employment_type=said(_keys("employment")),
        description_html=_description(node) or "",
        description_field="state.description",
        apply_url=said(_keys("apply")),
        open_flag=open_flag,
        closed_flag=closed_flag,
    )


def page_flag(tree: LexborHTMLParser) -> tuple[Said | None, Said | None]:
    """The status that a Workday page gives its own posting in a script: open, closed, or neither."""
    for script in tree.css("script"):
        if match := _FLAG.search(script.text(strip=False)):
            flag = Said(match.group(0), "state.postingAvailable")
            return (flag, None) if match.group(2) == "true" else (None, flag)
    return None, None


def _states(tree: LexborHTMLParser) -> Iterator[Any]:
    for script in tree.css("script"):
        kind = (script.attributes.get("type") or "").lower()
        text = script.text(strip=False)
        if "ld+json" in kind or len(text) < _SHORTEST_STATE:
            continue
        if "json" in kind:
            yield from _loaded(html.unescape(text) if "&quot;" in text else text)
            continue
        for literal in _PARSED.findall(text):
            yield from _loaded_literal(literal)
        yield from _assigned(text)
    for field in tree.css("input[type=hidden][value], [data-page], [data-props], [data-state]"):
        for name in ("value", "data-page", "data-props", "data-state"):
            value = field.attributes.get(name) or ""
            if len(value) >= _SHORTEST_STATE and value.lstrip()[:1] in ("{", "["):
                yield from _loaded(value)


def _assigned(text: str) -> Iterator[Any]:
    """Object literals in a script that are JSON, the largest parts first met."""
    decoder = json.JSONDecoder(strict=False)
    position = 0
    text = _UNDEFINED.sub("null", text)
    for _ in range(400):
        match = _START.search(text, position)
        if match is None:
            return
        try:
            value, position = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            position = match.end() + 1
            continue
        if isinstance(value, Mapping | list):
            yield value


def _loaded(text: str) -> Iterator[Any]:
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return
    if isinstance(value, str):
        yield from _loaded(value)
    elif isinstance(value, Mapping | list):
        yield value


def _loaded_literal(literal: str) -> Iterator[Any]:
    if literal.startswith("'"):
        literal = '"' + literal[1:-1].replace("\\'", "'").replace('"', '\\"').replace('\\\\"', '\\"') + '"'
    yield from _loaded(literal)


def _objects(state: Any) -> Iterator[Object]:
    stack, seen = [state], 0
    while stack and seen < _MOST_NODES:
        seen += 1
        value = stack.pop()
        if isinstance(value, Mapping):
            yield value
            stack.extend(reversed([item for item in value.values() if isinstance(item, Mapping | list)]))
        elif isinstance(value, list):
            stack.extend(reversed([item for item in value if isinstance(item, Mapping | list)]))


def _title(node: Object) -> str | None:
    flat = {_key(name): value for name, value in node.items()}
    for name in _keys("title"):
        value = flat.get(name)
        if isinstance(value, str) and 2 < len(" ".join(value.split())) <= 200 and "<" not in value:
            return html.unescape(" ".join(value.split()))
    return None


def _description(node: Object) -> str | None:
    longest = ""
    for name, value in node.items():
        if _key(name) in _keys("description"):
            text = (
                value.get("html") or value.get("text") or value.get("content") if isinstance(value, Mapping) else value
            )
            if isinstance(text, str) and len(text) > len(longest):
                longest = text
    return longest if len(longest) >= DESCRIPTION_MIN else None


def _flags(flat: Object) -> tuple[Said | None, Said | None]:
    for name, closed_value in _CLOSED_WHEN.items():
        if isinstance(value := flat.get(name), bool):
            flag = Said(f"{name}: {str(value).lower()}", f"state.{name}")
            return (None, flag) if value is closed_value else (flag, None)
    for name in ("status", "jobstatus", "poststatus", "postingstatus", "state"):
        if isinstance(value := flat.get(name), str):
            flag = Said(f"{name}: {value}", f"state.{name}")
            if value.lower() in _CLOSED_WORDS:
                return None, flag
            if value.lower() in _OPEN_WORDS:
                return flag, None
    return None, None


def _words(value: Any) -> str | None:
    """What a field says, whatever it is wrapped in."""
    if isinstance(value, list):
        parts = [text for item in value if (text := _words(item))]
        return ", ".join(dict.fromkeys(parts)) or None
    if isinstance(value, Mapping):
        flat = {_key(name): item for name, item in value.items()}
        for name in (
            "datetimeutc",
            "datetime",
            "date",
            "iso",
            "label",
            "name",
            "displayname",
            "text",
            "value",
            "title",
            "type",
        ):
            if text := _words(flat.get(name)):
                return text
        return next((text for item in flat.values() if isinstance(item, list) and (text := _words(item))), None)
    if isinstance(value, bool) or value is None:
        return None
    text = " ".join(str(value).split())
    return text if 0 < len(text) <= 200 else None


def _place_words(value: Any) -> str | None:
    if isinstance(value, Mapping):
        flat = {_key(name): item for name, item in value.items()}
        parts = [
            _words(flat.get(name))
            for name in ("city", "addresslocality", "state", "region", "addressregion", "country", "addresscountry")
        ]
        if any(parts):
            return ", ".join(dict.fromkeys(part for part in parts if part))
    return _words(value)


def _keys(fact: str) -> tuple[str, ...]:
    return sections("state_keys")[fact]


def _key(name: str) -> str:
    return name.partition("(")[0].replace("_", "").replace("-", "").replace(" ", "").lower()
