"""Is everything there that a search needs? One line a check, and what to do about each fault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from jobctrl.errors import JobCtrlError
from jobctrl.profile.state import Profiles
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.temporal_server import binary
from jobctrl.runtime.workspace import Workspace, is_hosted, named_workspace
from jobctrl.settings.config import load_settings
from jobctrl.settings.credentials import describe


@dataclass(frozen=True)
class Check:
    name: str
    state: str
    """ok, note or fault."""
    found: str
    advice: str = ""


def examine() -> list[Check]:
    """Every check, in the order a newcomer would want them."""
    workspace = named_workspace()
    checks: list[Callable[[Workspace], Check]] = [_workspace, _profile, _settings, _temporal, _browser, _provider]
    found = []
    for check in checks:
        try:
            found.append(check(workspace))
        except JobCtrlError as error:
            found.append(Check(check.__name__.removeprefix("_"), "fault", error.message, error.hint or ""))
    return found


def _workspace(workspace: Workspace) -> Check:
    store = open_store(workspace)
    try:
        position = store.position()
    finally:
        store.close()
    hosted = "running" if is_hosted(workspace) else "not running"
    return Check("workspace", "ok", f"{workspace.path}, {position:,} facts in the log, {hosted}")


def _profile(workspace: Workspace) -> Check:
    store = open_store(workspace)
    try:
        current = Profiles(store).current()
    finally:
        store.close()
    if current is None:
        return Check("profile", "note", "none yet", "Add one with `jobctrl init --profile FILE`.")
    bullets = sum(len(entry.bullets) for entry in current.profile.resume.experience)
    return Check("profile", "ok", f"version {current.version}, {bullets} bullets")


def _settings(workspace: Workspace) -> Check:
    changed = sorted(load_settings(workspace.config).model_fields_set)
    return Check("settings", "ok", f"changed: {', '.join(changed)}" if changed else "all at their defaults")


def _temporal(workspace: Workspace) -> Check:
    address = os.environ.get("TEMPORAL_ADDRESS")
    return Check("temporal", "ok", f"server at {address}" if address else f"embedded: {binary()}")


def _browser(workspace: Workspace) -> Check:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found:
        return Check("browser", "ok", found)
    return Check("browser", "note", "no Chromium", "Pages that need their scripts are not read until one is installed.")


def _provider(workspace: Workspace) -> Check:
    provider = load_settings(workspace.config).provider
    if provider == "local":
        return Check("models", "ok", "local: no key needed, nothing is sent")
    key = describe(provider)
    if key.source == "absent":
        return Check("models", "fault", f"{provider} has no key", f"Run `jobctrl credentials set {provider}`.")
    return Check("models", "ok", f"{provider}, key from the {key.source}")
