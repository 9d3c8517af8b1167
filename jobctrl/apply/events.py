"""What is recorded of applying."""

from __future__ import annotations

from jobctrl.events import Event


class ApplicationManuallyMarked(Event):
    """A person says that they applied, by themselves."""

    job_id: str
    applied_at: str
    """UTC, ISO 8601."""
    fit_score: int | None
    """The score that was current when they applied; the score that an outcome is held against."""
    score_version: int | None
    simulated: bool = False
