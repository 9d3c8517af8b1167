"""Commands for jobs: list, show, keep, dismiss, correct, split, apply."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from jobctrl.cli.output import Json, emit, plain, say, table

if TYPE_CHECKING:
    from jobctrl.operations.board import JobView

app = typer.Typer(help="The jobs: list them, or act on one.", invoke_without_command=True)
Mode = Literal["remote", "hybrid", "on_site", "unknown"]
Order = Literal["score", "newest", "published", "employer"]
Key = Annotated[str, typer.Argument(help="A job's id or the beginning of it, its address, or the board's own id.")]


@app.callback()
def listed(
    context: typer.Context,
    min_score: Annotated[int | None, typer.Option(help="At least this score.")] = None,
    stage: Annotated[str | None, typer.Option(help="The stage it is at: enrich, score, tailor, cover, apply.")] = None,
    state: Annotated[str | None, typer.Option(help="The state of that stage.")] = None,
    source: Annotated[str | None, typer.Option(help="Found by this board.")] = None,
    country: Annotated[str | None, typer.Option(help="ISO code of a country the job may be done in.")] = None,
    mode: Annotated[Mode | None, typer.Option(help="How the work is done.")] = None,
    text: Annotated[str | None, typer.Option(help="Words of the title or the employer.")] = None,
    hidden: Annotated[bool, typer.Option(help="Also dismissed jobs.")] = False,
    closed: Annotated[bool, typer.Option(help="Also closed postings.")] = False,
    sort: Annotated[Order, typer.Option(help="What comes first.")] = "score",
    limit: Annotated[int, typer.Option(help="How many at most; 0 is all.")] = 50,
    as_json: Json = False,
) -> None:
    """List jobs, the best first."""
    if context.invoked_subcommand is not None:
        return
    from jobctrl.operations.job_list import JobFilter
    from jobctrl.runtime.listing import list_jobs

    wanted = JobFilter(min_score, stage, state, source, country, mode, text, hidden, closed, sort, limit)
    rows = list_jobs(wanted)
    if as_json:
        emit(rows)
        return
    if not rows:
        typer.echo("No job is like that. `jobctrl discover` looks for new ones.")
        return
    table(
        "Jobs",
        ("id", "score", "title", "employer", "place", "mode", "pay", "stage"),
        [
            (
                row.job_id[:8],
                row.fit_score if row.fit_score is not None else "-",
                row.title,
                row.employer or "?",
                _few(row.places),
                row.mode + (" (!)" if row.mode_conflict else ""),
                _pay(row, _in_short),
                f"{row.current_stage} {row.current_state}",
            )
            for row in rows
        ],
        right=(1,),
        whole=(0, 5, 6),
    )


@app.command()
def split(
    link: Annotated[str, typer.Argument(help="The merge's id, as `jobctrl show` lists it.")],
    reason: Annotated[str, typer.Option(help="Why the two are not one posting.")],
    as_json: Json = False,
) -> None:
    """Undo a merge: the posting becomes a job of its own."""
    from jobctrl.runtime.house import local_operator

    job_id = local_operator().split(link, reason)
    emit({"jobId": job_id}) if as_json else typer.echo(f"Split off as job {job_id}.")


@app.command()
def keep(job: Key, as_json: Json = False) -> None:
    """Keep a job in view: you want to pursue it."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().save_job(job), as_json)


@app.command()
def dismiss(job: Key, reason: Annotated[str, typer.Option(help="Why.")] = "dismissed", as_json: Json = False) -> None:
    """Take a job out of sight."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().dismiss_job(job, reason), as_json)


@app.command()
def restore(job: Key, as_json: Json = False) -> None:
    """Bring a dismissed job back."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().restore_job(job), as_json)


