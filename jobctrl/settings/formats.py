"""The formats that reports are written in, as a person lists them."""

from __future__ import annotations

FORMATS = ("html", "ipynb", "parquet", "csv", "md")


def listed(text: str) -> tuple[str, ...]:
    """The words of *text* between its commas, each once."""
    return tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def checked_formats(text: str) -> str:
    """*text* with single commas. Raises ValueError naming what is no format."""
    wanted = listed(text)
    if not wanted:
        raise ValueError(f"names no format: it is a list of {', '.join(FORMATS)}")
    if unknown := [each for each in wanted if each not in FORMATS]:
        raise ValueError(f"has no format {unknown[0]!r}: it is a list of {', '.join(FORMATS)}")
    return ",".join(wanted)
