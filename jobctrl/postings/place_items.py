"""A location line taken apart: names that can be places, work modes, words that are neither, and what parts them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from itertools import pairwise

from jobctrl.postings.folding import fold, words
from jobctrl.postings.gazetteer import Entry, lookup
from jobctrl.postings.model import Place, Span
from jobctrl.postings.place_names import AREAS, CHINESE_SHORT, CITY_NAMES, WEAK_CITY_NAMES, WORLD


class Kind(Enum):
    NAME = "name"
    """Can be a place: it has an entry, or a fixed meaning."""
    MODE = "mode"
    WORLD = "world"
    WORDS = "words"
    """Nothing known."""


class Gap(IntEnum):
    """What stands before an item, from the weakest to the strongest parting."""

    NONE = 0
    SPACE = 1
    HYPHEN = 2
    DOT = 3
    SLASH = 4
    DASH = 5
    COMMA = 6
    BRACKET = 7
    HARD = 8


@dataclass
class Item:
    kind: Kind
    text: str
    start: int
    end: int
    gap: Gap
    entry: Entry = field(default_factory=Entry)
    fixed: Place | None = None
    weak: bool = False
    """A short name that needs company to be believed."""
    whole: bool = True
    """Nothing but this stands between its separators."""
    group: int = 0
    upper: bool = False
    closed: bool = False
    """A bracket closes before it."""
    joined: bool = False
    """A joining word stands before it: "San Francisco or Palo Alto"."""


_WIDE = str.maketrans("（）［］【】，、；：／｜＆＋　。《》", "()[][],;;:/|&+ .()")
# A letter with the vowel signs and accents that some scripts write as characters of their own.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u1000-\u109f\u1780-\u17d3"
_LETTERS = f"(?:[^\\W_\u3040-\u30ff\u3400-\u9fff]|[{_MARKS}])+"
_TOKEN = re.compile(rf"(?:[^\W\d_]\.){{2,}}|[\u3040-\u30ff\u3400-\u9fff]+|{_LETTERS}(?:['’ʼ]{_LETTERS})*")
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CONNECTORS = words("or and ou oder und et y e o of och og eller lub oraz ve veya i и или 或 和 及 & plus")
_COUNT = re.compile(r"\(?\+\s*\d+\s*(?:others?|more)\)?", re.IGNORECASE)
_LONGEST = 6
_BIG = 100_000

# Words beside a place that leave it what it is.
BESIDE = words("""
    office offices hq headquarters area metro metropolitan region greater based in at only preferred residents
    candidates applicants within from near the around downtown city location locations work working job jobs role
    position team hub campus site center centre surrounding nationwide onsite wide base im in der em en à a de do
    da na no aus bei raum großraum région area anywhere across or any usa
