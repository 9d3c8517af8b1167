"""Bytes to text, whatever the sender declared."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.I)
_IN_MARKUP = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]+)|<\?xml[^>]{0,100}?encoding=[\"']([\w.:-]+)", re.I
)
# Browsers read these labels as windows-1252, which is what such pages really hold.
_LATIN = {"iso-8859-1", "iso8859-1", "latin-1", "latin1", "ascii", "us-ascii"}
_NO_CHARSET = {"undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "mbcs", "oem"}
# Letters of these stand as ASCII or NUL bytes, so that the bytes are valid UTF-8 as well.
_LOOKS_LIKE_ASCII = ("iso2022", "hz", "utf-16", "utf-32")


def decode(body: bytes, content_type: str) -> str:
    """The text of *body*: by its byte order mark, the header, the markup, UTF-8, then windows-1252. Never fails.

    Bytes that are valid UTF-8 are read as that even when another charset is declared: text of another charset is
    hardly ever valid UTF-8 by accident, while wrong declarations are common.
    """
    for mark, charset in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, "replace")
    declared = list(_declared(body, content_type))
    plain = [name for name in declared if not name.startswith(_LOOKS_LIKE_ASCII)]
    special = [name for name in declared if name.startswith(_LOOKS_LIKE_ASCII) and _fits(name, body)]
    for charset in [*special, "utf-8", *plain]:
        try:
            return body.decode(charset)
        except UnicodeDecodeError:
            continue
    # A page cut in the middle of a letter, or with a few stray bytes, is still UTF-8 when most of its letters are.
    lenient = body.decode("utf-8", "replace")
    if lenient.count("\N{REPLACEMENT CHARACTER}") * 20 < sum(not letter.isascii() for letter in lenient):
        return lenient
    return body.decode(plain[0] if plain and plain[0] != "utf-8" else "cp1252", "replace")


def _declared(body: bytes, content_type: str) -> Iterator[str]:
    if found := _IN_HEADER.search(content_type or ""):
        yield from _known(found.group(1))
    if found_bytes := _IN_MARKUP.search(body[:4096]):
        yield from _known((found_bytes.group(1) or found_bytes.group(2)).decode("ascii", "ignore"))


def _known(label: str) -> Iterator[str]:
    """The codec a label names; nothing for a made-up label and for codecs that are no charset (`hex`, `zip`)."""
    if label.lower() in _LATIN:
        yield "cp1252"
        return
    try:
        name = codecs.lookup(label).name
        b"".decode(name)
    except (LookupError, ValueError, UnicodeError):
        return
    if name not in _NO_CHARSET:
        yield name


def _fits(charset: str, body: bytes) -> bool:
    if charset.startswith("utf-"):
        return b"\0" in body[:1024]
    return b"\x1b" in body or b"~{" in body
