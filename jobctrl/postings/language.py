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
_ISO = {"nb": "no", "nn": "no"}
"""The two written forms of Norwegian are told apart too badly to promise more than the language."""


def read_language(text: str) -> LanguageReading:
    """The main language, or none when the text has too few words or too mixed ones to tell."""
    words = _ADDRESS.sub(" ", text[:_MOST_CHARACTERS])
    # Scripts without spaces are counted by letter.
    if len(_IDEOGRAPH.findall(words)) < FEWEST_IDEOGRAPHS and len(_WORD.findall(words)) < FEWEST_WORDS:
        return LanguageReading()
    code, confidence = _identifier().classify(words)
    if confidence < LEAST_CONFIDENCE:
        return LanguageReading(None, round(float(confidence), 3))
    return LanguageReading(_ISO.get(code, code), round(float(confidence), 3))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