""")
# Words behind a place that make it a time of day, not a place.
_ZONES = words("est edt cst cdt mst mdt pst pdt gmt utc cet cest bst ist aest jst hkt eet wet")
_SHORT_ZONES = frozenset({"ET", "CT", "MT", "PT"})
_CLOCK = words("time times timezone timezones hours hour tz overlap zone business working daytime 时间 时区")
_EXCLUDING = words("non excluding except exclude not outside excl without außer sauf excepto")
_AWAY_FROM = words("of near")


def items_of(text: str, modes: Sequence[Span]) -> list[Item]:
    """The items of *text* in order; *modes* are the spans already read as work modes."""
    plain = text.translate(_WIDE)
    for count in _COUNT.finditer(plain):
        plain = plain[: count.start()] + ";" + " " * (count.end() - count.start() - 1) + plain[count.end() :]
    lower_only = plain == plain.lower()
    items: list[Item] = []
    position = 0
    bounds = [(m.start, m.end) for m in modes]
    for start, end in [*bounds, (len(plain), len(plain))]:
        items += _names(plain, position, start, lower_only)
        if start < end:
            items.append(Item(Kind.MODE, text[start:end], start, end, _gap(plain, position, start, items)))
        position = max(position, end)
    return _finish(_joined(items), plain)


def _names(plain: str, start: int, end: int, lower_only: bool) -> Iterator[Item]:
    tokens = list(_TOKEN.finditer(plain, start, end))
    before, hard, joined = start, False, False
    index = 0
    while index < len(tokens):
        token = tokens[index]
        gap = Gap.HARD if hard else _gap_class(plain[before : token.start()])
        hard = False
        if _HAN.match(token.group()):
            found_han = list(_han(plain, token.start(), token.end(), gap))
            yield from found_han
            before = token.end()
            index += 1
            continue
        if _joins(plain, token, gap):
            hard = joined = True
            before = token.end()
            index += 1
            continue
        item, used = _longest(plain, tokens, index, gap, lower_only)
        if item is None:
            yield Item(Kind.WORDS, token.group(), token.start(), token.end(), gap)
            before = token.end()
            index += 1
            continue
        item.joined = joined
        joined = False
        yield item
        before = item.end
        index += used


def _joins(plain: str, token: re.Match[str], gap: Gap) -> bool:
    """Whether a word only joins two entries. In capitals OR and IN are states too, where nothing follows them."""
    word = token.group()
    if word in _CONNECTORS:
        return True
    if word.lower() not in _CONNECTORS or gap > Gap.SPACE:
        return False
    return bool(_GOES_ON.match(plain, token.end()))


_GOES_ON = re.compile(r" (?!US\b|USA\b|United)\w")


def _longest(
    plain: str, tokens: Sequence[re.Match[str]], index: int, gap: Gap, lower_only: bool
) -> tuple[Item | None, int]:
    """The longest name that begins at a token, and how many tokens it takes."""
    start = tokens[index].start()
    limit = 1
    while (
        index + limit < len(tokens)
        and limit < _LONGEST
        and _INNER.match(plain[tokens[index + limit - 1].end() : tokens[index + limit].start()])
    ):
        limit += 1
    for count in range(limit, 0, -1):
        end = tokens[index + count - 1].end()
        written = plain[start:end]
        item = _name(written, start, end, gap, lower_only, alone=limit == 1)
        if item:
            return item, count
    return None, 1


_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}\Z")
_INNER = re.compile(r"(?: |-|\.|\. | & |['’]|'?s? )\Z")
_FOLDED_AREAS = {fold(name): shown for name, shown in AREAS.items()}
_FOLDED_CITIES = {
    fold(name.replace(".", "") if _INITIALS.match(name) else name): (name, place) for name, place in CITY_NAMES.items()
}
_FOLDED_WORLD = frozenset(fold(name) for name in WORLD)
# Initialisms of the tables are believed in capitals only: "la", "sp" and "fra" are words of other languages.
_CASED = frozenset(fold(name) for name in (*CITY_NAMES, *AREAS) if name.isupper() and len(name) <= 4)


def _name(written: str, start: int, end: int, gap: Gap, lower_only: bool, *, alone: bool) -> Item | None:
    key = fold(written)
    if not key or (len(key) == 1 and key.isascii()) or key in _ZONES or (key in _STOP and not written.isupper()):
        return None
    if _INITIALS.match(written):
        key = key.replace(" ", "")
    upper = written.isupper()
    item = Item(Kind.NAME, written, start, end, gap, upper=upper)
    if key in _FOLDED_WORLD:
        item.kind = Kind.WORLD
        return item
    short = len(key.replace(" ", "")) <= 4 and written.replace(".", "").isascii()
    entry = lookup(key)
    if key in _FOLDED_AREAS and (upper or key not in _CASED or written[:1].isupper()):
        item.fixed = Place(None, _FOLDED_AREAS[key], None)
        return item
    if key in _FOLDED_CITIES:
        name, (city, region, country) = _FOLDED_CITIES[key]
        if key not in _CASED or upper or (lower_only and name not in WEAK_CITY_NAMES) or (written.istitle() and alone):
            item.fixed, item.weak = Place(city, region, country), name in WEAK_CITY_NAMES
            item.entry = entry or Entry()
            return item
    if entry is None:
        return None
    if written.islower() and not lower_only and not _HAN.match(written) and written.isascii():
        return None
    item.entry = entry
    if short and " " not in key:
        return _short(item, entry)
    return item if entry.countries or entry.subdivisions or entry.cities else None


def _short(item: Item, entry: Entry) -> Item | None:
    """A word of up to four letters: a code where it is in capitals, a name where it is written as one."""
    as_name = Entry(entry.countries, (), entry.subdivisions, (), entry.cities)
    if item.upper:
        item.entry = entry
        return item
    if item.text[:1].isupper() and len(item.text) == 2 and item.gap in (Gap.COMMA, Gap.SLASH, Gap.DASH, Gap.HYPHEN):
        item.entry = entry
        return item
    item.entry = as_name
    return item if as_name.countries or as_name.subdivisions or as_name.cities else None


# Ordinary words that are also names somewhere.
_STOP = (BESIDE | words("""
    of or and the in at on to for us is no as by be we it de la le el en y e o und oder den der das van von mobile
    reading nice bath best full work home office open team time base orange west east north south center centre
    central union liberty lead plaza park lake street road avenue tower building floor st rd ave blvd suite hub
    general commerce hall most many van university college hospital airport independence enterprise industry
    progress hope deal sandy remote flexible global anywhere worldwide any all multiple various preferred based
    only possible available options fully partly mostly currently strictly primarily entirely mainly
