"""The numbered migrations that make a workspace file what this version writes."""

from __future__ import annotations

import re
from importlib.resources import files


def migrations() -> list[str]:
    """All of them, oldest first; a workspace file says in `user_version` how many it has had."""
    folder = files("jobctrl.store").joinpath("migrations")
    names = sorted(entry.name for entry in folder.iterdir() if re.fullmatch(r"\d{4}_\w+\.sql", entry.name))
    return [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
