"""The gates every shipped text passes: nothing may be claimed that the profile does not say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from jobctrl.materials.lexicon import DID, HELPED, HOMOGRAPHS, LED, SKILLS
from jobctrl.materials.model import Finding, TailoredResume
from jobctrl.materials.rules import fold, mentions
from jobctrl.profile.dates import MONTHS
from jobctrl.profile.model import Profile, TailoringRules
from jobctrl.profile.titles import CORPORATE_SUFFIXES, TITLE_FIELDS, TITLE_RANKS, TITLE_ROLES

# --- what a text may say -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ground:
    """What is known to be true. A gate compares a text with it."""

    texts: tuple[str, ...]
    """Whatever numbers, dates and skills may be taken from."""
    names: tuple[str, ...] = ()
    """Titles and employers, of the profile and of the posting that is answered."""
    banned: tuple[str, ...] = field(default=())
    """Words the person does not want to see."""

    @cached_property
    def all_text(self) -> str:
        return "\n".join((*self.texts, *self.names))

    @cached_property
    def numbers(self) -> frozenset[Number]:
        return frozenset(number for text in (*self.texts, *self.names) for _, said in numbers(text) for number in said)

    @cached_property
    def months(self) -> frozenset[tuple[int, int]]:
        return frozenset(month for _, month in _months(self.all_text))

    @cached_property
    def years(self) -> frozenset[str]:
        return frozenset(_YEAR.findall(self.all_text)) | {str(year) for year, _ in self.months}

    @cached_property
    def title_words(self) -> str:
        return f" {' '.join(_singular(match[0]) for match in _WORD.finditer(self.all_text))} "

    @cached_property
    def letters(self) -> str:
        return _letters(self.all_text)


def ground_of(profile: Profile, *, title: str = "", company: str = "", avoid: Sequence[str] = ()) -> Ground:
    """Everything the profile says. *title* and *company* of the posting may be named in a letter to it."""
    resume = profile.resume
    texts = [profile.headline, *resume.summary_sentences, *(s.text for s in resume.letter_sentences)]
    if profile.years_of_experience is not None:
        texts.append(f"{profile.years_of_experience:g} years")
    for entry in resume.experience:
        texts += [entry.start, entry.end, entry.location, *(b.text for b in entry.bullets if b.confirmed)]
        for evidence in entry.achievement_evidence:
            texts += [evidence.source_text, *evidence.metrics, *evidence.tools]
    for item in resume.education:
        texts += [item.degree, item.institution, item.date]
    texts += [skill for group in resume.skills for skill in (*group.items, group.label)]
    texts += [language.name for language in resume.languages]
    names = [name for entry in resume.experience for name in (entry.title, entry.company)]
    names += [profile.headline, *profile.target.roles, title, company, *(item.institution for item in resume.education)]
    return Ground(tuple(filter(None, texts)), tuple(filter(None, names)), tuple(avoid))


def check_text(text: str, ground: Ground) -> tuple[Finding, ...]:
    """What *text* claims beyond *ground*, in the order of the text. Empty means that it passes."""
    found = [
        *leftover_tokens(text),
        *_numbers(text, ground),
        *_dates(text, ground),
        *_titles(text, ground),
        *_employers(text, ground),
        *_skills(text, ground),
        *_banned(text, ground),
    ]
    return tuple(sorted(found, key=lambda finding: (finding.start, finding.code)))


def check_rewording(text: str, source: str, ground: Ground) -> tuple[Finding, ...]:
    """What *text* claims beyond *source*, the person's own words for the same thing."""
    own = Ground((source, *ground.texts), ground.names, ground.banned)
    return (*check_text(text, own), *_verbs(text, source))


# --- numbers -------------------------------------------------------------------------------------------------------


class Number(NamedTuple):
    kind: str
    """money, percent, multiplier or bare."""
    value: float


