"""Pay as a posting states it: ranges, their currency, period and component, and the span each was read from.

Nothing is defaulted. A number is pay only when its own form or the words beside it say so, and a number that cannot
be what the words say (cents as dollars, a year's sum for an hour) is ambiguous rather than wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from jobctrl.postings.model import PayComponent, PayPeriod, PayReading, PayState, Span
from jobctrl.postings.money import CRYPTO, DASH, MILLION, WORDLIKE, Amount, amounts, plain, rough_dollars, settle
from jobctrl.postings.pay_words import (
    BETWEEN,
    FROM,
    OPEN_END,
    PERIOD_AFTER,
    UP_TO,
    Sense,
    component_named,
    pair_sense,
    period_named,
    period_of,
    sense,
    words_of,
)  # fmt: skip

AMBIGUOUS_SYMBOL = "ambiguous_symbol"
"""A sign shared by several currencies, and no country to settle it."""
SWAPPED = "swapped_bounds"
"""The text gives the larger figure first."""
IMPLAUSIBLE = "implausible_amount"
"""No such pay is known for that period and currency; the numbers are withheld."""
UNREADABLE = "unreadable_amount"
"""A figure stands where pay is named, but it cannot be read as an amount."""

# The set at the front lets the search skip quickly over clean text.
_NOISE = re.compile(
    r"[\\*_<&âÂ\u200b\u2060\u00ad\ufeff](?:(?<=\\)(?=[!-/:-@\[-`{-~])|(?<=\*)\*|(?<=_)_|(?<=<)/?[a-zA-Z][^<>]*>"
    r"|(?<=&)(?:nbsp|euro|pound|yen|ndash|mdash|minus|thinsp|#\d{2,5});|(?<=â)(?:\x80[\x93\x94]|€[“”]|\x82¬|‚¬)"
    r"|(?<=Â)(?=[£€¥\u00a0])|(?<=[\u200b\u2060\u00ad\ufeff]))"
)
_NOISE_SIGNS = "\\*_<&âÂ\u200b\u2060\u00ad\ufeff"
_ENTITIES = {
    "&nbsp;": " ",
    "&euro;": "€",
    "&pound;": "£",
    "&yen;": "¥",
    "&ndash;": "–",
    "&mdash;": "—",
    "&minus;": "-",
    "&thinsp;": " ",
}

_LABELLED = re.compile(r"\W*([^\W\d_]+)(?:\s[^\W\d_]+){0,2}\s*[:=]\s*\W{0,3}\d[\d.,]*\s*$")
_PARENTHESIS = r"(?:\s*\([^()\d]{0,40}\))?"
_JOIN = re.compile(
    rf"{_PARENTHESIS}[\s*]*(?:[{DASH}~〜～]+|(?:to|bis|à|a|até|ate|y|e|és|do|до|至|到|tot|tới|đến|til|till|till|t/m"
    rf"|through|hasta|al|ao|-to-|rising to|going up to|up to|"
    rf"to (?:a )?max(?:imum)?(?: of)?|και|ile|hingga|sampai|ถึง|से)\b|から)(?:\s*(?:a |de |até |to |up to |maximum "
    rf"|max\.? |from ))?[\s*(:]*",
    re.IGNORECASE,
)
_SPREAD = re.compile(r"\s*(?:in|for) [^\d$€£.;\n]{3,40}\b(?:up )?to\s*", re.IGNORECASE)
"""Between the ends of a range that says for whom each end is."""
_AND = re.compile(
    rf"{_PARENTHESIS}\s*(?:and|und|et|e|y|en|och|og|i|a|és|и|&)\s+(?:a maximum of |up to )?\s*", re.IGNORECASE
)
_LINK = re.compile(r"\s*(?:/|\||or\b|oder\b|ou\b|o\b|\(|≈|=|,|~)+\s*[~≈]?\s*", re.IGNORECASE)
_BOUNDARY = re.compile(r"[\n;•|!?。；·]|\.\s+(?=[^\W\d_a-zà-ÿ])|\*\s|\s[-–—]\s(?=[A-Z][a-z])|\d\)?\s\+\s")
_STOP = re.compile(
    r"[+;!?•|\n—:()\[\]*。；，,]|\.(?=\s|$)|\s[-–]\s|(?<![^\W_])(?:plus|and|with|w/|or|e|y|et|und|conforme|para"
    r"|depending|based|dependent|when|if|as|der|plus)(?![^\W_])",
    re.IGNORECASE,
)
_UNITS_BEHIND = re.compile(
    r"\s?(?:%|(?:hours?|hrs?|h|weeks?|wks?|days?|months?|years?|yrs?|minutes?|uur|stunden?|heures?|horas?|people"
    r"|employees|users|km|miles?)\b(?!\s*rate))",
    re.IGNORECASE,
)
_PIECE = re.compile(
    r"\s*(?:(?:per|pro)\s(?!(?:annum|year|month|hour|week|day)\b)[^\W\d_]|/\s?(?:word|video|page|lead|sale|project"
    r"|unit|article|post|piece|task|referral|hire|client|call|user|seat|ticket|image|session)s?\b)",
    re.IGNORECASE,
)
"""A price for a piece of work, or of a thing."""
_PURPOSE = re.compile(r"\s*(?:for|pour|para|für|voor|towards?|on)\s", re.IGNORECASE)
_SHARE = re.compile(r"%\s*\(?\s*~?\s*$")
_EXTRA = re.compile(
    r"[\s,).*]*(?:\+|\bplus\b|\bwith\b|\band\b)\s*(?:(?:an?|additional|eligib\w+ for|target(?:ed)?|annual|yearly"
    r"|quarterly|monthly|discretionary|performance|uncapped|up to|of|in|sales|competitive|potential|your|the|our)\s+"
    r"|\d+(?:[.,]\d+)?\s?[%k]?\s+)*(?:bonus|commission|variable|incentive|performance[\s-]based)",
    re.IGNORECASE,
)
"""Variable pay named in addition makes the amount before it base pay."""
_EXPLAINED = re.compile(
    r"[^\n]{0,30}\n?[^\n]{0,20}\b(?:this|the|that|above)\b[^.\n]{0,60}\b(?:range|salary|pay|amount"
    r"|figure)\b[^.\n]{0,40}\b(?:represents?|is|reflects?|refers? to|includes? only)\b[^.\n]{0,20}\bbase\b",
    re.IGNORECASE,
)
"""The sentence after the range says what it is."""
_SPLIT = re.compile(
    r"[\s,(]*(?:inclusive of|including (?:base|commission|bonus|variable)|with an? \d+\s?[/-]\s?\d+ split|\d+/\d+"
    r" (?:split|base)|ote\b|on[\s-]target|total\b)",
    re.IGNORECASE,
)

_REACH = 110
_BEHIND = 60
_EXPLANATION = 240
_BOUND_WORDS = 30
"""The longest words that open a one-sided range."""
_SHORT = 90
"""A text this short is a field or a line, in which an amount needs no word beside it."""

# What a year, month … can pay anywhere, in rough dollars; outside it the figure is not what its words say.
_BANDS = {
    PayPeriod.HOUR: (0.3, 600), PayPeriod.DAY: (2, 6_000), PayPeriod.WEEK: (8, 25_000), PayPeriod.MONTH: (25, 80_000),
    PayPeriod.YEAR: (300, 4_000_000), None: (3, 4_000_000),
}  # fmt: skip
_MEAL_CARDS = frozenset(("va", "vr", "vt"))
"""Brazil's food, meal and transport cards; elsewhere the letters are a state or a title."""
_Origin = tuple[list[int], list[int]]
"""Where pieces of the cleaned text begin, and how far from there the original lies."""
_NOTHING = PayReading()
_LEAST_LOCAL = {PayPeriod.HOUR: 0.8, PayPeriod.DAY: 6, PayPeriod.WEEK: 30, PayPeriod.MONTH: 130, PayPeriod.YEAR: 1_500}


