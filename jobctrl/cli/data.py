"""Commands that give a person their own data: SQL over the warehouse, and all of it as Parquet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobctrl.cli.output import AsOf, Json, emit, progress, table

if TYPE_CHECKING:
    import polars as pl

FORMATS = ("table", "csv", "json", "parquet")
ROWS_SHOWN = 50


def sql(
    query: Annotated[str, typer.Argument(help="One SELECT, in DuckDB's SQL.")],
    as_of: AsOf = None,
    form: Annotated[str | None, typer.Option("--format", help="table (the default), csv, json or parquet.")] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Into this file; its ending says the format.")] = None,
    as_json: Json = False,
) -> None:
    """Ask the warehouse in SQL. It is only read; docs/warehouse.md lists its tables."""
    from jobctrl.errors import InvalidRequest
    from jobctrl.runtime.own_data import asked

    if form is None:
        form = "json" if as_json else to.suffix.removeprefix(".") if to else "table"
    if form not in FORMATS or (to and form == "table"):
        raise InvalidRequest(f"There is no format {form!r} here.", hint="Of csv, json, parquet, and table on screen.")
    if form == "parquet" and to is None:
        raise InvalidRequest("Parquet goes into a file.", hint="Name it with --to FILE.")
    with progress("Asking …"):
        answer = asked(query, as_of)
    if form == "table":
        _show(answer)
        return
    from jobctrl.analytics.typed_sql import encoded

    content = encoded(answer, form)
    if to is None:
        sys.stdout.write(content.decode("utf-8", "replace"))
    else:
        _write(to, content)
        typer.echo(f"{len(answer):,} rows are in {to}.", err=True)


def _show(answer: pl.DataFrame) -> None:
    from jobctrl.analytics.desk import tidy

    right = [place for place, kind in enumerate(answer.dtypes) if kind.is_numeric()]
    table("", answer.columns, list(tidy(answer.head(ROWS_SHOWN)).iter_rows()), right=right)
    if len(answer) > ROWS_SHOWN:
        typer.echo(f"{len(answer) - ROWS_SHOWN:,} more rows: `--format csv` prints all of them.", err=True)


def _write(file: Path, content: bytes) -> None:
    from jobctrl.errors import WorkspaceError

    try:
        file.write_bytes(content)
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be written: {error.strerror}.", hint="Name another file.") from error


def export(
    parquet: Annotated[Path, typer.Option("--parquet", help="The folder that the files go to.")],
    as_of: AsOf = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over an export that is there.")] = False,
    as_json: Json = False,
) -> None:
    """Write every table as Parquet, with what its columns mean, for any tool you like."""
    from jobctrl.runtime.own_data import exported

    with progress("Writing …"):
        done = exported(parquet.expanduser().resolve(), as_of, replace=replace)
    if as_json:
        emit(done)
        return
    typer.echo(
        f"{len(done.rows)} tables with {sum(done.rows.values()):,} rows, as of fact {done.position:,}, "
        f"are in {done.folder}; dictionary.md says what they mean."
    )


def register(app: typer.Typer) -> None:
    for command in (sql, export):
        app.command()(command)
