"""Dates as vendors and pages write them. What only bounds a date is a bound; what is no date is no error."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime

from jobctrl.postings.model import DateReading, Span

RELATIVE = "relative"
"""Warning: the day was counted back from `now`, it is not printed in the text."""
NO_OFFSET = "no_offset"
"""Warning: a time of day without its offset, so the moment is unknown and only the day stands."""
AMBIGUOUS_ORDER = "ambiguous_order"
"""Warning: day and month could change places, so no day is given."""

EARLIEST, LATEST = 1990, 2100

_ISO = re.compile(
    r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})"
    r"(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?(?![\d-])",
    re.IGNORECASE,
)
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\s*[/.年년]\s*(\d{1,2})\s*[/.月월]\s*(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_EPOCH = re.compile(r"-?\d{9,10}(?:\.\d+)?|\d{12,13}|\d{15,16}")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_MAIL = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[+-]\d{4}|[A-Z]{1,4})"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_MONTH = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?[\s.-]+(?:of\s+)?({_NAME})\b\.?[\s,-]+(\d{{4}})(?!\d)", re.IGNORECASE
)
_MONTH_DAY = re.compile(rf"\b({_NAME})\b\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(\d{{4}})(?!\d)", re.IGNORECASE)

_DAYS = {
    name: days
    for names, days in (
        ("minute min", 0.0),
        ("hour hr h", 1 / 24),
        ("day d", 1.0),
        ("week wk w", 7.0),
        ("month mo", 30.0),
        ("year yr", 365.0),
    )
    for name in names.split()
}
_AGO = re.compile(
    r"\b(?:(over|more than|about|almost|less than)\s+)?(\d{1,3}|an?|one)\s*(\+)?\s*"
    r"(minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|mos?|years?|yrs?)\s*(\+)?\s+ago\b",
    re.IGNORECASE,
)
_TODAY = re.compile(
    r"\b(?:today|just (?:now|posted))\b|^(?:posted )?now$|今日|本日|今天"
    r"|\bheute\b|\baujourd['’]hui\b|\bhoje\b|\bhoy\b|\boggi\b|\bvandaag\b",
    re.IGNORECASE,
)
_YESTERDAY = re.compile(
    r"\byesterday\b|昨日|昨天|\bgestern\b|\bhier\b|\bontem\b|\bayer\b|\bieri\b|\bgisteren\b", re.IGNORECASE
)
_LONGEST = 80


def read_date(text: str, *, now: datetime) -> DateReading:
    """The one date *text* states. The day is the day in the offset that the text states; `at` is that moment in UTC.

    With `bound` set, `day` is where the bound lies: "30+ days ago" is before that day or on it, never the date itself.
    """
    if not text or text.isspace():
        return DateReading()
    for read in (_iso, _bare_digits, _mail, _year_first, _english, _numeric):
        if reading := read(text):
            return reading
    return _relative(text, now) or _localized(text, now) or DateReading()


def _iso(text: str) -> DateReading | None:
    match = _ISO.search(text)
    if not match:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    stated = _day(year, month, day)
    if stated is None:
        return None
    span = _span(match)
    if hour is None:
        return DateReading(stated, span=span)
    try:
        clock = datetime(
            stated.year,
            stated.month,
            stated.day,
            int(hour),
            int(minute),
            int(second or 0),
            int((fraction or "0")[:6].ljust(6, "0")),
        )
    except ValueError:
        return DateReading(stated, span=span, warnings=(NO_OFFSET,))
    if offset is None:
        return DateReading(stated, span=span, warnings=(NO_OFFSET,))
    at = (clock - _offset(offset)).replace(tzinfo=UTC)
    return DateReading(stated, at, span=span)


def _offset(text: str) -> timedelta:
    digits = re.sub(r"\D", "", text)
    if not digits:
        return timedelta()
    shift = timedelta(hours=int(digits[:2]), minutes=int(digits[2:4] or 0))
    return -shift if text.startswith("-") else shift


def _bare_digits(text: str) -> DateReading | None:
    bare = text.strip()
    span = Span(text.find(bare), text.find(bare) + len(bare), bare)
    if _COMPACT.fullmatch(bare):
        stated = _day(bare[:4], bare[4:6], bare[6:])
        return DateReading(stated, span=span) if stated else None
    if not _EPOCH.fullmatch(bare):
        return None
    whole = len(bare.partition(".")[0])
    seconds = float(bare) / (1 if whole <= 10 else 1_000 if whole <= 13 else 1_000_000)
    if not datetime(EARLIEST, 1, 1, tzinfo=UTC).timestamp() <= seconds < datetime(LATEST, 1, 1, tzinfo=UTC).timestamp():
        return None
    at = datetime.fromtimestamp(seconds, UTC)
    return DateReading(at.date(), at, span=span)


def _mail(text: str) -> DateReading | None:
    match = _MAIL.search(text)
    if not match:
        return None
    try:
        moment = parsedate_to_datetime(match[0])
    except ValueError:
        return None
    if moment.tzinfo is None:
        return DateReading(moment.date(), span=_span(match), warnings=(NO_OFFSET,))
    return DateReading(moment.date(), moment.astimezone(UTC), span=_span(match))


def _year_first(text: str) -> DateReading | None:
    match = _YEAR_FIRST.search(text)
    stated = match and _day(*match.groups())
    return DateReading(stated, span=_span(match)) if match and stated else None


def _english(text: str) -> DateReading | None:
    orders: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, int, str]]], ...] = (
        (_DAY_MONTH, lambda match: (match[3], _MONTHS[match[2].lower()], match[1])),
        (_MONTH_DAY, lambda match: (match[3], _MONTHS[match[1].lower()], match[2])),
    )
    for pattern, parts in orders:
        if (match := pattern.search(text)) and (stated := _day(*parts(match))):
            return DateReading(stated, span=_span(match))
    return None


def _numeric(text: str) -> DateReading | None:
    match = _NUMERIC.search(text)
    if not match:
        return None
    first, separator, second, year = match.groups()
    full = year if len(year) == 4 else f"20{year}"
    day_first, month_first = _day(full, second, first), _day(full, first, second)
    span = _span(match)
    # Points are written day first everywhere; slashes and dashes in both orders.
    if separator == "." or month_first is None or day_first == month_first:
        return DateReading(day_first, span=span) if day_first else None
    if day_first is None:
        return DateReading(month_first, span=span)
    return DateReading(span=span, warnings=(AMBIGUOUS_ORDER,))


def _relative(text: str, now: datetime) -> DateReading | None:
    if match := _AGO.search(text):
        qualifier, count, plus, unit, late_plus = match.groups()
        amount = int(count) if count.isdigit() else 1
        name = unit.lower()
        days = amount * _DAYS[name if name in _DAYS else name.removesuffix("s")]
        try:
            day = (now - timedelta(days=days)).date()
        except OverflowError:
            return None
        # Weeks and months are rounded down: seven to thirteen days ago all read "1 week ago".
        rounded = days >= 7 and _DAYS[name if name in _DAYS else name.removesuffix("s")] >= 7
        if (qualifier or "").lower() == "less than":
            return DateReading(day, bound="after", span=_span(match), warnings=(RELATIVE,))
        if plus or late_plus or rounded or (qualifier or "").lower() in ("over", "more than"):
            return DateReading(day, bound="before", span=_span(match), warnings=(RELATIVE,))
        return DateReading(day, span=_span(match), warnings=(RELATIVE,))
    if match := _TODAY.search(text):
        return DateReading(now.date(), span=_span(match), warnings=(RELATIVE,))
    if match := _YESTERDAY.search(text):
        return DateReading((now - timedelta(days=1)).date(), span=_span(match), warnings=(RELATIVE,))
    return None


def _localized(text: str, now: datetime) -> DateReading | None:
    """Month names and relative phrases of other languages, left to dateparser because it is slow."""
    # A date has a figure and a word; anything long is prose, in which a date of ours is not looked for.
    if len(text) > _LONGEST or not re.search(r"\d", text) or not re.search(r"[^\W\d_]{2}", text):
        return None
    from dateparser.search import search_dates

    naive = now.astimezone(UTC).replace(tzinfo=None)
    found = search_dates(
        text, settings={"RELATIVE_BASE": naive, "REQUIRE_PARTS": ["day", "month", "year"], "TIMEZONE": "UTC"}
    )
    if not found:
        return None
    words, moment = found[0]
    if not re.search(r"[^\W\d_]{2}", words) or not EARLIEST <= moment.year < LATEST:
        return None
    start = max(text.find(words), 0)
    relative = not re.search(r"(?:19|20)\d{2}", words)
    return DateReading(
        moment.date(), span=Span(start, start + len(words), words), warnings=(RELATIVE,) if relative else ()
    )


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        stated = date(int(year), int(month), int(day))
    except ValueError:
        return None
    return stated if EARLIEST <= stated.year < LATEST else None


def _span(match: re.Match[str]) -> Span:
    return Span(match.start(), match.end(), match[0])
