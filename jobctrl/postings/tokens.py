"""The words of a text, folded for counting and comparing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# A letter of Chinese or Japanese is a token of its own: these texts have no blanks to part words by.
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_TYPOGRAPHY = "\u2019\u2018\u201c\u201d\u2013\u2014\u2022\u00b7\u2026\u00ab\u00bb\u00a0"
_PARTS_WORDS = str.maketrans({code: " " for code in range(128) if not _TOKEN.fullmatch(chr(code))})


@lru_cache(maxsize=16)
def tokens(text: str) -> tuple[str, ...]:
    """The words of *text* in order. A posting is asked for them several times while it is read."""
    if not text.isascii():
        # Without its curly quotes, bullets and long dashes most English text is ASCII, which is parted much faster.
        for sign in _TYPOGRAPHY:
            text = text.replace(sign, " ")
        text = unicodedata.normalize("NFKC", text)
    folded = text.casefold()
    return tuple(folded.translate(_PARTS_WORDS).split() if folded.isascii() else _TOKEN.findall(folded))
