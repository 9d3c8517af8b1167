"""Which execution is acting."""

from __future__ import annotations

import threading

from jobctrl.store import Execution, acting_for, current_execution


def test_an_execution_ends_with_its_block_and_nests() -> None:
    outer, inner = Execution("w", "1"), Execution("w", "2")

    with acting_for(outer):
        with acting_for(inner):
            assert current_execution() == inner
        with acting_for(None):
            assert current_execution() is None
        assert current_execution() == outer
    assert current_execution() is None


def test_another_thread_does_not_act_for_it() -> None:
    seen: list[Execution | None] = []

    with acting_for(Execution("w", "1")):
        thread = threading.Thread(target=lambda: seen.append(current_execution()))
        thread.start()
        thread.join()

    assert seen == [None]
