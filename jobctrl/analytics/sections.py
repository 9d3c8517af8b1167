"""What a report is made of: sections, each an answer with its picture and the code that makes it again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import Any

import polars as pl


@dataclass(frozen=True)
class Section:
    key: str
    """The name of its data files."""
    title: str
    says: str
    frame: pl.DataFrame
    question: Callable[..., pl.DataFrame]
    empty: str
    shown: tuple[str, ...] = ()
    """The columns of the page's table; all of them when empty."""
    chart: Any = None
    redo: str = ""
    """Python that makes the table again from the data beside the notebook."""
    ground: str = ""
    """The section whose data that takes."""

    @property
    def explained(self) -> str:
        return getdoc(self.question) or ""


@dataclass(frozen=True)
class Report:
    title: str
    says: str
    sections: tuple[Section, ...]
