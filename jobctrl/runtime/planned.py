"""Something that the Temporal server starts by the clock of a named zone, as the settings say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio.client import (
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleSpec,
    ScheduleState,
)

from jobctrl.ids import digest_of


@dataclass(frozen=True)
class Planned:
    """One schedule as the settings ask for it."""

    schedule_id: str
    what: str
    enabled: bool
    cron: str
    zone: str
    catchup_hours: int
    run: Callable[..., Awaitable[Any]]
    """The run of the workflow that it starts."""
    input: Any
    workflow_id: str
    """Temporal puts the time of each run behind it."""
    task_queue: str

    def schedule(self) -> Schedule:
        """In the named zone's clock, never two at a time, late by some hours at most."""
        return Schedule(
            action=ScheduleActionStartWorkflow(self.run, self.input, id=self.workflow_id, task_queue=self.task_queue),
            spec=ScheduleSpec(cron_expressions=[self.cron], time_zone_name=self.zone),
            policy=SchedulePolicy(
                overlap=ScheduleOverlapPolicy.SKIP, catchup_window=timedelta(hours=self.catchup_hours)
            ),
            # The server rewrites a cron expression; the note is how we know again what was asked of it.
            state=ScheduleState(note=self.note),
        )

    @property
    def note(self) -> str:
        said = [self.cron, self.zone, self.catchup_hours]
        digest = digest_of([*said, vars(self.input), self.task_queue])
        return f"{self.cron} in {self.zone}, made up for {self.catchup_hours} h ({digest[:12]})"
