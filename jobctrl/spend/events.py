"""What is recorded of a paid call: set aside, then settled, held or released."""

from __future__ import annotations

from typing import ClassVar

from jobctrl.events import Event, Level


class ModelCallReserved(Event):
    """Money was set aside before a call, with the intent to make it."""

    call_id: str
    day: str
    lane: str
    provider: str
    model: str
    job_id: str | None = None
    reserved_usd_micros: int
    reserved_tokens: int


class ModelCallSettled(Event):
    """The provider said what the call used."""

    call_id: str
    input_tokens: int
    output_tokens: int
    usd_micros: int
    request_id: str | None = None


class ModelCallHeld(Event):
    """Nobody knows what the call cost; the whole reservation stays set aside."""

    level: ClassVar[Level] = "warn"
    call_id: str
    reason: str


class ModelCallReleased(Event):
    """The call surely cost nothing."""

    call_id: str
    reason: str


SPEND_EVENTS: tuple[type[Event], ...] = (ModelCallReserved, ModelCallSettled, ModelCallHeld, ModelCallReleased)
