"""Named SQL statements, kept in `.sql` files beside the Python that runs them."""

from __future__ import annotations

import re
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
