"""What the processes of the spending tests do; started by name in a process of their own."""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from multiprocessing.synchronize import Barrier
from pathlib import Path

from jobctrl.errors import BudgetExceeded
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import Ceilings
from jobctrl.spend.state import CHARGES
from tests.store.workspace import open_workspace

_gate: Barrier


def stand_at(gate: Barrier) -> None:
    """Give the processes of a pool one gate to start from together."""
    global _gate
    _gate = gate


def race(path: Path, ceilings: Ceilings, tries: int) -> int:
    """Reserve a dollar and a thousand tokens again and again, settle every other call; how often it was allowed."""
    _gate.wait(30)
    store = open_workspace(path, (CHARGES,))
    ledger, allowed = Ledger(store, lambda: ceilings), 0
    for number in range(tries):
        try:
            call = ledger.reserve("score", provider="openai", model="m", estimate=Decimal(1), tokens=1000)
        except BudgetExceeded:
            continue
        allowed += 1
        if number % 2:
            ledger.settle(call, input_tokens=900, output_tokens=100, cost=Decimal(1))
    store.close()
    return allowed


def pay_and_hang(path: Path) -> None:
    """Reserve, say so, and never come back from the call."""
    ledger = Ledger(open_workspace(path, (CHARGES,)), Ceilings)
    print(ledger.reserve("score", provider="openai", model="m", estimate=Decimal(3), tokens=10), flush=True)
    time.sleep(60)


if __name__ == "__main__":
    pay_and_hang(Path(sys.argv[1]))