class _Range(NamedTuple):
    """One or two amounts that belong together."""

    low: Amount
    high: Amount | None
    start: int
    end: int
    period: PayPeriod | None
    period_end: int

    @property
    def last(self) -> Amount:
        return self.high or self.low


def read_pay(text: str, *, country: str | None = None) -> PayReading:
    """What *text*, a line or a whole body, states as pay.

    The first of the best supported ranges is the reading, the others are its `zones`. A bare `$`, `¥` or `kr` is
    settled by *country* when that is given and otherwise leaves the currency null with a warning.
    """
    shadow, origin = _clean(text)
    figures = amounts(shadow)
    if not figures:
        return _unreadable(text)
    found: list[tuple[int, PayReading]] = []
    doubtful: PayReading | None = None
    for candidate in _linked(shadow, _ranges(shadow, figures)):
        support, reading = _read(shadow, candidate, country, text, origin)
        if not support:
            continue
        if reading.state is PayState.STATED:
            found.append((support, reading))
        elif doubtful is None:
            doubtful = reading
    if not found:
        return doubtful or _unreadable(text)
    best = max(support for support, _ in found)
    main = next(reading for support, reading in found if support == best)
    return (
        replace(main, zones=tuple(reading for _, reading in found if reading is not main)) if len(found) > 1 else main
    )


