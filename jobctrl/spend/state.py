"""Every paid call and what it cost: the fold behind the spend tables."""

from __future__ import annotations

from msgspec.structs import replace

from jobctrl.events import Recorded
from jobctrl.spend.events import SPEND_EVENTS, ModelCallHeld, ModelCallReleased, ModelCallReserved, ModelCallSettled
from jobctrl.store import ReadTable, Row, script


class Charge(Row, frozen=True):
    call_id: str
    day: str
    lane: str
    provider: str
    model: str
    job_id: str | None
    state: str
    """reserved, settled, held or released."""
    reserved_usd_micros: int
    usd_micros: int
    """What the call cost; while it is held, the whole reservation counts."""
    input_tokens: int | None
    output_tokens: int | None
    workflow_id: str | None
    run_id: str | None
    recorded_at: str
    settled_at: str | None


def fold(row: Charge | None, fact: Recorded) -> Charge | None:
    """The call as it stands after *fact*. A settled or released call stays so; a held one may still be settled."""
    match fact.event:
        case ModelCallReserved() as e if row is None:
            return Charge(
                e.call_id,
                e.day,
                e.lane,
                e.provider,
                e.model,
                e.job_id,
                "reserved",
                e.reserved_usd_micros,
                0,
                None,
                None,
                fact.workflow_id,
                fact.run_id,
                fact.occurred_at,
                None,
            )
        case ModelCallSettled() as e if row and row.state in ("reserved", "held"):
            return replace(
                row,
                state="settled",
                usd_micros=e.usd_micros,
                input_tokens=e.input_tokens,
                output_tokens=e.output_tokens,
                settled_at=fact.occurred_at,
            )
        case ModelCallHeld() if row and row.state == "reserved":
            return replace(row, state="held", usd_micros=row.reserved_usd_micros, settled_at=fact.occurred_at)
        case ModelCallReleased() if row and row.state in ("reserved", "held"):
            return replace(row, state="released", usd_micros=0, settled_at=fact.occurred_at)
        case _:
            return row


CHARGES = ReadTable(
    name="charges",
    version=1,
    sql=script("jobctrl.spend", "state.sql"),
    row=Charge,
    key=("call_id",),
    handles=SPEND_EVENTS,
    keys=lambda fact: [(fact.event.call_id,)],  # type: ignore[union-attr]
    fold=fold,
)
