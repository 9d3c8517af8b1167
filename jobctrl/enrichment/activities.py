"""How enrichment meets the world: take the text a board has given, or read the posting's own page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import datetime

from temporalio import activity

from jobctrl.discovery.admission import keep_facts, stated
from jobctrl.discovery.events import Posting
from jobctrl.discovery.state import JOB_CONTENTS, JobContent
from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.events import (
    JobActiveStateChanged,
    JobEnriched,
    PostingContentSnapshotCaptured,
    PostingContentSnapshotFailed,
)
from jobctrl.enrichment.model import ActiveState, ExtractionTier, PageKind, PageReading
from jobctrl.enrichment.state import JOB_ENRICHMENTS, Enrichment
from jobctrl.errors import JobCtrlError, OwnershipLost, UnsafeUrl
from jobctrl.llm.model import Model
from jobctrl.network.model import Politeness, Refused, Request, Response, Web
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.stages.state import StageMachine, StageRow
from jobctrl.store import Execution, Store, Transaction, acting_execution, statements
from jobctrl.work import Blocking, Pulse

SQL = statements("jobctrl.enrichment", "selection.sql")
SHORTEST = 50
"""Characters below which a page's text is no description."""
BATCH = 50
RETRYABLE_STATUS = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class EnrichInput:
    workspace: str
    web: str
    workers: int = 4
    job_ids: list[str] = field(default_factory=list)
    """Empty takes every job that lacks its text."""
    item: str = "terminal"
    """The name of the pass among those of its run."""


@dataclass(frozen=True)
class EnrichResult:
    promoted: int = 0
    """Texts taken from the boards' own answers."""
    read: int = 0
    """Pages read."""
    failed: int = 0
    blocked: int = 0
    inactive: int = 0
    texts: int = 0
    """Jobs that have their text from this run, by whichever pass."""


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


@dataclass(frozen=True)
class _Target:
    job_id: str
    url: str
    source_id: str
    owner: Owner


@dataclass(frozen=True)
class _Failure:
    """Why a page gave no text."""

    code: str
    message: str
    retryable: bool
    blocks: bool = False
    active: ActiveState | None = None
    evidence: str = ""
    cause: str | None = None
    host: str | None = None


_Found = PageReading | _Failure


@dataclass
class EnrichmentActivities:
    """`open_web` opens the web that a run names; `model` gives the model for pages that no rule can read, or None."""

    store: Store
    blocking: Blocking
    open_web: Callable[[str], Web]
    model: Callable[[], Model | None]

    @activity.defn
    async def discovery_enrichment(self, enrich: EnrichInput) -> EnrichResult:
        """Bring every job that lacks its text as far as it goes; one that fails is recorded and the others go on."""
        return await self.blocking(lambda pulse: self._enrich(enrich, pulse))

    def taking(self, enrich: EnrichInput) -> TextTaking:
        """The texts that are lacking, for a caller who takes them slice by slice."""
        return TextTaking(self, enrich, acting_execution("reading pages"))

    def _enrich(self, enrich: EnrichInput, pulse: Pulse) -> EnrichResult:
        total = Slice()
        with closing(self.taking(enrich)) as taking:
            while taken := taking.next(pulse):
                total.promoted += taken.promoted
                total.read += taken.read
                total.failed += taken.failed
                total.blocked += taken.blocked
                total.inactive += taken.inactive
        with self.store.reader() as connection:
            texts = connection.execute(SQL["texts_of_run"], asdict(acting_execution("reading pages"))).fetchone()[0]
        return EnrichResult(
            len(total.promoted), len(total.read), total.failed, total.blocked, total.inactive, texts=texts
        )


