"""The table of all rows, and the page it is written to."""

from __future__ import annotations

import os
import platform
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bench.measure import Row

LIBRARIES = (
    "temporalio", "pydantic", "msgspec", "selectolax", "duckdb", "polars", "numpy", "typer", "typst", "py3langid",
)  # fmt: skip
_WORDS = {True: "yes", False: "**no**", None: ""}


def table(rows: Sequence[Row]) -> str:
    """The rows as a table in Markdown."""
    lines = [
        "| task | ours | baseline | ratio | growth | goal | met |",
        "|---|---:|---:|---:|---:|---|---|",
    ]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}x"
        grows = "" if row.growth is None else f"{row.growth:+.2f}"
        cells = (row.task, row.ours, row.baseline, ratio, grows, row.goal, _WORDS[row.met])
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def machine() -> str:
    """The class of machine, never its name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores of {platform.machine()}, {memory:.0f} GiB, {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    )


def write(path: Path, rows: Sequence[Row], *, quick: bool, took: float) -> None:
    """Put the table between the marks of *path*; the words around it stay as they are."""
    page = path.read_text(encoding="utf-8")
    begin, end = "<!-- bench -->", "<!-- /bench -->"
    before, rest = page.split(begin, 1)
    after = rest.split(end, 1)[1]
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    said = (
        f"Measured {datetime.now(UTC):%Y-%m-%d} by `python -m bench{' --quick' if quick else ''}` in {took:.0f} s on "
        f"{machine()}; {libraries}."
    )
    path.write_text(f"{before}{begin}\n{said}\n\n{table(rows)}\n{end}{after}", encoding="utf-8")
