"""How old the newest backup is that stands where `jobctrl backup` puts them."""

from __future__ import annotations

from datetime import datetime

from jobctrl.errors import WorkspaceError
from jobctrl.runtime.backup import default_folder
from jobctrl.runtime.manifest import read_manifest
from jobctrl.runtime.workspace import named_workspace
from jobctrl.store import utc_now


def last_backup() -> datetime | None:
    """When it was made; None when there is none there. One that was put elsewhere is not known."""
    workspace = named_workspace()
    made = []
    for folder in default_folder(workspace, utc_now()).parent.glob("*"):
        try:
            made.append(datetime.fromisoformat(read_manifest(folder).made_at))
        except WorkspaceError:
            # No backup, or a damaged one: it is none to rely on.
            continue
    return max(made, default=None)