def _unreadable(text: str) -> PayReading:
    """A field labelled as pay that holds a figure nobody can place is not the same as one that states none."""
    if len(text) > _SHORT or (label := _LABELLED.match(text)) is None or sense(label[1].lower()) is not Sense.PAY:
        return _NOTHING
    return PayReading(PayState.UNPARSEABLE, span=Span(label.start(), label.end(), label[0]), warnings=(UNREADABLE,))


def _clean(text: str) -> tuple[str, _Origin | None]:
    """*text* without markup, escapes and broken dashes, and where its characters stand in the original."""
    if not any(map(text.__contains__, _NOISE_SIGNS)) or not _NOISE.search(text):
        return text, None
    pieces: list[str] = []
    at, length = 0, 0
    positions, shifts = [0], [0]
    for match in _NOISE.finditer(text):
        piece = text[at : match.start()]
        word = _plain(match[0])
        pieces += (piece, word)
        length += len(piece) + len(word)
        at = match.end()
        positions.append(length)
        shifts.append(at - length)
    pieces.append(text[at:])
    return "".join(pieces), (positions, shifts)


def _plain(noise: str) -> str:
    if noise[0] == "<":
        return " "
    if noise[0] == "&":
        return _ENTITIES.get(noise) or (chr(int(noise[2:-1])) if noise[1] == "#" else " ")
    if noise[0] == "â":
        return "€" if noise in ("â\x82¬", "â‚¬") else "–"
    return ""


def _span(text: str, origin: _Origin | None, candidate: _Range) -> Span:
    start, end = candidate.start, candidate.period_end
    if origin is not None:
        positions, shifts = origin
        start += shifts[bisect_right(positions, start) - 1]
        end += shifts[bisect_right(positions, end - 1) - 1]
    return Span(start, end, text[start:end])


def _ranges(text: str, figures: list[Amount]) -> list[_Range]:
    """Amounts paired where the text joins them, each with the period that stands right behind it."""
    ranges: list[_Range] = []
    index = 0
    while index < len(figures):
        first = figures[index]
        second = figures[index + 1] if index + 1 < len(figures) else None
        index += 1
        if (
            first.scale == 1
            and first.meaning is None
            and (second is None or second.start - first.end > 60)
            and first.value < 1000
            and not _adjacent(text, first)
        ):
            continue
        period, after_first = _period_behind(text, first.end)
        if second is not None and second.start - after_first <= 60 and _joined(text, first, second, after_first):
            late, period_end = _period_behind(text, second.end)
            ranges.append(_Range(first, second, first.start, second.end, late or period, period_end))
            index += 1
        else:
            ranges.append(_Range(first, None, first.start, first.end, period, after_first))
    return ranges


def _adjacent(text: str, figure: Amount) -> bool:
    return text[figure.end : figure.end + 1] == "/" or text[figure.end : figure.end + 5].lstrip().startswith(
        ("per", "an ", "/")
    )


def _joined(text: str, first: Amount, second: Amount, after: int) -> bool:
    if not _compatible(first, second):
        return False
    for at in {first.end, after}:
        if (
            (join := _JOIN.match(text, at)) is not None
            and join.end() >= second.start
            and join.end() - second.start <= 1
        ):
            return True
        if (join := _SPREAD.match(text, at)) is not None and join.end() == second.start:
            return True
        if (
            (join := _AND.match(text, at)) is not None
            and join.end() == second.start
            and (
                BETWEEN.search(text, max(0, first.start - 30), first.start)
                or (first.before and second.before and _de_before(text, first))
            )
        ):
            return True
    # "$85 90/hr": the dash was lost on the way.
    return (
        first.meaning is not None
        and second.meaning is None
        and text[first.end : second.start] == " "
        and first.value < second.value < first.value * 2
    )


def _de_before(text: str, first: Amount) -> bool:
    return text[max(0, first.start - 4) : first.start].strip().lower() in ("de", "von", "från", "od", "da")


