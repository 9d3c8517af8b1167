"""The language of a posting's body."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from jobctrl.postings.model import LanguageReading

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

FEWEST_WORDS = 6
FEWEST_IDEOGRAPHS = 12
LEAST_CONFIDENCE = 0.8
_MOST_CHARACTERS = 8_000
_WORD = re.compile(r"[^\W\d_]{2,}")
_IDEOGRAPH = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ADDRESS = re.compile(r"\S+@\S+|https?://\S+|www\.\S+")
_OWN_SCRIPT = frozenset(
    ("am", "ar", "be", "bg", "bn", "dz", "el", "fa", "gu", "he", "hi", "hy", "ja", "ka", "kk", "km", "kn", "ko",
     "ky", "lo", "mk", "ml", "mn", "mr", "ne", "or", "pa", "ps", "ru", "si", "ta", "te", "th", "ug", "uk", "ur",
     "zh")
)  # fmt: skip
"""Languages that are written in letters of their own, not in Latin ones."""
_OWN_LETTER = re.compile(r"[\u0370-\u1cff\u1f00-\u1fff\u3040-\ud7af]")
_LEAST_OWN_SHARE = 0.2
_ISO = {"nb": "no", "nn": "no"}
"""The two written forms of Norwegian are told apart too badly to promise more than the language."""


def read_language(text: str) -> LanguageReading:
    """The main language, or none when the text has too few words or too mixed ones to tell."""
    words = _ADDRESS.sub(" ", text[:_MOST_CHARACTERS])
    # Scripts without spaces are counted by letter.
    if len(_IDEOGRAPH.findall(words)) < FEWEST_IDEOGRAPHS and len(_WORD.findall(words)) < FEWEST_WORDS:
        return LanguageReading()
    code, confidence = _identifier().classify(words)
    if code in _OWN_SCRIPT and len(_OWN_LETTER.findall(words)) < _LEAST_OWN_SHARE * sum(map(str.isalpha, words)):
        # Lists of names and numbers are taken for languages that are not written in their letters.
        return LanguageReading()
    if confidence < LEAST_CONFIDENCE:
        return LanguageReading(None, round(float(confidence), 3))
    return LanguageReading(_ISO.get(code, code), round(float(confidence), 3))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
