"""Is everything there that a search needs? One line a check, and what to do about each fault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from jobctrl.errors import JobCtrlError
from jobctrl.materials.glyphs import FAMILIES, fonts_folder, missing
from jobctrl.operations.heartbeats import STALE_AFTER_SECONDS, heartbeats
from jobctrl.profile.state import Profiles
from jobctrl.runtime.integrity import log_state, require_whole
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.temporal_server import binary
from jobctrl.runtime.workspace import Workspace, is_hosted, named_workspace
from jobctrl.settings.config import load_settings
from jobctrl.settings.credentials import SERVICE, describe
from jobctrl.store import utc_now

if TYPE_CHECKING:
    from jobctrl.runtime.probing import Probed

LITTLE_ROOM = 1_000_000_000
NO_ROOM = 100_000_000


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
    checks: list[Callable[[Workspace], Check]] = [
        # Before anything opens the store, which would bring its tables into step.
        _log,
        _history,
        _workspace,
        _profile,
        _settings,
        _temporal,
        _worker,
        _schedule,
        _disk,
        _fonts,
        _browser,
        _models,
        _keyring,
    ]
    found = []
    for check in checks:
        try:
            found.append(check(workspace))
        except JobCtrlError as error:
            found.append(Check(check.__name__.removeprefix("_"), "fault", error.message, error.hint or ""))
    return found


def _log(workspace: Workspace) -> Check:
    if not workspace.exists:
        return Check("log", "note", "none yet", "Make a workspace with `jobctrl init`.")
    require_whole(workspace.database)
    state = log_state(workspace.database)
    if state.folded != state.position:
        behind = "were never folded" if state.folded is None else f"stand at {state.folded:,}"
        advice = "They are folded again at the next start; `jobctrl rebuild` does it now."
        return Check("log", "note", f"whole, at {state.position:,}; its read tables {behind}", advice)
    return Check("log", "ok", f"whole, at {state.position:,}, the read tables in step")


def _history(workspace: Workspace) -> Check:
    if not workspace.temporal_database.exists():
        return Check("history", "note", "none yet", "Temporal's history begins with the first run.")
    require_whole(workspace.temporal_database)
    size = workspace.temporal_database.stat().st_size
    return Check("history", "ok", f"whole, {size / 1e6:.1f} MB")


def _workspace(workspace: Workspace) -> Check:
    open_store(workspace).close()
    hosted = "running" if is_hosted(workspace) else "not running"
    return Check("workspace", "ok", f"{workspace.path}, {hosted}")


def _profile(workspace: Workspace) -> Check:
    store = open_store(workspace)
    try:
        current = Profiles(store).current()
    finally:
        store.close()
    if current is None:
        return Check("profile", "note", "none yet", "Add one with `jobctrl init --profile FILE`.")
    bullets = sum(len(entry.bullets) for entry in current.profile.resume.experience)
    gone = missing(current.profile.personal.full_name)
    if gone:
        advice = "Write the name with other characters: it cannot be printed as it stands."
        return Check("profile", "fault", f"no shipped font has a glyph for {', '.join(gone)}", advice)
    return Check("profile", "ok", f"version {current.version}, {bullets} bullets")


def _settings(workspace: Workspace) -> Check:
    changed = sorted(load_settings(workspace.config).model_fields_set)
    return Check("settings", "ok", f"changed: {', '.join(changed)}" if changed else "all at their defaults")


def _temporal(workspace: Workspace) -> Check:
    address = os.environ.get("TEMPORAL_ADDRESS")
    if address is None and not is_hosted(workspace):
        return Check("temporal", "ok", f"embedded: {binary()}")
    from jobctrl.runtime.asking import answer_seconds

    took = answer_seconds(workspace)
    return Check("temporal", "ok", f"{address or workspace.server_address()} answers in {took * 1000:.0f} ms")


def _worker(workspace: Workspace) -> Check:
    if not is_hosted(workspace):
        return Check("worker", "ok", "none, since nothing runs the workspace")
    store = open_store(workspace)
    try:
        with store.reader() as connection:
            beats = [beat for beat in heartbeats(connection, store.workspace_id) if beat is not None]
    finally:
        store.close()
    return worker_check([beat.last_seen_at for beat in beats], utc_now())


def worker_check(seen: list[str], now: datetime) -> Check:
    """What the last signs of life of a running workspace's workers say."""
    ages = sorted((now - datetime.fromisoformat(at)).total_seconds() for at in seen)
    fresh = [age for age in ages if age <= STALE_AFTER_SECONDS]
    silent = len(ages) - len(fresh)
    if not fresh:
        last = f"{ages[0]:,.0f} s ago" if ages else "never"
        return Check(
            "worker", "fault", f"the last sign of life was {last}", "Stop `jobctrl up` with Ctrl-C and start it again."
        )
    if silent:
        advice = "It has ended without a word; what it held goes on with the others."
        return Check("worker", "note", f"{len(fresh)} at work, {silent} silent", advice)
    return Check("worker", "ok", f"{len(fresh)} at work, last seen {fresh[0]:.0f} s ago")


