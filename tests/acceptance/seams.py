"""Activities that stop at every seam, before and after each write and each call, so that a test can kill them there.

An activity runs in a thread of its own and parks at its next seam; nothing else moves meanwhile, so that what happens
is the same each time. One that is killed reaches neither the workspace nor anybody else from then on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from jobctrl.errors import JobCtrlError
from jobctrl.llm.failures import OutcomeUnknown, RateLimited, Unsent, UnusableAnswer
from jobctrl.llm.local import LocalModel
from jobctrl.llm.metered import estimated_usage
from jobctrl.llm.model import Answer, Ask, Usage
from jobctrl.store import Execution, Store, Transaction, acting_for

_here = threading.local()


class Killed(BaseException):
    """The process is gone."""


class Doing:
    """One attempt of an activity, on its way from seam to seam."""

    def __init__(self, work: Callable[[], Any], execution: Execution) -> None:
        self._work = work
        self._execution = execution
        self._on, self._parked = threading.Semaphore(0), threading.Semaphore(0)
        self.killed = False
        self.cut_off = False
        """Whether nobody hears of it for now."""
        self.ended = False
        self.result: Any = None
        self.error: JobCtrlError | None = None
        self._fault: BaseException | None = None
        threading.Thread(target=self._run, daemon=True).start()
        self._parked.acquire()

    def go_on(self) -> None:
        """As far as the next seam. Raises what no activity may raise."""
        assert not self.ended
        self._on.release()
        self._parked.acquire()
        if self._fault is not None:
            raise self._fault

    def to_the_end(self) -> None:
        while not self.ended:
            self.go_on()

    def kill(self) -> None:
        self.killed = True
        self.to_the_end()

    def park(self) -> None:
        self._parked.release()
        self._on.acquire()
        self.check()

    def check(self) -> None:
        if self.killed:
            raise Killed

    def _run(self) -> None:
        _here.doing = self
        try:
            self.park()
            with acting_for(self._execution):
                self.result = self._work()
        except Killed:
            pass
        except JobCtrlError as error:
            self.error = error
        except BaseException as fault:
            self._fault = fault
        finally:
            self.ended = True
            self._parked.release()


def seam() -> None:
    """A place where the process may die, and where another one may come between."""
    doing: Doing | None = getattr(_here, "doing", None)
    if doing is not None:
        doing.park()


def lay_seams(store: Store) -> None:
    """Around every transaction of *store*."""
    write = store.writer

    @contextmanager
    def writer() -> Iterator[Transaction]:
        seam()
        with write() as tx:
            yield tx
        seam()

    store.writer = writer  # type: ignore[method-assign]


@dataclass
class PaidModel:
    """A provider that answers like the local model, charges for it, and has its moods."""

    inner: LocalModel
    mood: str = "well"
    provider: str = "openai"
    name: str = "gpt-4o-mini"
    answered: int = field(default=0)

    def ask(self, ask: Ask[Any]) -> Answer[Any]:
        seam()
        most = estimated_usage(ask)
        used = Usage((most.input_tokens or 0) // 2, 200)
        match self.mood:
            case "unreachable":
                raise Unsent("The provider could not be reached.")
            case "busy":
                raise RateLimited("The provider asks to come back later.")
            case "silent":
                raise OutcomeUnknown("The connection was lost after the request was sent.")
            case "babbling":
                raise UnusableAnswer("The answer is of no use.", usage=used, request_id=None)
            case "dear":
                used = Usage(most.input_tokens, 3 * (most.output_tokens or 0))
            case "vague":
                used = Usage()
        answer = self.inner.ask(ask)
        self.answered += 1
        seam()
        return replace(answer, usage=used, provider=self.provider, model=self.name)


MOODS = ("well", "well", "well", "unreachable", "busy", "silent", "babbling", "dear", "vague")
