"""A posting as a list of statements, each with its place in the text and the heading it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files

from jobctrl.postings.folding import fold
from jobctrl.scoring.cues import pattern
from jobctrl.scoring.cues import words as cue_words


class Section(StrEnum):
    """What a heading announces."""

    MUST_HAVE = "must_have"
    NICE_TO_HAVE = "nice_to_have"
    DUTIES = "duties"
    OTHER = "other"
    """Benefits, the employer, the process, legal text: never a requirement of the person."""
    UNHEADED = "unheaded"


@dataclass(frozen=True)
class Statement:
    """A bullet or a sentence: `text[start:end]` of the posting."""

    start: int
    end: int
    section: Section


# Same length on both sides, so that offsets stay those of the posting.
_PLAIN = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "`": "'", "\u00b4": "'", "\u00a0": " ", "\u2013": "-", "\u2014": "-"}
)
_LINE = re.compile(r"[^\n\r\u2028]+")
_BULLET = re.compile(
    r"[\s\-*#>|_~\u2022\u00b7\u25cf\u25aa\u25e6\u2023\u2043\u2192\u27a2\u2713\u2714\u25b6\u25ba\ufe0f\u200b"
    r"\u2600-\u27bf\U0001f000-\U0001faff]*(?:\(?\d{1,2}[.)]\s+)?"
)
_INNER_BULLET = re.compile(
    r"\s*[\u2022\u00b7\u25cf\u25aa\u25e6\u2023\u2043\u27a2\u2713\u2714\u25ba]\s*|\s+[*-]\s+(?=[A-Z])"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?;])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bSt\.)(?<!\bex\.)(?<!\bz\.B\.)(?<!\binc\.)"
    r"\s+(?=[\"'(\[]?[A-ZÀ-ÖØ-ÞŁŚŻŹĆ0-9])"
)
_STARTERS = re.compile(
    r"(?<=[^\W_]|[)\]%+*])(?<!\b[Mm]inimum)(?<!\b[Ll]east)(?<!\b(?:of|to|in|or))(?<!\b(?:and|the|for|com))(?<!\bwith)\s+(?=(?:"
    r"Experience|Strong|Proven|Proficien(?:t|cy)|Knowledge|Understanding|Ability|Familiar(?:ity)?|Excellent|Solid|Deep|"
    r"Hands[- ]on|Bachelor|Degree|Fluen(?:t|cy)|Advanced|Demonstra(?:ted|ble)|Expertise|Exposure|Comfortable|"
    r"Minimum|At least|Must|You(?:'ll|'re|'ve)?|We(?:'re)?|Prior|Previous|Working knowledge|Background in|Track record|"
    r"Professional experience|Passion(?:ate)?|Willing(?:ness)?|Self[- ]|Great|Good|Curiosity|Entrepreneurial|"
    r"Develop|Build|Manage|Collaborate|Write|Implement|Maintain|Create|Participate|Ensure|Utili[sz]e|Integrate|"
    r"Define|Identify|Conduct|Work with|Contribute|Mentor|Monitor|Optimi[sz]e|Analy[sz]e|Provide|Continuously|"
    r"Experiência|Conhecimentos?|Vivência|Domínio|Inglês|Formação|Sólid[oa]s?|Capacidade|Habilidade|Desenvolver|"
    r"Participar|Garantir|Atuar|Experiencia|Conocimientos?|Dominio|Erfahrung|Kenntnisse|Expérience|Maîtrise|"
    r"Connaissances?|Doświadczenie|Znajomość|Esperienza|Conoscenza|Ervaring|Kennis"
    r")\b|\d{1,2}\s?(?:\+|-\s?\d{1,2}\+?)?\s?(?:years|yrs|anos|años|Jahre|ans)\b)"
)
_FLAT = 240
"""A line longer than this is prose or a page without its line breaks."""
_CAPITALISED = re.compile(r"(?<![\w'-])[^\W\d_a-zß-öø-ÿ][\w]*")
_FIRST_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W_]{5,}")
_ABOUT_NAME = re.compile(
    r"(?:About|Sobre|Über) (?!(?:you|the|this|você)\b)[^\W\d_a-zß-öø-ÿ][\w.&-]*(?=\s+[^\W\d_a-zß-öø-ÿ])", re.UNICODE
)
_COLON = re.compile(r"[*_\s]*:[*_\s]*")
_ASIDE = re.compile(r"\s*\([^)]*\)\s*(?=:?\W*$)")
"""A remark behind a heading: "Benefits (full-time only)"."""
_ANNOUNCED = (Section.NICE_TO_HAVE, Section.OTHER, Section.MUST_HAVE, Section.DUTIES)
"""Headings in words of their own, by what they announce before a colon, in the order that is tried."""
_ABOUT = frozenset({"about", "über", "sobre", "chi", "over"})
"""With the employer's name after it, the heading of its own praise."""
_INLINE_WORD = 8


