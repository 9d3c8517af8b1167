"""Positions and schools out of the lines of their section: where an entry begins, and what its header says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from jobctrl.profile.dates import Period, read_date, read_period
from jobctrl.profile.text import slug
from jobctrl.profile.titles import CORPORATE_SUFFIXES, TITLE_RANKS, TITLE_ROLES

LONG_LINE = 110
"""A line longer than this is a bullet though it bears no mark."""

_MARK = re.compile(r"^(?:[•◦▪‣●○■□➢►▸∙*·]|[-–—](?=\s))\s*")
_DURATION = re.compile(r"\(?\d+\s+(?:years?|yrs?|months?|mos?)(?:[\s,]+\d+\s+(?:months?|mos?))?\)?", re.IGNORECASE)
_MORE_ROLES = (
    "intern trainee fellow associate assistant lead head apprentice werkstudent praktikant praktikantin entwickler "
    "entwicklerin ingenieur ingenieurin ingénieur développeur ingeniero desarrollador leiter leiterin berater "
    "programista inżynier analityk kierownik"
)
_ROLE_WORDS = TITLE_ROLES | frozenset(_MORE_ROLES.split())
_DEGREE = re.compile(
    r"\b(?:ph\.?\s?d\.?|[bm]\.?\s?sc\.?|[bm]\.?\s?eng\.?|[bm]\.?\s?a\.|ba|ma|bs|ms|mba|m\.?d\.?|bachelor\w*|master\w*|doctor\w*|"
    r"diplom\w*|licen[cs]\w*|magister|inżynier|associate|a-levels?|abitur|laurea|grado|máster|certificate)(?!\w)",
    re.IGNORECASE,
)
_SCHOOL = re.compile(
    r"universi|college|school|institut|academy|akademi|hochschule|politechni|polytechni|école|escuela|faculty|gymnasium|"
    r"liceum|大学|大學|\bagh\b|\beth\b|\bmit\b|\btu\b",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s+[—–|·•@]\s+|\s+-\s+")
_AT = re.compile(r"\s+at\s+(?=[A-Z])")
_PLACE = re.compile(r"[^\W\d][\w .'’\-]{1,40},\s*(?:[A-Z]{2}|[A-ZÀ-Ž][\w .'’\-]{2,40})|remote|hybrid", re.IGNORECASE)


@dataclass
class _Block:
    """The lines of one entry: what stands above its bullets (or beside them), and the bullets."""

    header: list[str] = field(default_factory=list)
    bullets: list[str] = field(default_factory=list)


def read_experience(lines: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """The positions in *lines*, and notes on what we could not read."""
    entries, notes = [], []
    taken: set[str] = set()
    for block in _blocks(lines, read_period):
        period, header, said = _dated(block.header, read_period)
        bullets = block.bullets or said
        title, company, location = _position(header)
        if not title and not company:
            continue
        entry: dict[str, Any] = {"id": slug(f"{company} {title}", taken), "title": title, "company": company}
        entry["start"], entry["end"] = (period.start, period.end) if period else ("", "")
        entry["location"] = location
        entry["bullets"] = [{"id": f"{entry['id']}.{n}", "text": text} for n, text in enumerate(bullets, start=1)]
        if said and block.bullets:
            entry["description"] = " ".join(said)
        entries.append(entry)
        name = f"{title or company!r}"
        if period is None:
            notes.append(f"we could not read the dates of {name}: write its start and end as YYYY-MM")
        if not title or not company:
            gap = "title" if not title else "employer"
            notes.append(f"we could not read the {gap} of {name}: write it under resume.experience")
    return entries, notes


def read_education(lines: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """The schools in *lines*, and notes on what we could not read."""
    entries, notes = [], []
    taken: set[str] = set()
    for block in _blocks(lines, _any_date):
        period, header, _ = _dated(block.header, _any_date)
        degree, institution, location = _studies(header)
        if not degree or not institution:
            if header:
                notes.append(f"we could not read the degree and the school in {', '.join(header)!r}")
            continue
        entry: dict[str, Any] = {
            "id": slug(f"{institution} {degree}", taken),
            "degree": degree,
            "institution": institution,
            "location": location,
            "date": (period.end or period.start) if period else "",
        }
        if block.bullets:
            entry["details"] = block.bullets
        entries.append(entry)
    return entries, notes


# --- where an entry begins -----------------------------------------------------------------------------------------

_Reader = Callable[[str], Period | None]


def _any_date(text: str) -> Period | None:
    return read_period(text) or read_date(text)


def _blocks(lines: Sequence[str], dates: _Reader) -> list[_Block]:
    """The entries of a section, whether their dates stand above the bullets or below them."""
    runs = _runs(lines)
    dated = [bool(header) and any(dates(line) for line in header) for header, _ in runs]
    below = len(runs) > 1 and not dated[0] and any(dated[1:])
    blocks: list[_Block] = []
    for header, bullets in runs:
        if below and blocks:
            at = max((n + 1 for n, line in enumerate(header) if dates(line) or _DURATION.fullmatch(line)), default=0)
            blocks[-1].header += header[:at]
            header = header[at:]
        if header or not blocks:
            blocks += [_Block(part) for part in (_split(header, dates) if header and not below else [header])]
        blocks[-1].bullets += bullets
    return blocks


def _runs(lines: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Alternating header lines and bullets; a bullet's further lines are joined to it."""
    runs: list[tuple[list[str], list[str]]] = []
    width = max((len(line) for line in lines), default=0)
    last = ""
    for line in lines:
        text = line.strip()
        marked = _MARK.match(text)
        if marked or len(text) > LONG_LINE:
            if not runs:
                runs.append(([], []))
            runs[-1][1].append(text[marked.end() :].strip() if marked else text)
        elif runs and runs[-1][1] and (not runs[-1][1][-1] or _goes_on(last, line, width)):
            runs[-1][1][-1] = _join(runs[-1][1][-1], text)
        elif runs and not runs[-1][1]:
            runs[-1][0].append(text)
        else:
            runs.append(([text], []))
        last = line
    return [(header, [bullet for bullet in bullets if bullet]) for header, bullets in runs]


