"""How a command speaks: a table or a sentence for a person, JSON for a program, progress on stderr alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

WIDTH_IN_A_PIPE = 120
Json = Annotated[bool, typer.Option("--json", help="Print JSON to stdout.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="As it stood then: a position of the log, a day (its end) or a moment.")
]


def plain(value: Any) -> Any:
    """*value* as JSON takes it: numbers as numbers, moments as ISO 8601, dataclasses and rows as objects."""
    names = _names(value)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    return value


def _names(value: Any) -> Sequence[str] | None:
    """The fields of a dataclass or of a row of a read table; None for anything else."""
    if is_dataclass(value) and not isinstance(value, type):
        return [field.name for field in fields(value)]
    # A row is known by its mark: its class would have to be imported to ask for it.
    return getattr(value, "__struct_fields__", None)


def emit(value: Any) -> None:
    """Print *value* as JSON."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    # A lone surrogate out of a broken posting cannot be printed; what can be is.
    sys.stdout.write(text.encode("utf-8", "replace").decode("utf-8") + "\n")


def table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    right: Sequence[int] = (),
    whole: Sequence[int] = (),
) -> None:
    """Print a table; by number, columns in *right* are aligned to the right, those in *whole* are never broken."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(title=title or None, box=box.SIMPLE, title_justify="left", pad_edge=False)
    for number, column in enumerate(columns):
        drawn.add_column(
            column, justify="right" if number in right else "left", overflow="fold", no_wrap=number in (*right, *whole)
        )
    for row in rows:
        # Posting titles are data: markup in them is shown, not obeyed.
        drawn.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    console = Console(width=None if sys.stdout.isatty() else WIDTH_IN_A_PIPE, highlight=False)
    with console.capture() as captured:
        console.print(drawn)
    # Cells are padded to their column; the spaces at the end of a line are of no use to anybody.
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def short_board(source_id: str) -> str:
    """A board's id without the server it lies on: `workday:acme` for `workday:acme.wd5.myworkdayjobs.com/acme/Jobs`."""
    kind, _, token = source_id.partition(":")
    return f"{kind}:{token.split('/')[0].split('.')[0]}"


@contextmanager
def progress(what: str) -> Iterator[Any]:
    """A line on stderr that says what goes on, when stderr is a terminal; call the value with new words."""
    if not sys.stderr.isatty():
        yield lambda words: None
        return
    from rich.console import Console
    from rich.status import Status

    with Status(what, console=Console(stderr=True)) as status:
        yield lambda words: status.update(words)


def say(words: str, as_json: bool) -> None:
    """Tell what was done."""
    emit({"done": words}) if as_json else typer.echo(words)
