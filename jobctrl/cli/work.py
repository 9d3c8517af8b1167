"""Commands that make things happen: discover, prepare, run, retry, and looking at runs and money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobctrl.cli.output import Json, emit, progress, say, short_board, table

if TYPE_CHECKING:
    from jobctrl.runtime.doing import Discovered, Ran

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
    from jobctrl.runtime.doing import discover as find

    with progress("Reading the boards …") as tell:
        found = find(web=web, source_ids=tuple(source or ()), limit=limit, prepare=prepare, tell=tell)
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
    from jobctrl.runtime.doing import prepare as do

    with progress("Preparing …") as tell:
        done = do(keys=tuple(job or ()), steps=tuple(step or ()), limit=limit, tell=tell)
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


def run(
    stage: Annotated[
        list[str] | None, typer.Argument(help="discover, enrich, score, tailor, cover, or all (the default).")
    ] = None,
    job: Annotated[list[str] | None, typer.Option(help="Only this job; may be repeated.")] = None,
    limit: Annotated[int, typer.Option(help="How many waiting jobs are taken at most; 0 is all.")] = 0,
    workers: Annotated[int, typer.Option(help="How many jobs are under way at once; 0 is the setting.")] = 0,
    web: WebOption = None,
    rescore: Annotated[bool, typer.Option("--rescore", help="Also score what has its score.")] = False,
    retailor: Annotated[bool, typer.Option("--retailor", help="Also tailor what has its resume.")] = False,
    as_json: Json = False,
) -> None:
    """Run stages one after the other, over all jobs that wait or over those you name."""
    from jobctrl.runtime.doing import run_stages

    with progress("Running …") as tell:
        ran = run_stages(
            stages=tuple(stage or ()),
            keys=tuple(job or ()),
            web=web,
            limit=limit,
            workers=workers,
            rescore=rescore,
            retailor=retailor,
            tell=tell,
        )
    if as_json:
        emit(ran)
    else:
        _show_ran(ran)
    if ran.failed:
        raise typer.Exit(1)


def retry(
    stage: Annotated[str, typer.Argument(help="enrich, score, tailor, cover; with --failed also all.")],
    job: Annotated[str | None, typer.Argument(help="The job.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Every job where the stage failed.")] = False,
    reset_attempts: Annotated[bool, typer.Option("--reset-attempts", help="Give all attempts back.")] = False,
    run_after: Annotated[bool, typer.Option("--run", help="Run the stage and what follows it, and wait.")] = False,
    web: WebOption = None,
    as_json: Json = False,
) -> None:
    """Open a stage again that failed, was canceled or is blocked."""
    from jobctrl.errors import InvalidRequest

    if (job is None) != failed:
        raise InvalidRequest("Name one job, or ask for --failed.", hint="`jobctrl jobs --state failed` lists them.")
    if failed and reset_attempts:
        raise InvalidRequest("--reset-attempts is for one job; --failed gives them back where none is left.")
    from jobctrl.runtime.doing import retry as again

    with progress("Trying again …") as tell:
        done = again(stage=stage, key=job, reset_attempts=reset_attempts, run_after=run_after, web=web, tell=tell)
    if as_json:
        emit(done)
    else:
        opened = len(done.retried.reset)
        typer.echo(
            f"{opened} {'stage waits' if opened == 1 else 'stages wait'} again." if opened else "Nothing to open."
        )
        for ran in done.ran:
            _show_ran(ran)
    if any(ran.failed for ran in done.ran):
        raise typer.Exit(1)


def _show_ran(ran: Ran) -> None:
    """What a run did, stage by stage, and how it ended."""
    if ran.counts:
        table(
            "",
            ("stage", "done", "skipped", "failed"),
            [(stage, count["done"], count["skipped"], count["failed"]) for stage, count in ran.counts.items()],
            right=(1, 2, 3),
        )
    for note in ran.notes:
        typer.echo(note)
    for stage, count in ran.per_job.items():
        if count["failed"]:
            typer.echo(f"  {stage}: {count.get('error_code') or 'failed'}: {count.get('failure') or ''}", err=True)
    if ran.run.status == "succeeded":
        typer.echo("The run succeeded.")
        return
    ended = ran.run.status.replace("_", " ")
    typer.echo(f"error: The run {ended}: {ran.run.error_message or 'no reason was recorded'}", err=True)
    typer.echo("hint: What it has done stays; `jobctrl retry` opens what failed.", err=True)


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


def register(app: typer.Typer) -> None:
    for command in (discover, prepare, run, retry, runs, spend):
        app.command()(command)