def _goes_on(last: str, line: str, width: int) -> bool:
    """Whether *line* continues the bullet whose last line is *last*."""
    text = line.strip()
    if _PLACE.fullmatch(text) or (_any_date(text) and len(text) < 40):
        return False
    if text[0].islower() or text[0] in ")]%&+":
        return True
    if last.rstrip().endswith((".", "!", "?", ";", "。")):
        return False
    # Some programs leave the space at which they broke the line; otherwise a full line is the sign.
    return last.endswith(" ") or (len(last) >= 0.85 * width and not _has_role(text))


def _join(left: str, right: str) -> str:
    """Two parts of a line; the hyphen of a word broken by the typesetter goes."""
    if re.search(r"[^\W\d_]{2,}-$", left) and right[0].islower():
        return left[:-1] + right
    return f"{left} {right}".strip()


def _split(header: list[str], dates: _Reader) -> list[list[str]]:
    """The headers of several entries that stand together without bullets."""
    dated = [at for at, line in enumerate(header) if dates(line)]
    if len(dated) < 2:
        return [header]
    before = dated[0]
    starts = [0, *(max(at - before, 1) for at in dated[1:])]
    return [header[start:end] for start, end in zip(starts, [*starts[1:], len(header)], strict=True)]


# --- what a header says --------------------------------------------------------------------------------------------


