"""A location line taken apart: names that can be places, work modes, words that are neither, and what parts them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum

from jobctrl.postings.folding import fold
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


_WIDE = str.maketrans("（）［］【】，、；：／｜＆＋　。《》", "()[][],;;:/|&+ .()")
_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}|[\u3040-\u30ff\u3400-\u9fff]+|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’ʼ][^\W_\u3040-\u30ff\u3400-\u9fff]+)*"
)
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_CONNECTORS = frozenset("or and ou oder und et y e o of och og eller lub oraz ve veya i и или 或 和 及 & plus".split())
_COUNT = re.compile(r"\(?\+\s*\d+\s*(?:others?|more)\)?", re.IGNORECASE)
_LONGEST = 6
_BIG = 100_000

# Words beside a place that leave it what it is.
BESIDE = frozenset(
    """office offices hq headquarters area metro metropolitan region greater based in at only preferred residents
    candidates applicants within from near the around downtown city location locations work working job jobs role
    position team hub campus site center centre surrounding nationwide onsite wide base im in der em en à a de do da na
    no aus bei raum großraum région area anywhere across or any usa""".split()
)
# Words behind a place that make it a time of day, not a place.
_CLOCK = frozenset("time times timezone timezones hours hour tz overlap zone business working daytime 时间 时区".split())
_EXCLUDING = frozenset("non excluding except exclude not outside excl without außer sauf excepto".split())
_AWAY_FROM = frozenset("of near".split())


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
    before, hard = start, False
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
        item, used = _longest(plain, tokens, index, gap, lower_only)
        if item is None:
            word = token.group()
            if word in _CONNECTORS or (word in ("OR", "AND", "E", "Y", "OU") and gap == Gap.SPACE and index + 1 < len(tokens)):
                hard = True
            else:
                yield Item(Kind.WORDS, word, token.start(), token.end(), gap)
            before = token.end()
            index += 1
            continue
        yield item
        before = item.end
        index += used


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


_INNER = re.compile(r"(?: |-|\.|\. | & |['’]|'?s? )\Z")
_FOLDED_AREAS = {fold(name): shown for name, shown in AREAS.items()}
_FOLDED_CITIES = {fold(name): (name, place) for name, place in CITY_NAMES.items()}
_FOLDED_WORLD = frozenset(fold(name) for name in WORLD)
# Initialisms of the tables are believed in capitals only: "la", "sp" and "fra" are words of other languages.
_CASED = frozenset(fold(name) for name in (*CITY_NAMES, *AREAS) if name.isupper() and len(name) <= 4)


def _name(written: str, start: int, end: int, gap: Gap, lower_only: bool, *, alone: bool) -> Item | None:
    key = fold(written)
    if not key or (key in _STOP and not written.isupper()):
        return None
    upper = written.isupper()
    item = Item(Kind.NAME, written, start, end, gap, upper=upper)
    if key in _FOLDED_WORLD:
        return replace_kind(item, Kind.WORLD)
    short = len(key.replace(" ", "")) <= 4 and written.replace(".", "").isascii()
    entry = lookup(written)
    if key in _FOLDED_AREAS and (upper or key not in _CASED or written[:1].isupper()):
        item.fixed = Place(None, _FOLDED_AREAS[key], None)
        return item
    if key in _FOLDED_CITIES:
        name, (city, region, country) = _FOLDED_CITIES[key]
        if key not in _CASED or upper or (lower_only and name not in WEAK_CITY_NAMES) or (written.istitle() and alone):
            shown = city if key in _CASED or fold(city) != key else city
            item.fixed, item.weak = Place(shown, region, country), name in WEAK_CITY_NAMES
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
_STOP = frozenset(
    """of or and the in at on to for us is no as by be we it de la le el en y e o und oder den der das van von mobile reading nice
    bath best full work home office open team time base orange west east north south center centre central union
    liberty lead plaza park lake street road avenue tower building floor st rd ave blvd suite hub general commerce hall
    most many van university college hospital airport independence enterprise industry progress hope deal sandy
    remote flexible global anywhere worldwide any all multiple various preferred based only possible available options""".split()
) - {"us"}  # fmt: skip


def replace_kind(item: Item, kind: Kind) -> Item:
    item.kind = kind
    return item


_HAN_SUFFIX = re.compile("(?:市|省|地区|特别行政区|自治区|境内|内地|大陆|优先|等|等地|本地|办公室|办公|附近|区域|区|办公区|为主|均可|都可|皆可)*\\Z")
_HAN_PREFIX = re.compile("(?:工作地点|地点|工作地|办公地点|坐标|位于|在|全职|base|可|勤務地)+")
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
    if plain[position:end] in CHINESE_SHORT:
        for name in CHINESE_SHORT[plain[position:end]]:
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
    large = tuple(city for city in item.entry.cities if city.population >= _BIG)
    item.entry = Entry(item.entry.countries, (), item.entry.subdivisions, (), large)
    return item if item.entry.countries or item.entry.subdivisions or large else None


def _gap(plain: str, position: int, start: int, items: Sequence[Item]) -> Gap:
    before = items[-1].end if items else position
    return _gap_class(plain[max(before, position) : start])


def _gap_class(between: str) -> Gap:
    if not between:
        return Gap.NONE
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
        if last and last.kind is Kind.WORDS and item.kind is Kind.WORDS and item.gap <= Gap.DOT and item.gap != Gap.NONE:
            joined[-1] = Item(Kind.WORDS, f"{last.text} {item.text}" if item.gap == Gap.SPACE else f"{last.text}-{item.text}", last.start, item.end, last.gap)
        else:
            joined.append(item)
    return joined


def _finish(items: list[Item], plain: str) -> list[Item]:
    """Groups numbered, clock times and exclusions taken out, and each item told whether it stands alone."""
    kept: list[Item] = []
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
            if beside_after and beside_after.kind is Kind.WORDS and fold(beside_after.text).split()[:1] and fold(beside_after.text).split()[0] in _CLOCK:
                continue
            if beside_before and beside_before.kind is Kind.WORDS:
                words = fold(beside_before.text).split()
                if words and (words[-1] in _EXCLUDING or (words[-1] in _AWAY_FROM and not item.entry.countries)):
                    continue
            item.whole = not any(
                other and other.kind is Kind.WORDS and not set(fold(other.text).split()) <= BESIDE
                for other in (beside_before, beside_after)
            )
        kept.append(item)
    return kept
