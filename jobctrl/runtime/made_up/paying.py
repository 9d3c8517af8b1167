"""What made-up calls cost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count

from jobctrl.runtime.made_up.told import Told
from jobctrl.spend.events import ModelCallHeld, ModelCallReserved, ModelCallSettled
from jobctrl.store import Execution

_COSTS = {"score": 9.0, "tailor": 10.2, "cover": 9.8}
"""The logarithm of a middling call in millionths of a dollar, by lane."""
_HELD = 0.004


class Calls:
    """Each call gets the next number."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def made(self, dice: random.Random, lane: str, at: datetime, job_id: str, execution: Execution) -> Iterator[Told]:
        """One call: set aside, and a few seconds later settled or, now and then, held."""
        call_id = f"call-{next(self._numbers):07d}"
        stream = f"spend/{call_id}"
        cost = round(dice.lognormvariate(_COSTS[lane], 0.4))
        reserved = ModelCallReserved(
            call_id=call_id,
            day=at.date().isoformat(),
            lane=lane,
            provider="anthropic",
            model="made-up",
            job_id=job_id,
            reserved_usd_micros=cost * 2,
            reserved_tokens=6000,
        )
        yield Told(at, stream, reserved, job_id, execution)
        later = at + timedelta(seconds=dice.uniform(1, 8))
        if dice.random() < _HELD:
            yield Told(later, stream, ModelCallHeld(call_id=call_id, reason="timeout"), execution=execution)
            return
        settled = ModelCallSettled(
            call_id=call_id,
            input_tokens=dice.randint(800, 4000),
            output_tokens=dice.randint(100, 900),
            usd_micros=cost,
        )
        yield Told(later, stream, settled, execution=execution)
