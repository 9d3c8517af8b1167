"""Awaiting something from a place that may have a loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run *work* to its end, also where a loop runs already: notebooks and the API have one in their thread."""
    box: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            box.append(asyncio.run(work))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, name="dispatch")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return box[0]
