"""When what goes by the clock is due next, or why nobody knows."""

from __future__ import annotations

from datetime import datetime

from jobctrl.errors import TransientNetwork
from jobctrl.runtime.workspace import is_hosted, named_workspace
from jobctrl.settings.model import Settings

Due = tuple[list[datetime], str]
"""The schedule's next times by its zone's clock, as the server lists them; or, in words, why there are none."""


def due(settings: Settings) -> Due:
    """When the boards are read next by themselves."""
    return _due(of_reports=False) if settings.scheduling_enabled else ([], "")


def report_due(settings: Settings) -> Due:
    """When the weekly report is written next by itself."""
    return _due(of_reports=True) if settings.weekly_report_enabled else ([], "")


def _due(*, of_reports: bool) -> Due:
    workspace = named_workspace()
    if not is_hosted(workspace):
        return [], "The schedule waits: it is kept while `jobctrl up` runs."
    # Temporal's client takes half a second to import: only who has a schedule that runs pays for it.
    from jobctrl.runtime.asking import next_discoveries, next_reports

    try:
        times = next_reports(workspace) if of_reports else next_discoveries(workspace)
    except TransientNetwork as error:
        return [], error.message
    return times, "" if times else "The schedule is not set yet; the running `jobctrl up` does that within 15 seconds."
