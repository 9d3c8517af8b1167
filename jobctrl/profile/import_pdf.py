"""A resume PDF read into the draft of a profile. Nothing is saved: the person looks it over first."""

from __future__ import annotations

import io
from dataclasses import dataclass

from jobctrl.errors import InvalidRequest
from jobctrl.profile.model import Profile
from jobctrl.profile.resume_text import clean_lines, document_from_lines
from jobctrl.profile.rules import read_profile

MAX_BYTES = 12 * 1024 * 1024
MAX_PAGES = 40
FEWEST_CHARACTERS = 40
PREVIEW_LINES = 80
PREVIEW_CHARACTERS = 6000
_LETTER_PAPER = (612.0, 792.0)
_NEAR = 60.0
"""Points by which both sides together may differ from US letter paper."""


@dataclass(frozen=True)
class Draft:
    """What could be read of a resume."""

    document: dict[str, object]
    """The profile document, with gaps where nothing could be read."""
    profile: Profile | None
    """The profile, when the document is complete enough to be one."""
    notes: tuple[str, ...]
    """What we could not read, for the person to look at."""
    preview: str
    paper: str
    """`us-letter` or `a4`."""


def read_resume_pdf(content: bytes) -> Draft:
    """The draft that a resume PDF gives. Raises InvalidRequest, saying what we could not read and what helps."""
    text, paper = _extract(content)
    lines = clean_lines(text)
    if sum(map(len, lines)) < FEWEST_CHARACTERS:
        raise InvalidRequest(
            "we could not read any text in this PDF: it seems to be a scan or a picture",
            hint="export the resume as a PDF from the program it was written in, or write the profile as a file",
        )
    document, notes = document_from_lines(lines)
    profile, problems = read_profile(document)
    notes += [f"{problem.path}: {problem.wrong}; {problem.write}" for problem in problems]
    preview = "\n".join(lines[:PREVIEW_LINES])[:PREVIEW_CHARACTERS]
    return Draft(document, profile, tuple(dict.fromkeys(notes)), preview, paper)


def _extract(content: bytes) -> tuple[str, str]:
    if len(content) > MAX_BYTES:
        raise InvalidRequest(
            f"this file has {len(content) / 2**20:.0f} MiB; we read resumes of up to {MAX_BYTES // 2**20} MiB",
            hint="export it without large pictures",
        )
    if b"%PDF" not in content[:1024]:
        raise InvalidRequest("we could not find a PDF in this file", hint="choose the resume as a .pdf file")
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InvalidRequest(
                "we could not open this PDF: it asks for a password", hint="save it without a password"
            )
        pages = reader.pages[:MAX_PAGES]
        text = "\n".join(page.extract_text() for page in pages)
        box = pages[0].mediabox if pages else None
    # A damaged file makes pypdf raise errors of every kind: for the person they all mean the same.
    except (PyPdfError, DependencyError, ValueError, TypeError, KeyError, IndexError, AttributeError) as failed:
        raise InvalidRequest(
            f"we could not read this PDF ({type(failed).__name__}): it seems to be damaged", hint="export it once more"
        ) from failed
    off = abs(float(box.width) - _LETTER_PAPER[0]) + abs(float(box.height) - _LETTER_PAPER[1]) if box else _NEAR
    return text, "us-letter" if off < _NEAR else "a4"
