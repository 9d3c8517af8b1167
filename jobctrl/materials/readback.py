"""Reading a PDF back, to know that a machine finds on the page what a person wrote."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from jobctrl.errors import MaterialRejected
from jobctrl.materials.layout import Printed

_MARGIN = 1.0
"""Points by which ink may stand over before it counts as clipped."""


_BROKEN_HYPHENS = str.maketrans({"\x02": "-\n", "\ufffe": "-\n"})
"""PDFium takes a hyphen at the end of a line for one that the typesetter put there; ours puts none."""
_PDFIUM = threading.Lock()
"""PDFium must not be entered by two threads at once."""


@dataclass(frozen=True)
class ReadPage:
    width: float
    height: float
    text: str
    ink: tuple[float, float, float, float]
    """Left, bottom, right and top of all glyphs; zeros on an empty page."""


def count_pages(content: bytes) -> int:
    """How many pages a PDF has, without reading any of them."""
    import pypdfium2

    with _PDFIUM, pypdfium2.PdfDocument(content) as document:
        return len(document)


def read_pages(content: bytes) -> tuple[ReadPage, ...]:
    """The text and the extent of the ink of each page."""
    import pypdfium2
    from pypdfium2 import raw

    pages = []
    with _PDFIUM, pypdfium2.PdfDocument(content) as document:
        for page in document:
            text = page.get_textpage()
            boxes = [text.get_rect(i) for i in range(text.count_rects())]
            ink = (
                (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
                if boxes
                else (0.0, 0.0, 0.0, 0.0)
            )
            words = text.get_text_bounded().translate(_BROKEN_HYPHENS)
            pages.append(ReadPage(raw.FPDF_GetPageWidthF(page), raw.FPDF_GetPageHeightF(page), words, ink))
    return tuple(pages)


def require_readable(pages: Sequence[ReadPage], printed: Sequence[Printed]) -> str:
    """The text of the file, when every printed text stands in it, in order and undamaged. Raises MaterialRejected."""
    text = "\n".join(page.text for page in pages)
    if "\x00" in text or "\ufffd" in text:
        raise MaterialRejected(
            "the rendered PDF holds a character without a glyph", hint="report the text that was used"
        )
    for number, page in enumerate(pages, start=1):
        left, bottom, right, top = page.ink
        if left < -_MARGIN or bottom < -_MARGIN or right > page.width + _MARGIN or top > page.height + _MARGIN:
            raise MaterialRejected(
                f"text runs over the edge of page {number}", hint="shorten the longest word or address on that page"
            )
    _find_in_order(text, printed)
    return text


def _find_in_order(text: str, printed: Sequence[Printed]) -> None:
    letters, gaps = _condensed(text)
    at = 0
    for item in printed:
        wanted, wanted_gaps = _condensed(item.text)
        found = letters.find(wanted, at)
        if found < 0:
            where = "out of order" if wanted in letters else "missing or damaged"
            raise MaterialRejected(f"{item.field} is {where} in the rendered PDF: {item.text[:80]!r}")
        found_gaps = gaps[found : found + len(wanted)]
        if wanted_gaps[1:] != found_gaps[1:] and any(
            _damaged(wanted, wanted_gaps, found_gaps, i) for i in range(1, len(wanted))
        ):
            raise MaterialRejected(f"{item.field} has stray or lost spaces in the rendered PDF: {item.text[:80]!r}")
        at = found + len(wanted)


def _damaged(letters: str, wanted: str, found: str, at: int) -> bool:
    """Whether a space has appeared or vanished before a letter. A line may be broken anywhere the typesetter likes,
    and beside a mark that is drawn over a letter the reader itself is unsure."""
    if found[at] == "n" or unicodedata.combining(letters[at]) or unicodedata.combining(letters[at - 1]):
        return False
    return (wanted[at] == " ") != (found[at] == " ")


def _condensed(text: str) -> tuple[str, str]:
    """The visible characters of *text*, and for each what stands before it: `.` nothing, a space, or `n` a new line."""
    words: list[str] = []
    gaps: list[str] = []
    for line in re.split(r"[\r\n]", unicodedata.normalize("NFKC", text).replace("\u2010", "-")):
        gap = "n"
        for word in line.split():
            if not word.isprintable():
                word = "".join(c for c in word if unicodedata.category(c) not in ("Cf", "Cc"))
            if word:
                words.append(word)
                gaps.append(gap + "." * (len(word) - 1))
                gap = " "
    return "".join(words), "".join(gaps)
