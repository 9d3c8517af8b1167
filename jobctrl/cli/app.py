"""The command line: global options, and what becomes of an error."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from jobctrl import __version__
from jobctrl.cli import data, explain, jobs, keeping, ops, reporting, serve, setup, sources, work
from jobctrl.cli.unbuilt import OnDemand, commands
from jobctrl.errors import JobCtrlError, where

app = typer.Typer(
    name="jobctrl",
    cls=OnDemand,
    help="A local-first workbench for one person's job search.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
UNEXPECTED = 70


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    workspace: Annotated[
        Path | None, typer.Option("--workspace", "-w", help="The workspace folder (JOBCTRL_DIR, else ~/.jobctrl).")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options for every command."""
    if workspace is not None:
        # The environment is how every part, and every child process, learns which workspace is meant.
        os.environ["JOBCTRL_DIR"] = str(workspace.expanduser().resolve())
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for part in (setup, sources, work, ops, jobs, reporting, serve, keeping, data):
    part.register(commands)
commands.add_typer(explain.app, name="explain")


def main() -> None:
    """Run one command. Errors are sentences on stderr, with what to do next, and an exit code that says their kind."""
    # pydantic would look through every installed package for plugins; we have none, and a person waits for it.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    try:
        # Outside standalone mode `typer.Exit` does not end the process: its code is what comes back.
        sys.exit(app(prog_name="jobctrl", standalone_mode=False) or 0)
    except typer.Abort:
        sys.exit(130)
    except JobCtrlError as error:
        _tell(error.message, error.hint, error.code)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has closed it; that is its right.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        usage = getattr(error, "format_message", None)
        if usage is not None:
            _tell(usage(), "`jobctrl --help` lists the commands, `jobctrl COMMAND --help` their options.", "usage")
            sys.exit(2)
        _tell(
            f"Something unexpected happened ({type(error).__name__}).",
            f"Its details are in {_kept(where(error))}; nothing that was recorded is lost.",
            "unexpected",
        )
        sys.exit(UNEXPECTED)


def _tell(message: str, hint: str | None, code: str) -> None:
    if "--json" in sys.argv:
        typer.echo(json.dumps({"error": {"code": code, "message": message, "hint": hint}}), err=True)
        return
    typer.echo(f"error: {message}", err=True)
    if hint:
        typer.echo(f"hint: {hint}", err=True)


def _kept(details: str) -> str:
    """The file in which the details of an unexpected error are kept, on this machine only."""
    folder = Path(os.environ.get("JOBCTRL_DIR", "~/.jobctrl")).expanduser() / "logs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "unexpected.log"
        with file.open("a") as log:
            log.write(details + "\n")
    except OSError:
        return "no file, since the workspace cannot be written"
    return str(file)
