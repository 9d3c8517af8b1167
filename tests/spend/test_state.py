"""The charges: one row a call, and its first end wins."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.events import Event, Recorded
from jobctrl.spend.events import ModelCallHeld, ModelCallReleased, ModelCallReserved, ModelCallSettled
from jobctrl.spend.state import Charge, fold
from tests.store.strategies import spend_facts

RESERVED = ModelCallReserved(
    call_id="c", day="2026-03-01", lane="score", provider="openai", model="m", reserved_usd_micros=9, reserved_tokens=5
)
SETTLED = ModelCallSettled(call_id="c", input_tokens=3, output_tokens=1, usd_micros=4)
DEARER = ModelCallSettled(call_id="c", input_tokens=9, output_tokens=9, usd_micros=8)
HELD = ModelCallHeld(call_id="c", reason="timeout")
RELEASED = ModelCallReleased(call_id="c", reason="never sent")


def after(*events: Event) -> Charge | None:
    row: Charge | None = None
    for position, event in enumerate(events, 1):
        payload = event.model_dump_json(by_alias=True)
        at = f"2026-03-01T12:00:0{position}.000Z"
        row = fold(
            row, Recorded(position, "e", "spend/c", position, event.event_type, 1, None, None, None, None, at, payload)
        )
    return row


@pytest.mark.parametrize(
    ("events", "state", "cost"),
    [
        ([RESERVED], "reserved", 0),
        ([RESERVED, RESERVED], "reserved", 0),
        ([RESERVED, SETTLED], "settled", 4),
        ([RESERVED, SETTLED, DEARER], "settled", 4),
        ([RESERVED, SETTLED, HELD], "settled", 4),
        ([RESERVED, SETTLED, RELEASED], "settled", 4),
        ([RESERVED, HELD], "held", 9),
        ([RESERVED, HELD, SETTLED], "settled", 4),
        ([RESERVED, HELD, RELEASED], "released", 0),
        ([RESERVED, RELEASED], "released", 0),
        ([RESERVED, RELEASED, SETTLED], "released", 0),
        ([RESERVED, RELEASED, HELD], "released", 0),
    ],
)
def test_the_first_end_of_a_call_wins(events: list[Event], state: str, cost: int) -> None:
    row = after(*events)

    assert row is not None
    assert (row.state, row.usd_micros, row.reserved_usd_micros) == (state, cost, 9)
    assert (row.settled_at is None) == (state == "reserved")


@pytest.mark.parametrize("event", [SETTLED, HELD, RELEASED])
def test_a_call_nobody_reserved_is_no_charge(event: Event) -> None:
    assert after(event) is None


@settings(max_examples=100, deadline=None)
@given(st.lists(spend_facts, max_size=9))
def test_the_fold_takes_any_facts_in_any_order(events: list[Event]) -> None:
    row = after(*events)

    assert row is None or row.usd_micros >= 0
