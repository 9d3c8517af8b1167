"""Settings in the words of a desk, as Markdown: what each is, what a change would do, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from jobctrl.analytics.desk import plain
from jobctrl.settings.credentials import Credential
from jobctrl.settings.views import WHEN, SettingView


def topics(views: Sequence[SettingView]) -> dict[str, list[SettingView]]:
    """The settings by what they are about, in the order of the model."""
    found: dict[str, list[SettingView]] = {}
    for view in views:
        found.setdefault(view.about.capitalize(), []).append(view)
    return found


def about(view: SettingView) -> str:
    """What a setting is, its limits, its default and when a change counts."""
    limits = f" Limits: {view.limits}." if view.limits else ""
    return f"{view.says}{limits} Default: {_shown(view.default)}. A change counts {WHEN[view.takes_effect]}."


def told(views: Sequence[SettingView], wanted: Mapping[str, Any]) -> str:
    """A line for each change: from what to what, and from when it counts."""
    lines = []
    for name, value in wanted.items():
        parts = [view for view in views if view.name == name]
        standing = {view.path.partition(".")[2]: view.value for view in parts if view.value}
        before = parts[0].value if parts[0].path == name else standing
        lines.append(f"- `{name}`: {_shown(before)} → **{_shown(value)}**, {WHEN[parts[0].takes_effect]}")
    return "\n".join(lines)


def may_cost(views: Sequence[SettingView], wanted: Mapping[str, Any], keys: Sequence[Credential]) -> str:
    """What calls may cost with these changes, and whether the provider has its key."""
    standing = {view.name: view.value for view in views} | dict(wanted)
    provider, ceiling = standing["provider"], standing["daily_budget_usd"]
    if provider == "local":
        return "The local models cost nothing."
    until = f"at most &#36;{ceiling:,.2f} a UTC day" if ceiling else "**without a ceiling for the day**"
    without = [key.provider for key in keys if key.provider == provider and key.source == "absent"]
    missing = f" There is no key for {provider} yet: until there is one, its calls fail." if without else ""
    return f"Calls to {provider} cost money, {until}.{missing}"


def next_times(times: Sequence[datetime], problem: str, *, enabled: bool, zone: str) -> str:
    """When the boards are read next by themselves."""
    if not enabled:
        return "The boards are read when you ask for it: the schedule is off."
    if problem:
        return plain(problem)
    listed = "\n".join(f"- {at:%a %Y-%m-%d %H:%M %Z}" for at in times[:5])
    return f"The boards are read next, by the clock of {zone}:\n\n{listed}"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {number:,}" for key, number in value.items()) or "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if value in (None, ""):
        return "none"
    # A text is shown as it is typed: the stars of a schedule are no emphasis.
    return f"`{value.replace('`', '')}`" if isinstance(value, str) else f"{value:,}"
