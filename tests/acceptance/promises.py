"""What holds of a workspace at every moment, whatever has happened to those who write to it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from jobctrl.discovery.events import JobDiscovered
from jobctrl.events import Event, Recorded
from jobctrl.materials.events import CoverLetterGenerated, PdfRendered, ResumeApproved
from jobctrl.runtime.tables import TABLES
from jobctrl.scoring.events import JobScored
from jobctrl.spend.events import ModelCallHeld, ModelCallReleased, ModelCallReserved, ModelCallSettled
from jobctrl.spend.model import usd
from jobctrl.stages.events import STAGE_EVENTS, StageCompleted, StageStale, StageStarted
from jobctrl.stages.model import MAX_ATTEMPTS, Stage
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import Store
from tests.store.workspace import tables_of

RESULT_OF: dict[type[Event], str] = {JobScored: "score", ResumeApproved: "tailor"}


def log_of(store: Store) -> list[Recorded]:
    return store.since(0, 1_000_000)


def no_fact_is_lost(store: Store, log: Sequence[Recorded]) -> None:
    """Positions and streams have no gap, and every row that was taken in has its job."""
    assert [fact.position for fact in log] == list(range(1, len(log) + 1))
    versions: dict[str, int] = defaultdict(int)
    for fact in log:
        versions[fact.stream] += 1
        assert fact.stream_version == versions[fact.stream]
    found = {fact.event.job_id for fact in log if isinstance(fact.event, JobDiscovered)}
    with store.reader() as connection:
        admitted = {row[0] for row in connection.execute("SELECT job_id FROM discovery_receipts WHERE job_id <> ''")}
    assert admitted == found


def nothing_is_done_twice(log: Sequence[Recorded]) -> None:
    """One job a posting, one score and one resume a life of their stage, one letter a resume, one PDF a document."""
    made: Counter[tuple[str, ...]] = Counter()
    lives: dict[tuple[str, str], list[str]] = defaultdict(list)
    versions: dict[tuple[str, str], int] = defaultdict(int)
    for fact in log:
        match fact.event:
            case JobDiscovered() as e:
                made["job", e.job_id] += 1
            case CoverLetterGenerated() as e:
                made["letter", e.job_id, str(e.generation)] += 1
            case PdfRendered() as e:
                made["pdf", e.artifact_id] += 1
            case JobScored() | ResumeApproved() as e:
                stage = RESULT_OF[type(e)]
                versions[e.job_id, stage] += 1
                assert versions[e.job_id, stage] == (e.version if isinstance(e, JobScored) else e.generation)
                lives[e.job_id, stage].append("made")
            case StageCompleted() | StageStale() as e if e.stage in RESULT_OF.values():
                lives[e.job_id, e.stage].append("done" if isinstance(e, StageCompleted) else "stale")
    assert [what for what, times in made.items() if times > 1] == []
    for life in lives.values():
        # A result is made in the transaction that ends its stage, and again only after that end was taken back.
        assert all(then == {"made": "done", "done": "stale", "stale": "made"}[now] for now, then in pairwise(life))


def nobody_takes_what_another_holds(log: Sequence[Recorded]) -> None:
    """A running stage is taken by later attempts of its own run alone, until it has ended."""
    held: dict[tuple[str, str], Recorded] = {}
    for fact in log:
        if not isinstance(fact.event, STAGE_EVENTS):
            continue
        key = (fact.job_id or "", fact.stage or "")
        holder = held.pop(key, None)
        if isinstance(fact.event, StageStarted):
            if holder is not None and isinstance(holder.event, StageStarted):
                assert (fact.workflow_id, fact.run_id) == (holder.workflow_id, holder.run_id)
                assert fact.event.owner_attempt > holder.event.owner_attempt
                assert fact.event.attempt_number == holder.event.attempt_number
            held[key] = fact


def no_call_is_charged_twice(store: Store, log: Sequence[Recorded]) -> None:
    """A call is settled or released, once; the ledger is the sum of what the log says."""
    reserved: dict[str, ModelCallReserved] = {}
    ends: dict[str, list[str]] = defaultdict(list)
    spent: dict[tuple[str, str], int] = defaultdict(int)
    for fact in log:
        match fact.event:
            case ModelCallReserved() as e:
                assert e.call_id not in reserved
                reserved[e.call_id] = e
            case ModelCallSettled() as e:
                ends[e.call_id].append("closed")
                spent[reserved[e.call_id].day, reserved[e.call_id].lane] += e.usd_micros
            case ModelCallReleased() as e:
                ends[e.call_id].append("closed")
            case ModelCallHeld() as e:
                ends[e.call_id].append("held")
    assert all(end in (["closed"], ["held"], ["held", "closed"]) for end in ends.values())
    with store.reader() as connection:
        ledger = {(day, lane): usd_micros for day, lane, usd_micros in connection.execute(
            "SELECT day, lane, usd_micros FROM llm_spend")}  # fmt: skip
        aside = dict(connection.execute("SELECT call_id, state FROM spend_reservations").fetchall())
    assert ledger == spent
    assert aside == {
        call_id: ends[call_id][0] if ends[call_id] else "reserved"
        for call_id in reserved
        if "closed" not in ends[call_id]
    }


def the_budget_holds(log: Sequence[Recorded], ceiling: Decimal) -> None:
    """A day is over its ceiling by no more than its calls cost beyond what was set aside for them."""
    reserved: dict[str, ModelCallReserved] = {}
    committed: dict[str, int] = defaultdict(int)
    beyond: dict[str, int] = defaultdict(int)
    for fact in log:
        match fact.event:
            case ModelCallReserved() as e:
                reserved[e.call_id] = e
                committed[e.day] += e.reserved_usd_micros
                # The last word before a call: had it been over already, the call would not have been allowed.
                assert usd(committed[e.day]) <= ceiling
            case ModelCallSettled() as e:
                call = reserved[e.call_id]
                committed[call.day] += e.usd_micros - call.reserved_usd_micros
                beyond[call.day] += max(0, e.usd_micros - call.reserved_usd_micros)
            case ModelCallReleased() as e:
                committed[reserved[e.call_id].day] -= reserved[e.call_id].reserved_usd_micros
    assert all(usd(micros - beyond[day]) <= ceiling for day, micros in committed.items())


def attempts_are_bounded(store: Store) -> None:
    with store.reader() as connection:
        rows = STAGE_STATES.all(connection)
    for row in rows:
        ceiling = MAX_ATTEMPTS[Stage(row.stage)]
        assert ceiling is None or row.attempt_count <= ceiling


def the_tables_are_the_log(store: Store) -> None:
    live = tables_of(store, TABLES)
    store.rebuild()
    assert tables_of(store, TABLES) == live


def all_promises(store: Store, log: Sequence[Recorded], ceiling: Decimal) -> None:
    no_fact_is_lost(store, log)
    nothing_is_done_twice(log)
    nobody_takes_what_another_holds(log)
    no_call_is_charged_twice(store, log)
    the_budget_holds(log, ceiling)
    attempts_are_bounded(store)
    the_tables_are_the_log(store)
