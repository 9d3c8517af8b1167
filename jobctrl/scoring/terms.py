"""Words as they are compared: lower case, without what every text says, cut to a stem."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_][+#]+")
_ANY_WORD = re.compile(r"[^\W\d_]+")
_STEM = 7
"""Cutting words at this length joins their forms in the European languages without a stemmer for each."""


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of *text* that say something, in order."""
    dull = _stop_words()
    return tuple(_stem(word) for word in _WORD.findall(text.lower()) if word not in dull)


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    """The words of *text* in lower case: a cheap look before an expensive pattern."""
    return frozenset(_ANY_WORD.findall(text.lower()))


def _stem(word: str) -> str:
    if len(word) <= _STEM and len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word[:_STEM]


@cache
def _stop_words() -> frozenset[str]:
    source = (files("jobctrl.scoring") / "stopwords.txt").read_text(encoding="utf-8")
    return frozenset(word for line in source.splitlines() if not line.startswith("#") for word in line.split())
