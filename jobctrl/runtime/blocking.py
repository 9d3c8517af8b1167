"""Synchronous work off the event loop: heartbeats while it runs, a way to stop it, a fresh pool when it will not."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from temporalio import activity

from jobctrl.work import Pulse

T = TypeVar("T")
log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
"""How often a heartbeat is sent while the work runs; the work's own beats come on top."""
CANCEL_WAIT_SECONDS = 30.0


class _ThreadPulse:
    """The pulse of one activity, beating from a worker thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, attempt: int) -> None:
        self._loop = loop
        self._stop = threading.Event()
        self._details: tuple[Any, ...] = ()
        self.attempt = attempt

    def beat(self, *details: Any) -> None:
        self._details = details

    def cancelled(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()

    def latest(self) -> tuple[Any, ...]:
        return self._details


class BlockingPool:
    """A bounded pool of threads of its own. A generation that holds a thread which ignores cancellation is retired."""

    def __init__(
        self,
        slots: int,
        *,
        poll_seconds: float = POLL_SECONDS,
        cancel_wait_seconds: float = CANCEL_WAIT_SECONDS,
        abandoned: Callable[[str], None] = lambda activity_type: None,
    ) -> None:
        self.threads = slots + 2
        self._poll = poll_seconds
        self._cancel_wait = cancel_wait_seconds
        self._abandoned = abandoned
        self.generation = 0
        self._executor = self._fresh()

    async def __call__(self, work: Callable[[Pulse], T]) -> T:
        """`run_blocking_with_heartbeat`: the result of *work*, or its error. Cancellation stops it cooperatively."""
        loop = asyncio.get_running_loop()
        info = activity.info()
        pulse = _ThreadPulse(loop, info.attempt)
        context = contextvars.copy_context()
        future = loop.run_in_executor(self._executor, lambda: context.run(work, pulse))
        activity.heartbeat()
        try:
            while True:
                done, _ = await asyncio.wait({future}, timeout=self._poll)
                if done:
                    return future.result()
                activity.heartbeat(*pulse.latest())
        except asyncio.CancelledError:
            await self._stop(pulse, future, info.activity_type)
            raise

    async def _stop(self, pulse: _ThreadPulse, future: asyncio.Future[Any], activity_type: str) -> None:
        pulse.stop()
        # A retry must not be queued behind the thread that is being stopped.
        old, self._executor = self._executor, self._fresh()
        old.shutdown(wait=False)
        left = self._cancel_wait
        while left > 0:
            # Without a sign of life the server would call the attempt timed out, and the cancellation a failure.
            activity.heartbeat(*pulse.latest())
            done, _ = await asyncio.wait({future}, timeout=min(self._poll, left))
            if done:
                # Its result belongs to nobody now; its error was our own stop.
                future.exception()
                return
            left -= self._poll
        log.warning("abandoned_thread: a %s activity ignored its cancellation", activity_type)
        self._abandoned(activity_type)

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _fresh(self) -> ThreadPoolExecutor:
        self.generation += 1
        return ThreadPoolExecutor(self.threads, thread_name_prefix=f"blocking-{self.generation}")