_MAGNITUDES = {
    "k": 1e3, "thousand": 1e3, "tsd": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6,
    "millionen": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "mrd": 1e9, "t": 1e12, "trillion": 1e12, "lakh": 1e5,
    "crore": 1e7,
}  # fmt: skip
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "dozen": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100,
    "thousand": 1000, "million": 1e6,
}  # fmt: skip
_MULTIPLIED = {"doubled": 2, "doubling": 2, "twice": 2, "tripled": 3, "tripling": 3, "quadrupled": 4, "tenfold": 10}
_CURRENCY = r"(?:US\$|CA\$|A\$|[$€£¥₹₩₽₺]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK|INR|JPY|CAD|AUD)\b)"
_NUMBER = re.compile(
    rf"""(?P<before>{_CURRENCY}\s?)?(?<![\w.,])(?P<digits>\d+(?:[.,'\u2019\u00a0\u202f]\d+)*)
    (?:\s?(?P<magnitude>thousand|millions?|millionen|billion|trillion|lakh|crore|tsd|mio|mrd|bn|mn|mm|[kKmMbBT])\b)?
    (?P<after>\s?%|\s?percent\b|\s?per\ cent\b|\s?Prozent\b|\s?[x×](?!\w)|-?fold\b|\s?{_CURRENCY})?""",
    re.VERBOSE,
)
_BENIGN = frozenset({0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 24.0, 365.0})
"""Bare numbers that claim nothing: small counts, `24/7`."""


def _readings(digits: str) -> set[float]:
    """What a written number may mean: a point or comma before three digits groups or divides, depending on the land."""
    plain = re.sub(r"['\u2019\u00a0\u202f]", "", digits)
    marks = re.findall(r"[.,]", plain)
    if not marks:
        return {float(plain)}
    grouped = float(re.sub(r"[.,]", "", plain))
    whole, _, fraction = plain.rpartition(marks[-1])
    divided = float(f"{re.sub('[.,]', '', whole)}.{fraction}")
    if len(set(marks)) == 1 and len(marks) > 1:
        return {grouped}
    return {divided, grouped} if len(fraction) == 3 and len(set(marks)) == 1 else {divided}


def numbers(text: str) -> Iterator[tuple[re.Match[str], set[Number]]]:
    """Every number in *text* with what it may mean, by kind and magnitude."""
    for match in _NUMBER.finditer(text):
        after = (match["after"] or "").strip().lower()
        if after in ("%", "percent", "per cent", "prozent"):
            kind = "percent"
        elif after in ("x", "×", "fold", "-fold"):
            kind = "multiplier"
        elif match["before"] or after:
            kind = "money"
        else:
            kind = "bare"
        factor = _MAGNITUDES[match["magnitude"].lower()] if match["magnitude"] else 1.0
        yield match, {Number(kind, round(value * factor, 6)) for value in _readings(match["digits"])}
    for match in re.finditer(r"[A-Za-z]+", text):
        word = match[0].lower()
        if word in _MULTIPLIED:
            yield match, {Number("multiplier", float(_MULTIPLIED[word]))}
        elif word in _WORDS and not re.search(r"\d\s?$", text[: match.start()]):
            yield match, {Number("bare", float(_WORDS[word]))}


def _numbers(text: str, ground: Ground) -> Iterator[Finding]:
    for match, readings in numbers(text):
        if readings & ground.numbers or _is_year(match[0]) or match.start() in _date_spans(text):
            continue
        if any(number.kind == "bare" and number.value in _BENIGN for number in readings):
            continue
        yield _finding("unknown_number", match, f"the profile does not say {match[0].strip()!r}")


# --- dates ---------------------------------------------------------------------------------------------------------

_MONTH_YEAR = re.compile(
    rf"\b({'|'.join(MONTHS)})\.?,?\s+(?:de\s+)?((?:19|20)\d{{2}})\b|\b((?:19|20)\d{{2}})-(\d{{2}})\b", re.IGNORECASE
)
_YEAR = re.compile(r"(?<![\w.,$€£])(?:19|20)\d{2}(?![\w%]|[.,]\d)")


def _is_year(text: str) -> bool:
    return bool(_YEAR.fullmatch(text.strip()))


def _months(text: str) -> Iterator[tuple[re.Match[str], tuple[int, int]]]:
    for match in _MONTH_YEAR.finditer(text):
        if match[3]:
            yield match, (int(match[3]), int(match[4]))
        else:
            yield match, (int(match[2]), MONTHS[match[1].casefold()])


def _date_spans(text: str) -> set[int]:
    return {place for match, _ in _months(text) for place in range(match.start(), match.end())}


def _dates(text: str, ground: Ground) -> Iterator[Finding]:
    said: set[int] = set()
    for match, month in _months(text):
        said.update(range(match.start(), match.end()))
        if month not in ground.months:
            yield _finding("unknown_date", match, f"the profile does not name {match[0]!r}")
    for match in _YEAR.finditer(text):
        if match.start() not in said and match[0] not in ground.years:
            yield _finding("unknown_date", match, f"the profile does not name the year {match[0]}")


