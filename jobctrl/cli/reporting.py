"""The command that writes reports."""

from __future__ import annotations

from typing import Annotated

import typer

from jobctrl.cli.output import AsOf, Json, emit, progress
from jobctrl.settings.formats import FORMATS, listed


def report(
    name: Annotated[str, typer.Argument(help="weekly, calibration, sources, spend, funnel or market.")] = "weekly",
    to: Annotated[str | None, typer.Option(help="The folder; the workspace's reports/ by default.")] = None,
    formats: Annotated[str, typer.Option("--format", help="Of html, ipynb, parquet, csv, md; commas between.")] = (
        ",".join(FORMATS)
    ),
    with_personal: Annotated[
        bool, typer.Option("--with-personal", help="Name the jobs: titles and employers.")
    ] = False,
    as_of: AsOf = None,
    as_json: Json = False,
) -> None:
    """Write a report. It opens without network; its data lies beside it. No job is named unless you ask for it."""
    from jobctrl.runtime.doing import report as write

    with progress("Writing the report …"):
        files = write(name, to, listed(formats), as_of=as_of, personal=with_personal)
    if as_json:
        emit({"files": files})
        return
    for file in files:
        typer.echo(str(file))


def register(app: typer.Typer) -> None:
    app.command()(report)
