"""Small vendor values as we keep them: tidy words, web addresses, amounts, the missing row."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from jobctrl.discovery.model import RowProblem

_NOTHING = frozenset({"", "<na>", "nan", "nat", "none", "null", "n/a", "undefined"})
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060\ufeff\u00ad]")
_PAY_FIELD = re.compile(
    r"\b(?:salary|pay|compensation|wage|remuneration)\b(?!.*\b(?:grade|type|band|group|class)\b)", re.I
)
_PERIODS = ("hour", "day", "week", "month", "year")


def word(value: Any) -> str | None:
    """A string or a number as one tidy line of text; None for nothing and for the words that mean nothing."""
    if value is None or isinstance(value, bool | list | dict):
        return None
    text = str(value)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    text = " ".join(text.split())
    return None if text.casefold() in _NOTHING else text


def address(value: Any) -> str | None:
    """A web address as sent, or None when it is none."""
    text = word(value) if not isinstance(value, str) else value.strip()
    return text if text and text.lower().startswith(("https://", "http://")) and " " not in text else None


def markup(value: Any) -> str | None:
    """HTML as sent; None when there is nothing in it."""
    return value if isinstance(value, str) and value.strip() else None


def sections(parts: Iterable[tuple[str | None, str | None]]) -> str | None:
    """Titled pieces of HTML as one piece, in order; empty ones are left out."""
    made = [
        f"<h3>{html.escape(title, quote=False)}</h3>\n{content}" if title else content
        for title, content in parts
        if content and content.strip()
    ]
    return "\n".join(made) or None


def amount(value: Any) -> Decimal | None:
    """A number or a plain numeral as an amount; None for anything else and for the sentinels 0 and below."""
    if value is None or isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or number <= 0:
        return None
    return number.quantize(Decimal(1)) if number == number.to_integral_value() else number


def period(value: Any) -> str | None:
    """hour, day, week, month or year as a vendor's word names it (`per-year-salary`, `1 YEAR`, `HOURLY`)."""
    text = (word(value) or "").casefold()
    if "daily" in text:
        return "day"
    if "annual" in text or "annum" in text:
        return "year"
    named = [name for name in _PERIODS if name in text]
    # "2 WEEK" or "half-year" is a period of its own that none of the five names.
    odd = re.search(r"\b(?:[02-9]|1\d)|half|bi-?|semi|quarter", text)
    return named[0] if len(named) == 1 and not odd else None


def names_pay(label: str) -> bool:
    """Whether a field that an employer added itself is named like one for pay; a pay grade is none."""
    return bool(_PAY_FIELD.search(label))


def missing(index: int, native_id: str | None, title: str | None, url: str | None) -> RowProblem:
    """The problem of a row that lacks its id, its title or its address, whichever comes first."""
    reason = "missing_id" if not native_id else "missing_title" if not title else "missing_url"
    return RowProblem(index, reason, native_id, detail=title or url or "")