def probe_check(probed: Probed | JobCtrlError) -> Check:
    """What a probe found: server, worker, log and envelope worked from end to end, or where it stopped."""
    if isinstance(probed, JobCtrlError):
        return Check("probe", "fault", probed.message, probed.hint or "")
    run, advice = probed.run, "See logs/worker.log and logs/temporal.log in the workspace."
    if run.status != "succeeded":
        return Check("probe", "fault", f"{run.workflow_id} {run.status}: {run.error_message}", advice)
    if (probed.starts, probed.ends) != (1, 1):
        found = f"{run.workflow_id} has {probed.starts} starts and {probed.ends} ends in the log"
        return Check("probe", "fault", found, advice)
    where = "in the running workspace" if probed.hosted else "in a server and worker of its own"
    return Check("probe", "ok", f"{run.workflow_id} began and ended once, {where}, in {probed.seconds:.1f} s")


def _schedule(workspace: Workspace) -> Check:
    settings = load_settings(workspace.config)
    if not settings.scheduling_enabled:
        return Check("schedule", "ok", "off")
    when = f"{settings.schedule_cron} in {settings.schedule_zone}"
    if not is_hosted(workspace):
        return Check("schedule", "note", f"{when}, but nothing runs the workspace", "Keep `jobctrl up` running.")
    from jobctrl.runtime.asking import next_discoveries

    times = next_discoveries(workspace)
    if not times:
        advice = "It is set within 15 seconds; when it is not, see logs/worker.log."
        return Check("schedule", "fault", f"{when}, but the server has no time for it", advice)
    return Check("schedule", "ok", f"{when}; next: {times[0]:%Y-%m-%d %H:%M %Z}")


def _disk(workspace: Workspace) -> Check:
    folder = next(each for each in (workspace.path, *workspace.path.parents) if each.exists())
    return disk_check(shutil.disk_usage(folder).free)


def disk_check(free: int) -> Check:
    """Whether *free* bytes are enough to go on."""
    found = f"{free / 1e9:,.1f} GB free"
    if free < NO_ROOM:
        return Check("disk", "fault", found, "Free some: nothing can be recorded on a full disk.")
    if free < LITTLE_ROOM:
        return Check("disk", "note", found, "Free some soon: pages, histories and documents take room.")
    return Check("disk", "ok", found)


def _fonts(workspace: Workspace) -> Check:
    import typst

    shipped = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(fonts_folder())])
    gone = [family for family in FAMILIES if family not in shipped.families()]
    if gone:
        return Check("fonts", "fault", f"missing: {', '.join(gone)}", "Install JobCtrl again: its fonts come with it.")
    return Check("fonts", "ok", ", ".join(FAMILIES))


def _browser(workspace: Workspace) -> Check:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if found:
        return Check("browser", "ok", found)
    return Check("browser", "note", "no Chromium", "Pages that need their scripts are not read until one is installed.")


def _models(workspace: Workspace) -> Check:
    provider = load_settings(workspace.config).provider
    if provider == "local":
        return Check("models", "ok", "local: no key needed, nothing is sent")
    key = describe(provider)
    if key.source == "absent":
        return Check("models", "fault", f"{provider} has no key", f"Run `jobctrl credentials set {provider}`.")
    return Check("models", "ok", f"{provider}, key from the {key.source}")


def _keyring(workspace: Workspace) -> Check:
    """Asks the keyring for an entry that is never stored: an answer, that there is none, went there and back."""
    import keyring
    from keyring.errors import KeyringError, NoKeyringError

    advice = "Keys can be put into the environment instead (docs/settings.md)."
    try:
        backend = keyring.get_keyring()
        keyring.get_password(SERVICE, "doctor")
    except NoKeyringError:
        return Check("keyring", "note", "this system has none", advice)
    except (KeyringError, ImportError, AttributeError, ValueError) as error:
        return Check("keyring", "note", f"it does not answer ({type(error).__name__})", advice)
    return Check("keyring", "ok", f"{type(backend).__module__} answers")
