"""Commands that keep a workspace well: examine it, back it up, bring it back, fold it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobctrl.cli.output import Json, emit, progress, table

if TYPE_CHECKING:
    from jobctrl.runtime.doctor import Check


def doctor(
    probe: Annotated[bool, typer.Option(help="Also run a workflow from its start to its end.")] = False,
    hold: Annotated[int, typer.Option(help="How many seconds the probe holds, up to 3600.")] = 1,
    as_json: Json = False,
) -> None:
    """Check that all a search needs is there. Each fault comes with what to do about it."""
    from jobctrl.runtime.doctor import examine

    checks = examine()
    if probe:
        checks.append(_probed(hold))
    if as_json:
        emit(checks)
    else:
        table("", ("check", "state", "found", "what to do"), [(c.name, c.state, c.found, c.advice) for c in checks])
    if any(check.state == "fault" for check in checks):
        raise typer.Exit(1)


def _probed(hold: int) -> Check:
    from jobctrl.errors import JobCtrlError
    from jobctrl.runtime.doctor import probe_check
    from jobctrl.runtime.probing import probe

    with progress("A probe runs …"):
        try:
            return probe_check(probe(hold))
        except JobCtrlError as error:
            return probe_check(error)


def backup(
    to: Annotated[
        Path | None, typer.Option(help="A folder that is not there yet; one beside the workspace by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Copy the workspace, also while it runs. The log and Temporal's history go together."""
    from jobctrl.runtime.backup import backup as run
    from jobctrl.runtime.backup import default_folder
    from jobctrl.runtime.workspace import named_workspace
    from jobctrl.store import utc_now

    workspace, now = named_workspace(), utc_now()
    folder = to.expanduser().resolve() if to else default_folder(workspace, now)
    with progress("Copying …"):
        made = run(workspace, folder, now)
    if as_json:
        emit(
            {
                "folder": made.folder,
                "manifest": made.manifest.model_dump(mode="json"),
                "damagedDocuments": made.damaged_documents,
            }
        )
        return
    said = made.manifest
    typer.echo(f"{said.log_position:,} facts, {len(said.files)} files, {said.size / 1e6:.1f} MB are in {made.folder}.")
    if not said.has_history:
        typer.echo("Temporal's history is not among them: the workspace has none of its own.")
    for document in made.damaged_documents:
        typer.echo(
            f"warning: {document} was damaged before; `jobctrl run tailor cover --retailor` makes it anew.", err=True
        )
    typer.echo(f"Bring it back with `jobctrl restore {made.folder}`.")


def restore(
    folder: Annotated[Path, typer.Argument(help="A folder that `jobctrl backup` made.")],
    to: Annotated[Path | None, typer.Option(help="Where the workspace is to be; the named one by default.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Move the workspace that stands there aside.")] = False,
    as_json: Json = False,
) -> None:
    """Bring a backup back. All of it is verified before anything is moved."""
    from jobctrl.runtime.backup import restore as run
    from jobctrl.runtime.workspace import named_workspace, workspace_at
    from jobctrl.store import utc_now

    workspace = workspace_at(to) if to else named_workspace()
    with progress("Verifying and copying …"):
        done = run(folder.expanduser().resolve(), workspace, utc_now(), replace=replace)
    if as_json:
        emit(
            {
                "workspace": done.workspace,
                "manifest": done.manifest.model_dump(mode="json"),
                "movedAside": done.moved_aside,
            }
        )
        return
    typer.echo(f"{done.workspace} is as it was at {done.manifest.made_at}: {done.manifest.log_position:,} facts.")
    if done.moved_aside is not None:
        typer.echo(f"What stood there is in {done.moved_aside}.")
    typer.echo("What was under way then goes on with `jobctrl up`. Never run both copies of one workspace.")


def rebuild(as_json: Json = False) -> None:
    """Drop every read table and fold the log again."""
    from jobctrl.runtime.house import local_operator

    with progress("Folding the log …"):
        count = local_operator().rebuild()
    emit({"facts": count}) if as_json else typer.echo(f"Folded {count:,} facts.")


def register(app: typer.Typer) -> None:
    for command in (doctor, backup, restore, rebuild):
        app.command()(command)