def _dated(header: Sequence[str], dates: _Reader) -> tuple[Period | None, list[str], list[str]]:
    """The dates of a header, what is left of its lines, and the sentences among them."""
    found: Period | None = None
    rest, said = [], []
    for line in header:
        period = dates(line) if found is None else None
        if period:
            found = period
            line = line[: period.span[0]] + " " + line[period.span[1] :]
        line = re.sub(r"^[\s,|–—•·(-]+|[\s,|–—•·(-]+$", "", _DURATION.sub("", line)).replace("()", "").strip()
        if line.endswith(".") and len(line.split()) > 5:
            said.append(line)
        elif line:
            rest.append(line)
    return found, rest, said


def _has_role(text: str) -> bool:
    return any(word.casefold().rstrip("s") in _ROLE_WORDS for word in re.findall(r"[^\W\d_]+", text))


def _title_strength(text: str) -> int:
    """How much *text* looks like a title: the noun of a role at its end, a rank, or such a noun anywhere."""
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
    if not _has_role(text):
        return 0
    return 1 + (words[-1] in _ROLE_WORDS) + any(word in TITLE_RANKS for word in words)


def _position(header: Sequence[str]) -> tuple[str, str, str]:
    """Title, employer and place of a header's lines; empty where we could not read it."""
    lines = [part for line in header for part in (_AT.split(line, maxsplit=1) if _has_role(line) else [line])]
    pieces = [piece.strip() for line in lines for piece in _SEPARATOR.split(line) if piece.strip()]
    location = next((piece for piece in pieces if _PLACE.fullmatch(piece) and not _has_role(piece)), "")
    rest = [piece for piece in pieces if piece != location]
    title = max(rest, key=_title_strength, default="")
    if not _title_strength(title):
        title, company = (rest[0], rest[1]) if len(rest) > 1 else ("", rest[0] if rest else "")
        if not company and location:
            company, _, location = (part.strip() for part in location.partition(","))
        return title, company, location
    others = [piece for piece in rest if piece != title]
    if not others and location and "," in location and "," not in title:
        # `Employer, City` looks like a place: without another line it is the employer.
        others, location = [location], ""
    if not others and "," in title:
        title, others = _title_among(_commas(title))
    company = others[0] if others else ""
    if not location and len(_commas(company)) > 1:
        first, *tail = _commas(company)
        company, location = first, ", ".join(tail)
    return title, company, location


def _commas(text: str) -> list[str]:
    """*text* cut at its commas, but not before `Inc.` or the like."""
    parts: list[str] = []
    for part in re.split(r",\s+", text):
        if parts and part.rstrip(".") in {suffix.rstrip(".") for suffix in CORPORATE_SUFFIXES}:
            parts[-1] += f", {part}"
        else:
            parts.append(part)
    return parts


def _title_among(parts: Sequence[str]) -> tuple[str, list[str]]:
    at = max(range(len(parts)), key=lambda n: (_title_strength(parts[n]), -n))
    return parts[at], [part for n, part in enumerate(parts) if n != at]


def _studies(header: Sequence[str]) -> tuple[str, str, str]:
    """Degree, school and place of a header's lines; empty where we could not read it."""
    pieces = [piece.strip() for line in header for piece in _SEPARATOR.split(line) if piece.strip()]
    location = next((p for p in pieces if _PLACE.fullmatch(p) and not _SCHOOL.search(p) and not _DEGREE.search(p)), "")
    parts = [part for piece in pieces if piece != location for part in _commas(piece)]
    school = next((part for part in parts if _SCHOOL.search(part)), "")
    degrees = [part for part in parts if part != school and _DEGREE.search(part)]
    if school and (lead := _DEGREE.match(school)) and not degrees:
        # `PhD Some University, Subject`
        degrees, school = [lead[0]], school[lead.end() :].strip()
        parts = [part if part != f"{lead[0]} {school}" else school for part in parts]
        degrees += [part for part in parts if part != school][:1]
    if not school:
        school = next((part for part in parts if part not in degrees), "")
    if not degrees:
        degrees = [part for part in parts if part != school][:1]
    rest = [part for part in parts if part != school and part not in degrees]
    return ", ".join(degrees), school, location or ", ".join(rest)
