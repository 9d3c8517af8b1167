"""How enrichment meets the world: take the text a board has given, or read the posting's own page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
from jobctrl.errors import InvalidRequest, JobCtrlError, OwnershipLost
from jobctrl.llm.model import Model
from jobctrl.network.model import Politeness, Refused, Request, Response, Web
from jobctrl.stages.model import Owner, Stage, StageState
from jobctrl.stages.state import StageMachine
from jobctrl.store import Execution, Store, Transaction, current_execution, statements
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


@dataclass(frozen=True)
class EnrichResult:
    promoted: int = 0
    """Texts taken from the boards' own answers."""
    read: int = 0
    """Pages read."""
    failed: int = 0
    blocked: int = 0
    inactive: int = 0


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

    def _enrich(self, enrich: EnrichInput, pulse: Pulse) -> EnrichResult:
        execution = _execution()
        promoted = self._promote(pulse)
        counts = {"read": 0, "failed": 0, "blocked": 0, "inactive": 0}
        with self.store.reader() as connection:
            scope = {"workflow_id": execution.workflow_id, "run_id": execution.run_id}
            waiting = [row[0] for row in connection.execute(SQL["without_text"], scope)]
        if waiting:
            web = self.open_web(enrich.web)
            try:
                for kind in self._read_pages(waiting, web, enrich.workers, execution, pulse):
                    counts[kind] += 1
            finally:
                web.close()
        return EnrichResult(promoted, **counts)

    def _promote(self, pulse: Pulse) -> int:
        """Take the texts that the boards gave with their listings."""
        with self.store.reader() as connection:
            waiting = [row[0] for row in connection.execute(SQL["with_board_text"])]
        done = 0
        for start in range(0, len(waiting), BATCH):
            if pulse.cancelled():
                break
            pulse.beat("promote", start)
            with self.store.writer() as tx:
                for job_id in waiting[start : start + BATCH]:
                    done += _promote_one(tx, job_id, pulse.attempt)
        return done

    def _read_pages(
        self, waiting: Sequence[str], web: Web, workers: int, execution: Execution, pulse: Pulse
    ) -> Iterator[str]:
        model = self.model()
        now = self.store.clock()
        with ThreadPoolExecutor(workers, thread_name_prefix="pages") as pool:
            for start in range(0, len(waiting), workers):
                if pulse.cancelled():
                    return
                pulse.beat("pages", start)
                targets = self._claim(waiting[start : start + workers], execution, pulse.attempt)
                found = list(pool.map(lambda target: _look(target, web, model, now), targets))
                for target, reading in zip(targets, found, strict=True):
                    yield self._commit(target, reading)

    def _claim(self, job_ids: Sequence[str], execution: Execution, attempt: int) -> list[_Target]:
        """Take the stage of each job that may still be taken."""
        targets = []
        with self.store.writer() as tx:
            for job_id in job_ids:
                row = tx.connection.execute(SQL["address"], {"job_id": job_id}).fetchone()
                machine = StageMachine(tx, job_id, Stage.ENRICH)
                if row is None:
                    continue
                if machine.row.state == StageState.BLOCKED:
                    machine.reset(reason="asked_again", attempts=True)
                try:
                    machine.start(owner_attempt=attempt)
                except JobCtrlError:
                    continue
                owner = Owner(execution.workflow_id, execution.run_id, attempt)
                targets.append(_Target(job_id, row[0], row[1], owner))
        return targets

    def _commit(self, target: _Target, found: _Found) -> str:
        with self.store.writer() as tx:
            machine = StageMachine(tx, target.job_id, Stage.ENRICH)
            try:
                machine.check_owner(target.owner)
            except OwnershipLost:
                return "failed"
            if isinstance(found, _Failure):
                return _record_failure(tx, machine, target, found)
            return _record_reading(tx, machine, target, found)


def _execution() -> Execution:
    execution = current_execution()
    if execution is None:
        raise InvalidRequest("Pages are read inside a workflow run only.")
    return execution


def _promote_one(tx: Transaction, job_id: str, attempt: int) -> int:
    content = JOB_CONTENTS.get(tx.connection, job_id)
    before = JOB_ENRICHMENTS.get(tx.connection, job_id)
    if content is None or content.description_hash is None:
        return 0
    if before is not None and before.description_hash == content.description_hash:
        return 0
    machine = StageMachine(tx, job_id, Stage.ENRICH)
    state = StageState(machine.row.state)
    if state in (StageState.SUCCEEDED, StageState.STALE):
        machine.mark_stale("posting_changed")
    if state not in (StageState.PENDING, StageState.QUEUED, StageState.RUNNING):
        machine.reset(reason="posting_changed", attempts=True)
    try:
        machine.start(owner_attempt=attempt)
    except OwnershipLost:
        return 0
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
    return 1


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
