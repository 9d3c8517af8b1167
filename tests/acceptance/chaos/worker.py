"""`jobctrl up` with faults in it: the product as it is, and seams laid around it from outside at the start.

Run as `python -m tests.acceptance.chaos.worker --marks DIR [--fault WHERE:WHEN:KIND …]`.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any

from temporalio import activity

from jobctrl.runtime import serving
from jobctrl.runtime.blocking import BlockingPool
from jobctrl.store import Store, Transaction
from jobctrl.work import Pulse
from tests.acceptance.chaos.faults import Fault, parse, take

_opened: ContextVar[list[int] | None] = ContextVar("opened", default=None)
"""In the thread of an activity: how many transactions it has opened, in a box of one."""
_appended = threading.local()


class Seams:
    """The places where a fault can happen, and the faults that are to happen there."""

    def __init__(self, faults: list[Fault], marks: Path) -> None:
        self._faults = faults
        self._marks = marks

    def reach(self, where: str, when: str, database: Path | None = None) -> None:
        for fault in self._faults:
            if (fault.where, fault.when) == (where, when) and take(self._marks, fault):
                self._happen(fault, database)

    def _happen(self, fault: Fault, database: Path | None) -> None:
        match fault.kind:
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "block":
                time.sleep(fault.seconds)
            case "lock":
                assert database is not None
                hold_elsewhere(database, fault.seconds)

    def lay(self) -> None:
        """Around the thread of every activity, and around every transaction."""
        for owner, name, around in (
            (BlockingPool, "__call__", self._around_work),
            (Store, "writer", self._around_writer),
            (Transaction, "append", self._around_append),
        ):
            setattr(owner, name, around(getattr(owner, name)))

    def _around_work(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        async def seamed(pool: BlockingPool, work: Callable[[Pulse], Any]) -> Any:
            kind = activity.info().activity_type

            def with_seams(pulse: Pulse) -> Any:
                token = _opened.set([0])
                try:
                    self.reach(kind, "begin")
                    result = work(pulse)
                    self.reach(kind, "end")
                finally:
                    _opened.reset(token)
                return result

            return await call(pool, with_seams)

        return seamed

    def _around_writer(self, writer: Callable[[Store], Any]) -> Callable[[Store], Any]:
        @wraps(writer)
        @contextmanager
        def seamed(store: Store) -> Iterator[Transaction]:
            opened = _opened.get()
            if opened is not None:
                opened[0] += 1
                self.reach(activity.info().activity_type, f"writer{opened[0]}", store.path)
            _appended.types = set()
            with writer(store) as transaction:
                yield transaction
                for event_type in sorted(_appended.types):
                    self.reach(event_type, "before")
            for event_type in sorted(_appended.types):
                self.reach(event_type, "after")

        return seamed

    def _around_append(self, append: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(append)
        def seamed(transaction: Transaction, stream: str, *events: Any, **more: Any) -> Any:
            _appended.types |= {event.event_type for event in events}
            return append(transaction, stream, *events, **more)

        return seamed


_HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
connection.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""


def hold_elsewhere(database: Path, seconds: float) -> None:
    """Have another process hold the database's write lock, from when this returns, for that long."""
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(database), str(seconds)], stdout=subprocess.PIPE, start_new_session=True
    )
    assert holder.stdout is not None
    if holder.stdout.readline().strip() != b"held":
        raise sqlite3.OperationalError("the other process did not get the lock")
    threading.Thread(target=holder.wait, daemon=True).start()


def main() -> None:
    parser = argparse.ArgumentParser(prog="chaos worker")
    parser.add_argument("--marks", type=Path, required=True)
    parser.add_argument("--fault", type=parse, action="append", default=[])
    given = parser.parse_args()
    Seams(given.fault, given.marks).lay()
    serving.up(lambda words: print(words, flush=True))


if __name__ == "__main__":
    main()
