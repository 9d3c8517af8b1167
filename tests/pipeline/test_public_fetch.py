"""A page whose name led to no public address is asked for again once the name does, and in no other case."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from jobctrl.discovery.events import JobHidden
from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities
from jobctrl.enrichment.events import EnrichmentFetchRechecked, JobActiveStateChanged, PostingContentSnapshotFailed
from jobctrl.errors import UnsafeUrl
from jobctrl.network.safety import Guard
from jobctrl.network.unsafe import NotPublic
from jobctrl.pipeline.events import WorkflowCancellationRequested, WorkflowStarted
from jobctrl.pipeline.public_fetch import CHECKS, Rechecked, backoff, recheck_public_fetches
from jobctrl.runtime.house import House
from jobctrl.stages.events import StageReset
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, acting_for, moment
from jobctrl.testing import Inline, TableWeb
from tests.runtime.searching import NOW, RUN, admit, listing, new_house

AGAIN = Execution("discover-local", "run-2")
BOARD_HOST, CDN = "boards.greenhouse.io", "jobs.northmill.example"
PUBLIC, PRIVATE = ["93.184.216.34"], ["10.1.2.3"]
MINUTE = timedelta(minutes=1)


@dataclass
class Names:
    """A name server that answers from a table; who is not in it has no address."""

    table: dict[str, list[str] | Callable[[], list[str]]]
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        found = self.table.get(host)
        if found is None:
            raise OSError("no such name")
        return found() if callable(found) else found


def all_public() -> Names:
    return Names({BOARD_HOST: PUBLIC, CDN: PUBLIC})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    house.store.clock = lambda: NOW
    yield house
    house.close()


def redirected_to(host: str = CDN) -> NotPublic:
    return NotPublic(f"{host} resolves to 10.1.2.3", host=host, cause="dns_non_public")


def url(number: int) -> str:
    return f"https://{BOARD_HOST}/northmill/jobs/{number}"


async def read_pages(house: House, web: TableWeb, run: Execution = RUN) -> None:
    activities = EnrichmentActivities(house.store, Inline(), lambda mode: web, lambda: None)
    with acting_for(run):
        await activities.discovery_enrichment(EnrichInput("w", "recorded:x"))


async def read(house: House, answer: Exception, numbers: tuple[int, ...] = (1,)) -> list[str]:
    """Jobs whose pages were read and gave *answer*."""
    receipts = [admit(house.store, [listing(number, description_text=None)])[0] for number in numbers]
    await read_pages(house, TableWeb({url(number): answer for number in numbers}))
    return [receipt.job_id or "" for receipt in receipts]


async def unsafe(house: House, *numbers: int) -> list[str]:
    return await read(house, redirected_to(), numbers or (1,))


def stage(house: House, job_id: str) -> StageRow:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, Stage.ENRICH)


def checks(house: House, job_id: str) -> list[EnrichmentFetchRechecked]:
    facts = [fact.event for fact in house.store.job_history(job_id)]
    return [fact for fact in facts if isinstance(fact, EnrichmentFetchRechecked)]


def recheck(house: House, names: Names, at: datetime, deadline: float = 10.0) -> Rechecked:
    house.store.clock = lambda: at
    return recheck_public_fetches(house.store, names, at, deadline=deadline)


async def test_an_unsafe_address_is_a_failure_with_its_typed_cause_and_none_of_the_words(house: House) -> None:
    [job_id] = await unsafe(house)

    row = stage(house, job_id)
    assert (row.state, row.error_code, row.retryable) == ("failed", "DETAIL_UNSAFE_URL", 0)
    [attempt] = [f.event for f in house.store.job_history(job_id) if isinstance(f.event, PostingContentSnapshotFailed)]
    assert (attempt.cause, attempt.host, attempt.retryable) == ("dns_non_public", CDN, False)
    assert not any("10.1.2.3" in fact.payload for fact in house.store.job_history(job_id))


@pytest.mark.parametrize("address", ["http://10.0.0.7/", "https://[::1]/", "https://intranet/", "https://x.internal/"])
async def test_a_host_that_is_private_by_its_own_name_is_not_kept(house: House, address: str) -> None:
    with pytest.raises(NotPublic) as refused:
        Guard().check(address)

    [job_id] = await read(house, refused.value)

    [attempt] = [f.event for f in house.store.job_history(job_id) if isinstance(f.event, PostingContentSnapshotFailed)]
    assert (attempt.cause, attempt.host) == ("host_non_public", None)


async def test_the_guard_says_which_name_led_to_no_public_address(house: House) -> None:
    with pytest.raises(NotPublic) as refused:
        Guard(resolver=lambda host, port: [*PUBLIC, *PRIVATE]).addresses(CDN, 443)

    [job_id] = await read(house, refused.value)

    [attempt] = [f.event for f in house.store.job_history(job_id) if isinstance(f.event, PostingContentSnapshotFailed)]
    assert (attempt.cause, attempt.host) == ("dns_non_public", CDN)


async def test_a_name_that_leads_to_the_public_web_again_opens_the_page(house: House) -> None:
    [job_id] = await unsafe(house)
    names = all_public()

    assert recheck(house, names, NOW + MINUTE) == Rechecked(checked=1, resolved=1)

    [check] = checks(house, job_id)
    assert (check.cause, check.host, check.posting_result, check.request_result, check.check_count) == (
        "dns_non_public", CDN, "public", "public", 1,
    )  # fmt: skip
    assert check.next_check_at is None
    row = stage(house, job_id)
    assert (row.state, row.attempt_count, row.error_code) == ("pending", 1, None)
    last = house.store.job_history(job_id)[-1].event
    assert isinstance(last, StageReset)
    assert (last.reason, last.reset_attempts) == ("public_fetch_condition_resolved", False)
    assert sorted(names.asked) == [BOARD_HOST, CDN]
    assert recheck(house, names, NOW + 60 * MINUTE) == Rechecked()


async def test_nothing_is_looked_up_before_a_minute_has_passed(house: House) -> None:
    await unsafe(house)
    names = all_public()

    assert recheck(house, names, NOW + MINUTE - timedelta(milliseconds=1)) == Rechecked()
    assert names.asked == []


@pytest.mark.parametrize(
    ("table", "results"),
    [
        ({BOARD_HOST: PUBLIC, CDN: PRIVATE}, ("public", "non_public")),
        ({BOARD_HOST: PRIVATE, CDN: PUBLIC}, ("non_public", "public")),
        ({BOARD_HOST: PUBLIC, CDN: [*PUBLIC, *PRIVATE]}, ("public", "non_public")),
        ({BOARD_HOST: PUBLIC}, ("public", "unresolved")),
        ({BOARD_HOST: PUBLIC, CDN: []}, ("public", "unresolved")),
        ({}, ("unresolved", "unresolved")),
    ],
)
async def test_both_destinations_must_be_public(
    house: House, table: dict[str, list[str] | Callable[[], list[str]]], results: tuple[str, str]
) -> None:
    [job_id] = await unsafe(house)

    assert recheck(house, Names(table), NOW + MINUTE) == Rechecked(checked=1)

    [check] = checks(house, job_id)
    assert (check.posting_result, check.request_result) == results
    assert check.next_check_at == moment(NOW + 3 * MINUTE)
    assert stage(house, job_id).state == "failed"


async def test_a_failure_is_checked_five_times_at_growing_distances_and_then_left(house: House) -> None:
    [job_id] = await unsafe(house)
    names, at, times = Names({}), NOW, []

    while at < NOW + timedelta(hours=3):
        at += timedelta(seconds=15)
        if recheck(house, names, at).checked:
            times.append(int((at - NOW).total_seconds() // 60))

    assert times == [1, 3, 7, 15, 31]
    assert [check.check_count for check in checks(house, job_id)] == list(range(1, CHECKS + 1))
    assert checks(house, job_id)[-1].next_check_at is None
    assert [backoff(count) // MINUTE for count in range(1, CHECKS)] == [2, 4, 8, 16]


async def test_a_pass_looks_at_five_failures_and_the_next_one_at_the_others(house: House) -> None:
    jobs = await unsafe(house, *range(1, 8))

    assert recheck(house, Names({}), NOW + MINUTE) == Rechecked(checked=5)
    assert recheck(house, Names({}), NOW + MINUTE) == Rechecked(checked=2)
    assert recheck(house, Names({}), NOW + MINUTE) == Rechecked()
    assert {len(checks(house, job_id)) for job_id in jobs} == {1}


@pytest.mark.parametrize(
    "answer",
    [
        UnsafeUrl("jobs.northmill.example resolves to 10.1.2.3, which is not a public address"),
        NotPublic("10.1.2.3 is not a public address", host="10.1.2.3", cause="host_non_public"),
    ],
)
async def test_neither_words_nor_a_private_literal_are_evidence(house: House, answer: Exception) -> None:
    await read(house, answer)
    names = all_public()

    assert recheck(house, names, NOW + MINUTE) == Rechecked()
    assert names.asked == []


async def test_a_posting_at_a_private_address_is_not_looked_up(house: House) -> None:
    address = "https://192.168.0.7/jobs/1"
    [receipt] = admit(house.store, [listing(1, url=address, description_text=None)])
    await read_pages(house, TableWeb({address: redirected_to()}))
    names = all_public()

    assert recheck(house, names, NOW + MINUTE) == Rechecked()
    assert names.asked == []
    assert stage(house, receipt.job_id or "").state == "failed"


def hide(house: House, job_id: str) -> None:
    with house.store.writer() as tx:
        tx.append(f"job/{job_id}", JobHidden(job_id=job_id, reason="not for me"))


def close(house: House, job_id: str) -> None:
    closed = JobActiveStateChanged(
        job_id=job_id, source_id="s", active_state="closed", previous_state="unknown", verification_method="told"
    )
    with house.store.writer() as tx:
        tx.append(f"job/{job_id}", closed)


def taken_by_another(house: House, job_id: str) -> None:
    with acting_for(AGAIN), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.ENRICH)
        machine.reset(reason="by hand")
        machine.start()


def failed_by_another(house: House, job_id: str) -> None:
    taken_by_another(house, job_id)
    with acting_for(AGAIN), house.store.writer() as tx:
        StageMachine(tx, job_id, Stage.ENRICH).fail("DETAIL_UNSAFE_URL", "", retryable=False)


def canceled(house: House, job_id: str) -> None:
    with acting_for(RUN), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.ENRICH)
        machine.reset(reason="by hand")
        machine.start()
        machine.cancel("stopped by hand")


def run_canceled(house: House, job_id: str) -> None:
    name = {"workflow_id": RUN.workflow_id, "workflow_type": "DiscoverWorkflow", "temporal_run_id": RUN.run_id}
    asked = WorkflowCancellationRequested(**name, requested_by="me", source="jobctrl", evidence_kind="request_intent")
    with house.store.writer() as tx:
        tx.append(f"run/{RUN.workflow_id}/{RUN.run_id}", WorkflowStarted(**name), asked)


def failed_for_another_reason(house: House, job_id: str) -> None:
    with acting_for(RUN), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.ENRICH)
        machine.reset(reason="by hand")
        machine.start()
        machine.fail("FETCH_ERROR", "", retryable=False)


def last_attempt(house: House, job_id: str) -> None:
    """Every attempt but the first is used up, by failures of the same kind."""
    with acting_for(RUN), house.store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.ENRICH)
        while machine.row.state != "exhausted":
            machine.reset(reason="by hand")
            machine.start()
            machine.fail("DETAIL_UNSAFE_URL", "", retryable=False)


MOVED = [hide, close, taken_by_another, failed_by_another, canceled, run_canceled, failed_for_another_reason]


@pytest.mark.parametrize("move", [*MOVED, last_attempt])
async def test_what_has_moved_on_is_not_looked_up(house: House, move: Callable[[House, str], None]) -> None:
    [job_id] = await unsafe(house)
    move(house, job_id)
    names = all_public()

    assert recheck(house, names, NOW + 5 * MINUTE) == Rechecked()
    assert names.asked == []


@pytest.mark.parametrize("move", [*MOVED, last_attempt])
async def test_what_moves_while_names_are_looked_up_is_left_as_it_is(
    house: House, move: Callable[[House, str], None]
) -> None:
    [job_id] = await unsafe(house)
    moved = threading.Event()

    def answer() -> list[str]:
        if not moved.is_set():
            moved.set()
            move(house, job_id)
        return PUBLIC

    assert recheck(house, Names({BOARD_HOST: PUBLIC, CDN: answer}), NOW + 5 * MINUTE) == Rechecked()

    assert checks(house, job_id) == []
    assert not any(f.event.reason.startswith("public_fetch") for f in house.store.job_history(job_id)
                   if isinstance(f.event, StageReset))  # fmt: skip


async def test_two_passes_at_once_make_one_check(house: House) -> None:
    [job_id] = await unsafe(house)
    inner: list[Rechecked] = []

    def answer() -> list[str]:
        inner.append(recheck_public_fetches(house.store, Names({}), NOW + MINUTE))
        return PUBLIC

    outer = recheck(house, Names({BOARD_HOST: PUBLIC, CDN: answer}), NOW + MINUTE)

    assert (inner, outer) == ([Rechecked(checked=1)], Rechecked())
    assert len(checks(house, job_id)) == 1


async def test_a_name_server_that_does_not_answer_in_time_leaves_the_page_blocked(house: House) -> None:
    [job_id] = await unsafe(house)
    never = threading.Event()

    def hang() -> list[str]:
        never.wait(30)
        return PUBLIC

    found = recheck(house, Names({BOARD_HOST: PUBLIC, CDN: hang}), NOW + MINUTE, deadline=0.2)
    never.set()

    assert found == Rechecked(checked=1)
    assert checks(house, job_id)[0].request_result == "unresolved"
    assert stage(house, job_id).state == "failed"


async def test_the_attempts_of_before_still_count_after_a_recovery(house: House) -> None:
    [job_id] = await unsafe(house)
    times, web = 1, TableWeb({url(1): redirected_to()})
    while recheck(house, all_public(), NOW + times * 10 * MINUTE).resolved:
        times += 1
        await read_pages(house, web, Execution("discover-local", f"run-{times}"))

    assert (stage(house, job_id).state, times) == ("exhausted", 5)


async def test_a_clock_that_was_set_back_waits_and_checks_no_more_often(house: House) -> None:
    [job_id] = await unsafe(house)
    recheck(house, Names({}), NOW + MINUTE)

    assert recheck(house, Names({}), NOW - timedelta(days=2)) == Rechecked()
    assert recheck(house, Names({}), NOW + 3 * MINUTE) == Rechecked(checked=1)
    assert len(checks(house, job_id)) == 2