@dataclass(frozen=True)
class _Headings:
    sections: dict[str, Section]
    labels: frozenset[str]
    """Headings only with a colon or alone on their line."""
    by_first_word: dict[str, list[str]]


def statements(text: str) -> tuple[Statement, ...]:
    """The statements of *text* in order. Headings are not among them; every other word is inside one or between two."""
    plain = text.translate(_PLAIN)
    found: list[Statement] = []
    section = Section.UNHEADED
    for line in _LINE.finditer(plain):
        start = _after_bullet(plain, line.start(), line.end())
        end = line.end()
        heading = _heading(plain[start:end])
        if heading is not None:
            section = heading
            continue
        kept = section
        for part_start, part_end, named in _parts(plain, start, end):
            section = named or section
            found.extend(Statement(s, e, section) for s, e in _split(plain, part_start, part_end, end - start > _FLAT))
        if section is Section.OTHER and end - start <= _FLAT:
            section = kept  # "Location: Berlin" says something about its own line alone
    return tuple(found)


def _heading(line: str) -> Section | None:
    """What *line* announces, when it is a heading that we know."""
    bare = _ASIDE.sub("", line).strip(" \t:*_#?!.…-=>[]()").lower().replace("**", "")
    if not bare or len(bare) > 70:
        return None
    headings = _headings()
    if bare in headings.sections:
        return headings.sections[bare]
    words = bare.split()
    if not words:
        return None
    if words[0] in _ABOUT and len(words) <= 5 and words[1:2] not in (["you"], ["your"], ["the"], ["this"]):
        return Section.OTHER
    if len(words) > 9 or line.rstrip().endswith((".", ";", ",")):
        return None
    announces = line.rstrip(" *_").endswith(":")
    if (announces and len(words) > 2) or words[0] in cue_words("asking"):
        announced = next((s for s in _ANNOUNCED if pattern(f"announces {s.value}").search(bare)), None)
        if announced is not None:
            return announced
    if announces or (words[0] in cue_words("asking") and len(words) <= 8):
        for count in range(len(words) - 1, 0, -1):
            known = " ".join(words[:count])
            if known in headings.sections and (announces or count > 1):
                return headings.sections[known]
    if announces or line.strip(" *_").istitle():
        for skip in range(1, min(4, len(words))):
            known = " ".join(words[skip:])
            if known in headings.sections and (announces or known not in cue_words("not a heading inside a line")):
                return headings.sections[known]
    return None


def _parts(plain: str, start: int, end: int) -> Iterator[tuple[int, int, Section | None]]:
    """A line cut at the headings that stand inside it."""
    long = end - start > _FLAT // 2
    position, section = start, None
    for word in _CAPITALISED.finditer(plain, start, end):
        if word.start() > start and not long and plain[start : word.start()].rstrip()[-1:] not in (".", "!", "?", ";"):
            continue
        found = _phrase_at(plain, word.start(), end) if word.start() >= position else None
        if found is None or not _stands_as_heading(plain, word.start(), found, start, end):
            continue
        if word.start() > position:
            yield position, word.start(), section
        position, section = found.end, found.section
    if position < end:
        yield position, end, section


