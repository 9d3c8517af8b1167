"""How discovery meets the world: plan which boards to read, then read one family of them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from zoneinfo import ZoneInfo

from temporalio import activity

from jobctrl.discovery.admission import Admission, Batch, Observed, run_key
from jobctrl.discovery.events import DiscoveryRunCompleted, DiscoveryRunFailed, DiscoveryRunStarted
from jobctrl.discovery.intake import name_all
from jobctrl.discovery.model import BoardListing, Listing, NamedListing, SearchPolicy, Source, SourceRefused
from jobctrl.discovery.registry import Registry
from jobctrl.discovery.rules import title_matches
from jobctrl.discovery.sources import adapter_for
from jobctrl.errors import InvalidRequest, JobCtrlError, MissingInput
from jobctrl.network.model import Web
from jobctrl.store import Execution, Store, acting_execution
from jobctrl.work import Blocking, Pulse

BATCH = 200
READABLE = ("active", "experimental", "quarantined")


@dataclass(frozen=True)
class PlanInput:
    workspace: str
    source_ids: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """Which families are read, and which sources of each."""

    families: dict[str, list[str]]
    max_parallel_families: int


@dataclass(frozen=True)
class FamilyInput:
    workspace: str
    family: str
    source_ids: list[str]
    web: str


@dataclass(frozen=True)
class FamilyResult:
    family: str
    returned: int = 0
    admitted: int = 0
    merged: int = 0
    filtered: int = 0
    rejected: int = 0
    sources_read: int = 0
    sources_failed: int = 0
    sources_refused: int = 0


@dataclass
class DiscoveryActivities:
    """What reading boards needs. `open_web` opens the web that a run names, `policy` says which postings are wanted."""

    store: Store
    blocking: Blocking
    open_web: Callable[[str], Web]
    policy: Callable[[], SearchPolicy]
    time_zone: Callable[[], str]
    max_parallel_families: Callable[[], int]
    observed: Observed
    """Told which jobs each source showed."""

    @activity.defn
    async def plan_discovery_sources(self, plan: PlanInput) -> Plan:
        """The boards that are read now, by family. Raises MissingInput without any, InvalidRequest for unknown ones."""
        return await self.blocking(lambda pulse: self._plan(plan))

    @activity.defn
    async def discovery_source_family(self, family: FamilyInput) -> FamilyResult:
        """Read each board of the family. A board that fails is recorded, the others go on; all failing is a failure."""
        return await self.blocking(lambda pulse: self._read_family(family, pulse))

    def _plan(self, plan: PlanInput) -> Plan:
        rows = {row.source_id: row for row in Registry(self.store).all()}
        unknown = [source_id for source_id in plan.source_ids if source_id not in rows]
        if unknown:
            raise InvalidRequest(
                f"These sources are not in the workspace: {', '.join(unknown)}.",
                hint="`jobctrl sources` lists them; `jobctrl sources add URL` adds one.",
            )
        chosen = [
            row.as_source()
            for source_id, row in rows.items()
            if row.state in READABLE and (not plan.source_ids or source_id in plan.source_ids)
        ]
        if not chosen:
            raise MissingInput("There is no source to read.", hint="Add a board with `jobctrl sources add URL`.")
        families: dict[str, list[str]] = {}
        for source in chosen:
            families.setdefault(source.family.value, []).append(source.id)
        return Plan(dict(sorted(families.items())), self.max_parallel_families())

    def _read_family(self, family: FamilyInput, pulse: Pulse) -> FamilyResult:
        execution = acting_execution("reading boards")
        rows = {row.source_id: row for row in Registry(self.store).all()}
        web = self.open_web(family.web)
        policy = self.policy()
        totals: Counter[str] = Counter()
        last: JobCtrlError | None = None
        try:
            for number, source_id in enumerate(family.source_ids):
                pulse.beat(number)
                if pulse.cancelled():
                    break
                try:
                    totals.update(self._read_source(rows[source_id].as_source(), execution, web, policy, pulse))
                except JobCtrlError as error:
                    last = error
                    totals["sources_failed"] += 1
                    self._failed(source_id, execution, error.code, error.message, error.retryable)
        finally:
            web.close()
        if last is not None and not totals["sources_read"] and not totals["sources_refused"]:
            raise last
        return FamilyResult(family.family, **totals)

    def _read_source(
        self, source: Source, execution: Execution, web: Web, policy: SearchPolicy, pulse: Pulse
    ) -> dict[str, int]:
        """Counts of one board. A board that this execution has read already is not asked again."""
        if done := self._completed(source, execution):
            return _counts(done)
        began = time.monotonic()
        self._started(source, execution)
        listing = adapter_for(source.kind).list(
            source,
            web,
            heartbeat=pulse.beat,
            cancelled=pulse.cancelled,
            wants_detail=lambda each: _wanted(each, policy),
        )
        if isinstance(listing, SourceRefused):
            self._failed(source.id, execution, listing.reason, listing.detail or listing.reason, True, refused=True)
            return {"sources_refused": 1}
        self._admit(source, execution, listing, policy, pulse)
        if pulse.cancelled():
            # A board read in part counts as unread: the next attempt of this execution begins it again.
            return {}
        completed = self._finish(source, execution, listing, int((time.monotonic() - began) * 1000))
        return _counts(completed)

    def _admit(
        self, source: Source, execution: Execution, board: BoardListing, policy: SearchPolicy, pulse: Pulse
    ) -> None:
        admission, today = Admission(self.store, self.observed), self._today()
        if board.problems:
            admission.admit(Batch(source, execution, problems=board.problems), policy, today)
        for rows in _batches(name_all(board.listings, source)):
            pulse.beat(source.id)
            if pulse.cancelled():
                return
            admission.admit(Batch(source, execution, listings=rows), policy, today)

    def _completed(self, source: Source, execution: Execution) -> DiscoveryRunCompleted | None:
        for fact in reversed(self.store.stream(f"source/{source.id}")):
            if isinstance(fact.event, DiscoveryRunCompleted) and (fact.workflow_id, fact.run_id) == (
                execution.workflow_id,
                execution.run_id,
            ):
                return fact.event
        return None

    def _started(self, source: Source, execution: Execution) -> None:
        run = run_key(execution, source.id)
        with self.store.writer() as tx:
            tx.append(f"source/{source.id}", DiscoveryRunStarted(run_id=run, source_id=source.id), key=f"reading:{run}")

    def _finish(
        self, source: Source, execution: Execution, board: BoardListing, duration_ms: int
    ) -> DiscoveryRunCompleted:
        counts = Admission(self.store).counts(execution, source.id)
        outcomes: Counter[str] = Counter()
        for (outcome, _), number in counts.items():
            outcomes[outcome] += number
        run = run_key(execution, source.id)
        event = DiscoveryRunCompleted(
            run_id=run,
            source_id=source.id,
            # Each row once, although a board may have changed between two attempts of this execution.
            returned=outcomes.total(),
            admitted=outcomes["admitted"],
            merged=outcomes["merged"],
            filtered=outcomes["filtered"],
            rejected=outcomes["rejected"],
            seen_before=counts.get(("merged", "seen_before"), 0),
            reasons={f"{outcome}:{reason}": number for (outcome, reason), number in sorted(counts.items())},
            unavailable=[reason[:200] for reason in board.unavailable[:20]],
            reported_total=board.reported_total,
            field_nulls=_field_nulls(board.listings),
            duration_ms=duration_ms,
        )
        with self.store.writer() as tx:
            tx.append(f"source/{source.id}", event, key=f"read:{run}")
        return event

    def _failed(
        self,
        source_id: str,
        execution: Execution,
        code: str,
        message: str,
        retryable: bool,
        *,
        refused: bool = False,
    ) -> None:
        run = run_key(execution, source_id)
        with self.store.writer() as tx:
            tx.append(
                f"source/{source_id}",
                DiscoveryRunFailed(
                    run_id=run,
                    source_id=source_id,
                    error_class=code,
                    error_message=message[:300],
                    retryable=retryable,
                    refused=refused,
                ),
                key=f"not-read:{run}",
            )

    def _today(self) -> date:
        return self.store.clock().astimezone(ZoneInfo(self.time_zone())).date()


def _wanted(listing: Listing, policy: SearchPolicy) -> bool:
    """Whether the text of a listing is worth a request: its title is not turned away anyway."""
    return not policy.titles or any(title_matches(listing.title, title) for title in policy.titles)


def _batches(listings: Iterable[NamedListing]) -> Iterable[Sequence[NamedListing]]:
    rows = iter(listings)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _field_nulls(listings: Sequence[Listing]) -> dict[str, int]:
    fields = ("company", "apply_url", "locations", "employment_type", "department", "published", "pay")
    nulls = {name: sum(1 for each in listings if not getattr(each, name)) for name in fields}
    nulls["text"] = sum(1 for each in listings if not (each.description_html or each.description_text))
    return nulls


def _counts(event: DiscoveryRunCompleted) -> dict[str, int]:
    return {
        "returned": event.returned,
        "admitted": event.admitted,
        "merged": event.merged,
        "filtered": event.filtered,
        "rejected": event.rejected,
        "sources_read": 1,
    }
