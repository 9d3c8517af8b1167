"""What the processes of the settings tests do; started by name in a process of their own."""

from __future__ import annotations

from multiprocessing.synchronize import Barrier
from pathlib import Path

from jobctrl.settings.config import change_settings, load_settings

_gate: Barrier


def stand_at(gate: Barrier) -> None:
    """Give the processes of a pool one gate to start from together."""
    global _gate
    _gate = gate


def change_often(path: Path, name: str, rounds: int) -> list[int]:
    """Count one setting up, alone; the values that were read back after each change."""
    _gate.wait(30)
    seen = []
    for number in range(1, rounds + 1):
        change_settings(path, {name: number})
        seen.append(int(getattr(load_settings(path), name)))
    return seen