def _compatible(first: Amount, second: Amount) -> bool:
    """Two figures of one range: no two currencies, no plain count with money of another size."""
    if isinstance(first.meaning, str) and isinstance(second.meaning, str) and first.meaning != second.meaning:
        return False
    if first.meaning and isinstance(first.meaning, frozenset) and isinstance(second.meaning, str):
        return second.meaning in first.meaning and _near_in_size(first, second)
    return _near_in_size(first, second)


def _near_in_size(first: Amount, second: Amount) -> bool:
    low, high = _totals(first, second)
    return low > 0 and high > 0 and high / low <= 60 and low / high <= 60


def _totals(first: Amount, second: Amount) -> tuple[Decimal, Decimal]:
    """Both figures written out: "80-120k" and "60-80.000" give the multiplier once."""
    low, high = first.total, second.total
    if (
        first.scale == 1
        and second.scale > 1
        and first.value < max(second.value * 10, Decimal(1000))
        and first.value * second.scale <= high * 10
    ):
        low = first.value * second.scale
    elif second.scale == 1 and first.scale > 1 and second.value < 1000:
        high = second.value * first.scale
    elif (
        first.scale == second.scale == 1
        and first.value < 1000
        and second.grouped
        and second.value >= 10_000
        and first.value * 1000 <= high
        and not first.before
    ):
        low = first.value * 1000
    return low, high


_NO_PERIOD = frozenset((*DASH, "+", ".", ":", "|", "\n", "$", "€", "£", ""))


def _period_behind(text: str, at: int) -> tuple[PayPeriod | None, int]:
    if text[at - 3 : at].upper() == "LPA":
        return PayPeriod.YEAR, at
    if text[at : at + 4].lstrip(" ")[:1] in _NO_PERIOD or (match := PERIOD_AFTER.match(text, at)) is None:
        return None, at
    return period_of(match), match.end()


def _linked(text: str, ranges: list[_Range]) -> list[_Range]:
    """Alternatives share the period of the last: "45-70 USD or 180-280 PLN per hour"."""
    for index in range(len(ranges) - 2, -1, -1):
        here, following = ranges[index], ranges[index + 1]
        if here.period is None and following.period is not None and following.start - here.end <= 8:
            link = _LINK.match(text, here.end)
            currencies = _meaning(here.low, here.last), _meaning(following.low, following.last)
            if link and link.end() >= following.start and None not in currencies and currencies[0] != currencies[1]:
                ranges[index] = here._replace(period=following.period)
    return ranges


def _read(
    text: str, candidate: _Range, country: str | None, source: str, origin: _Origin | None
) -> tuple[int, PayReading]:
    """How well *candidate* is supported as pay (0 is not at all) and its reading."""
    low, last = candidate.low, candidate.last
    if last.scale >= 10**9 or _UNITS_BEHIND.match(text, last.end):
        return 0, _NOTHING
    meaning = _meaning(low, last)
    coded = low.coded or last.coded
    money = meaning is not None
    if (
        money
        and coded
        and not isinstance(meaning, frozenset)
        and meaning in WORDLIKE
        and not (low.grouped or low.scale > 1 or candidate.high)
    ):
        return 0, _NOTHING
    if not money and low.digits.startswith("401") and low.scale == 1000:
        return 0, _NOTHING

    before = text[max(0, candidate.start - _REACH) : candidate.start]
    clause = _clause(before)
    words = words_of(clause)
    behind = text[candidate.period_end : candidate.period_end + _BEHIND]
    if candidate.period is None and _PIECE.match(text, candidate.end):
        return 0, _NOTHING
    stop = _STOP.search(behind)
    tail = words_of(behind[: stop.start()] if stop else behind)[:6]
    if candidate.period_end > candidate.end:
        tail = words_of(text[candidate.end : candidate.period_end]) + tail

    period = candidate.period or period_named(words)
    first, second = _totals(low, candidate.high) if candidate.high else (low.total, low.total)
    largest = max(first, second)
    currency = settle(meaning, country)
    if isinstance(meaning, frozenset) and currency is not None and _too_little(largest, currency, period):
        currency = None
    dollars = rough_dollars(currency or (None if meaning is None or meaning == CRYPTO else meaning))
    size = float(largest) * dollars if dollars else None
    salary_sized = size is not None and 12_000 <= size <= 900_000
    if money:
        cue, distance = _cue(words, tail, firm=candidate.high is not None and salary_sized)
    else:
        cue, distance = _cue_ahead(words)
    if meaning == "BRL" and words and words[-1] in _MEAL_CARDS:
        cue = Sense.OTHER
    support = _support(text, candidate, cue, distance, period, money, size)
    if not support:
        return 0, _NOTHING

    warnings: list[str] = []
    if isinstance(meaning, frozenset) and meaning != CRYPTO and currency is None:
        warnings.append(AMBIGUOUS_SYMBOL)
    if dollars is not None:
        least, most = _BANDS[period]
        if not (least <= float(min(first, second)) * dollars and float(largest) * dollars <= most):
            if cue is not Sense.PAY:
                return 0, _NOTHING
            return support, PayReading(
                PayState.AMBIGUOUS,
                currency,
                period,
                span=_span(source, origin, candidate),
                warnings=(*warnings, IMPLAUSIBLE),
            )
    if first > second:
        first, second = second, first
        warnings.append(SWAPPED)
    low_bound, high_bound = _bounds(text, candidate, clause, plain(first), plain(second))
    return support, PayReading(
        PayState.STATED,
        currency,
        period,
        low_bound,
        high_bound,
        _component(text, candidate.period_end, words, tail),
        _span(source, origin, candidate),
        tuple(warnings),
    )