class TextTaking:
    """Takes lacking texts a slice at a time, each job at most once: what boards gave first, then pages."""

    def __init__(self, activities: EnrichmentActivities, enrich: EnrichInput, execution: Execution) -> None:
        self._store = activities.store
        self._open_web = activities.open_web
        self._model = activities.model
        self._enrich = enrich
        self._execution = execution
        self._scope = frozenset(enrich.job_ids)
        self._tried: set[str] = set()
        self._given: deque[str] = deque()
        self._pages: deque[str] = deque()
        self._web: Web | None = None

    def next(self, pulse: Pulse) -> Slice:
        """The next slice; an empty one when nothing waits, or the work is to stop."""
        taken = Slice()
        while not taken and not pulse.cancelled():
            if not self._given and not self._pages:
                self._look_around()
            pulse.beat(len(self._tried))
            if self._given:
                self._promote(_off(self._given, BATCH), taken, pulse.attempt)
            elif self._pages:
                self._read(_off(self._pages, self._enrich.workers), taken, pulse.attempt)
            else:
                break
        return taken

    def close(self) -> None:
        if self._web is not None:
            self._web.close()

    def _look_around(self) -> None:
        with self._store.reader() as connection:
            self._given.extend(self._news(connection.execute(SQL["with_board_text"])))
            if not self._given:
                self._pages.extend(self._news(connection.execute(SQL["without_text"], asdict(self._execution))))

    def _news(self, rows: Iterable[tuple[str]]) -> list[str]:
        found = [job_id for (job_id,) in rows if job_id not in self._tried]
        found = [job_id for job_id in found if not self._scope or job_id in self._scope]
        self._tried.update(found)
        return found

    def _promote(self, job_ids: Sequence[str], taken: Slice, attempt: int) -> None:
        """Take the texts that the boards gave with their listings."""
        with self._store.writer() as tx:
            taken.promoted += [job_id for job_id in job_ids if _promote_one(tx, job_id, attempt)]

    def _read(self, job_ids: Sequence[str], taken: Slice, attempt: int) -> None:
        web = self._web = self._web or self._open_web(self._enrich.web)
        model, now = self._model(), self._store.clock()
        targets = self._claim(job_ids, self._execution, attempt)
        with ThreadPoolExecutor(self._enrich.workers, thread_name_prefix="pages") as pool:
            found = list(pool.map(lambda target: _look(target, web, model, now), targets))
        for target, reading in zip(targets, found, strict=True):
            kind = self._commit(target, reading)
            if kind == "read":
                taken.read.append(target.job_id)
            else:
                setattr(taken, kind, getattr(taken, kind) + 1)

    def _claim(self, job_ids: Sequence[str], execution: Execution, attempt: int) -> list[_Target]:
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
                targets.append(_Target(job_id, row[0], row[1], owner))
        return targets

    def _commit(self, target: _Target, found: _Found) -> str:
        with self._store.writer() as tx:
            machine = StageMachine(tx, target.job_id, Stage.ENRICH)
            try:
                machine.check_owner(target.owner)
            except OwnershipLost:
                return "failed"
            if isinstance(found, _Failure):
                return _record_failure(tx, machine, target, found)
            return _record_reading(tx, machine, target, found)


def _off(waiting: deque[str], most: int) -> list[str]:
    return [waiting.popleft() for _ in range(min(most, len(waiting)))]


def _next_attempt(row: StageRow, execution: Execution, attempt: int) -> int:
    """The attempt to hold a page's stage by. Two activities of one run may want it in turn: each is a new holder."""
    mine = (row.owner_workflow, row.owner_run) == (execution.workflow_id, execution.run_id)
    if row.state == StageState.RUNNING and mine:
        return max(attempt, (row.owner_attempt or 0) + 1)
    return attempt


def _promote_one(tx: Transaction, job_id: str, attempt: int) -> bool:
    content = JOB_CONTENTS.get(tx.connection, job_id)
    before = JOB_ENRICHMENTS.get(tx.connection, job_id)
    if content is None or content.description_hash is None:
        return False
    if before is not None and before.description_hash == content.description_hash:
        return False
    machine = StageMachine(tx, job_id, Stage.ENRICH)
    state = StageState(machine.row.state)
    if state in (StageState.SUCCEEDED, StageState.STALE):
        machine.mark_stale("posting_changed")
    if state not in (StageState.PENDING, StageState.QUEUED, StageState.RUNNING):
        machine.reset(reason="posting_changed", attempts=True)
    try:
        machine.start(owner_attempt=attempt)
    except OwnershipLost:
        return False
    source_id, facts_hash, chars = _board_facts(tx, job_id)
    version = (before.snapshot_version if before else 0) + 1
    tx.append(
        f"job/{job_id}",
        PostingContentSnapshotCaptured(
            job_id=job_id,
            snapshot_version=version,
            snapshot_ref=content.description_hash,
            source_id=source_id,
            extraction_tier=ExtractionTier.ATS_API.value,
            confidence="high" if chars >= 200 else "low",
            quarantine_reason=None if chars >= 200 else "low_confidence_extraction",
            chars=chars,
            language=content.language,
        ),
        JobEnriched(
            job_id=job_id,
            source_id=source_id,
            description_hash=content.description_hash,
            application_url=None,
            extraction_tier=ExtractionTier.ATS_API.value,
            facts_hash=facts_hash,
            language=content.language,
        ),
    )
    _record_active(tx, job_id, source_id, before, ActiveState.ACTIVE, "board_lists_it")
    machine.complete()
    return True


def _board_facts(tx: Transaction, job_id: str) -> tuple[str, str, int]:
    """The source that shows the job, the facts it gave, and the length of its text."""
    _, source_id, stored = tx.connection.execute(SQL["address"], {"job_id": job_id}).fetchone()
    posting = Posting.model_validate_json(stored)
    return source_id, posting.facts_hash, posting.description_chars


