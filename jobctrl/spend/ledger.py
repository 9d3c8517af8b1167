"""The ledger of paid calls: set aside before, settled after, held when nobody knows."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from jobctrl.errors import BudgetExceeded
from jobctrl.ids import new_event_id
from jobctrl.spend.events import ModelCallHeld, ModelCallReleased, ModelCallReserved, ModelCallSettled
from jobctrl.spend.model import Ceilings, DaySpend, micros, usd
from jobctrl.store import Store, Transaction, moment, statements

SQL = statements("jobctrl.spend", "ledger.sql")


class Ledger:
    """One authority for all processes: every check and every entry is made under the writer's lock."""

    def __init__(self, store: Store, ceilings: Callable[[], Ceilings]) -> None:
        self._store = store
        self._ceilings = ceilings

    def today(self) -> DaySpend:
        """What the present UTC day has cost so far."""
        with self._store.reader() as connection:
            return _day(connection, _day_of(self._store.clock()))

    def check(self, lane: str | None = None) -> DaySpend:
        """The preflight: raise BudgetExceeded when the day, or the lane's tokens, are used up."""
        spent = self.today()
        self._refuse_over(spent, lane, Decimal(0), 0)
        return spent

    def reserve(
        self, lane: str, *, provider: str, model: str, estimate: Decimal, tokens: int, job_id: str | None = None
    ) -> str:
        """Set *estimate* aside and record the intent, in one transaction; returns the call's id.

        Raises BudgetExceeded when the day's ceiling would be passed.
        """
        call_id = new_event_id()
        with self._store.writer() as tx:
            day = _day_of(tx.now)
            amount = micros(estimate)
            self._refuse_over(_day(tx.connection, day), lane, usd(amount), tokens)
            tx.connection.execute(
                SQL["reserve"],
                {
                    "call_id": call_id,
                    "day": day,
                    "lane": lane,
                    "usd_micros": amount,
                    "tokens": tokens,
                    "at": moment(tx.now),
                },
            )
            tx.append(
                f"spend/{call_id}",
                ModelCallReserved(
                    call_id=call_id,
                    day=day,
                    lane=lane,
                    provider=provider,
                    model=model,
                    job_id=job_id,
                    reserved_usd_micros=amount,
                    reserved_tokens=tokens,
                ),
                job_id=job_id,
            )
        return call_id

    def settle(
        self, call_id: str, *, input_tokens: int, output_tokens: int, cost: Decimal, request_id: str | None = None
    ) -> None:
        """Record what the call used. Settling twice settles once."""
        with self._store.writer() as tx:
            open_ = tx.connection.execute(SQL["reservation"], {"call_id": call_id}).fetchone()
            if open_ is None:
                return
            day, lane, _, _ = open_
            tx.connection.execute(SQL["close"], {"call_id": call_id})
            tx.connection.execute(
                SQL["add"],
                {
                    "day": day,
                    "lane": lane,
                    "input_tokens": input_tokens,
                    "output_tokens": output_tokens,
                    "usd_micros": micros(cost),
                },
            )
            tx.append(
                f"spend/{call_id}",
                ModelCallSettled(
                    call_id=call_id,
                    input_tokens=input_tokens,
                    output_tokens=output_tokens,
                    usd_micros=micros(cost),
                    request_id=request_id,
                ),
            )

    def hold(self, call_id: str, reason: str) -> None:
        """Keep the reservation: the call may have been made, and nobody said what it used. Not for a closed call."""
        with self._store.writer() as tx:
            if tx.connection.execute(SQL["reservation"], {"call_id": call_id}).fetchone() is not None:
                _hold(tx, call_id, reason)

    def release(self, call_id: str, reason: str) -> None:
        """Give the reservation back: the call surely cost nothing."""
        with self._store.writer() as tx:
            if tx.connection.execute(SQL["reservation"], {"call_id": call_id}).fetchone() is None:
                return
            tx.connection.execute(SQL["close"], {"call_id": call_id})
            tx.append(f"spend/{call_id}", ModelCallReleased(call_id=call_id, reason=reason))

    def hold_abandoned(self, older_than: timedelta) -> int:
        """Hold what a dead process left reserved; returns how many calls that were."""
        with self._store.writer() as tx:
            before = moment(tx.now - older_than)
            abandoned = [row[0] for row in tx.connection.execute(SQL["abandoned"], {"before": before})]
            for call_id in abandoned:
                _hold(tx, call_id, "abandoned")
        return len(abandoned)

    def _refuse_over(self, spent: DaySpend, lane: str | None, estimate: Decimal, tokens: int) -> None:
        ceilings = self._ceilings()
        committed = spent.committed
        if ceilings.daily_usd > 0 and (committed >= ceilings.daily_usd or committed + estimate > ceilings.daily_usd):
            raise BudgetExceeded(
                f"The day's ceiling of ${ceilings.daily_usd} is reached: ${spent.settled:.4f} spent, "
                f"${spent.reserved + spent.held:.4f} set aside, ${estimate:.4f} asked for.",
                hint="Raise it with `jobctrl settings set daily_budget_usd N`, or wait for the next UTC day.",
            )
        limit = ceilings.lane_tokens.get(lane or "", 0)
        used = spent.tokens.get(lane or "", 0)
        if limit and (used >= limit or used + tokens > limit):
            raise BudgetExceeded(
                f"The lane {lane} has used {used} of its {limit} tokens of this UTC day; {tokens} were asked for.",
                hint="Raise it with `jobctrl settings set lane_token_limits …`, or wait for the next UTC day.",
            )


def _hold(tx: Transaction, call_id: str, reason: str) -> None:
    tx.connection.execute(SQL["hold"], {"call_id": call_id})
    tx.append(f"spend/{call_id}", ModelCallHeld(call_id=call_id, reason=reason), key=f"held:{call_id}")


def _day_of(at: datetime) -> str:
    """A spend day is a UTC day, whatever zone the clock speaks."""
    return at.astimezone(UTC).date().isoformat()


def _day(connection: sqlite3.Connection, day: str) -> DaySpend:
    settled, tokens = 0, {}
    for lane, amount, used in connection.execute(SQL["settled"], {"day": day}):
        settled += amount
        tokens[lane] = used
    aside = {"reserved": 0, "held": 0}
    for lane, state, amount, reserved_tokens in connection.execute(SQL["set_aside"], {"day": day}):
        aside[state] += amount
        tokens[lane] = tokens.get(lane, 0) + reserved_tokens
    return DaySpend(day, usd(settled), usd(aside["reserved"]), usd(aside["held"]), tokens)
