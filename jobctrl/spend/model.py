"""Money: exact, in millionths of a US dollar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType

MICRO = Decimal(1_000_000)


def micros(usd: Decimal) -> int:
    """Whole millionths of a dollar, half up."""
    return int((usd * MICRO).to_integral_value(ROUND_HALF_UP))


def usd(micros_: int) -> Decimal:
    return Decimal(micros_) / MICRO


@dataclass(frozen=True)
class Ceilings:
    """What a UTC day may cost. Zero means no ceiling."""

    daily_usd: Decimal = Decimal(25)
    """Over all lanes."""
    lane_tokens: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Input and output tokens together, by lane."""


@dataclass(frozen=True)
class DaySpend:
    """What a day has cost so far: settled by usage, and set aside for calls that are open or of unknown outcome."""

    day: str
    settled: Decimal
    reserved: Decimal
    held: Decimal
    tokens: Mapping[str, int]

    @property
    def committed(self) -> Decimal:
        return self.settled + self.reserved + self.held
