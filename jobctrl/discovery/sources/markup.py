"""XML feeds of boards, read without what makes XML dangerous."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.parsers import expat

from jobctrl.discovery.model import Source
from jobctrl.discovery.sources.wire import describe_text, unexpected


class _Doctype(Exception):
    """The document declares a type, and with it may declare entities."""


def parse_xml(body: bytes, source: Source, expected: str) -> ElementTree.Element:
    """The root of the feed. Raises SourceUnavailable when the body is no XML or declares entities of its own."""
    try:
        _refuse_doctype(body)
        return ElementTree.fromstring(body)
    except _Doctype:
        raise unexpected(source, expected, "a document with a DOCTYPE, which is not read for safety") from None
    except (expat.ExpatError, ElementTree.ParseError, ValueError, LookupError) as fault:
        text = body[:4000].decode("utf-8", "replace")
        raise unexpected(source, expected, describe_text(text, str(fault))) from fault


def name_of(element: ElementTree.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def text_of(element: ElementTree.Element, *path: str) -> str | None:
    """The text of the first element under *path*, whatever its namespace."""
    for name in path:
        found = next((child for child in element if name_of(child) == name), None)
        if found is None:
            return None
        element = found
    return "".join(element.itertext()) or None


def all_of(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """The children of that name, whatever their namespace."""
    return [child for child in element if name_of(child) == name]


def _refuse_doctype(body: bytes) -> None:
    def refuse(*declaration: object) -> None:
        raise _Doctype

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(body, True)