""")) - {"us", "usa"}  # fmt: skip


_HAN_SUFFIX = re.compile(
    "(?:市|省|地区|特别行政区|自治区|境内|内地|大陆|优先|等|等地|本地|办公室|办公|附近|区域|区|办公区|为主|均可|都可|皆可)*\\Z"
)
_HAN_PREFIX = re.compile("(?:工作地点|地点|工作地|办公地点|坐标|位于|优先|限|地|在|全职|可|勤務地)+")
_HAN_JOIN = re.compile("[或和及与、跟]|以及|或者")
_HAN_EXCLUDE = re.compile("非|除|不含|除了")
_HAN_CLOCK = re.compile("时间|时区|時間|作息|团队|用户|市场|客户|公司|业务|中心")


def _han(plain: str, start: int, end: int, gap: Gap) -> Iterator[Item]:
    """Names in a run of Chinese or Japanese: country, province and city stand side by side, and first."""
    position = start
    for piece_end in [*(match.start() for match in _HAN_JOIN.finditer(plain, start, end)), end]:
        if piece_end < position:
            continue
        yield from _han_piece(plain, position, piece_end, gap if position == start else Gap.HARD)
        position = piece_end
        joined = _HAN_JOIN.match(plain, position)
        if joined:
            position = joined.end()


def _han_piece(plain: str, start: int, end: int, gap: Gap) -> Iterator[Item]:
    prefix = _HAN_PREFIX.match(plain, start, end)
    position = prefix.end() if prefix else start
    if plain[position : position + 3] in CHINESE_SHORT:
        for name in CHINESE_SHORT[plain[position : position + 3]]:
            item = _name(name, position, end, Gap.HARD, False, alone=True)
            if item:
                yield item
        return
    found: list[Item] = []
    while position < end:
        item = next(
            (
                item
                for stop in range(min(end, position + 10), position, -1)
                if (item := _han_name(plain[position:stop], position, stop, gap if not found else Gap.SPACE))
            ),
            None,
        )
        if item is None:
            break
        if item.entry.cities and any(other.entry.cities for other in found):
            # What stands behind a city with nothing between is its district.
            break
        found.append(item)
        position = item.end
        while position < end and plain[position] in "市省":
            position += 1
    rest = plain[position:end]
    if rest and _HAN_EXCLUDE.match(plain, start, end):
        return
    city = any(item.entry.cities or (item.fixed and item.fixed.city) for item in found)
    if found and rest and (_HAN_CLOCK.match(rest) or not (city or _HAN_SUFFIX.match(rest))):
        found = []
    yield from found
    if rest or not found:
        yield Item(Kind.WORDS, rest or plain[start:end], position if found else start, end, Gap.SPACE if found else gap)


def _han_name(written: str, start: int, end: int, gap: Gap) -> Item | None:
    item = _name(written, start, end, gap, False, alone=True)
    if item is None or item.fixed or item.kind is not Kind.NAME:
        return item
    if len(written) == 1 and not item.entry.countries:
        return None
    if any(_longer_than_its_city(written, stop) for stop in range(2, len(written) - 1)):
        return None
    large = tuple(city for city in item.entry.cities if city.population >= _BIG)
    item.entry = Entry(item.entry.countries, (), item.entry.subdivisions, (), large)
    return item if item.entry.countries or item.entry.subdivisions or large else None


def _longer_than_its_city(written: str, stop: int) -> bool:
    """Whether the beginning of a name is a large city by itself, and the rest a district of it."""
    entry = lookup(written[:stop])
    return bool(entry) and any(city.population >= 10 * _BIG for city in (entry.cities if entry else ()))


def _gap(plain: str, position: int, start: int, items: Sequence[Item]) -> Gap:
    before = items[-1].end if items else position
    return _gap_class(plain[max(before, position) : start])


def _gap_class(between: str) -> Gap:
    if not between:
        return Gap.NONE
    if between.strip() == "·":
        return Gap.DASH
    if any(char in between for char in ";|\n•·&+→\t"):
        return Gap.HARD
    if "/" in between:
        return Gap.HARD if " /" in between or "/ " in between else Gap.SLASH
    if any(char in between for char in "()[]{}<>"):
        return Gap.BRACKET
    if "," in between or ":" in between:
        return Gap.COMMA
    if re.search(r"\s[-–—]+\s|[–—]", between) or re.search(r"\s-|-\s", between):
        return Gap.DASH
    if "-" in between or "_" in between:
        return Gap.HYPHEN
    if "." in between:
        return Gap.DOT
    return Gap.SPACE


def _joined(items: list[Item]) -> list[Item]:
    """Neighbouring unknown words as one item."""
    joined: list[Item] = []
    for item in items:
        last = joined[-1] if joined else None
        if (
            last
            and last.kind is Kind.WORDS
            and item.kind is Kind.WORDS
            and item.gap <= Gap.DOT
            and item.gap != Gap.NONE
        ):
            joined[-1] = Item(
                Kind.WORDS,
                f"{last.text} {item.text}" if item.gap == Gap.SPACE else f"{last.text}-{item.text}",
                last.start,
                item.end,
                last.gap,
            )
        else:
            joined.append(item)
    return joined


# Districts and towns of Japan and Korea carry what they are behind a hyphen.
_SUFFIX = re.compile("(?:ku|shi|gu|dong|si|cho|machi|to|fu|ken|gun|do)\\Z")


def _towns(items: list[Item]) -> list[Item]:
    """Names of several words of which only some are known: "Juno Beach" is no Beach, "Shibuya-ku" is Shibuya."""
    kept: list[Item] = []
    for index, item in enumerate(items):
        last = kept[-1] if kept else None
        following = items[index + 1] if index + 1 < len(items) else None
        if last and item.gap == Gap.HYPHEN and last.entry.cities and _SUFFIX.match(item.text):
            last.text, last.end = f"{last.text}-{item.text}", item.end
        elif last and item.gap == Gap.SPACE and _of_one_name(last, item):
            kept[-1] = Item(Kind.WORDS, f"{last.text} {item.text}", last.start, item.end, last.gap, joined=last.joined)
        elif last and _is_town(last) and _is_capital_word(item) and following and following.gap == Gap.COMMA:
            # "Berlin Mitte, Germany", "Amsterdam-Zuid, NH": a part of the city, before what the city lies in.
            if item.gap == Gap.HYPHEN:
                last.text = f"{last.text}-{item.text}"
            elif item.gap != Gap.SPACE or " " in item.text:
                kept.append(item)
                continue
            last.end = item.end
        else:
            kept.append(item)
    return kept


def _of_one_name(one: Item, other: Item) -> bool:
    """Whether two neighbours are words of one unknown name: one of them is a town too small to stand here by itself."""
    if not (_is_town(one) or _is_capital_word(one)) or not (_is_town(other) or _is_capital_word(other)):
        return False
    return any(_is_town(item) and max(c.population for c in item.entry.cities) < _BIG for item in (one, other))


def _is_capital_word(item: Item) -> bool:
    return (
        item.kind is Kind.WORDS
        and not item.text.isupper()
        and all(w[:1].isupper() and w.isalpha() and fold(w) not in BESIDE for w in item.text.split())
    )


def _is_town(item: Item) -> bool:
    """Whether an item is a city's name and nothing else."""
    entry = item.entry
    if item.kind is not Kind.NAME or item.fixed or item.upper or not item.text.isascii():
        return False
    return bool(entry.cities) and not entry.countries and not entry.subdivisions


