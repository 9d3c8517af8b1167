"""The language of a posting's body."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from operator import itemgetter
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
_SMALL_WORDS = {
    "en": "a i no the and of to with you your we our for this that these are will be have has from or by as who what"
    " how it is at their they into which can not if more all other about through while when where an than",
    "fr": "au aux avec dans des du est et la le les notre nous par pour sur une votre vous qui que ce ces cette sont ou"
    " en de un leur vos nos se son à d l il elle ne pas plus qu tu te ton tes mais chez comme entre ainsi afin tout",
    "de": "auf das dem den der des die ein eine einer für im ist mit nicht sie und von wir zu zur bei oder als du dich"
    " dein deine dir ihr unser unsere uns sich",
    "es": "con de del el en es la las los para por que se su sus un una y como nuestro nuestra más tu te entre",
    "pt": "a da das de do dos e em não no na nos o os ou para por que se seu sua um uma você nossa mais",
    "it": "che con da dei del della delle di e gli i il in la le nel nella non per si sono su un una alla nostro tuo"
    " d l te",
    "nl": "aan bij dat de die een en het in is je jij jouw met naar of om ons onze op te van voor wij zijn",
    "sv": "att av det en ett för i med och om på som till vi är du",
    "pl": "do i jest na o oraz się w z za że",
    "tr": "bir için ile ve bu da de",
}
"""The words that hold sentences together, in the languages that most postings are written in."""
_TONGUES = {
    word: language
    for language, words in _SMALL_WORDS.items()
    for word in words.split()
    if sum(word in others.split() for others in _SMALL_WORDS.values()) == 1
}
"""Those of one language alone, and which it is."""
_SKIMMED = frozenset(("en", "fr", "de", "es", "pt", "it", "nl"))
"""Languages whose small words are enough; the others are taken for their neighbours too easily."""
_FEWEST_TO_SKIM = 30
_SKIMMED_WORDS = 100
_LEAST_OWN_WORDS = 0.12
_MOST_OTHER_WORDS = 0.03


def read_language(text: str) -> LanguageReading:
    """The main language, or none when the text has too few words or too mixed ones to tell."""
    if plain := _skimmed(text):
        return LanguageReading(plain, 1.0)
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


def _skimmed(text: str) -> str | None:
    """The language whose small words hold the text together: of most postings, and no need to ask a model."""
    if not text.isascii() and len(text.encode("utf-8", "replace")) > 1.08 * len(text):
        return None
    words = tokens(text)
    if len(words) < _FEWEST_TO_SKIM:
        return None
    third = max(_SKIMMED_WORDS, len(words) // 3)
    skimmed = [word for start in (0, third, 2 * third) for word in words[start : start + _SKIMMED_WORDS]]
    counts = Counter(map(_TONGUES.get, skimmed))
    small = counts.total() - counts.pop(None, 0)
    language, own = max(counts.items(), key=itemgetter(1), default=(None, 0))
    enough = own >= _LEAST_OWN_WORDS * len(skimmed) and small - own <= _MOST_OTHER_WORDS * len(skimmed)
    return language if enough and language in _SKIMMED else None


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
