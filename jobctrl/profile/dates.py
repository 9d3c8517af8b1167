"""Dates as people write them on a resume: `Jan 2020 to date`, `2019 – heute`, `03/2021 - 2022`."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner janvier janv enero ene gennaio gen janeiro januari styczeń stycznia sty",
            "feb february februar février fevrier fév févr febrero febbraio fevereiro fev februari luty lutego lut",
            "mar march märz maerz mrz mars marzo março maart mrt marzec marca",
            "apr april avril avr abril abr aprile kwiecień kwietnia kwi",
            "may mai mayo maggio mag maio mei maj maja",
            "jun june juni juin junio giugno giu junho czerwiec czerwca cze",
            "jul july juli juillet juil julio luglio lug julho lipiec lipca lip",
            "aug august août aout agosto ago augustus sierpień sierpnia sie",
            "sep sept september septembre septiembre settembre set setembro wrzesień września wrz",
            "oct october oktober okt octobre octubre ottobre ott outubro out październik października paź",
            "nov november novembre noviembre novembro listopad listopada lis",
            "dec december dezember dez décembre decembre déc diciembre dic dicembre dezembro grudzień grudnia",
        ),
        start=1,
    )
    for name in names.split()
}
"""Month names and short forms of the larger European languages, case folded."""

_PRESENT = (
    r"present|to[ -]?date|till[ -]?date|until now|till now|now|today|current(?:ly)?|ongoing|heute|jetzt|aktuell|laufend"
    r"|aujourd['’]hui|présent|actuel(?:lement)?|en cours|actualidad|presente|actual(?:mente)?|hoy|oggi|attuale|in corso"
    r"|atual(?:mente)?|heden|nu|obecnie|teraz|dziś|по настоящее время|настоящее время|н\.?\s?в\.?|至今|现在|現在|현재"
)
_PRESENT = _PRESENT.replace(" ", r"\s")
_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_YEAR = r"(?:19|20)\d{2}"
_POINT = rf"""(?:(?:\d{{1,2}}[.\s]\s?)?(?P<@name>{_MONTH})\.?,?\s*(?:de\s+|of\s+)?(?P<@year_a>{_YEAR}|['’]\d\d)
    |(?:\d{{1,2}}\.)(?P<@day_month>0?[1-9]|1[0-2])\.(?P<@day_year>{_YEAR})
    |(?P<@iso_year>{_YEAR})[-/.年](?P<@iso_month>0?[1-9]|1[0-2])(?:[-/.]\d{{1,2}}|月)?(?!\d)
    |(?P<@num_month>0?[1-9]|1[0-2])[/.\-](?P<@num_year>{_YEAR})
    |(?:(?:spring|summer|fall|autumn|winter|q[1-4])\s+)?(?P<@year>{_YEAR})年?)"""
"""One point in time; `@` stands for the name of the group it is used in."""


def _point(prefix: str) -> str:
    return _POINT.replace("@", prefix)


_TO = r"\s*(?:[-–—−‒~〜→]|\b(?:to|until|till|through|bis|à|au|a|al|hasta|do|tot)\b)\s*"
_RANGE = re.compile(
    rf"(?<![\w/.])(?:(?:from|since|von|de|du|od)\s+)?{_point('s_')}{_TO}"
    rf"(?:{_point('e_')}|(?P<present>{_PRESENT}))(?![\w/])"
    rf"|(?<![\w/.]){_point('l_')}\s+(?P<loose>to[ -]?date|till[ -]?date|present)(?!\w)",
    re.IGNORECASE | re.VERBOSE,
)
_OPEN = re.compile(
    rf"(?<!\w)(?:since|seit|depuis|desde|dal|sinds|od|с)\s+{_point('s_')}(?![\w/])", re.IGNORECASE | re.VERBOSE
)
_TRAILING = re.compile(rf"(?<![\w/.]){_point('s_')}\s*[-–—]\s*$", re.IGNORECASE | re.VERBOSE)
_SINGLE = re.compile(rf"(?<![\w/.,$€£+\-]){_point('s_')}(?![\w/%+])", re.IGNORECASE | re.VERBOSE)


@dataclass(frozen=True)
class Period:
    """A stretch of time. `end` is empty for the present, and equal to `start` for a single date."""

    start: str
    """`YYYY-MM` or `YYYY`."""
    end: str
    span: tuple[int, int]
    """Where it stands in the text."""


def read_period(text: str) -> Period | None:
    """The first stretch of time in *text*, or None when there is none that can be read."""
    match = _RANGE.search(text)
    if match:
        if match["loose"]:
            return Period(_value(match, "l_"), "", match.span())
        end = "" if match["present"] else _value(match, "e_")
        return Period(_value(match, "s_"), end, match.span())
    match = _OPEN.search(text) or _TRAILING.search(text)
    return Period(_value(match, "s_"), "", match.span()) if match else None


def read_date(text: str) -> Period | None:
    """The first single date in *text*: the day a degree was given, the year of an award."""
    match = _SINGLE.search(text)
    if match is None:
        return None
    value = _value(match, "s_")
    return Period(value, value, match.span())


def _value(match: re.Match[str], prefix: str) -> str:
    if name := match[f"{prefix}name"]:
        return f"{_year(match[f'{prefix}year_a'])}-{MONTHS[name.casefold()]:02}"
    if year := match[f"{prefix}iso_year"]:
        return f"{year}-{int(match[f'{prefix}iso_month']):02}"
    if year := match[f"{prefix}day_year"]:
        return f"{year}-{int(match[f'{prefix}day_month']):02}"
    if year := match[f"{prefix}num_year"]:
        return f"{year}-{int(match[f'{prefix}num_month']):02}"
    return match[f"{prefix}year"]


def _year(written: str) -> str:
    """`2019`, or `'19` as a year of the last hundred."""
    if len(written) == 4:
        return written
    short = int(written[1:])
    return str(1900 + short if short >= 50 else 2000 + short)
