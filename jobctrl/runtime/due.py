"""When the boards are read next by themselves, or why nobody knows."""

from __future__ import annotations

from datetime import datetime

from jobctrl.errors import TransientNetwork
from jobctrl.runtime.workspace import is_hosted, named_workspace
from jobctrl.settings.model import Settings


def due(settings: Settings) -> tuple[list[datetime], str]:
    """The schedule's next times by its zone's clock, as the server lists them; or, in words, why there are none."""
    if not settings.scheduling_enabled:
        return [], ""
    workspace = named_workspace()
    if not is_hosted(workspace):
        return [], "The schedule waits: it is kept while `jobctrl up` runs."
    # Temporal's client takes half a second to import: only who has a schedule that runs pays for it.
    from jobctrl.runtime.asking import next_discoveries

    try:
        times = next_discoveries(workspace)
    except TransientNetwork as error:
        return [], error.message
    return times, "" if times else "The schedule is not set yet; the running `jobctrl up` does that within 15 seconds."
