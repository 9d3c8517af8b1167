"""One fold for names of all scripts: the key under which two spellings of a name meet."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Letters that NFKD leaves whole although readers of other languages drop the stroke or split the ligature.
_WHOLE = str.maketrans(
    {
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ħ": "h",
        "ŋ": "n",
        "ə": "e",
        "ʻ": None,
        "ʼ": None,
        "'": None,
        "’": None,
        "‘": None,
        "`": None,
        "´": None,
    }
)
# Only the accents of Latin, Greek and Cyrillic are dropped: in Indic or Arabic script a mark is part of the word.
_ACCENTS = re.compile("[\u0300-\u036f]+")
_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*\Z")


@lru_cache(maxsize=65_536)
def fold(text: str, keep: str = "") -> str:
    """*text* in lower case without accents and punctuation, words parted by one space; `keep` lists signs that stay."""
    lowered = text.lower()
    if _PLAIN.match(lowered):
        return lowered
    # Accents go first: an apostrophe typed as an accent mark would otherwise come apart as a space.
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_WHOLE))
    bare = unicodedata.normalize("NFKC", _ACCENTS.sub("", decomposed)).translate(_WHOLE)
    return " ".join("".join(c if c in keep or _is_letter(c) else " " for c in bare).split())


def words(block: str) -> frozenset[str]:
    """The words of a block of text: a word list reads best as lines."""
    return frozenset(block.split())


def _is_letter(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char)[0] == "M"
