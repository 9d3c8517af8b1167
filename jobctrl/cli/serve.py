"""Commands that stay: the server and worker, the API, the desks; and the demo."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jobctrl.cli.output import Json, emit


def up(as_json: Json = False) -> None:
    """Run the workspace: its server and a worker, until Ctrl-C."""
    from jobctrl.runtime.serving import up as run

    run(_teller(as_json))


def worker(as_json: Json = False) -> None:
    """Run one more worker. Its server is the one of `jobctrl up`, or TEMPORAL_ADDRESS."""
    from jobctrl.runtime.serving import worker as run

    run(_teller(as_json))


def _teller(as_json: bool) -> Callable[[str], None]:
    """How a command that stays says what it does: words on stderr, or one line of JSON each on stdout."""

    def tell(words: str) -> None:
        if as_json:
            typer.echo(json.dumps({"says": words}, ensure_ascii=False))
            sys.stdout.flush()
        else:
            typer.echo(words, err=True)

    return tell


def api(
    host: Annotated[str | None, typer.Option(help="A loopback address (JOBCTRL_API_HOST, else 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="The port (JOBCTRL_API_PORT, else 8766).")] = None,
    as_json: Json = False,
) -> None:
    """Serve the HTTP API on this machine only. For the browser extension and for scripts."""
    from jobctrl.api.serving import serve

    serve(host, port, _teller(as_json))


def desk(
    name: Annotated[str, typer.Argument(help="The desk to begin at; none is `home`.")] = "",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.")] = 0,
    as_json: Json = False,
) -> None:
    """Serve the desks in the browser. They are notebooks, on this machine only."""
    from jobctrl.api.desk_serving import serve_desks

    serve_desks(name, port, _teller(as_json))


def demo(as_json: Json = False) -> None:
    """See a whole search on invented postings. Found, merged, read, scored, prepared, and asked about."""
    from jobctrl.cli.demo_table import show
    from jobctrl.cli.output import progress
    from jobctrl.runtime.demo import run

    # Invented postings never get into a person's own workspace unless it is named for them.
    os.environ.setdefault("JOBCTRL_DIR", str(Path("~/.jobctrl-demo").expanduser()))
    with progress("The demo runs …") as tell:
        seen = run(tell)
    emit(seen) if as_json else show(seen)


def register(app: typer.Typer) -> None:
    for command in (up, worker, api, desk, demo):
        app.command()(command)