def _too_little(amount: Decimal, currency: str, period: PayPeriod | None) -> bool:
    """Whether nobody is paid so little in the country's own dollars or pesos, so that another sign must be meant."""
    worth = rough_dollars(currency)
    return worth is not None and worth < 0.2 and period is not None and float(amount) * worth < _LEAST_LOCAL[period]


def _meaning(low: Amount, last: Amount) -> str | frozenset[str] | None:
    for amount in (low, last):
        if amount.coded:
            return amount.meaning
    for amount in (low, last):
        if isinstance(amount.meaning, str):
            return amount.meaning
    return low.meaning if low.meaning is not None else last.meaning


def _clause(before: str) -> str:
    """The part before an amount that speaks of it; the line above counts when the amount's own has no words."""
    start = 0
    for match in _BOUNDARY.finditer(before):
        if match[0] != "\n" or before[match.end() :].strip(" -–—:*•\t\n"):
            start = match.end()
    return before[start:]


def _cue(words: list[str], tail: list[str], *, firm: bool) -> tuple[Sense, int]:
    """What the nearest telling word says, and how many words away it stands; words right behind come first.

    A *firm* candidate, a range of the size of a salary, is pay when the words before it say so, whatever follows.
    """
    ahead = _cue_ahead(words)
    if firm and ahead[0] is Sense.PAY:
        return ahead
    for index, word in enumerate(tail):
        meant = sense(word)
        if meant in (Sense.PAY, Sense.OTHER) or (meant is Sense.SOFT and index < 4):
            return meant, index
        if index and pair_sense(tail[index - 1], word) is Sense.OTHER:
            return Sense.OTHER, index
    return ahead


def _cue_ahead(words: list[str]) -> tuple[Sense, int]:
    soft = -1
    for index in range(len(words) - 1, -1, -1):
        distance = len(words) - 1 - index
        if index:
            pair = pair_sense(words[index - 1], words[index])
            if pair is Sense.OTHER:
                return pair, distance
            if pair is Sense.PAY and any(sense(word) is not Sense.NONE for word in words[:index]):
                return pair, distance
        meant = sense(words[index])
        # A stipend is pay, a meal stipend or a relocation package is not.
        if words[index] in ("stipend", "package") and index and sense(words[index - 1]) in (Sense.OTHER, Sense.SOFT):
            return Sense.OTHER, distance
        if meant in (Sense.PAY, Sense.OTHER):
            return meant, distance
        if meant is Sense.SOFT and soft < 0:
            soft = distance
    return (Sense.SOFT, soft) if soft >= 0 else (Sense.NONE, 0)


