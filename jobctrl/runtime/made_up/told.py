"""One made-up fact with the moment it happened at and the execution that recorded it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from jobctrl.events import Event
from jobctrl.store import Execution


class Told(NamedTuple):
    at: datetime
    stream: str
    event: Event
    job_id: str | None = None
    execution: Execution | None = None
