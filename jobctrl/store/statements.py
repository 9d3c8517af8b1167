"""Named SQL statements, kept in `.sql` files beside the Python that runs them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def statements(package: str, file: str) -> dict[str, str]:
    """Each statement of *file* in *package* under the name on the line above it."""
    parts = _NAME.split(files(package).joinpath(file).read_text(encoding="utf-8"))
    return {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


@cache
def script(package: str, file: str) -> str:
    """The whole of *file* in *package*."""
    return files(package).joinpath(file).read_text(encoding="utf-8")


def split(sql: str) -> Iterator[str]:
    """The statements of a script, the last one also without its semicolon; a trigger's own semicolons end nothing."""
    part = ""
    for line in sql.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            yield part
            part = ""
    if part.strip():
        yield part
