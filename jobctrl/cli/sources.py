"""Commands for boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobctrl.cli.output import Json, emit, say, table

app = typer.Typer(help="The boards that are read: list, add, pause, resume.", invoke_without_command=True)


@app.callback()
def listed(context: typer.Context, as_json: Json = False) -> None:
    """List the boards with how they do."""
    if context.invoked_subcommand is not None:
        return
    from jobctrl.runtime.reading import reading_operator

    rows = reading_operator().sources()
    if as_json:
        emit(rows)
        return
    if not rows:
        typer.echo("There are no boards yet: `jobctrl sources add https://boards.greenhouse.io/NAME`.")
        return
    table(
        "Boards",
        ("board", "state", "last run (UTC)", "returned", "admitted", "merged", "filtered", "rejected", "advice"),
        [
            (
                row.source_id,
                row.state,
                (row.last_run_at or "never")[:16].replace("T", " "),
                row.returned,
                row.admitted,
                row.merged,
                row.filtered,
                row.rejected,
                "" if row.recommended_state == "keep" else row.recommended_state,
            )
            for row in rows
        ],
        right=(3, 4, 5, 6, 7),
        whole=(1, 2),
    )
    for row in rows:
        if row.last_error:
            typer.echo(f"  ! {row.source_id}: its last run ended with {row.last_error}")


@app.command()
def add(
    boards: Annotated[list[str] | None, typer.Argument(help="Addresses, posting addresses or kind:token.")] = None,
    file: Annotated[Path | None, typer.Option("--from", help="A file with one of these a line.")] = None,
    as_json: Json = False,
) -> None:
    """Add boards. What names no board is told and left out; the others are added."""
    from jobctrl.errors import InvalidRequest
    from jobctrl.runtime.house import local_operator
    from jobctrl.runtime.setting_up import boards_in

    operator = local_operator()
    wanted = [*(boards or []), *(boards_in(file) if file else [])]
    if not wanted:
        raise InvalidRequest("Which board?", hint="For example: `jobctrl sources add https://jobs.lever.co/NAME`.")
    added: list[str] = []
    known: list[str] = []
    faults: list[dict[str, str | None]] = []
    for text in wanted:
        try:
            source, is_new = operator.add_source(text)
        except InvalidRequest as error:
            faults.append({"text": text, "problem": error.message, "hint": error.hint})
            continue
        (added if is_new else known).append(source.id)
    if as_json:
        emit({"added": added, "known": known, "faults": faults})
    else:
        for source_id in added:
            typer.echo(f"Added {source_id}.")
        for source_id in known:
            typer.echo(f"{source_id} was there already.")
        for fault in faults:
            typer.echo(f"error: {fault['problem']}\nhint: {fault['hint']}", err=True)
    if faults:
        raise typer.Exit(2)


@app.command()
def pause(source_id: str, as_json: Json = False) -> None:
    """Leave a board out of every run."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().pause_source(source_id), as_json)


@app.command()
def resume(source_id: str, as_json: Json = False) -> None:
    """Read a board again."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().resume_source(source_id), as_json)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="sources")