def _look(target: _Target, web: Web, model: Model | None, now: datetime) -> _Found:
    """The page, read. No database."""
    try:
        answer = web.fetch(Request(target.url))
        if isinstance(answer, Response) and answer.status == 200:
            reading = read_page(answer, url=target.url, now=now, model=model)
            if reading.kind is PageKind.SHELL:
                answer = web.render(target.url)
    except UnsafeUrl as error:
        return _unsafe(error)
    except JobCtrlError as error:
        return _Failure("FETCH_ERROR", error.message, error.retryable)
    if isinstance(answer, Refused):
        return _refused(answer)
    reading = read_page(answer, url=target.url, now=now, model=model)
    if reading.active.state in (ActiveState.CLOSED, ActiveState.EXPIRED, ActiveState.REMOVED):
        return _Failure(
            "POSTING_INACTIVE",
            f"The posting is {reading.active.state.value}.",
            False,
            active=reading.active.state,
            evidence=reading.active.verification.value,
        )
    if answer.status != 200:
        return _Failure("FETCH_ERROR", f"The page answered {answer.status}.", answer.status in RETRYABLE_STATUS)
    if reading.kind is PageKind.BLOCKED:
        return _Failure("FETCH_ERROR", "The site shows a bot wall in place of the page.", False)
    if len(reading.description) < SHORTEST:
        return _Failure("EXTRACTION_EXHAUSTED", f"The page ({reading.kind.value}) holds no description.", True)
    return reading


def _unsafe(error: UnsafeUrl) -> _Failure:
    """Of the error only its typed cause is kept: its words quote what a page may have sent us to."""
    from jobctrl.network.safety import NotPublic

    cause, host = (error.cause, error.host) if isinstance(error, NotPublic) else (None, None)
    return _Failure(
        "DETAIL_UNSAFE_URL", "The address does not lead to a public web page.", False, cause=cause, host=host
    )


def _refused(answer: Refused) -> _Failure:
    if answer.reason is Politeness.ROBOTS_DISALLOWED:
        return _Failure("ENRICH_ROBOTS_DISALLOWED", "The site's robots.txt does not allow it.", True, blocks=True)
    return _Failure("ENRICH_POLITENESS_DEFERRED", f"Put off: {answer.reason.value}.", True)


def _record_failure(tx: Transaction, machine: StageMachine, target: _Target, failure: _Failure) -> str:
    before = JOB_ENRICHMENTS.get(tx.connection, target.job_id)
    if failure.active is not None:
        _record_active(tx, target.job_id, target.source_id, before, failure.active, failure.evidence)
    if failure.blocks:
        machine.block(failure.code, detail=failure.message)
        return "blocked"
    tx.append(
        f"job/{target.job_id}",
        PostingContentSnapshotFailed(
            job_id=target.job_id,
            source_id=target.source_id,
            error_class=failure.code,
            retryable=failure.retryable,
            cause=failure.cause,
            host=failure.host,
        ),
    )
    machine.fail(failure.code, failure.message, retryable=failure.retryable)
    return "inactive" if failure.active is not None else "failed"


def _record_reading(tx: Transaction, machine: StageMachine, target: _Target, reading: PageReading) -> str:
    before = JOB_ENRICHMENTS.get(tx.connection, target.job_id)
    content = JOB_CONTENTS.get(tx.connection, target.job_id)
    text = tx.put(reading.description)
    facts = keep_facts(tx, reading.facts)
    tier = (reading.tier or ExtractionTier.CSS_SELECTORS).value
    language = reading.facts.language.language
    tx.append(
        f"job/{target.job_id}",
        PostingContentSnapshotCaptured(
            job_id=target.job_id,
            snapshot_version=(before.snapshot_version if before else 0) + 1,
            snapshot_ref=text,
            source_id=target.source_id,
            extraction_tier=tier,
            confidence=reading.confidence.value,
            quarantine_reason=None if reading.quarantine.value == "none" else reading.quarantine.value,
            chars=len(reading.description),
            language=language,
        ),
        JobEnriched(
            job_id=target.job_id,
            source_id=target.source_id,
            description_hash=text,
            application_url=reading.apply_url,
            extraction_tier=tier,
            facts_hash=facts,
            language=language,
            page=_page_posting(content, reading, text, facts, target.url),
        ),
    )
    _record_active(tx, target.job_id, target.source_id, before, reading.active.state, reading.active.verification.value)
    machine.complete()
    return "read"


def _page_posting(content: JobContent | None, reading: PageReading, text: str, facts: str, url: str) -> Posting:
    return Posting(
        title=content.title if content else reading.title or "",
        employer=reading.company,
        url=url,
        apply_url=reading.apply_url,
        description_hash=text,
        description_chars=len(reading.description),
        facts_hash=facts,
        **stated(reading.facts),
    )


def _record_active(
    tx: Transaction,
    job_id: str,
    source_id: str,
    before: Enrichment | None,
    state: ActiveState,
    evidence: str,
) -> None:
    previous = before.active_state if before else ActiveState.UNKNOWN.value
    if previous != state.value:
        tx.append(
            f"job/{job_id}",
            JobActiveStateChanged(
                job_id=job_id,
                source_id=source_id,
                active_state=state.value,
                previous_state=previous,
                verification_method=evidence,
            ),
        )
