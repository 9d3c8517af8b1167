"""Whether two postings are one, judged by what they say. A wrong merge loses a job, so every doubt says `different`."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NewType

import numpy as np
from numpy.typing import NDArray

from jobctrl.postings.folding import fold, words
from jobctrl.postings.gazetteer import lookup, same_subdivision
from jobctrl.postings.model import Place
from jobctrl.postings.naming import employer_key, title_key
from jobctrl.postings.place import read_place
from jobctrl.postings.tokens import tokens

SAME_TEXT = 0.83
"""Jaccard of the shingle sets from which two texts are one text."""
SAME_TEXT_ON_ONE_BOARD = 0.95
"""The same for two ids of one board, where a copy of a posting is a copy and a new text is another job."""
EQUAL_TEXT = 0.99
SHINGLE_FLOOR = 80
"""Tokens below which shingles say too little."""
FINGERPRINT_FLOOR = 20
"""Tokens below which equal text is chance: a heading, a placeholder."""
_SHINGLE = 5
_BANDS, _ROWS = 16, 8
_AT_ONCE = 32

Signature = NewType("Signature", bytes)
"""The MinHash of a text as 512 bytes, the same in every process."""


_LEVELS = words("ii iii iv v vi junior jr senior sr staff principal lead intern internship trainee")
_TITLE_END = re.compile(r"(?:\s+[-–—|/@]\s*|\s*,\s*|\s*[(\[])(?P<end>[^-–—|,()\[\]]+)[)\]]?\s*\Z")


class Sameness(StrEnum):
    SAME = "same"
    SAME_REQUISITION_OTHER_PLACE = "same_requisition_other_place"
    DIFFERENT = "different"


@dataclass(frozen=True)
class Content:
    """What of a posting decides whether another one is the same."""

    title: str
    company: str | None
    text: str | None = None
    key: str | None = None
    """The identity key of its address, see `identity.read_identity`."""
    requisition: str | None = None
    """The employer's own number of the job, where the board shows it."""
    places: tuple[Place, ...] = ()
    language: str | None = None
    employment_type: str | None = None
    team: str | None = None


@dataclass(frozen=True)
class SameVerdict:
    sameness: Sameness
    reason: str
    jaccard: float | None = None


def fingerprint(title: str, company: str | None, text: str | None) -> str | None:
    """The sha256 over title, employer and text; None where the employer is unknown or the text is too short to tell."""
    employer, name = employer_key(company), title_key(title)
    words = tokens(text or "")
    if not employer or not name or len(words) < FINGERPRINT_FLOOR:
        return None
    return hashlib.sha256("\x1f".join((name, employer, " ".join(words))).encode("utf-8", "surrogatepass")).hexdigest()


def shingles(text: str) -> frozenset[int]:
    """The text's runs of five tokens, each as a 64-bit number; empty below the floor of 80 tokens."""
    return frozenset(_runs(text).tolist())


def signature(parts: frozenset[int]) -> Signature:
    """The MinHash of a set of shingles; the empty set has the empty signature."""
    return _minima(np.fromiter(parts, dtype=np.uint64, count=len(parts)))


def text_signature(text: str) -> Signature:
    """The MinHash of a text's shingles, without the detour over their set."""
    return _minima(_runs(text))


def _minima(values: NDArray[np.uint64]) -> Signature:
    if not values.size:
        return Signature(b"")
    # The values are mixed already, so half of their bits carry the order and halve the work.
    halves = values.astype(np.uint32)
    least = np.empty(_BANDS * _ROWS, dtype="<u4")
    # A few hashes at a time: what is computed stays in the processor's cache.
    hashed = np.empty((_AT_ONCE, len(halves)), dtype=np.uint32)
    for start in range(0, len(least), _AT_ONCE):
        stop = start + _AT_ONCE
        np.multiply(halves, _MULTIPLIERS[start:stop], out=hashed)
        np.add(hashed, _ADDENDS[start:stop], out=hashed)
        hashed.min(axis=1, out=least[start:stop])
    return Signature(least.tobytes())


def _runs(text: str) -> NDArray[np.uint64]:
    words = tokens(text)
    if len(words) < SHINGLE_FLOOR:
        return np.empty(0, dtype=np.uint64)
    hashes = np.frombuffer(b"".join(map(_CODES.__getitem__, words)), dtype="<u4").astype(np.uint64)
    rolled = np.zeros(len(words) - _SHINGLE + 1, dtype=np.uint64)
    for offset, factor in enumerate(_FACTORS):
        rolled += hashes[offset : offset + len(rolled)] * factor
    return _mix(rolled)


