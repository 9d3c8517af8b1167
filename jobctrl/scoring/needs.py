"""What one statement of a posting asks for: skills, years, a degree, a language, permission to work."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from jobctrl.scoring.cues import pattern, speaks_of
from jobctrl.scoring.cues import words as cue_words
from jobctrl.scoring.lexicon import mentions
from jobctrl.scoring.terms import words_of


@dataclass(frozen=True)
class LanguageNeed:
    """A human language, ISO 639-1, and the least CEFR rank (1 to 6, 7 for native), 0 when none is stated."""

    code: str
    rank: int


@dataclass(frozen=True)
class Needs:
    skills: tuple[str, ...] = ()
    alternatives: bool = False
    """One of the skills is enough."""
    years: float | None = None
    degree: int = 0
    """0 none, 1 school, 2 associate, 3 bachelor, 4 master, 5 doctorate."""
    degree_or_experience: bool = False
    languages: tuple[LanguageNeed, ...] = ()
    authorised_in: str | None = None
    """ISO alpha-2 (or EU) where the posting wants the person to be allowed to work."""
    citizen_of: str | None = None
    no_sponsorship: bool = False
    clearance: bool = False
    soft: bool = False
    logistics: bool = False
    employer_condition: bool = False


_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "dois": 2, "três": 3, "cinco": 5, "dos": 2, "tres": 3, "zwei": 2, "drei": 3, "fünf": 5, "deux": 2, "trois": 3,
    "cinq": 5, "dwa": 2, "trzy": 3, "שנתיים": 2, "שלוש": 3,
}  # fmt: skip
_YEARS = re.compile(
    rf"(?<![\d.,$€£])\b(?P<low>\d{{1,2}}(?:[.,]5)?|{'|'.join(_NUMBERS)})\s*"
    r"(?:\+|\(\d+\)|plus|or more|ou mais|o más)?\s*"
    r"(?:(?:-|–|—|to|a|bis|à|do)\s*\d{1,2})?\s*\+?\s*(?:full\s+)?"
    r"(?:years?|yrs?|anos?|años?|ans?|jahren?|lata?|roku|anni|jaar|שנים|שנות|שנה)\b"
    r"(?!\s*(?:old|of age|ago|in business))['’]?",
    re.IGNORECASE,
)
_PERIOD_BEFORE = re.compile(r"(?:last|past|over the|next|every|within|for over|founded|first)\s*$", re.IGNORECASE)
_LANGUAGES = {
    "en": "english inglês inglés englisch englische englischkenntnisse anglais angielski angielskiego inglese engels",
    "de": "german alemão alemán deutsch deutschkenntnisse allemand niemiecki niemieckiego tedesco duits",
    "fr": "french francês francés französisch français francuski francese frans",
    "es": "spanish espanhol español spanisch espagnol hiszpański spagnolo spaans castellano",
    "pt": "portuguese português portugués portugiesisch portugais portugalski portoghese portugees",
    "it": "italian italiano italienisch italien włoski italiaans",
    "nl": "dutch holandês holandés niederländisch néerlandais niderlandzki olandese nederlands",
    "pl": "polish polonês polaco polnisch polonais polski polskiego polacco pools",
    "ru": "russian russo ruso russisch russe rosyjski",
    "uk": "ukrainian ucraniano ukrainisch ukrainien ukraiński",
    "zh": "chinese mandarin cantonese chinês chino chinesisch chinois",
    "ja": "japanese japonês japonés japanisch japonais",
    "ko": "korean coreano koreanisch coréen",
    "ar": "arabic árabe arabisch arabe",
    "he": "hebrew hebraico hebreo hebräisch hébreu",
    "tr": "turkish turco türkisch turc",
    "hi": "hindi",
    "sv": "swedish sueco schwedisch suédois svenska",
    "da": "danish dinamarquês danés dänisch danois dansk",
    "no": "norwegian norueguês noruego norwegisch norsk",
    "fi": "finnish finlandês finés finnisch finnois suomi",
    "cs": "czech tcheco checo tschechisch tchèque čeština",
    "ro": "romanian romeno rumano rumänisch roumain",
    "hu": "hungarian húngaro ungarisch hongrois",
    "vi": "vietnamese", "th": "thai", "id": "indonesian bahasa", "el": "greek griechisch grec", "bg": "bulgarian",
}  # fmt: skip
_CODE_OF = {word: code for code, words in _LANGUAGES.items() for word in words.split()}
_WORD = re.compile(r"[^\W\d_]+")
_PLACES = {
    "US": r"u\.?s\.?a?\.?|united states(?: of america)?|america",
    "GB": r"u\.?k\.?|united kingdom|great britain|britain",
    "EU": r"e\.?u\.?|european union|europe|eea",
    "CA": r"canada",
    "AU": r"australia",
    "NZ": r"new zealand",
    "DE": r"germany|deutschland",
    "FR": r"france",
    "ES": r"spain|españa",
    "PT": r"portugal",
    "IT": r"italy|italia",
    "NL": r"(?:the )?netherlands|nederland",
    "PL": r"poland|polska",
    "IE": r"ireland",
    "CH": r"switzerland|schweiz",
    "IN": r"india",
    "BR": r"brazil|brasil",
    "MX": r"mexico|méxico",
    "SG": r"singapore",
    "JP": r"japan",
    "ZA": r"south africa",
    "IL": r"israel",
}
_ANY_PLACE = "|".join(f"(?P<{code}>{words})" for code, words in _PLACES.items())
_IN_PLACE = re.compile(
    rf"[^.;\n]{{0,60}}?\b(?:in|for|for any|within)\s+(?:the\s+)?(?:{_ANY_PLACE})(?![\w.]*\w)", re.IGNORECASE
)
_CITIZEN = re.compile(
    rf"\b(?:{_ANY_PLACE})(?:'s)?\s+(?:citizens?(?:hip)?|nationals?|persons?)\b(?! or (?:permanent|green|authori))"
    r"|\bcitizens?(?:hip)? (?:of|in) (?:the )?",
    re.IGNORECASE,
)
_ALONE = re.compile(r"^\W*\w+\W*$|[:(]")
"""A language that stands alone, or with its level behind a colon."""


@lru_cache(maxsize=8192)
def read_needs(text: str) -> Needs:
    """What *text*, one statement of a posting, asks for."""
    named = mentions(text)
    skills = tuple(dict.fromkeys(m.term for m in named))
    words = words_of(text)
    lowered = text.lower()
    authorised = pattern("authorised").search(text) if speaks_of("authorised", text) else None
    citizen = _CITIZEN.search(text) if cue_words("citizen") & words else None
    degree = _degree(text) if cue_words("degree") & words else 0
    sponsor = "sponsor" in lowered
    return Needs(
        skills=skills,
        alternatives=len(skills) > 1 and _one_is_enough(text, named[0].end, named[-1].start),
        years=_years(text) if cue_words("years") & words else None,
        degree=degree,
        degree_or_experience=bool(degree and speaks_of("equivalent experience", text)),
        languages=_languages(text) if not words.isdisjoint(_CODE_OF) else (),
        authorised_in=_authorised_in(text, authorised),
        citizen_of=_place(citizen),
        no_sponsorship=sponsor and not offers_sponsorship(text) and speaks_of("no sponsorship", text),
        clearance=speaks_of("clearance", text),
        soft=not skills and (bool(cue_words("soft") & words) or speaks_of("soft phrase", text)),
        logistics=not skills and speaks_of("logistics", text),
        employer_condition=speaks_of("employer condition", text),
    )


def offers_sponsorship(text: str) -> bool:
    """Whether the posting says that it sponsors visas."""
    return speaks_of("sponsors", text) and not speaks_of("no sponsorship", text)


def _degree(text: str) -> int:
    return next((rank for rank in range(5, 0, -1) if pattern(f"degree {rank}").search(text)), 0)


def language_code(name: str) -> str:
    """ISO 639-1 for a language given by its code or by its name in one of the languages that are read."""
    lowered = name.strip().lower()
    return lowered if len(lowered) == 2 else _CODE_OF.get(lowered, lowered)


def speaks_of_eligibility(text: str) -> bool:
    """A cheap look: whether *text* may ask for a language or for permission to work."""
    words = words_of(text)
    return (
        not (words.isdisjoint(_CODE_OF) and words.isdisjoint(cue_words("authorised") | cue_words("citizen")))
        or "sponsor" in text.lower()
    )


def rank_of(level: str) -> int:
    """The rank of a language level: 1 to 6 for A1 to C2, 7 for native, 0 when it says none."""
    return next((rank for rank in range(7, 0, -1) if pattern(f"language rank {rank}").search(level)), 0)


def _one_is_enough(text: str, first_end: int, last_start: int) -> bool:
    between = text[first_end:last_start]
    before = text[max(0, first_end - 60) : first_end]
    return (
        "/" in between
        or pattern("one is enough").search(between) is not None
        or re.search(r"\b(?:such as|e\.g|like|one of|any of)\b", before) is not None
    )


def _years(text: str) -> float | None:
    for match in _YEARS.finditer(text):
        if _PERIOD_BEFORE.search(text, 0, match.start()):
            continue
        low = match["low"].lower().replace(",", ".")
        years = float(_NUMBERS[low]) if low in _NUMBERS else float(low)
        if 0 < years <= 25:
            return years
    return None


def _languages(text: str) -> tuple[LanguageNeed, ...]:
    found: dict[str, int] = {}
    for match in _WORD.finditer(text):
        code = _CODE_OF.get(match.group().lower())
        around = text[max(0, match.start() - 60) : match.end() + 40]
        if code is not None and (_ALONE.search(around) or pattern("language").search(around)):
            found.setdefault(code, rank_of(around))
    return tuple(LanguageNeed(code, rank) for code, rank in found.items())


def _authorised_in(text: str, asked: re.Match[str] | None) -> str | None:
    """The place a permission to work is asked for; empty when it is asked for and none is named."""
    return None if asked is None else _place(_IN_PLACE.match(text, asked.end())) or ""


def _place(match: re.Match[str] | None) -> str | None:
    if match is None:
        return None
    return next((code for code, words in match.groupdict().items() if words), None)
