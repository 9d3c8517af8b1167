"""Phrases of many languages, kept in `words/*.txt`, patterns one a line and in folded form."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "words"
_THING = (
    r"(?:job(?: ad| posting| offer)?|position|posting|vacancy|role|opening|opportunity|requisition|listing|ad|advert"
    r"|advertisement|offer)"
)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The phrases of `words/<name>.txt` as one pattern; `<thing>` in them is any English word for a posting."""
    return re.compile("|".join(f"(?:{line.replace('<thing>', _THING)})" for line in lines(name)))


def lines(name: str) -> list[str]:
    """The lines of `words/<name>.txt` without its comments."""
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] != "#"]


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """The comma-separated entries of `words/<name>.txt` under each `[heading]`."""
    found: dict[str, tuple[str, ...]] = {}
    heading = ""
    for line in lines(name):
        if line.startswith("["):
            heading = line.strip("[]")
        else:
            found[heading] = (*found.get(heading, ()), *(part.strip() for part in line.rstrip(", ").split(",")))
    return found