# --- names ---------------------------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_][\w+#.\-]*[\w+#]|[^\W_]")


def _singular(word: str) -> str:
    word = word.casefold().rstrip(".")
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _titles(text: str, ground: Ground) -> Iterator[Finding]:
    words = list(_WORD.finditer(text))
    for at, match in enumerate(words):
        if _singular(match[0]) not in TITLE_ROLES:
            continue
        first = at
        while first > 0 and _belongs_to_title(words[first - 1][0]) and _joined(text, words[first - 1], words[first]):
            first -= 1
        span = words[first : at + 1]
        phrase = " ".join(_singular(word[0]) for word in span)
        # A lone noun in small letters ("worked with designers") is a circle of people, not a claim to a title.
        if len(span) == 1 and not (match[0].isupper() and len(match[0]) > 1):
            continue
        if f" {phrase} " not in ground.title_words:
            start, end = span[0].start(), match.end()
            yield Finding(
                "unknown_title", text[start:end], start, end, f"no position in the profile is {text[start:end]!r}"
            )
    for match in re.finditer(r"\b(?:[Hh]ead|[Vv]ice [Pp]resident|[Dd]irector|VP) of ([A-Z]\w+)", text):
        if not mentions(ground.all_text, match[0]):
            yield _finding("unknown_title", match, f"no position in the profile is {match[0]!r}")


def _belongs_to_title(word: str) -> bool:
    folded = word.casefold().rstrip(".")
    return folded in TITLE_RANKS or folded in TITLE_FIELDS or _singular(word) in TITLE_ROLES


def _joined(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    return text[left.end() : right.start()] in (" ", "-", "\u00a0")


@cache
def _employer_pattern() -> re.Pattern[str]:
    suffixes = "|".join(re.escape(suffix) for suffix in sorted(CORPORATE_SUFFIXES, key=len, reverse=True))
    return re.compile(rf"\b[A-ZÀ-ÖØ-ÞĀ-Ž][\w&.\-]*(?:\s(?:&\s)?[A-ZÀ-ÖØ-ÞĀ-Ž][\w&.\-]*){{0,3}},?\s(?:{suffixes})(?!\w)")


def _employers(text: str, ground: Ground) -> Iterator[Finding]:
    for match in _employer_pattern().finditer(text):
        words = match[0].split()
        # The match may begin with the capital of the sentence: what counts is that some ending of it is known.
        if not any(_letters(" ".join(words[i:])) in ground.letters for i in range(len(words) - 1)):
            yield _finding("unknown_employer", match, f"the profile does not name {match[0]!r}")


def _letters(text: str) -> str:
    words = re.findall(r"[^\W_]+", fold(text))
    return f" {' '.join(words)} "


@cache
def _skill_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Names that are skills in any spelling, and words that are only in this one; the longest name wins."""

    def any_of(names: Iterable[str]) -> str:
        listed = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
        return rf"(?<![\w+#])(?:{listed})(?![\w+#])"

    return re.compile(any_of(SKILLS), re.IGNORECASE), re.compile(any_of(HOMOGRAPHS))


def _skills(text: str, ground: Ground) -> Iterator[Finding]:
    plain, exact = _skill_patterns()
    for match in plain.finditer(text):
        if not mentions(ground.all_text, match[0]):
            yield _finding("unknown_skill", match, f"the profile does not name {match[0]!r}")
    for match in exact.finditer(text):
        if not match[0].isupper() and _starts_sentence(text, match.start()):
            continue
        if not re.search(rf"(?<!\w){re.escape(match[0])}(?!\w)", ground.all_text):
            yield _finding("unknown_skill", match, f"the profile does not name {match[0]!r}")


def _starts_sentence(text: str, at: int) -> bool:
    return not text[:at].strip() or bool(re.search(r"[.!?:;•]\s+$", text[:at]))


# --- words ---------------------------------------------------------------------------------------------------------

_TOKENS = re.compile(
    r"""\{\{.*?\}\}|\{\s*[\w. -]+\s*\}|\$\{[^}]*\}|%\(\w+\)s|<%.*?%>|__\w+__
    |<\s*(?:your|company|name|title|role|position|employer|date|job)[^<>]*>
    |\[\s*(?:your|company|name|title|role|position|employer|date|job|insert|hiring|number|x{1,3}|city|skill)[^\]]*\]
    |\bTODO\b|\bTBD\b|\bFIXME\b|\bX{3,}\b|\blorem\ ipsum\b""",
    re.VERBOSE | re.IGNORECASE,
)


def leftover_tokens(text: str) -> tuple[Finding, ...]:
    """What a template left behind in *text*: `{{company}}`, `[Your Name]`, `TODO`."""
    return tuple(
        _finding("template_token", match, f"{match[0]!r} was left over from a template")
        for match in _TOKENS.finditer(text)
    )


def _banned(text: str, ground: Ground) -> Iterator[Finding]:
    for word in ground.banned:
        for match in re.finditer(rf"(?<!\w){re.escape(word.strip())}(?!\w)", text, re.IGNORECASE):
            yield _finding("banned_word", match, f"{match[0]!r} is on the list of words to avoid")


def _verbs(text: str, source: str) -> Iterator[Finding]:
    allowed = max((strength for _, strength in _strengths(source)), default=2)
    for match, strength in _strengths(text):
        if strength > allowed:
            yield _finding("stronger_verb", match, f"{match[0]!r} claims more than the person's own words")


def _strengths(text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Verbs with how much they claim: 1 helped, 2 did, 3 led."""
    for match in re.finditer(r"[^\W\d_]+(?:-[^\W\d_]+)*", text):
        word, rest = match[0].casefold(), text[match.end() : match.end() + 12].casefold()
        if word in HELPED:
            yield match, 1
        elif word in DID:
            yield match, 2
        elif word in LED and not _leads_nowhere(word, rest, text[: match.start()]):
            yield match, 3


