"""What the processes of the concurrency tests do; started by name in a process of their own."""

from __future__ import annotations

import sys
import time
from multiprocessing.synchronize import Barrier
from pathlib import Path

from jobctrl.errors import Conflict
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Execution, acting_for
from tests.store.parcels import ParcelSent, ParcelWeighed
from tests.store.workspace import open_workspace

GROUP = 5
_gate: Barrier


def stand_at(gate: Barrier) -> None:
    """Give the processes of a pool one gate to start from together."""
    global _gate
    _gate = gate


def open_together(path: Path) -> int:
    """Open the same new file at the same moment as the others."""
    _gate.wait(30)
    store = open_workspace(path)
    store.close()
    return store.position()


def write_together(path: Path, name: str, rounds: int) -> tuple[int, int, int]:
    """Write to a stream of one's own, to a shared one, under shared keys, and move a shared stage.

    Returns how many facts this process recorded, how many under shared keys, and how many conflicts it met.
    """
    _gate.wait(30)
    store = open_workspace(path)
    recorded = once = conflicts = 0
    for number in range(rounds):
        with store.writer() as tx:
            own = tx.append(f"parcel/{name}", ParcelSent(parcel=name, town=name), ParcelWeighed(parcel=name, grams=1))
            first = tx.append("parcel/shared", ParcelSent(parcel=f"s{number}", town=name), key=f"round-{number}")
        recorded += len(own) + len(first)
        once += len(first)
        seen = len(store.stream("parcel/contended"))
        try:
            with store.writer() as tx:
                tx.append("parcel/contended", ParcelSent(parcel="contended", town=name), expected=seen)
            recorded += 1
        except Conflict:
            conflicts += 1
        with acting_for(Execution(name, str(number))), store.writer() as tx:
            machine, before = StageMachine(tx, "shared", Stage.DISCOVER), tx.version("job/shared")
            machine.start()
            machine.complete()
            machine.mark_stale("again")
            machine.reset(reason="again")
            recorded += tx.version("job/shared") - before
    store.close()
    return recorded, once, conflicts


def write_groups(path: Path) -> None:
    """Append whole groups of facts until killed; says the number of each group that is committed."""
    store = open_workspace(path)
    number = len(store.stream("parcel/groups")) // GROUP
    while True:
        with store.writer() as tx:
            for part in range(GROUP):
                tx.append("parcel/groups", ParcelSent(parcel=f"{number}-{part}", town=f"group {number}"))
                tx.put(f"page {number}-{part}")
        print(number, flush=True)
        number += 1


def stop_inside(path: Path) -> None:
    """Append without committing, say so, and stay there."""
    store = open_workspace(path)
    with store.writer() as tx:
        tx.append("parcel/groups", *(ParcelSent(parcel=f"half-{part}", town="half") for part in range(GROUP)))
        print("inside", flush=True)
        time.sleep(60)


if __name__ == "__main__":
    {"write_groups": write_groups, "stop_inside": stop_inside}[sys.argv[1]](Path(sys.argv[2]))
