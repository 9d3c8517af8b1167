"""Commands that stay: the server and worker, the API, the desks; and the demo."""

from __future__ import annotations

from typing import Annotated

import typer

from jobctrl.cli.output import Json, emit


def up() -> None:
    """Run this workspace's Temporal server and worker until Ctrl-C."""
    from jobctrl.runtime.serving import up as run

    run(lambda words: typer.echo(words, err=True))


def worker() -> None:
    """Run one more worker, for a server that `jobctrl up` or TEMPORAL_ADDRESS provides."""
    from jobctrl.runtime.serving import worker as run

    run(lambda words: typer.echo(words, err=True))


def api(
    host: Annotated[str | None, typer.Option(help="A loopback address (JOBCTRL_API_HOST, else 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(help="The port (JOBCTRL_API_PORT, else 8766).")] = None,
) -> None:
    """Serve the HTTP API for the browser extension, on this machine only."""
    from jobctrl.api.serving import serve

    serve(host, port, lambda words: typer.echo(words, err=True))


def desk(
    name: Annotated[str, typer.Argument(help="One desk; none serves them all.")] = "",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.")] = 0,
) -> None:
    """Serve the desks (notebooks) in the browser, on this machine only."""
    from jobctrl.runtime.serving import desk as run

    run(name, port, lambda words: typer.echo(words, err=True))


def demo(as_json: Json = False) -> None:
    """See a whole search on invented postings: found, merged, read, scored, prepared, and asked about."""
    from jobctrl.cli.demo_table import show
    from jobctrl.cli.output import progress
    from jobctrl.runtime.demo import run

    with progress("The demo runs …") as tell:
        seen = run(tell)
    emit(seen) if as_json else show(seen)


def register(app: typer.Typer) -> None:
    for command in (up, worker, api, desk, demo):
        app.command()(command)