def _leads_nowhere(word: str, rest: str, before: str) -> bool:
    """`led to`, `managed to`, `lead time`, `my own`: the word without its claim."""
    if word in ("led", "leading", "leads", "lead", "managed") and re.match(r"\s+to\b", rest):
        return True
    if word in ("lead", "leads") and re.match(r"\s+(?:time|gen|scor|qual)", rest):
        return True
    return word == "own" and re.search(r"\b(?:my|our|their|its|his|her)\s+$", before, re.IGNORECASE) is not None


def _finding(code: str, match: re.Match[str], message: str) -> Finding:
    return Finding(code, match[0].strip(), match.start(), match.end(), message)


# --- a whole resume ------------------------------------------------------------------------------------------------


def check_resume(resume: TailoredResume, profile: Profile, rules: TailoringRules | None = None) -> tuple[Finding, ...]:
    """What a finished resume says that the profile does not: positions, education, skills, and every line."""
    ground = ground_of(profile)
    return (
        *_check_positions(resume, profile, rules or profile.resume.tailoring),
        *_check_skills(resume, profile),
        *(finding for line in resume.lines for finding in check_text(line.text, ground)),
    )


def _check_positions(resume: TailoredResume, profile: Profile, rules: TailoringRules) -> Iterator[Finding]:
    own = {entry.id: entry for entry in profile.resume.experience}
    for entry in resume.experience:
        source = own.get(entry.experience_id)
        if source is None:
            yield _whole("unknown_entry", entry.experience_id, "the profile has no such position")
            continue
        for name in ("title", "company", "start", "end", "location"):
            if getattr(entry, name) != getattr(source, name):
                yield _whole(
                    f"{name}_changed", getattr(entry, name), f"{entry.experience_id}.{name} is not the profile's"
                )
    schools = {(item.id, item.degree, item.institution, item.location, item.date) for item in profile.resume.education}
    for item in resume.education:
        if (item.education_id, item.degree, item.institution, item.location, item.date) not in schools:
            yield _whole("education_changed", item.degree, f"{item.education_id} is not the profile's")
    shown = [entry.experience_id for entry in resume.experience]
    for entry_id in rules.required_experience_ids or own:
        if shown.count(entry_id) != 1:
            yield _whole("missing_entry", entry_id, f"{entry_id} must appear exactly once")


def _check_skills(resume: TailoredResume, profile: Profile) -> Iterator[Finding]:
    own = {group.id: set(group.items) for group in profile.resume.skills}
    for group in resume.skills:
        for item in group.items:
            if item not in own.get(group.category_id, ()):
                yield _whole("unknown_skill", item, f"the profile does not list {item!r} under {group.label}")


def _whole(code: str, text: str, message: str) -> Finding:
    return Finding(code, text, 0, len(text), message)


def summarize(findings: Iterable[Finding]) -> str:
    """Findings as one sentence for an error or a rationale."""
    return "; ".join(dict.fromkeys(f"{finding.code}: {finding.message}" for finding in findings))