@dataclass(frozen=True)
class _Found:
    words: str
    section: Section
    end: int
    """Behind the colon, if there is one."""
    colon: bool


def _phrase_at(plain: str, start: int, end: int) -> _Found | None:
    """The longest known heading that begins at *start*."""
    first = _FIRST_WORD.match(plain, start, end)
    if first is None:
        return None
    about = _ABOUT_NAME.match(plain, start, end)
    for phrase in _headings().by_first_word.get(first.group().lower(), ()):
        stop = start + len(phrase)
        if stop <= end and plain[start:stop].lower() == phrase and not _continues(plain[stop : stop + 1]):
            after = _COLON.match(plain, stop, end)
            if about and after is None and phrase in _headings().labels:
                break
            return _Found(
                plain[start:stop], _headings().sections[phrase], after.end() if after else stop, after is not None
            )
    return _Found(about.group(), Section.OTHER, about.end(), colon=False) if about else None


def _continues(char: str) -> bool:
    return char.isalnum() or char in ("'", "-")


def _stands_as_heading(plain: str, at: int, found: _Found, start: int, end: int) -> bool:
    """Whether words of a heading inside a line are one: capitals, and what follows begins anew."""
    words = found.words
    if found.colon:
        return at == start or " " in words or words.lower() not in cue_words("not a heading inside a line")
    if words.lower() in _headings().labels or end - start <= _FLAT:
        return False
    following = plain[found.end : end].lstrip()[:1]
    if not following or following.islower() or following in ",.;)'/&":
        return False
    before = plain[start:at].rstrip()[-1:]
    begins = not before or before in ".!?:;)•*-]"
    if " " not in words:
        return words.lower() not in cue_words("not a heading inside a line") and len(words) >= _INLINE_WORD
    return begins or all(w[0].isupper() for w in _LONG_WORD.findall(words))


def _split(plain: str, start: int, end: int, flat: bool) -> Iterator[tuple[int, int]]:
    """Bullets and sentences of one part of a line."""
    for bullet_start, bullet_end in _cut(plain, start, end, _INNER_BULLET):
        for sentence_start, sentence_end in _cut(plain, bullet_start, bullet_end, _SENTENCE_END):
            if flat:
                yield from _cut(plain, sentence_start, sentence_end, _STARTERS)
            else:
                yield sentence_start, sentence_end


def _cut(plain: str, start: int, end: int, at: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    position = start
    for match in at.finditer(plain, start, end):
        yield from _trimmed(plain, position, match.start())
        position = match.end()
    yield from _trimmed(plain, position, end)


def _trimmed(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    start = _after_bullet(plain, start, end)
    while end > start and plain[end - 1] in " \t;,*_|-":
        end -= 1
    if any(char.isalnum() for char in plain[start:end]):
        yield start, end


def _after_bullet(plain: str, start: int, end: int) -> int:
    match = _BULLET.match(plain, start, end)
    return match.end() if match else start


@cache
def _headings() -> _Headings:
    sections: dict[str, Section] = {}
    labels: set[str] = set()
    section = Section.OTHER
    for line in (files("jobctrl.scoring") / "headings.txt").read_text(encoding="utf-8").splitlines():
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        if entry.startswith("["):
            section = Section(entry.strip("[]"))
            continue
        phrases = [p.strip() for p in entry.lstrip("~ ").split(" / ")]
        for phrase in phrases:
            sections.setdefault(phrase, section)
            sections.setdefault(fold(phrase, keep="'&-/,"), section)
        if entry.startswith("~"):
            labels.update(phrases)
    by_first_word: dict[str, list[str]] = {}
    for phrase in sorted(sections, key=len, reverse=True):
        by_first_word.setdefault(_FIRST_WORD.findall(phrase)[0], []).append(phrase)
    return _Headings(sections, frozenset(labels), by_first_word)