def bands(sign: Signature) -> tuple[str, ...]:
    """Keys of which two texts at Jaccard 0.83 share at least one in 98 of 100 cases; none for the empty signature."""
    width = 4 * _ROWS
    return tuple(
        f"{band:x}:{hashlib.blake2b(sign[band * width : (band + 1) * width], digest_size=8).hexdigest()}"
        for band in range(len(sign) // width)
    )


def jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    """The shared part of two sets; 0 where either is empty, since nothing is known then."""
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


class _Codes(dict[str, bytes]):
    """The checksum of each word met so far: nearly all words of a posting were in the postings before it."""

    def __missing__(self, word: str) -> bytes:
        if len(self) >= _MOST_WORDS:
            self.clear()
        code = self[word] = zlib.crc32(word.encode("utf-8", "surrogatepass")).to_bytes(4, "little")
        return code


_MOST_WORDS = 65_536
_CODES = _Codes()


def _mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """splitmix64: without it neighbouring sums would land on neighbouring minima."""
    mixed = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _numbers(name: str, count: int) -> NDArray[np.uint64]:
    """Fixed pseudo-random numbers: signatures are stored, so they may never change between versions of a library."""
    digest = b"".join(hashlib.sha256(f"{name}/{index}".encode()).digest()[:8] for index in range(count))
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


_FACTORS = tuple(_numbers("shingle", _SHINGLE) | np.uint64(1))
_MULTIPLIERS = (_numbers("multiplier", _BANDS * _ROWS) | np.uint64(1)).astype(np.uint32)[:, None]
_ADDENDS = _numbers("addend", _BANDS * _ROWS).astype(np.uint32)[:, None]


def verdict(a: Content, b: Content) -> SameVerdict:
    """Whether *a* and *b* are one posting: ids first, then what both say."""
    if a.key and a.key == b.key:
        return SameVerdict(Sameness.SAME, "same native id")
    if objection := _objection(a, b):
        return SameVerdict(Sameness.DIFFERENT, objection)
    same_title = title_key(a.title) == title_key(b.title)
    near = _overlap(a.places, b.places)
    likeness = _likeness(a.text, b.text)
    if likeness is None:
        if a.requisition and a.requisition == b.requisition and same_title and a.places and b.places and not near:
            return SameVerdict(Sameness.SAME_REQUISITION_OTHER_PLACE, "same requisition and title, other places")
        return SameVerdict(Sameness.DIFFERENT, "too little text to tell")
    if likeness < SAME_TEXT:
        return SameVerdict(Sameness.DIFFERENT, "the texts differ", likeness)
    if likeness < 1 and _levels(a.text) != _levels(b.text):
        return SameVerdict(Sameness.DIFFERENT, "other level", likeness)
    if not same_title or not near:
        return SameVerdict(
            Sameness.SAME_REQUISITION_OTHER_PLACE, "same employer, title and text, other places", likeness
        )
    if _of_one_board(a, b) and (likeness < SAME_TEXT_ON_ONE_BOARD or near < 0.5):
        return SameVerdict(Sameness.DIFFERENT, "two ids on one board, and more than the id differs", likeness)
    if a.team and b.team and a.team != b.team and likeness < EQUAL_TEXT:
        return SameVerdict(Sameness.DIFFERENT, "other team", likeness)
    return SameVerdict(Sameness.SAME, "same employer, title, place and text", likeness)


def _objection(a: Content, b: Content) -> str | None:
    """Why the two cannot be one requisition, or None."""
    employer = employer_key(a.company)
    if not employer or employer != employer_key(b.company):
        return "other employer" if employer else "unknown employer"
    title = title_key(a.title)
    if not title or (title != title_key(b.title) and _without_place(a.title) != _without_place(b.title)):
        return "other title"
    for name in ("requisition", "language", "employment_type"):
        one, other = getattr(a, name), getattr(b, name)
        if one and other and one != other:
            return f"other {name.replace('_', ' ')}"
    return None


@lru_cache(maxsize=4_096)
def _without_place(title: str) -> str | None:
    """The key of a title without a place at its end: "Account Executive - Madrid", "Engineer (US Remote)"."""
    while found := _TITLE_END.search(title):
        reading = read_place(found["end"])
        if found.start() == 0 or reading.warnings or not reading.places:
            break
        title = title[: found.start()]
    return title_key(title)


def _of_one_board(a: Content, b: Content) -> bool:
    """Whether both ids were given by one system, which numbers each posting once."""
    return bool(a.key and b.key) and (a.key or "").partition(":")[0] == (b.key or "").partition(":")[0] != "url"


@lru_cache(maxsize=256)
def _shingled(text: str) -> frozenset[int]:
    return shingles(text)


def _likeness(one: str | None, other: str | None) -> float | None:
    """How alike two texts are, or None where one of them is too short to tell."""
    first, second = _shingled(one or ""), _shingled(other or "")
    if first and second:
        return jaccard(first, second)
    # Below the floor only equal text counts.
    words, others = tokens(one or ""), tokens(other or "")
    if min(len(words), len(others)) < FINGERPRINT_FLOOR:
        return None
    return 1.0 if words == others else 0.0


def _levels(text: str | None) -> Counter[str]:
    """How often each level is named: two levels of one role share every other word."""
    return Counter(word for word in tokens(text or "") if word in _LEVELS)


def _overlap(one: Sequence[Place], other: Sequence[Place]) -> float:
    """The shared part of two sets of places; 1 where neither side names any, 0 where one alone does not."""
    if not one or not other:
        return 0.0 if one or other else 1.0
    shared = sum(any(_same_place(place, there) for there in other) for place in one)
    return shared / (len(one) + len(other) - shared) if shared < len(one) + len(other) else 1.0


def _same_place(one: Place, other: Place) -> bool:
    if one.country != other.country or _town(one) != _town(other):
        return False
    if one.region and other.region:
        return same_subdivision(one.country, one.region, other.region)
    return bool(one.city) or one.region == other.region


def _town(place: Place) -> str | None:
    """The city under its main name, so that two languages meet."""
    if not place.city:
        return None
    entry = lookup(place.city)
    main = next((city.name for city in entry.cities if city.country == place.country), None) if entry else None
    return fold(main or place.city)
