"""Which characters the shipped fonts can draw. `fonts/coverage.json` lists them: no font is parsed to know."""

from __future__ import annotations

import bisect
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from jobctrl.errors import MaterialRejected
from jobctrl.materials.layout import Printed

FAMILIES = ("Noto Sans", "Droid Sans Fallback", "Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Math")
"""In the order they are asked for a glyph."""


def fonts_folder() -> Path:
    """Where the shipped fonts lie."""
    return Path(str(files("jobctrl.materials") / "fonts"))


@cache
def _ranges() -> tuple[list[int], list[int]]:
    """First and last code point of each stretch that some shipped font covers, in order."""
    ranges = msgspec.json.decode((fonts_folder() / "coverage.json").read_bytes(), type=list[tuple[int, int]])
    return [first for first, _ in ranges], [last for _, last in ranges]


def can_draw(character: str) -> bool:
    """Whether some shipped font has a glyph for *character*."""
    firsts, lasts = _ranges()
    place = bisect.bisect_right(firsts, ord(character)) - 1
    return place >= 0 and ord(character) <= lasts[place]


def missing(text: str) -> tuple[str, ...]:
    """The characters of *text* that no shipped font can draw, once each, in order."""
    return tuple(dict.fromkeys(c for c in text if not c.isspace() and not can_draw(c)))


def require_glyphs(printed: Iterable[Printed]) -> None:
    """Refuse a page on which a character would come out as a box or as nothing. Raises MaterialRejected."""
    items = tuple(printed)
    # A page has few different characters: they are looked up once, not in every text.
    if not missing("".join(set().union(*(item.text for item in items)))):
        return
    wrong = [(item.field, gone) for item in items if (gone := missing(item.text))]
    listed = "; ".join(f"{field}: {', '.join(_describe(c) for c in gone)}" for field, gone in wrong[:6])
    raise MaterialRejected(
        f"no shipped font has a glyph for: {listed}",
        hint="write these words with other characters (emoji and right-to-left scripts cannot be printed)",
    )


def _describe(character: str) -> str:
    return f"{character!r} (U+{ord(character):04X} {unicodedata.name(character, 'unnamed')})"