def _lies_in(item: Item, code: str) -> bool:
    return any(city.country == "US" and city.subdivision == code for city in item.entry.cities)


def _finish(items: list[Item], plain: str) -> list[Item]:
    """Groups numbered, clock times and exclusions taken out, and each item told whether it stands alone."""
    kept: list[Item] = []
    items = _towns(items)
    zones = {item.text for item in items if item.text in _SHORT_ZONES}
    for before, item in pairwise(items):
        item.closed = any(char in ")]}" for char in plain[before.end : item.start])
    group = 0
    for index, item in enumerate(items):
        if item.gap == Gap.HARD:
            group += 1
        item.group = group
        previous = items[index - 1] if index else None
        following = items[index + 1] if index + 1 < len(items) else None
        beside_before = previous if previous and item.gap <= Gap.DOT else None
        beside_after = following if following and following.gap <= Gap.DOT else None
        if item.kind is Kind.NAME:
            if beside_after and beside_after.kind is Kind.WORDS and set(fold(beside_after.text).split()[:3]) & _CLOCK:
                continue
            if item.text == "OK" and item.gap == Gap.SPACE and not (previous and _lies_in(previous, "OK")):
                # "Canada OK" allows Canada; "Tulsa OK" lies in Oklahoma.
                continue
            if item.text in _SHORT_ZONES and len(zones) > 1 and "ET" in zones:
                continue
            if item.text == "IN" and previous and previous.kind is Kind.MODE and item.gap == Gap.SPACE:
                continue
            if beside_before and beside_before.kind is Kind.WORDS:
                words = fold(beside_before.text).split()
                if words and (words[-1] in _EXCLUDING or (words[-1] in _AWAY_FROM and not item.entry.countries)):
                    continue
            item.whole = not any(
                other and other.kind is Kind.WORDS and not set(fold(other.text).split()) <= BESIDE
                for other in (beside_before, beside_after)
            )
        if (
            item.kind is Kind.WORDS
            and beside_before
            and beside_before.kind is Kind.NAME
            and set(fold(item.text).split()) <= BESIDE
        ):
            # "London Area, United Kingdom": the word would stand between the city and its country.
            continue
        kept.append(item)
    return kept
