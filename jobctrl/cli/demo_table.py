"""What the demo shows at its end: what was found and prepared, and what to open next."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import typer

from jobctrl.cli.output import table
from jobctrl.cli.work import show_discovered

if TYPE_CHECKING:
    from jobctrl.runtime.demo import Demo

BANDS = ("excellent", "strong", "plausible", "stretch", "poor")


def show(seen: Demo) -> None:
    show_discovered(seen.found)
    table(
        "What became of it",
        ("jobs", *BANDS, "resume and letter ready", "simulated applications"),
        [
            (
                sum(seen.bands.values()),
                *(seen.bands.get(band, 0) for band in BANDS),
                seen.prepared,
                seen.applications,
            )
        ],
        right=range(8),
    )
    table(
        "The best of it",
        ("id", "score", "title", "employer", "place"),
        [(job.job_id[:8], job.fit_score, job.title, job.employer, job.places) for job in seen.best],
        right=(1,),
    )
    here = f"{shlex.quote(sys.argv[0])} --workspace {shlex.quote(str(seen.workspace))}"
    typer.echo("What to open next:")
    if seen.best:
        typer.echo(f"  {here} show {seen.best[0].job_id[:8]}    one job: its score, row by row, with the evidence")
    if seen.resume:
        typer.echo(f"  {seen.resume}    its tailored resume")
    for file in seen.report:
        if file.suffix == ".html":
            typer.echo(f"  {file}    are the scores calibrated? (simulated outcomes)")
    typer.echo(f"  {here} desk    the desks, in the browser")
