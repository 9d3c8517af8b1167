"""Taking the texts that jobs lack, slice by slice, with the stage of each page held while it is read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field

from jobctrl.enrichment.keeping import Target, keep_board_text, keep_failure, keep_reading
from jobctrl.enrichment.looking import Failure, Found, look
from jobctrl.errors import JobCtrlError, OwnershipLost
from jobctrl.llm.model import Model
from jobctrl.network.model import Web
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.stages.state import StageRow
from jobctrl.store import Execution, Store, statements
from jobctrl.work import Pulse

SQL = statements("jobctrl.enrichment", "selection.sql")
BATCH = 50


@dataclass
class Slice:
    """What one bounded step of taking texts did; empty when nothing was left to take."""

    promoted: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    failed: int = 0
    blocked: int = 0
    inactive: int = 0

    @property
    def job_ids(self) -> list[str]:
        """The jobs that have their text now."""
        return [*self.promoted, *self.read]

    def __bool__(self) -> bool:
        return bool(self.promoted or self.read or self.failed or self.blocked or self.inactive)


class TextTaking:
    """Takes lacking texts a slice at a time, each job at most once: what boards gave first, then pages."""

    def __init__(
        self,
        store: Store,
        execution: Execution,
        *,
        open_web: Callable[[], Web],
        model: Callable[[], Model | None],
        workers: int,
        job_ids: Sequence[str] = (),
    ) -> None:
        self._store = store
        self._execution = execution
        self._open_web = open_web
        self._model = model
        self._workers = workers
        self._scope = frozenset(job_ids)
        """Empty is every job."""
        self._tried: set[str] = set()
        self._given: deque[str] = deque()
        self._pages: deque[str] = deque()
        self._web: Web | None = None

    def next(self, pulse: Pulse) -> Slice:
        """The next slice; an empty one when nothing waits, or the work is to stop."""
        taken = Slice()
        while not taken and not pulse.cancelled():
            if not self._given:
                self._look_around()
            pulse.beat(len(self._tried))
            if self._given:
                self._promote(_off(self._given, BATCH), taken, pulse.attempt)
            elif self._pages:
                self._read(_off(self._pages, self._workers), taken, pulse.attempt)
            else:
                break
        return taken

    def close(self) -> None:
        if self._web is not None:
            self._web.close()

    def _look_around(self) -> None:
        with self._store.reader() as connection:
            self._given.extend(self._news(connection.execute(SQL["with_board_text"])))
            # Boards may still be read beside this: what they give is taken before a page that takes seconds.
            if not self._given and not self._pages:
                self._pages.extend(self._news(connection.execute(SQL["without_text"], asdict(self._execution))))

    def _news(self, rows: Iterable[tuple[str]]) -> list[str]:
        found = [job_id for (job_id,) in rows if job_id not in self._tried]
        found = [job_id for job_id in found if not self._scope or job_id in self._scope]
        self._tried.update(found)
        return found

    def _promote(self, job_ids: Sequence[str], taken: Slice, attempt: int) -> None:
        """Take the texts that the boards gave with their listings."""
        with self._store.writer() as tx:
            taken.promoted += [job_id for job_id in job_ids if keep_board_text(tx, job_id, attempt)]

    def _read(self, job_ids: Sequence[str], taken: Slice, attempt: int) -> None:
        web = self._web = self._web or self._open_web()
        model, now = self._model(), self._store.clock()
        targets = self._claim(job_ids, self._execution, attempt)
        with ThreadPoolExecutor(self._workers, thread_name_prefix="pages") as pool:
            found = list(pool.map(lambda target: look(target.url, web, model, now), targets))
        for target, reading in zip(targets, found, strict=True):
            kind = self._commit(target, reading)
            if kind == "read":
                taken.read.append(target.job_id)
            else:
                setattr(taken, kind, getattr(taken, kind) + 1)

    def _claim(self, job_ids: Sequence[str], execution: Execution, attempt: int) -> list[Target]:
        """Take the stage of each job that may still be taken."""
        targets = []
        with self._store.writer() as tx:
            for job_id in job_ids:
                row = tx.connection.execute(SQL["address"], {"job_id": job_id}).fetchone()
                machine = StageMachine(tx, job_id, Stage.ENRICH)
                if row is None:
                    continue
                if machine.row.state == StageState.BLOCKED:
                    machine.reset(reason="asked_again", attempts=True)
                held = _next_attempt(machine.row, execution, attempt)
                try:
                    machine.start(owner_attempt=held)
                except JobCtrlError:
                    continue
                owner = Owner(execution.workflow_id, execution.run_id, held)
                targets.append(Target(job_id, row[0], row[1], owner))
        return targets

    def _commit(self, target: Target, found: Found) -> str:
        with self._store.writer() as tx:
            machine = StageMachine(tx, target.job_id, Stage.ENRICH)
            try:
                machine.check_owner(target.owner)
            except OwnershipLost:
                return "failed"
            if isinstance(found, Failure):
                return keep_failure(tx, machine, target, found)
            return keep_reading(tx, machine, target, found)


def _off(waiting: deque[str], most: int) -> list[str]:
    return [waiting.popleft() for _ in range(min(most, len(waiting)))]


def _next_attempt(row: StageRow, execution: Execution, attempt: int) -> int:
    """The attempt to hold a page's stage by. Two activities of one run may want it in turn: each is a new holder."""
    mine = (row.owner_workflow, row.owner_run) == (execution.workflow_id, execution.run_id)
    if row.state == StageState.RUNNING and mine:
        return max(attempt, (row.owner_attempt or 0) + 1)
    return attempt
