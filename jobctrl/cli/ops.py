"""The command that says how the pipeline stands at this moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from jobctrl.cli.output import Json, emit, table

if TYPE_CHECKING:
    from jobctrl.operations.views import ActiveItem, Snapshot

_COUNTED = ("waiting", "processing", "succeeded", "skipped", "blocked", "failed", "exhausted", "canceled", "unknown")


def ops(as_json: Json = False) -> None:
    """Show what the pipeline does now: the run that owns work, what is left, the workers, and how long it may take."""
    from jobctrl.runtime.reading import reading_operator

    operator = reading_operator()
    seen = operator.operations()
    operator.close()
    if as_json:
        emit(seen)
    else:
        _show(seen)


def _show(seen: Snapshot) -> None:
    from jobctrl.operations.telling import SCOPES, coverage, headline, time_left, workers

    typer.echo(headline(seen))
    if unproven := coverage(seen.projection_coverage):
        typer.echo(unproven)
    typer.echo(workers(seen))
    typer.echo(f"Time left: {time_left(seen.overall_eta)}.")
    rows = [each for each in seen.stages if each.counts is not None and each.counts.eligible]
    names = [name for name in _COUNTED if any(getattr(each.counts, name) for each in rows)]
    if rows:
        table(
            "Work",
            ("stage", "of", *names),
            [
                (each.label, SCOPES[each.scope], *(_known(getattr(each.counts, name)) for name in names))
                for each in rows
            ],
            right=range(2, len(names) + 2),
            whole=(0, 1),
        )
    if seen.active_items:
        table(
            f"Running as of {(seen.capacity.as_of or '')[11:19]}",
            ("since (UTC)", "what", "attempt", "about"),
            [(each.started_at[11:19], each.activity_type, each.attempt, _about(each)) for each in seen.active_items],
        )


def _known(cell: object) -> object:
    return "?" if cell is None else cell


def _about(item: ActiveItem) -> str:
    if item.title is not None:
        return f"{item.title} ({item.employer})" if item.employer else item.title
    return item.source_family or ""


def register(app: typer.Typer) -> None:
    app.command()(ops)
