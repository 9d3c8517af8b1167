"""Posting text made readable: HTML to lines, escaped bodies, broken encodings, and the folded form for matching."""

from __future__ import annotations

import html
import re
import unicodedata

from selectolax.lexbor import LexborHTMLParser

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ESCAPED_TAG = re.compile(r"&(?:amp;)*lt;/?[a-zA-Z!]")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,5});")
# Block tags, the frequent ones first. Only the sign before the name is taken, so that the mark is put in by the fast
# kind of substitution, whose replacement is plain text.
_BLOCK = re.compile(
    r"<(?=/?(?:li|p|br|div|ul|h[1-6]|ol|dl|dt|dd|table|tr|td|th|section|article|header|footer|main|aside|nav|form"
    r"|blockquote|pre|figure|address|fieldset|option|button|hr)\b)",
    re.IGNORECASE | re.ASCII,
)
_ITEM = re.compile(r"<(?=li\b)", re.IGNORECASE | re.ASCII)
_UNSPOKEN = ["script", "style", "noscript", "template", "svg", "head"]
_MAY_BE_UNSPOKEN = re.compile(r"<[snth](?:cript|tyle|vg|oscript|emplate|ead)", re.IGNORECASE | re.ASCII)
_BREAK = "\x1e"
_BULLET = "\x1f"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_ASCII_SPACES = "\t\n\r\x0b\x0c\x1c\x1d"
_ALL_SPACES = _ASCII_SPACES + _SPACES + "\x85\u1680\u2028\u2029"
_UNUSUAL = re.compile("[^\x00-\x7f\u2019\u2018\u201c\u201d\u2013\u2014\u2022\u00b7\u2026]")
"""Letters and signs that English text does without: one search tells that it needs no repair."""
# UTF-8 read as Latin-1 or Windows-1252: a lead byte shown as a letter, then a character no language has there.
_CONTINUATION = (
    "[\u0080-\u00bf\u20ac\u201a-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u02c6\u02dc"
    "\u2013\u2014\u2018\u2019\u201c\u201d\u2122]"
)
# As many of them as the lead byte asks for: "publié »" is French. Only "â" is met with one, when the other was lost.
_MOJIBAKE = re.compile(
    f"[\u00c2-\u00df\u00e2]{_CONTINUATION}|[\u00e0-\u00ef]{_CONTINUATION}{{2}}|[\u00f0-\u00f4]{_CONTINUATION}{{3}}"
)
_QUOTES = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "‚": "'",
        "‛": "'",
        "ʼ": "'",
        "´": "'",
        "`": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
    }
)


def unescape_html(markup: str) -> str:
    """HTML whose tags were escaped, once or twice, as some boards send it; real HTML comes back unchanged."""
    for _ in range(3):
        if _TAG.search(markup) or not _ESCAPED_TAG.search(markup):
            break
        markup = html.unescape(markup)
    return markup


def html_to_text(markup: str) -> str:
    """The words a reader sees: one line a block, `- ` before list items, no scripts, entities as characters."""
    markup = unescape_html(markup).replace(_BREAK, " ").replace(_BULLET, " ")
    if not _TAG.search(markup):
        return _lines((html.unescape(markup) if "&" in markup else markup).replace("\n", _BREAK))
    marked = _ITEM.sub(_BULLET + "<", _BLOCK.sub(_BREAK + "<", markup))
    tree = LexborHTMLParser(marked)
    if _MAY_BE_UNSPOKEN.search(markup):
        tree.strip_tags(_UNSPOKEN)
    body = tree.body or tree.root
    text = body.text() if body is not None else ""
    # Boards that escape their text before they escape the whole leave entities in what should be words.
    return _lines(html.unescape(text) if "&" in text and _ENTITY.search(text) else text)


def repair(text: str) -> str:
    """Mojibake read back, composed letters, plain spaces, no invisible characters."""
    if text.isascii() or not _UNUSUAL.search(text):
        return text
    if _MOJIBAKE.search(text):
        import ftfy

        text = ftfy.fix_encoding(text)
    # A search and a copy for each character that occurs is many times as fast as one translation.
    for character in _INVISIBLE:
        text = text.replace(character, "")
    for character in _SPACES:
        text = text.replace(character, " ")
    return unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The form for matching: compatibility letters and curly quotes made plain, case gone."""
    return unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()


def _lines(text: str) -> str:
    """The lines of a text in which breaks and bullets are marked."""
    # One pass over all of it for each kind of space costs less than taking every line apart.
    for space in _ASCII_SPACES if text.isascii() else _ALL_SPACES:
        text = text.replace(space, " ")
    lines = []
    bullet = False
    for piece in text.split(_BREAK):
        # A break inside an item leaves its mark on a line of its own; the words follow.
        if piece[:1] == _BULLET:
            bullet = True
        if line := piece.strip():
            if "  " in line:
                line = " ".join(line.split())
            lines.append(f"- {line}" if bullet else line)
            bullet = False
    return "\n".join(lines)