@app.command()
def correct(
    job: Key,
    score: Annotated[int, typer.Argument(help="1 to 10.")],
    reason: Annotated[str, typer.Option(help="Why the score should be another.")],
    as_json: Json = False,
) -> None:
    """Put your own score in place of ours."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().correct_score(job, score, reason), as_json)


@app.command()
def applied(
    job: Key,
    on: Annotated[datetime | None, typer.Option(help="When, if not now.")] = None,
    as_json: Json = False,
) -> None:
    """Say that you have applied."""
    from jobctrl.runtime.house import local_operator

    say(local_operator().mark_applied(job, on.astimezone() if on else None), as_json)


@app.command()
def outcome(
    job: Key,
    kind: Annotated[str, typer.Argument(help="recruiter_reply, interview, assessment, rejection, offer …")],
    on: Annotated[datetime | None, typer.Option(help="When it happened, if not now.")] = None,
    as_json: Json = False,
) -> None:
    """Say what came of an application."""
    from typing import get_args

    from jobctrl.errors import InvalidRequest
    from jobctrl.outcomes.events import OutcomeKind
    from jobctrl.runtime.house import local_operator

    if kind not in get_args(OutcomeKind):
        raise InvalidRequest(f"{kind!r} is no outcome; these are: {', '.join(get_args(OutcomeKind))}.")
    say(local_operator().record_outcome(job, kind, on.astimezone() if on else None), as_json)  # type: ignore[arg-type]


def show(job: Key, as_json: Json = False) -> None:
    """Show one job in full. What it says, how it scored and why, what was prepared, where it was seen."""
    from jobctrl.runtime.reading import reading_operator

    operator = reading_operator()
    view = operator.show_job(job)
    if as_json:
        emit({**plain(view), "files": _files(operator, view)})
        return
    _print(view, _files(operator, view))


def _files(operator: Any, view: JobView) -> dict[str, str]:
    standing = view.materials or {}
    named = {"resume": standing.get("resumePdf"), "letter": standing.get("letterPdf")}
    return {name: str(operator.files.path(ref)) for name, ref in named.items() if ref}


def _print(view: JobView, files: dict[str, str]) -> None:
    from jobctrl.stages.model import ORDER, Stage

    job = view.job
    typer.echo(
        f"{job.title}\n{job.employer or 'employer not stated'} · {job.places or 'place not stated'} · {job.mode}"
    )
    typer.echo(f"{job.apply_url or job.url}")
    typer.echo(
        f"pay: {_pay(job) or 'not stated'} · published: {job.published or 'not stated'} · language: {job.language}"
    )
    if view.score is not None:
        score = view.score
        typer.echo(
            f"\nscore {score.fit_score}/10 ({score.fit_band}), confidence {score.confidence}, "
            f"must-haves covered {score.must_have_coverage:.0%}, {score.eligibility}"
        )
        rows = [
            (
                f"{row['awarded']:.2f}/{row['max_points']:.2f}",
                row["fit"],
                row["tier"].replace("_", " "),
                row["text"],
                ", ".join(row["evidence_ids"]) or "-",
            )
            for row in view.requirements
        ]
        table("", ("points", "fit", "tier", "the posting asks", "evidence"), rows)
        for finding in [*view.eligibility["blockers"], *view.eligibility["warnings"]]:
            typer.echo(f"  ! {finding['message']}")
    table(
        "",
        ("stage", "state", "attempts", "why"),
        [
            (s.stage, s.state, s.attempt_count, s.error_message or s.error_code)
            for s in sorted(view.stages, key=lambda row: ORDER.index(Stage(row.stage)))
        ],
    )
    for name, path in files.items():
        typer.echo(f"{name}: {path}")
    for seen in view.observations:
        merged = f"  (merged: {seen['linkId']}, {seen['reason']})" if seen.get("linkId") else ""
        typer.echo(f"seen: {seen['sourceId']} {seen['url']}{merged}")


def _few(places: str) -> str:
    """The first two places, and how many more there are."""
    each = places.split("; ")
    return "; ".join(each[:2]) + (f" +{len(each) - 2}" if len(each) > 2 else "") or "?"


def _in_full(amount: float) -> str:
    return f"{amount:,.2f}".removesuffix(".00")


def _in_short(amount: float) -> str:
    """`52k` for 52,000; what would lose a digit that way stays whole."""
    return f"{amount / 1000:g}k" if amount >= 10_000 and amount % 100 == 0 else _in_full(amount)


def _pay(row: Any, written: Callable[[float], str] = _in_full) -> str:
    if row.pay_low is None and row.pay_high is None:
        return "" if row.pay_state == "not_stated" else row.pay_state
    low, high = (written(value) if value is not None else "" for value in (row.pay_low, row.pay_high))
    span = low if low == high else f"{low or 'up to '}{'–' if low and high else ''}{high or '+'}"
    return f"{span} {row.pay_currency or '?'}/{row.pay_period or '?'}"


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="jobs")
    parent.command()(show)
