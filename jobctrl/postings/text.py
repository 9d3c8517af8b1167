"""Posting text made readable: HTML to lines, escaped bodies, broken encodings, and the folded form for matching."""

from __future__ import annotations

import html
import re
import unicodedata

from selectolax.lexbor import LexborHTMLParser

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ESCAPED_TAG = re.compile(r"&(?:amp;)*lt;/?[a-zA-Z!]")
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{2,6}|#x[0-9a-fA-F]{2,5});")
_BLOCK = re.compile(
    r"(<(?:/?(?:p|div|ul|ol|li|dl|dt|dd|table|tr|td|th|h[1-6]|section|article|header|footer|main|aside|nav|form|blockquote"
    r"|pre|figure|address|fieldset|option|button)|br|hr)\b[^>]*>)",
    re.IGNORECASE,
)
_UNSPOKEN = ["script", "style", "noscript", "template", "svg", "head"]
_HAS_UNSPOKEN = re.compile(r"<(?:script|style|noscript|template|svg|head)\b", re.IGNORECASE)
_BREAK = "\x1e"
_BULLET = "\x1f"
_ITEM_TAGS = frozenset(("li", "LI", "Li"))
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_SPACES = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
# UTF-8 read as Latin-1 or Windows-1252: a lead byte shown as a letter, then a character no language has there.
_MOJIBAKE = re.compile(
    r"[\u00c2-\u00f4][\u0080-\u00bf\u20ac\u201a-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u02c6\u02dc\u2013\u2014\u2018\u2019\u201c\u201d\u2122]"
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
    markup = unescape_html(markup)
    if not _TAG.search(markup):
        return _lines(html.unescape(markup) if "&" in markup else markup, "\n")
    # Splitting and joining is three times as fast as a substitution with a template.
    pieces = _BLOCK.split(markup)
    pieces[1::2] = [tag + (_BREAK + _BULLET if tag[1:3] in _ITEM_TAGS else _BREAK) for tag in pieces[1::2]]
    marked = "".join(pieces)
    tree = LexborHTMLParser(marked)
    if _HAS_UNSPOKEN.search(markup):
        tree.strip_tags(_UNSPOKEN)
    body = tree.body or tree.root
    text = body.text() if body is not None else ""
    # Boards that escape their text before they escape the whole leave entities in what should be words.
    return _lines(html.unescape(text) if _ENTITY.search(text) else text, _BREAK)


def repair(text: str) -> str:
    """Mojibake read back, composed letters, plain spaces, no invisible characters."""
    if text.isascii():
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


def _lines(text: str, separator: str) -> str:
    lines = []
    bullet = False
    for piece in text.split(separator):
        line = " ".join(piece.split())
        if not line and _BULLET not in piece:
            continue
        # A break inside an item leaves its mark on a line of its own; the words follow.
        if piece[:1] == _BULLET:
            bullet = True
            line = line.lstrip(f"{_BULLET} ")
        if line:
            lines.append(f"- {line}" if bullet else line)
            bullet = False
    return "\n".join(lines)
