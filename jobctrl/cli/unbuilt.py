"""Commands that are built when they are met: building them all takes longer than most of them run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info, get_command_name, get_group_from_info
from typer.models import CommandInfo, TyperInfo

commands = typer.Typer()
"""Every command is registered here; the app itself has none until somebody asks for one."""


class OnDemand(TyperGroup):
    """The group of all `commands`."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "commands": _Unbuilt()})


class _Unbuilt(Mapping[str, Any]):
    """The commands by name."""

    def __init__(self) -> None:
        infos: list[CommandInfo | TyperInfo] = [*commands.registered_commands, *commands.registered_groups]
        self._infos = {_name(info): info for info in infos}
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = _build(self._infos[name])
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)


def _name(info: CommandInfo | TyperInfo) -> str:
    return info.name or get_command_name(info.callback.__name__)  # type: ignore[union-attr]


def _build(info: CommandInfo | TyperInfo) -> Any:
    if isinstance(info, CommandInfo):
        return get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)
    return get_group_from_info(info, pretty_exceptions_short=True, suggest_commands=True, rich_markup_mode=None)
