"""Commands that set a workspace up."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobctrl.cli.output import Json, emit, say, table

if TYPE_CHECKING:
    from jobctrl.settings.model import Settings


def init(
    profile: Annotated[Path | None, typer.Option(help="A profile: JSON, TOML, JSON Resume, or a resume PDF.")] = None,
    as_json: Json = False,
) -> None:
    """Make a workspace, or give one a new profile."""
    from jobctrl.runtime.setting_up import set_up

    made = set_up(profile)
    if as_json:
        emit(made)
        return
    typer.echo(f"The workspace is {made.workspace}.")
    if made.profile_version is not None:
        typer.echo(f"The profile of {made.name} is in force (version {made.profile_version}).")
    else:
        typer.echo("There is no profile yet: add one with `jobctrl init --profile FILE`.")
    typer.echo("Next: `jobctrl sources add https://boards.greenhouse.io/NAME`, then `jobctrl discover`.")


def profile(
    to: Annotated[Path | None, typer.Option(help="Write it to this file instead of showing it.")] = None,
    as_json: Json = False,
) -> None:
    """Show the profile in force, as JSON. Write it to a file, change it, and give it back with `jobctrl init`."""
    from jobctrl.errors import InvalidRequest
    from jobctrl.profile.document import dump_profile
    from jobctrl.runtime.house import local_operator

    text = dump_profile(local_operator().profiles.required().profile)
    if to is None:
        typer.echo(text)
        return
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidRequest(f"{to} cannot be written: {error.strerror}.", hint="Name another file.") from error
    say(f"Written to {to}. Change it, then `jobctrl init --profile {to}`.", as_json)


def settings(
    action: Annotated[str, typer.Argument(help="`list`, `set` or `unset`.")] = "list",
    name: Annotated[str, typer.Argument(help="The setting's name.")] = "",
    value: Annotated[str, typer.Argument(help="Its new value; JSON for lists and maps.")] = "",
    as_json: Json = False,
) -> None:
    """Show or change what can be configured."""
    from jobctrl.errors import InvalidRequest
    from jobctrl.runtime.due import due, report_due
    from jobctrl.runtime.house import local_operator

    operator = local_operator()
    if action in ("set", "unset"):
        if not name:
            raise InvalidRequest(f"`settings {action}` needs the name of a setting.")
        changed = operator.change_setting(_known(name), _value(value) if action == "set" else None)
        if as_json:
            emit(changed.model_dump(mode="json"))
        else:
            _tell_changed(changed, name)
        return
    if action != "list":
        raise InvalidRequest(f"`settings` knows list, set and unset, not {action!r}.")
    current = operator.settings()
    (readings, problem), (reports, other) = due(current), report_due(current)
    if as_json:
        told = {"next_discoveries": readings} if current.scheduling_enabled else {}
        told |= {"next_reports": reports} if current.weekly_report_enabled else {}
        emit({**current.model_dump(mode="json"), **told})
        return
    rows = [
        (name, _standing(current, name), _takes_effect(current, name), field.description)
        for name, field in type(current).model_fields.items()
    ]
    table("Settings", ("name", "value", "a change counts", "what it is"), rows, whole=(0, 2))
    for what, times in (("The boards are read", readings), ("The weekly report is written", reports)):
        for at in times[:3]:
            typer.echo(f"{what} next at {at:%a %Y-%m-%d %H:%M %Z} ({current.schedule_zone}).")
    for words in dict.fromkeys((problem, other)):
        if words:
            typer.echo(words)


def _standing(current: Settings, name: str) -> str:
    """The value, and the default where it is another."""
    value, default = getattr(current, name), type(current).model_fields[name].default
    return _shown(value) if value == default else f"{_shown(value)} (default: {_shown(default)})"


def _tell_changed(current: Settings, name: str) -> None:
    from jobctrl.settings.views import WHEN

    typer.echo(f"{name} is {_standing(current, name)}; this counts {WHEN[_takes_effect(current, name)]}.")


def _takes_effect(current: Settings, name: str) -> str:
    extra: Any = type(current).model_fields[name].json_schema_extra
    return str(extra["takes_effect"])


def _known(name: str) -> str:
    from difflib import get_close_matches

    from jobctrl.errors import ConfigurationError
    from jobctrl.settings.model import Settings

    if name not in Settings.model_fields:
        near = get_close_matches(name, Settings.model_fields, 1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise ConfigurationError(f"There is no setting {name!r}.", hint=f"{meant}`jobctrl settings` lists them all.")
    return name


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _shown(value: object) -> str:
    return "-" if value in (None, "", {}) else str(value)


def credentials(
    action: Annotated[str, typer.Argument(help="`list`, `set` or `forget`.")] = "list",
    provider: Annotated[str, typer.Argument(help="anthropic or openai.")] = "",
    as_json: Json = False,
) -> None:
    """Show, set or forget the keys of model providers. A key is asked for; it is never an argument."""
    from jobctrl.errors import InvalidRequest
    from jobctrl.runtime.house import local_operator

    operator = local_operator()
    if action == "set":
        key = typer.prompt(f"Key for {provider}", hide_input=True) if sys.stdin.isatty() else sys.stdin.read().strip()
        operator.set_credential(provider, key)
    elif action == "forget":
        operator.forget_credential(provider)
    elif action != "list":
        raise InvalidRequest(f"`credentials` knows list, set and forget, not {action!r}.")
    found = operator.credentials()
    if as_json:
        emit(found)
        return
    table(
        "Keys",
        ("provider", "from", "key", "problem"),
        [(each.provider, each.source, each.masked, each.problem) for each in found],
    )


def register(app: typer.Typer) -> None:
    for command in (init, profile, settings, credentials):
        app.command()(command)
