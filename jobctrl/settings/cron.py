"""A cron expression of five fields, checked field by field. Who runs it is Temporal, which reads it the same way."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTH_WORDS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_WORDS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PART = re.compile(r"(?:(?P<all>\*)|(?P<first>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d{1,3}))?", re.ASCII)


@dataclass(frozen=True)
class _Field:
    name: str
    low: int
    high: int
    words: dict[str, int]

    def values(self, text: str) -> set[int]:
        """The numbers that *text* stands for. Raises ValueError naming the field and its limits."""
        found: set[int] = set()
        for part in text.split(","):
            match = _PART.fullmatch(part)
            if match is None:
                raise self._wrong(part)
            step = int(match["step"] or 1)
            first = self.low if match["all"] else self._number(match["first"], part)
            last = self._number(match["last"], part) if match["last"] else first
            if match["all"] or (match["step"] and not match["last"]):
                last = self.high
            if step < 1 or last < first:
                raise self._wrong(part)
            found.update(range(first, last + 1, step))
        return found

    def _number(self, word: str, part: str) -> int:
        number = self.words.get(word.lower(), int(word) if word.isdecimal() and len(word) < 3 else -1)
        if not self.low <= number <= self.high:
            raise self._wrong(part)
        return number

    def _wrong(self, part: str) -> ValueError:
        words = f" or {'/'.join(self.words)}" if self.words else ""
        return ValueError(f"has no {self.name} {part!r}: it is {self.low} to {self.high}{words}, *, a-b, a/n or a list")


_FIELDS = (
    _Field("minute", 0, 59, {}),
    _Field("hour", 0, 23, {}),
    _Field("day of the month", 1, 31, {}),
    _Field("month", 1, 12, {word: number for number, word in enumerate(_MONTH_WORDS, 1)}),
    # 7 is Sunday too.
    _Field("day of the week", 0, 7, {word: number for number, word in enumerate(_DAY_WORDS)}),
)


def checked_cron(text: str) -> str:
    """*text* with single spaces. Raises ValueError saying what is wrong with it."""
    parts = text.split()
    if len(parts) != len(_FIELDS):
        raise ValueError(f"needs five fields (minute hour day month weekday), as in `0 7 * * *`, not {len(parts)}")
    _, _, days, months, _ = (field.values(part) for field, part in zip(_FIELDS, parts, strict=True))
    if min(days) > max(_LONGEST[month - 1] for month in months):
        raise ValueError("names a day that its months do not have")
    return " ".join(parts)
