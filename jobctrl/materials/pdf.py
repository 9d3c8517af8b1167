"""Resumes and letters as PDF files: tagged, searchable, with embedded fonts, the same bytes for the same input."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec

from jobctrl.errors import MaterialRejected
from jobctrl.ids import sha256
from jobctrl.materials.glyphs import FAMILIES, fonts_folder, require_glyphs
from jobctrl.materials.layout import Page, letter_page, resume_page
from jobctrl.materials.model import Letter, Pdf, Style, TailoredResume
from jobctrl.materials.readback import ReadPage, count_pages, read_pages, require_readable
from jobctrl.profile.model import Profile

if TYPE_CHECKING:
    from typst import Fonts

LETTER_SIZES = (11.0, 10.5, 10.0)
_NEARLY = 1.03
"""Words that seem to need this much of a page are still worth a try: some paragraphs lose a nearly empty last line."""


def render_resume(resume: TailoredResume, profile: Profile, *, style: Style = Style()) -> Pdf:
    """The resume on one page if that can be read, on two otherwise, read back and compared with its text.

    Raises MaterialRejected when a character has no glyph, the text does not fit, or the file does not read as written.
    """
    return _render("resume.typ", resume_page(resume, profile, style), style, what="the resume")


def render_letter(letter: Letter, profile: Profile, *, style: Style = Style(sizes=LETTER_SIZES, max_pages=1)) -> Pdf:
    """The letter on one page, read back and compared with its text. Raises MaterialRejected as for a resume."""
    return _render("letter.typ", letter_page(letter, profile, style), style, what="the letter")


def _render(template: str, page: Page, style: Style, *, what: str) -> Pdf:
    require_glyphs(page.printed)
    fitting: Pdf | None = None
    read: tuple[ReadPage, ...] = ()
    count = 0
    for size in style.sizes:
        if fitting is None or _may_fit_one(read, size / fitting.size):
            content = _compile(template, page, size)
            count = count_pages(content)
            if count == 1 or (count <= style.max_pages and fitting is None):
                read = read_pages(content)
                fitting = Pdf(content, count, require_readable(read, page.printed), sha256(content), size)
        if fitting is not None and (fitting.pages == 1 or size <= style.one_page_from):
            return fitting
    if fitting is not None:
        return fitting
    raise MaterialRejected(
        f"{what} needs {count} pages even in {style.sizes[-1]:g} pt type; {style.max_pages} are allowed",
        hint="allow fewer bullets a position (tailoring.max_experience_bullets) or shorten the longest ones",
    )


def _may_fit_one(pages: Sequence[ReadPage], shrunk: float) -> bool:
    """Whether what stands on *pages* is little enough for one of them, in type that is smaller by the factor."""
    heights = [top - bottom for _, bottom, _, top in (page.ink for page in pages)]
    # The foot is as wide as the head. Lines get lower, and fewer, as more words go into each.
    room = 2 * pages[0].ink[3] - pages[0].height
    return sum(heights) * shrunk**2 <= room * _NEARLY


def _compile(template: str, page: Page, size: float) -> bytes:
    import typst

    data = msgspec.json.encode({**page.data, "size": size, "fonts": FAMILIES}).decode()
    # A compiler of its own for each call: it is cheap, and rendering threads share nothing but the fonts.
    compiler = typst.Compiler(_template(template), font_paths=_fonts(), sys_inputs={"data": data})
    content = compiler.compile(format="pdf", pdf_standards="ua-1")
    assert isinstance(content, bytes)  # a list comes with page images only
    return content


@cache
def _template(name: str) -> bytes:
    return (files("jobctrl.materials") / "templates" / name).read_bytes()


@cache
def _fonts() -> Fonts:
    import typst

    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(fonts_folder())])