def _support(
    text: str,
    candidate: _Range,
    cue: Sense,
    distance: int,
    period: PayPeriod | None,
    money: bool,
    size: float | None,
) -> int:
    low, last, both = candidate.low, candidate.last, candidate.high is not None
    if cue is Sense.OTHER:
        return 0
    million = last.scale == MILLION or low.scale == MILLION
    if million and not both and (not money or size is None or size > 400_000):
        return 0
    if not money:
        return _bare_support(text, candidate, cue, distance)
    if cue is Sense.PAY:
        return 3 if both or period else 2
    if million and (size is None or size > 400_000 or not both):
        return 0
    short = len(text) <= _SHORT
    salary_sized = size is not None and 12_000 <= size <= 900_000
    if both and low.coded and last.coded and salary_sized:
        return 3
    if both:
        if period is not None and (cue is Sense.NONE or candidate.period is not None):
            return 2 if cue is Sense.NONE or salary_sized or period is PayPeriod.HOUR else 0
        if salary_sized:
            return 1
        return 1 if cue is Sense.NONE and short else 0
    if cue is Sense.SOFT:
        return 0
    if _PURPOSE.match(text, candidate.period_end) or _SHARE.search(text, max(0, candidate.start - 8), candidate.start):
        return 0
    segment = _segment(text, candidate)
    if candidate.period is not None:
        return 1 if (size is not None and _lone_plausible(candidate.period, size)) and (short or segment <= 40) else 0
    if segment > 30:
        return 0
    if size is None or size < (
        10_000 if low.meaning in ("EUR", "GBP", "USD") or isinstance(low.meaning, frozenset) else 40
    ):
        return 1 if low.meaning == CRYPTO else 0
    return 1


def _lone_plausible(period: PayPeriod, size: float) -> bool:
    least = {PayPeriod.HOUR: 7, PayPeriod.DAY: 60, PayPeriod.WEEK: 200, PayPeriod.MONTH: 60, PayPeriod.YEAR: 8_000}
    return size >= least[period]


def _bare_support(text: str, candidate: _Range, cue: Sense, distance: int) -> int:
    """A number without any sign of money is pay only right beside a word that says so."""
    low, last, both = candidate.low, candidate.last, candidate.high is not None
    scaled = last.scale > 1
    large = last.value >= 1000 and (last.grouped or len(last.digits) >= 5 or both)
    if cue is Sense.PAY and distance <= 4 and (scaled or large or (candidate.period is not None and low.value >= 5)):
        return 2 if scaled or large else 1
    if cue is not Sense.NONE:
        return 0
    if both and candidate.period is not None and (scaled or large) and candidate.period is not PayPeriod.DAY:
        return 1
    if both and scaled and last.scale in (1000, 10_000) and (_segment(text, candidate) <= 16 or candidate.period):
        return 1
    return 0


def _segment(text: str, candidate: _Range) -> int:
    """How much else stands in the line or field of the amount."""
    before = re.split(r"[\n|•;·，。]|\s[-–—]\s|\*\s", text[max(0, candidate.start - 60) : candidate.start])[-1]
    end = candidate.period_end
    after = re.split(r"[\n|•;·,，。+(*]|\s[-–—]\s|\.\s", text[end : end + 60])[0]
    return len(before.strip()) + len(after.strip())


def _bounds(
    text: str, candidate: _Range, clause: str, low: Decimal, high: Decimal
) -> tuple[Decimal | None, Decimal | None]:
    """Both ends, or one where the text says "from", "up to" or leaves the end open."""
    if candidate.high is not None:
        return low, high
    opening = clause[-_BOUND_WORDS:]
    if UP_TO.search(opening):
        return None, high
    if candidate.low.plus or FROM.search(opening):
        return low, None
    end = candidate.period_end
    if OPEN_END.match(text, candidate.end) or OPEN_END.match(text, end):
        return low, None
    return low, high


def _component(text: str, end: int, words: list[str], tail: list[str]) -> PayComponent:
    """The component named nearest, behind the amount before ahead of it; the sum of all beats a part of it."""
    if _SPLIT.match(text, end):
        return PayComponent.TOTAL
    behind = _named(tail[:7], nearest_first=True)
    ahead = _named(words, nearest_first=False)
    if behind is PayComponent.BASE and ahead is PayComponent.TOTAL and "base" not in tail:
        return ahead
    if named := behind or ahead:
        return named
    # The long pattern is asked only where it can match.
    if _EXTRA.match(text, end) or (text.find("base", end, end + _EXPLANATION) > 0 and _EXPLAINED.match(text, end)):
        return PayComponent.BASE
    return PayComponent.UNKNOWN


def _named(words: list[str], *, nearest_first: bool) -> PayComponent | None:
    order = range(len(words)) if nearest_first else range(len(words) - 1, -1, -1)
    for index in order:
        following, after_that = [*words[index + 1 : index + 3], "", ""][:2]
        if component := component_named(words[index], following, after_that):
            return component
    return None
