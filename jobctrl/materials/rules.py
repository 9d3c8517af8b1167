"""How texts and needs are matched, and what counts as enough. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from jobctrl.materials.model import CoverageState, Need, NeedCoverage, Tier

MUST_HAVE_FACTOR = 1.25
SUMMARY_SENTENCES = 3
OLD_YEARS = 10
OLD_BULLETS = 2
"""A position that ended more than OLD_YEARS ago shows at most this many bullets."""
OVERLAP = 0.6
"""The share of a need's content words that a line must hold when the need names no keywords."""
LETTER_WORDS = 250
PASS_SCORE = 8
PASS_MUST_HAVES = 0.85

_STOP_WORDS = """
    a about above across after all also an and any are as at be been being between both but by can could do does
    each either etc for from had has have how if in into is it its least like may more most must new no nor not of
    on one or other our out over own per preferred required requires should so some strong such than that the their
    them then there these they this those through to under up us using very via was we well were what when where
    which who will with within without work working would you your ability able excellent experience experienced
    familiarity good knowledge proficiency proficient proven skill skills solid understanding years year plus bonus
    nice ideally der die das und oder mit von für im den dem des ein eine einer zu zur zum auf als bei wir sie du
    ihr le la les un une et ou de en pour avec dans sur nous vous el los las una y o con por para del al que
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def fold(text: str) -> str:
    """*text* for comparison: NFKC, case folded, one kind of quote and dash, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = re.sub(r"[\u2018\u2019\u02bc]", "'", re.sub(r"[\u2010-\u2015\u2212]", "-", folded))
    return " ".join(folded.split())


@lru_cache(maxsize=4096)
def _pattern(keyword: str) -> re.Pattern[str]:
    # `c` must not be found in `c++`, nor `java` in `javascript`; a plural of a longer word is the same word.
    plural = "(?:e?s)?" if len(keyword) >= 4 and keyword[-1].isalpha() and not keyword.endswith("s") else ""
    return re.compile(rf"(?<![\w+#]){re.escape(keyword)}{plural}(?![\w+#])")


def mentions(text: str, keyword: str) -> bool:
    """Whether *keyword* stands in *text* as a word of its own, never inside another word."""
    key = fold(keyword)
    if not key:
        return False
    folded = fold(text)
    if _pattern(key).search(folded):
        return True
    singular = key[:-1] if len(key) > 4 and key.endswith("s") and not key.endswith("ss") else ""
    return bool(singular and _pattern(singular).search(folded))


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """The words of *text* that carry meaning, in order, without their plainest endings."""
    words = re.findall(r"[\w][\w+#.\-/']*[\w+#]|[\w]", fold(text))
    return tuple(_stem(word) for word in words if word not in STOP_WORDS)


def _stem(word: str) -> str:
    """*word* without its plainest English endings, so that `mentored` and `mentoring` are one word."""
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if len(word) - len(ending) >= 4 and word.endswith(ending):
            return word.removesuffix(ending)
    return word


def matched_keywords(need: Need, text: str) -> tuple[str, ...]:
    """What of *need* stands in *text*: its keywords, or enough of its words when it names none. Empty is no match."""
    if need.keywords:
        return tuple(keyword for keyword in need.keywords if mentions(text, keyword))
    wanted = dict.fromkeys(content_words(need.text))
    there = set(content_words(text))
    shared = tuple(word for word in wanted if word in there)
    enough = len(wanted) > 0 and len(shared) >= min(2, len(wanted)) and len(shared) / len(wanted) >= OVERLAP
    return shared if enough else ()


def worth(need: Need) -> float:
    """How much answering *need* counts."""
    return need.weight * (MUST_HAVE_FACTOR if need.tier is Tier.MUST_HAVE else 1.0)


def bullet_limit(end: str, limit: int, now: datetime) -> int:
    """How many bullets a position may show: fewer when it lies long back."""
    year = re.match(r"\d{4}", end)
    return min(limit, OLD_BULLETS) if year and now.year - int(year[0]) > OLD_YEARS else limit


def material_score(needs: Sequence[NeedCoverage]) -> int:
    """The covered share of all weight, from 1 to 10."""
    total = sum(need.weight for need in needs)
    if total <= 0:
        return 1
    covered = sum(need.weight for need in needs if need.state is CoverageState.COVERED)
    return max(1, min(10, round(10 * covered / total)))


def must_have_coverage(needs: Iterable[NeedCoverage]) -> float:
    """The covered share of the must-haves; 1 when there are none."""
    must = [need for need in needs if need.tier is Tier.MUST_HAVE]
    return sum(need.state is CoverageState.COVERED for need in must) / len(must) if must else 1.0


def disposition(score: int, must_haves: float) -> str:
    """What to do with a finished resume: `passed`, or `accept_with_residual_gap` when it answers too little."""
    return "passed" if score >= PASS_SCORE and must_haves >= PASS_MUST_HAVES else "accept_with_residual_gap"
