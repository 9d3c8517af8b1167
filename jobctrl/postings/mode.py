"""Remote, hybrid or on-site: what a text states about where the work is done, and what only uses the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import AnyStr

from jobctrl.postings.mode_words import (
    LINE_HYBRID,
    LINE_ON_SITE,
    LINE_REMOTE,
    PROSE_HYBRID,
    PROSE_ON_SITE,
    PROSE_REMOTE,
    UNSPACED_HYBRID,
    UNSPACED_ON_SITE,
    UNSPACED_REMOTE,
)
from jobctrl.postings.model import Span, WorkMode


@dataclass(frozen=True)
class ModeStatement:
    """One statement of a work mode; `positive` is false for "not remote"."""

    mode: WorkMode
    span: Span
    positive: bool = True


# A letter of a script that parts its words by blanks: "分布式remote办公" has the word too.
_LETTER = r"[^\W\u3040-\u30ff\u3400-\u9fff]"
_LINE = re.compile(
    rf"(?<!{_LETTER})(?:(?P<hybrid>{LINE_HYBRID})|(?P<remote>{LINE_REMOTE})|(?P<on_site>{LINE_ON_SITE}))(?!{_LETTER})"
    rf"|(?P<han_hybrid>{UNSPACED_HYBRID})|(?P<han_remote>{UNSPACED_REMOTE})|(?P<han_on_site>{UNSPACED_ON_SITE})",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:(?:\b(?:not|no|non|never|isn['’]?t|cannot|can['’]?t|without|kein(?:e|en)?|nicht|pas|sans|niet|geen|sin|n[ãa]o"
    r"|nie|ohne|bez|не|ei|inte|ikke)\b[\s-]*(?:\b(?:be|a|an|eligible for|available|possible|de|currently|offer(?:ing)?"
    r"|open to|fully|100%|allow(?:ing)?|considered|as)\b\s*){0,3})|不接受|不支持|不能|不可|非)\s*\Z",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(
    r"\s*(?:(?:work|position|option|working|role)s?\s*)?(?::\s*no\b|is not\b|isn['’]?t\b|are not\b|nicht möglich\b"
    r"|no disponible\b|not (?:available|possible|an option|offered|allowed|considered|eligible)\b)",
    re.IGNORECASE,
)

# In prose the same words name other things far more often; a statement needs the words of a job about them.
_PROSE = re.compile(
    rf"(?<!\w)(?:(?P<hybrid>{PROSE_HYBRID})|(?P<on_site>{PROSE_ON_SITE})|(?P<remote>{PROSE_REMOTE}))"
    rf"|(?P<han_hybrid>{UNSPACED_HYBRID})|(?P<han_remote>远程(?:办公|工作)|在宅勤務|リモートワーク)|(?P<han_on_site>坐班)",
    re.IGNORECASE | re.MULTILINE,
)
# What makes the words mean a technique, an event or a perk.
_OTHER_USE_AFTER = re.compile(
    r"[\s-]*(?:search|cloud|sensing|desktop|access|server|control|procedure|debug|repositor|code exec|vehicle|electric"
    r"|sales|infrastructure|apps?\b|mobile|architecture|interview|visit|event|gather|meet|training|gym|parking|lunch|cafe"
    r"|clinic|child|daycare|retreat|team[- ]?building|customer|client|deployment|monitoring|support\b|onboarding|exam"
    r"|stipend|allowance|hardware|retriev|database|ai\b|data|it\b|multi|environments?\s+(?:like|such|including))",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"\s*(?:options?|policy|status|eligib\w*|possible|allowed|work|working|type)?\s*[:?]\s*(?P<answer>[^\W_]*)"
)
_YES = re.compile(
    r"(?:yes|true|available|allowed|permitted|full|fully|possible|100|ja|oui|s[ií]|sim|tak|remote)\Z", re.IGNORECASE
)
_FIRM = re.compile(
    r"fully|100|completely|entirely|permanently|#li|(?:is|be|as|location|mode|type)\s*:?\s+(?:a\s+|an\s+|also\s+)?remote"
    r"|remote[\s-]+(?:role|position|job|opportunity|first|only|within|from|in\b|across|anywhere)"
    r"|full remote|远程|フルリモート|komplett|vollst|complet|remotely|remote\s*[,(|/]|^\W*remote\W*$",
    re.IGNORECASE,
)
# Every statement holds one of these; looking at the words around them alone spares nine tenths of a long text.
_CUES = tuple(
    cue.encode("ascii", "replace")
    for cue in (
        "remot", "brid", "bryd", "on-site", "onsite", "on site", "sur site", "office", "in-person", "in person",
        "from home", "from-home", "anywhere", "telework", "telecommut", "teletrab", "travail", "thuis", "zdaln",
        "stacjon", "presencial", "presenciais", "presenza", "présentiel", "presentiel", "präsenz", "prasenz", "vor ort",
        "vor-ort", "wfh", "#li-", "mobiles arbeiten", "büro", "kantoor",
    )
)  # fmt: skip
_CUES_OF_OTHER_SCRIPTS = ("办公", "远程", "在宅", "リモート", "ハイブリッド", "坐班", "удал")
_BEFORE, _AFTER = 90, 100
_CONTEXT = 80
"""How far beyond a stretch the words are looked at that turn a statement into something else."""

_MODES = {"hybrid": WorkMode.HYBRID, "remote": WorkMode.REMOTE, "on_site": WorkMode.ON_SITE}


def read_mode(text: str, *, field: str = "text") -> tuple[ModeStatement, ...]:
    """The statements of a body about the work mode, in order. Techniques, perks, events and interviews are none."""
    found = []
    for start, end in _around_cues(text):
        first = max(0, start - _CONTEXT)
        for said in _said(text[first : end + _CONTEXT], start - first, end - first):
            span = said.span
            found.append(replace(said, span=Span(span.start + first, span.end + first, span.text, field)))
    return tuple(found)


@lru_cache(maxsize=2_048)
def _said(passage: str, start: int, end: int) -> tuple[ModeStatement, ...]:
    """The statements of prose that begin and end inside; a board repeats its sentences in every posting."""
    return tuple(
        s
        for s in _statements(_PROSE, passage, "text", start, end)
        if not _OTHER_USE_AFTER.match(passage, s.span.end) and not _is_heading(s.mode, passage, s.span.end)
    )


def is_firm(statement: ModeStatement) -> bool:
    """Whether a statement says that the job is remote, and not that some days or some people are."""
    return bool(_FIRM.search(statement.span.text))


def _is_heading(mode: WorkMode, text: str, end: int) -> bool:
    """ "Telecommuting options: on-site" only asks; the word behind it answers."""
    answer = _HEADING.match(text, end)
    return bool(answer) and mode is WorkMode.REMOTE and not _YES.match(answer["answer"] if answer else "")


def read_line_mode(text: str, *, field: str = "text") -> tuple[ModeStatement, ...]:
    """The statements of a line that is about the place of work, where the bare word is enough."""
    return tuple(_statements(_LINE, text, field))


def mode_of_label(label: str | None) -> WorkMode:
    """The mode a vendor's own field names: `ON_SITE`, `Hybrid`, `remote`, `TELECOMMUTE`."""
    if not label:
        return WorkMode.UNKNOWN
    return settle(s.mode for s in read_line_mode(label.replace("_", " ")) if s.positive)[0]


