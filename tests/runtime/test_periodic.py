"""What is looked after while a block runs: now, again and again, whatever becomes of one pass."""

from __future__ import annotations

import asyncio

import pytest

from jobctrl.runtime import periodic as module
from jobctrl.runtime.periodic import periodic


class Passes:
    """Counts the passes, and fails in the first few."""

    def __init__(self, failing: int = 0) -> None:
        self.failing = failing
        self.count = 0
        self.third = asyncio.Event()

    async def __call__(self) -> None:
        self.count += 1
        if self.count >= 3:
            self.third.set()
        if self.count <= self.failing:
            raise ValueError("a fault of ours")


@pytest.mark.parametrize("failing", [0, 2])
async def test_a_pass_that_fails_is_followed_by_the_next(failing: int) -> None:
    passes = Passes(failing)

    async with periodic("the test", passes, every=0.01):
        await asyncio.wait_for(passes.third.wait(), 5)
    ended = passes.count
    await asyncio.sleep(0.05)

    assert passes.count == ended


async def test_a_pass_that_hangs_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STOP_SECONDS", 0.05)
    begun = asyncio.Event()

    async def hang() -> None:
        begun.set()
        await asyncio.Event().wait()

    async with asyncio.timeout(5):
        async with periodic("the test", hang, every=60):
            await begun.wait()
