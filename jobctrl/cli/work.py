"""Commands that make things happen: discover, prepare, and looking at runs and money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobctrl.cli.output import Json, emit, progress, say, short_board, table

if TYPE_CHECKING:
    from jobctrl.runtime.doing import Discovered

WebOption = Annotated[
    str | None, typer.Option("--web", help="live, recorded:DIR or record:DIR (JOBCTRL_WEB, else live).")
]


def discover(
    web: WebOption = None,
    source: Annotated[list[str] | None, typer.Option(help="Read only this board; may be repeated.")] = None,
    limit: Annotated[int, typer.Option(help="How many jobs are prepared at most; 0 is all.")] = 0,
    prepare: Annotated[bool, typer.Option(help="Also score and prepare what is found.")] = True,
    as_json: Json = False,
) -> None:
    """Read the boards, take in what is new, and prepare it."""
    from jobctrl.runtime.doing import discover as run

    with progress("Reading the boards …") as tell:
        found = run(web=web, source_ids=tuple(source or ()), limit=limit, prepare=prepare, tell=tell)
    if as_json:
        emit(found)
    else:
        show_discovered(found)
    if found.run.status != "succeeded":
        raise typer.Exit(1)


def show_discovered(found: Discovered) -> None:
    """The counts of a Discover run, source by source; they add up."""
    if found.sources:
        _counts(found)
    for note in found.notes:
        typer.echo(note)
    if found.run.status == "succeeded":
        new = found.total.admitted
        typer.echo(f"The run succeeded: {new or 'no'} new {'job' if new == 1 else 'jobs'}. Next: `jobctrl jobs`.")
    else:
        ended = found.run.status.replace("_", " ")
        typer.echo(f"error: The run {ended}: {found.run.error_message or 'no reason was recorded'}", err=True)
        typer.echo("hint: What was taken in stays; `jobctrl discover` goes on from there.", err=True)


def _counts(found: Discovered) -> None:
    table(
        "",
        ("board", "returned", "admitted", "merged", "of these seen before", "filtered", "rejected", ""),
        [
            (
                short_board(s.source_id) if s is not found.total else "all",
                *(s.returned, s.admitted, s.merged, s.seen_before, s.filtered, s.rejected),
                "!" if s.problem else "",
            )
            for s in [*found.sources, found.total]
        ],
        right=(1, 2, 3, 4, 5, 6),
    )
    troubled = [s for s in found.sources if s.problem]
    if troubled:
        typer.echo("What could not be read, while the rest went on:")
    for s in troubled:
        typer.echo(f"  ! {s.source_id}: {s.problem.removeprefix(f'{s.source_id}: ')}")


def prepare(
    job: Annotated[list[str] | None, typer.Argument(help="Jobs by id; none takes all that can go on.")] = None,
    step: Annotated[list[str] | None, typer.Option(help="score, tailor, cover or pdf; may be repeated.")] = None,
    limit: Annotated[int, typer.Option(help="How many jobs at most; 0 is all.")] = 0,
    as_json: Json = False,
) -> None:
    """Score jobs and prepare their resumes, letters and PDFs."""
    from jobctrl.runtime.doing import prepare as run

    with progress("Preparing …") as tell:
        done = run(keys=tuple(job or ()), steps=tuple(step or ()), limit=limit, tell=tell)
    if as_json:
        emit(done)
    elif not done.started:
        typer.echo(
            "There is nothing to prepare now. `jobctrl jobs` says where each job stands; `jobctrl discover` goes on."
        )
    else:
        typer.echo(f"{done.started} preparations: {done.succeeded} succeeded, {done.failed} failed.")
        for failure in done.failures[:10]:
            typer.echo(f"  {failure}", err=True)
    if done.failed:
        raise typer.Exit(1)


def runs(
    limit: Annotated[int, typer.Option(help="How many at most.")] = 20,
    cancel: Annotated[str | None, typer.Option(help="Ask this run to stop.")] = None,
    turned_away: Annotated[bool, typer.Option(help="List what the newest Discover run turned away, and why.")] = False,
    as_json: Json = False,
) -> None:
    """List the workflow runs, the newest first."""
    if cancel is not None:
        from jobctrl.runtime import open_operator

        say(open_operator().cancel_run(cancel), as_json)
        return
    from jobctrl.runtime.reading import reading_operator

    operator = reading_operator()
    if turned_away:
        _turned_away(operator.turned_away(), as_json)
        return
    rows = operator.runs(limit)
    if as_json:
        emit(rows)
        return
    table(
        "Runs",
        ("started (UTC)", "run", "what", "status", "took", "problem"),
        [
            (
                (row.started_at or "")[:19].replace("T", " "),
                row.workflow_id if len(row.workflow_id) < 30 else f"{row.workflow_id[:28]}…",
                row.workflow_type.removesuffix("Workflow"),
                row.status,
                f"{row.duration_ms / 1000:.1f} s" if row.duration_ms is not None else "",
                row.error_message,
            )
            for row in rows
        ],
        right=(4,),
    )


def _turned_away(rows: list[Any], as_json: bool) -> None:
    if as_json:
        emit(rows)
        return
    table(
        "Turned away",
        ("board", "outcome", "reason", "title"),
        [(short_board(r.source_id), r.outcome, r.reason, r.title) for r in rows],
    )


def spend(as_json: Json = False) -> None:
    """Show what this UTC day has cost, against its ceiling."""
    from jobctrl.runtime.house import local_operator

    operator = local_operator()
    day, ceiling = operator.spent_today(), operator.settings().daily_budget_usd
    if as_json:
        emit({"day": day, "ceilingUsd": ceiling})
        return
    typer.echo(f"{day.day} (UTC): ${day.settled:.4f} spent, ${day.reserved + day.held:.4f} set aside, of ${ceiling}.")
    for lane, tokens in sorted(day.tokens.items()):
        typer.echo(f"  {lane}: {tokens:,} tokens")


def report(
    name: Annotated[str, typer.Argument(help="weekly, calibration, sources, spend or funnel.")] = "weekly",
    to: Annotated[str | None, typer.Option(help="The folder; the workspace's reports/ by default.")] = None,
    formats: Annotated[str, typer.Option("--format", help="Of html, ipynb, parquet, csv; commas between.")] = (
        "html,ipynb,parquet,csv"
    ),
    as_json: Json = False,
) -> None:
    """Write a report. It opens without network; its data lies beside it."""
    from jobctrl.runtime.doing import report as write

    with progress("Writing the report …"):
        files = write(name, to, tuple(part.strip() for part in formats.split(",") if part.strip()))
    if as_json:
        emit({"files": files})
        return
    for file in files:
        typer.echo(str(file))


def register(app: typer.Typer) -> None:
    for command in (discover, prepare, runs, spend, report):
        app.command()(command)
