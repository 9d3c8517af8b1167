"""Controls built from what is to be filled in: of a setting or of a field of the profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import marimo as mo


class Asked(Protocol):
    """One thing to fill in."""

    @property
    def path(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def choices(self) -> tuple[str, ...]: ...


def controls(asked: Sequence[Asked]) -> mo.ui.dictionary:
    """A control for each, by its path; the value of the whole is what stands in them."""
    return mo.ui.dictionary({each.path: _control(each) for each in asked})


def _control(asked: Asked) -> Any:
    """Limits are not forced upon what is typed: whoever takes it says what is wrong with it."""
    label, value = asked.label, asked.value
    match asked.kind:
        case "switch":
            return mo.ui.switch(value, label=label)
        case "number" | "whole":
            return mo.ui.number(value=value, step=1 if asked.kind == "whole" else None, label=label, full_width=True)
        case "choice":
            # An empty choice is one that can be seen.
            options = {choice or "–": choice for choice in asked.choices}
            return mo.ui.dropdown(options, value=value or "–", label=label, full_width=True, allow_select_none=False)
        case "several":
            return mo.ui.multiselect(list(asked.choices), value=value, label=label, full_width=True)
        case "lines":
            return mo.ui.text_area(value, label=f"{label} (one a line)", rows=3, full_width=True)
        case "words":
            return mo.ui.text_area(value, label=label, rows=2, full_width=True)
        case _:
            return mo.ui.text(value or "", label=label, full_width=True)


_LONG = ("words", "lines")


def form(typed: mo.ui.dictionary, asked: Sequence[Asked]) -> mo.Html:
    """The controls under one another: short ones two a line, a switch beside the long one that it belongs to."""
    rows: list[list[Any]] = []
    for before, each in zip((None, *asked), asked, strict=False):
        control = typed[each.path]
        beside = before is not None and before.kind == "words" and each.kind == "switch"
        short = before is not None and each.kind not in _LONG and before.kind not in _LONG and len(rows[-1]) < 2
        if beside or short:
            rows[-1].append(control)
        else:
            rows.append([control])
    return mo.vstack([_row(row) for row in rows], gap=0.75)


def _row(controls: list[Any]) -> mo.Html:
    if len(controls) == 1:
        return mo.hstack(controls, widths="equal")
    beside = isinstance(controls[1], mo.ui.switch)
    return mo.hstack(controls, widths=[5, 1] if beside else "equal", gap=1, align="center" if beside else "end")
