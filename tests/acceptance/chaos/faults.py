"""What goes wrong, where and how often, in words that a worker of the bench is started with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["kill", "lock", "block"]


@dataclass(frozen=True)
class Fault:
    """`WHERE:WHEN:KIND[=SECONDS][xTIMES]`.

    WHERE is the type of an activity, or of an event. WHEN is for an activity `begin`, `writerN` (before the Nth
    transaction that it opens) or `end` (it has committed, and the server does not know yet); for an event `before` or
    `after` the commit of the transaction that appends it. KIND is `kill` (this process, at once), `lock` (another
    connection holds the database for SECONDS) or `block` (nothing is heard of this thread for SECONDS, whatever it is
    asked). It happens TIMES times (1) in all processes together.
    """

    where: str
    when: str
    kind: Kind
    seconds: float = 0.0
    times: int = 1

    def __str__(self) -> str:
        spent = f"={self.seconds:g}" if self.seconds else ""
        return f"{self.where}:{self.when}:{self.kind}{spent}" + (f"x{self.times}" if self.times > 1 else "")


def parse(text: str) -> Fault:
    """The fault that *text* spells. Raises ValueError for one that nobody could inject."""
    where, when, what = text.split(":")
    what, _, times = what.partition("x")
    kind, _, seconds = what.partition("=")
    if kind not in ("kill", "lock", "block"):
        raise ValueError(f"There is no fault of the kind {kind!r}.")
    return Fault(where, when, kind, float(seconds or 0), int(times or 1))  # type: ignore[arg-type]


def take(folder: Path, fault: Fault) -> bool:
    """Whether it is to happen now. A file for each time makes it so once over all processes."""
    name = str(fault).replace(":", "_")
    for number in range(fault.times):
        try:
            os.close(os.open(folder / f"{name}.{number}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        return True
    return False


def happened(folder: Path) -> int:
    """How many faults the workers of this folder have met."""
    return len(list(folder.iterdir()))
