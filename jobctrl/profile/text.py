"""Small readings of a resume's text: sentences, ids, names of languages."""

from __future__ import annotations

import re
import unicodedata

SLUG_LENGTH = 72
_ABBREVIATIONS = "".join(
    rf"(?<!\b{word}\.)" for word in ("e\\.g", "i\\.e", "Dr", "Mr", "Mrs", "Ms", "St", "vs", "no", "Inc", "[A-Z]")
)


def sentences(text: str) -> list[str]:
    """*text* cut into sentences; an abbreviation or a version number ends none."""
    parts = re.split(rf"{_ABBREVIATIONS}(?<=[.!?])\s+(?=[^\W\d_a-z]|[\"“(])|(?<=[。！？])", text)
    return [part.strip() for part in parts if part.strip()]


def slug(text: str, taken: set[str]) -> str:
    """An id made of *text*, in letters, digits and dashes; unlike those in *taken*, to which it is added."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    base = re.sub(r"[\W_]+", "-", folded).strip("-")[:SLUG_LENGTH].strip("-") or "entry"
    key, number = base, 2
    while key in taken:
        suffix = f"-{number}"
        key, number = base[: SLUG_LENGTH - len(suffix)] + suffix, number + 1
    taken.add(key)
    return key


def language_code(name: str) -> str | None:
    """The ISO 639-1 code of a language by its English or own name, or None."""
    from babel import Locale

    wanted = name.strip().casefold()
    if re.fullmatch(r"[a-z]{2}", wanted):
        return wanted
    for code, label in Locale("en").languages.items():
        if len(code) == 2 and label.casefold() == wanted:
            return str(code)
    return _OWN_NAMES.get(wanted)


_OWN_NAMES = {
    "deutsch": "de",
    "español": "es",
    "français": "fr",
    "italiano": "it",
    "mandarin": "zh",
    "cantonese": "zh",
    "nederlands": "nl",
    "polski": "pl",
    "português": "pt",
    "русский": "ru",
    "українська": "uk",
    "中文": "zh",
    "日本語": "ja",
    "한국어": "ko",
}