def settle(modes: Iterable[WorkMode]) -> tuple[WorkMode, bool]:
    """One mode out of several statements, and whether they disagree. An open door to remote work is remote."""
    found = {mode for mode in modes if mode is not WorkMode.UNKNOWN}
    for mode in (WorkMode.REMOTE, WorkMode.HYBRID, WorkMode.ON_SITE):
        if mode in found:
            return mode, len(found) > 1
    return WorkMode.UNKNOWN, False


def _around_cues(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that can hold a statement, in order and apart."""
    lowered = text.lower()
    if len(lowered) != len(text):
        # A letter grew in lower case, so offsets no longer agree.
        yield 0, len(text)
        return
    # One byte a letter keeps the offsets, and is searched several times as fast.
    ascii = lowered.encode("ascii", "replace")
    found = [position for cue in _CUES for position in _positions(ascii, cue)]
    if ascii.count(b"?") > 0.02 * len(ascii):
        found += [position for cue in _CUES_OF_OTHER_SCRIPTS for position in _positions(lowered, cue)]
    start = end = -1
    for position in sorted(found):
        if position - _BEFORE > end:
            if end > 0:
                yield start, end
            start = max(0, position - _BEFORE)
        end = min(len(text), position + _AFTER)
    if end > 0:
        yield start, end


def _positions(text: AnyStr, cue: AnyStr) -> Iterator[int]:
    position = text.find(cue)
    while position >= 0:
        yield position
        position = text.find(cue, position + len(cue))


def _statements(
    pattern: re.Pattern[str], text: str, field: str, start: int = 0, end: int | None = None
) -> Iterable[ModeStatement]:
    for match in pattern.finditer(text, start, len(text) if end is None else end):
        name = next(key for key, value in match.groupdict().items() if value)
        mode = _MODES[name.removeprefix("han_")]
        negated = bool(_NEGATED.search(text[max(0, match.start() - 40) : match.start()])) or bool(
            _NEGATED_AFTER.match(text, match.end())
        )
        yield ModeStatement(mode, Span(match.start(), match.end(), match.group(), field), not negated)
