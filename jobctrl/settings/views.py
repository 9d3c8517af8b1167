"""The settings as a person is asked for them: each with its value, limits, default and when a change counts.

All of it is read from the fields of `Settings`; nothing is listed a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from jobctrl.settings.model import Settings

Kind = Literal["text", "number", "whole", "switch", "choice"]
KINDS: dict[str, Kind] = {"boolean": "switch", "integer": "whole", "number": "number", "string": "text"}
WHEN = {"live": "at once", "next run": "from the next run on", "restart": "when `jobctrl up` is started the next time"}
"""When a change counts, in words."""


@dataclass(frozen=True)
class SettingView:
    """One thing to fill in. A setting that is a map has one for each of its keys, with a dot in the path."""

    path: str
    label: str
    says: str
    about: str
    takes_effect: str
    kind: Kind
    value: Any
    default: Any
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    max_length: int | None = None
    may_be_empty: bool = False

    @property
    def name(self) -> str:
        """The setting it belongs to."""
        return self.path.partition(".")[0]

    @property
    def limits(self) -> str:
        """What may be written there; empty when anything may."""
        if self.choices:
            return ", ".join(self.choices)
        if self.max_length is not None:
            return f"up to {self.max_length} characters"
        if self.low is None:
            return ""
        return f"{self.low:,g} or more" if self.high is None else f"{self.low:,g} to {self.high:,g}"


def setting_views(settings: Settings) -> list[SettingView]:
    """Everything that can be set, in the order of the model."""
    return [
        view
        for name, told in Settings.model_json_schema()["properties"].items()
        for view in _views(name, told, getattr(settings, name), Settings.model_fields[name].default)
    ]


def changes(views: Sequence[SettingView], typed: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed that is not so already, by setting, as `change_settings` takes it. An emptied number is its
    default; a map is given whole."""
    wanted = {view.path: _wanted(view, typed.get(view.path, view.value)) for view in views}
    other = dict.fromkeys(view.name for view in views if wanted[view.path] != view.value)
    return {name: _given(name, wanted) for name in other}


def _given(name: str, wanted: Mapping[str, Any]) -> Any:
    if name in wanted:
        return wanted[name]
    return {path.partition(".")[2]: value for path, value in wanted.items() if path.startswith(f"{name}.") and value}


def _wanted(view: SettingView, typed: Any) -> Any:
    if view.kind == "text":
        return (typed or "").strip() or (None if view.may_be_empty else "")
    if view.kind not in ("number", "whole"):
        return typed
    if typed is None:
        return view.default
    whole = int(typed) == typed
    return int(typed) if whole else float(typed)


def _views(name: str, told: Mapping[str, Any], value: Any, default: Any) -> list[SettingView]:
    if told.get("type") == "object":
        parts = told["propertyNames"]["enum"]
        return [_view(f"{name}.{key}", told["additionalProperties"], told, value.get(key, 0), 0) for key in parts]
    shapes = told.get("anyOf", [told])
    # A decimal may be written as a number or as a text: as a number it has its limits.
    shape = next(each for each in shapes if each["type"] != "null")
    return [_view(name, shape, told, value, default, may_be_empty=any(each["type"] == "null" for each in shapes))]


def _view(
    path: str,
    shape: Mapping[str, Any],
    told: Mapping[str, Any],
    value: Any,
    default: Any,
    *,
    may_be_empty: bool = False,
) -> SettingView:
    return SettingView(
        path=path,
        label=path.replace("_", " ").replace(".", ": "),
        says=told["description"],
        about=told["about"],
        takes_effect=told["takes_effect"],
        kind="choice" if "enum" in shape else KINDS[shape["type"]],
        value=_plain(value),
        default=_plain(default),
        choices=tuple(shape.get("enum", ())),
        low=shape.get("minimum"),
        high=shape.get("maximum"),
        max_length=shape.get("maxLength"),
        may_be_empty=may_be_empty,
    )


def _plain(value: Any) -> Any:
    """An amount as the number it is typed as."""
    if not isinstance(value, Decimal):
        return value
    return int(value) if value == value.to_integral_value() else float(value)
