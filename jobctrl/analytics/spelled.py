"""Numbers with their intervals in words, so that a table of a desk keeps both in one narrow column."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

RATE = ("low", "high")


def spelled(
    frame: pl.DataFrame, shapes: Mapping[str, str], ends: Mapping[str, tuple[str, str]] | None = None
) -> pl.DataFrame:
    """*frame* with each column of *shapes* as `value (low to high)` in its shape, such as `{:.0%}`.

    Its ends are the columns `<name>_low` and `<name>_high` where *ends* names no others; they are dropped. An end that
    is not known reads `?`, a value that is not known is empty.
    """
    for name, shape in shapes.items():
        low, high = (ends or {}).get(name, RATE if name == "rate" else (f"{name}_low", f"{name}_high"))
        told = [_words(shape, *row) for row in frame.select(name, low, high).iter_rows()]
        frame = frame.with_columns(pl.Series(name, told, dtype=pl.String)).drop(low, high)
    return frame


def _words(shape: str, value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return ""
    first, last = ("?" if end is None else shape.format(end) for end in (low, high))
    return f"{shape.format(value)} ({first} to {last})"
