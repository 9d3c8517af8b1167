"""Phrases of many languages, kept as patterns in `words/*.txt`, one a line, in folded form."""

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
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return re.compile("|".join(f"(?:{line.replace('<thing>', _THING)})" for line in lines if line and line[0] != "#"))
