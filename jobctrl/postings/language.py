"""The language of a posting's body."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from jobctrl.postings.model import LanguageReading
from jobctrl.postings.tokens import tokens

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
_PIECE = 500
_ENGLISH = frozenset(
    ("the", "and", "of", "to", "with", "you", "your", "we", "our", "for", "this", "that", "these", "are", "will",
     "be", "have", "has", "from", "or", "by", "as", "who", "what", "how", "it", "is", "at", "their", "they", "into",
     "which", "can", "not", "if", "more", "all", "other", "about", "through", "while", "when", "where", "an", "than")
)  # fmt: skip
_OTHER_TONGUES = frozenset(
    ("au", "aux", "avec", "dans", "des", "du", "est", "et", "la", "le", "les", "notre", "nous", "par", "pour", "sur",
     "une", "votre", "vous", "auf", "das", "dem", "den", "der", "ein", "eine", "für", "im", "ist", "mit", "nicht",
     "sie", "und", "von", "wir", "zu", "con", "del", "el", "en", "las", "los", "por", "que", "se", "su", "una", "y",
     "com", "da", "e", "em", "não", "para", "um", "uma", "você", "che", "dei", "della", "di", "gli", "il", "per",
     "sono", "een", "het", "op", "van", "voor", "wij", "zijn", "att", "av", "det", "för", "med", "och", "og", "på",
     "som", "til", "är", "jest", "na", "oraz", "się", "w", "z", "bir", "için", "ile", "ve", "je")
)  # fmt: skip
_FEWEST_TO_SKIM = 30


def read_language(text: str) -> LanguageReading:
    """The main language, or none when the text has too few words or too mixed ones to tell."""
    if _is_plainly_english(text):
        return LanguageReading("en", 1.0)
    words = _ADDRESS.sub(" ", _sample(text[:_MOST_CHARACTERS]))
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


def _is_plainly_english(text: str) -> bool:
    """Whether the small words of English hold all of *text* together: most postings, and no need to ask a model."""
    if len(text.encode("utf-8", "replace")) > 1.05 * len(text):
        return False
    words = tokens(text)
    if len(words) < _FEWEST_TO_SKIM:
        return False
    english = sum(map(_ENGLISH.__contains__, words))
    return english >= 0.15 * len(words) and sum(map(_OTHER_TONGUES.__contains__, words)) <= 0.01 * len(words)


def _sample(text: str) -> str:
    """Enough of a long text to tell its language: pieces of its beginning, middle and end parts."""
    if len(text) <= 3 * _PIECE:
        return text
    third = len(text) // 3
    return "\n".join(text[start : start + _PIECE] for start in (0, third, 2 * third))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
