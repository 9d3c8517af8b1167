"""What the processes of the admission tests do, started by name in a process of their own."""

from __future__ import annotations

from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path

from jobctrl.discovery.model import BoardKind, Source
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import Workspace
from jobctrl.store import Execution
from tests.runtime.searching import admit, listing

_gate: Barrier


def stand_at(gate: Barrier) -> None:
    """Give the processes of a pool one gate to start from together."""
    global _gate
    _gate = gate


def admit_together(workspace: Path, name: str, postings: int) -> Counter[str]:
    """Admit the same postings at the same moment as the others, in small batches; returns how they ended."""
    store = open_store(Workspace(workspace))
    board, run = Source(BoardKind.GREENHOUSE, "northmill"), Execution("discover-local", name)
    ended: Counter[str] = Counter()
    _gate.wait(60)
    for first in range(0, postings, 3):
        rows = [listing(number) for number in range(first, min(first + 3, postings))]
        ended.update(receipt.outcome.value for receipt in admit(store, rows, source=board, run=run))
    store.close()
    return ended
