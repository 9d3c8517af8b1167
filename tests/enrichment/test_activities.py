"""Every job gets its text: from its board, else from its page; a page that says nothing is a state, never a guess."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities, EnrichResult
from jobctrl.enrichment.state import Enrichment, enrichment_of
from jobctrl.errors import InvalidRequest, SourceUnavailable, UnsafeUrl
from jobctrl.network.model import Politeness, Refused, Request, Response
from jobctrl.operations.jobs import JOBS, Job
from jobctrl.runtime.house import House
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import StageRow, stage_of
from jobctrl.store import Execution, Store, acting_for
from jobctrl.testing import Inline, SteadyPulse, TableWeb
from tests.runtime.searching import RUN, TEXT, admit, listing, new_house

AGAIN = Execution("discover-local", "run-2")
URL = "https://boards.greenhouse.io/northmill/jobs/1"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@dataclass
class Enriching:
    store: Store
    web: TableWeb = field(default_factory=lambda: TableWeb({}))
    pulse: SteadyPulse = field(default_factory=SteadyPulse)

    async def run(self, execution: Execution | None = RUN) -> EnrichResult:
        activities = EnrichmentActivities(self.store, Inline(self.pulse), lambda mode: self.web, lambda: None)
        with acting_for(execution):
            return await activities.discovery_enrichment(EnrichInput("w", "recorded:x", workers=2))


def found(store: Store, job_id: str) -> Enrichment | None:
    with store.reader() as connection:
        return enrichment_of(connection, job_id)


def stage(store: Store, job_id: str) -> StageRow:
    with store.reader() as connection:
        return stage_of(connection, job_id, Stage.ENRICH)


def job(store: Store, job_id: str) -> Job:
    with store.reader() as connection:
        row = JOBS.get(connection, job_id)
    assert row is not None
    return row


def bare_job(store: Store, number: int = 1, **changes: Any) -> str:
    """A job whose board gave no text."""
    [receipt] = admit(store, [listing(number, description_text=None, **changes)])
    assert receipt.job_id is not None
    return receipt.job_id


def page(text: str = TEXT.format(place="the mill"), **more: Any) -> tuple[int, str]:
    posting = {
        "@context": "https://schema.org",
        "@type": "JobPosting",
        "title": "Data Engineer",
        "description": "".join(f"<p>{line}</p>" for line in text.splitlines() if line),
        "hiringOrganization": {"@type": "Organization", "name": "Northmill"},
        **more,
    }
    script = f'<script type="application/ld+json">{json.dumps(posting)}</script>'
    return 200, f"<html><head><title>Data Engineer</title>{script}</head><body><h1>Data Engineer</h1></body></html>"


async def test_a_text_that_the_board_gave_is_taken_without_asking_anybody(house: House) -> None:
    [receipt] = admit(house.store, [listing(1)])
    enriching = Enriching(house.store)

    result = await enriching.run()

    assert result == EnrichResult(promoted=1, texts=1)
    assert enriching.web.asked == []
    enriched = found(house.store, receipt.job_id or "")
    assert enriched is not None
    assert (enriched.extraction_tier, enriched.confidence, enriched.active_state) == ("ats_api", "high", "active")
    assert stage(house.store, receipt.job_id or "").state == "succeeded"
    assert "grain forecasts" in house.store.content(enriched.description_hash or "").decode()


async def test_a_second_pass_does_nothing(house: House) -> None:
    admit(house.store, [listing(1)])
    job_id = bare_job(house.store, 2)
    web = TableWeb({"https://boards.greenhouse.io/northmill/jobs/2": page()})
    await Enriching(house.store, web).run()
    before = house.store.position()

    assert await Enriching(house.store, web).run() == EnrichResult(texts=2)
    assert await Enriching(house.store, web).run(AGAIN) == EnrichResult()
    assert house.store.position() == before
    assert len(web.asked) == 1
    assert stage(house.store, job_id).attempt_count == 1


async def test_a_changed_text_is_taken_again(house: House) -> None:
    [receipt] = admit(house.store, [listing(1)])
    await Enriching(house.store).run()
    admit(house.store, [listing(1, description_text=TEXT.format(place="another mill"))], run=AGAIN)

    assert (await Enriching(house.store).run(AGAIN)).promoted == 1
    enriched = found(house.store, receipt.job_id or "")
    assert enriched is not None
    assert enriched.snapshot_version == 2
    assert "another mill" in house.store.content(enriched.description_hash or "").decode()


async def test_a_page_is_read_when_the_board_gave_no_text(house: House) -> None:
    job_id = bare_job(house.store)
    web = TableWeb({URL: page(employmentType="FULL_TIME", datePosted="2026-03-01")})

    result = await Enriching(house.store, web).run()

    assert result == EnrichResult(read=1, texts=1)
    enriched = found(house.store, job_id)
    assert enriched is not None
    assert enriched.extraction_tier == "json_ld"
    assert "grain forecasts" in house.store.content(enriched.description_hash or "").decode()
    assert (stage(house.store, job_id).state, web.closed) == ("succeeded", 1)
    # What the listing left open is filled from the page.
    assert job(house.store, job_id).published == "2026-03-01"


@pytest.mark.parametrize(
    ("answer", "code", "retryable", "active"),
    [
        ((500, "oops"), "FETCH_ERROR", 1, "unknown"),
        ((429, "slow down"), "FETCH_ERROR", 1, "unknown"),
        ((403, "<html>Are you a robot?</html>"), "FETCH_ERROR", 0, "unknown"),
        ((404, "<html>Not found</html>"), "POSTING_INACTIVE", 0, "removed"),
        ((410, "<html>Gone</html>"), "POSTING_INACTIVE", 0, "removed"),
        (SourceUnavailable("no answer"), "FETCH_ERROR", 1, "unknown"),
        (UnsafeUrl("a private address"), "DETAIL_UNSAFE_URL", 0, "unknown"),
        ((200, "<html><body><p>Short.</p></body></html>"), "EXTRACTION_EXHAUSTED", 1, "unknown"),
    ],
)
async def test_a_page_without_a_text_is_a_state_and_only_evidence_closes(
    house: House, answer: Any, code: str, retryable: int, active: str
) -> None:
    job_id = bare_job(house.store)

    await Enriching(house.store, TableWeb({URL: answer})).run()

    row = stage(house.store, job_id)
    assert (row.state, row.error_code, row.retryable) == ("failed", code, retryable)
    assert job(house.store, job_id).active_state == active
    enriched = found(house.store, job_id)
    assert enriched is None or enriched.description_hash is None


async def test_robots_that_say_no_block_the_job_and_are_asked_again_by_the_next_run_only(house: House) -> None:
    job_id = bare_job(house.store)
    web = TableWeb({URL: Refused(URL, Politeness.ROBOTS_DISALLOWED)})

    assert await Enriching(house.store, web).run() == EnrichResult(blocked=1)
    row = stage(house.store, job_id)
    assert (row.state, row.error_code, row.retryable) == ("blocked", "ENRICH_ROBOTS_DISALLOWED", 1)
    assert await Enriching(house.store, web).run() == EnrichResult()
    for number in range(2, 9):
        # However often: being refused uses no attempt up.
        assert await Enriching(house.store, web).run(Execution("discover-local", f"run-{number}")) == EnrichResult(
            blocked=1
        )

    web.answers = {URL: page()}
    assert await Enriching(house.store, web).run(Execution("discover-local", "run-9")) == EnrichResult(read=1, texts=1)


@pytest.mark.parametrize("reason", [Politeness.RATE_LIMITED, Politeness.BUDGET_EXHAUSTED])
async def test_a_page_put_off_by_politeness_is_asked_for_in_the_next_run(house: House, reason: Politeness) -> None:
    job_id = bare_job(house.store)
    web = TableWeb({URL: Refused(URL, reason)})

    await Enriching(house.store, web).run()
    row = stage(house.store, job_id)
    assert (row.state, row.error_code, row.retryable) == ("failed", "ENRICH_POLITENESS_DEFERRED", 1)
    web.answers = {URL: page()}

    assert await Enriching(house.store, web).run() == EnrichResult()
    assert await Enriching(house.store, web).run(AGAIN) == EnrichResult(read=1, texts=1)


async def test_a_page_that_fails_in_every_run_is_given_up(house: House) -> None:
    job_id = bare_job(house.store)
    web = TableWeb({URL: (500, "")})
    for number in range(7):
        await Enriching(house.store, web).run(Execution("discover-local", f"run-{number}"))

    assert stage(house.store, job_id).state == "exhausted"
    assert len(web.asked) == 5


async def test_one_page_that_fails_does_not_keep_the_others_from_their_text(house: House) -> None:
    ids = [bare_job(house.store, number) for number in range(1, 6)]
    base = "https://boards.greenhouse.io/northmill/jobs/"
    web = TableWeb({f"{base}{number}": page() if number != 3 else (500, "") for number in range(1, 6)})

    assert await Enriching(house.store, web).run() == EnrichResult(read=4, failed=1, texts=4)
    assert [stage(house.store, job_id).state for job_id in ids].count("succeeded") == 4


async def test_what_an_attempt_had_taken_when_it_died_is_taken_up_by_the_next_attempt(house: House) -> None:
    job_id = bare_job(house.store)
    with acting_for(RUN), house.store.writer() as tx:
        StageMachine(tx, job_id, Stage.ENRICH).start(owner_attempt=1)

    result = await Enriching(house.store, TableWeb({URL: page()}), SteadyPulse(attempt=2)).run()

    assert result == EnrichResult(read=1, texts=1)
    row = stage(house.store, job_id)
    assert (row.state, row.attempt_count) == ("succeeded", 1)


async def test_what_another_run_holds_is_left_to_it(house: House) -> None:
    job_id = bare_job(house.store)
    with acting_for(AGAIN), house.store.writer() as tx:
        StageMachine(tx, job_id, Stage.ENRICH).start()
    web = TableWeb({URL: page()})

    assert await Enriching(house.store, web).run() == EnrichResult()
    assert web.asked == []
    assert stage(house.store, job_id).owner_run == "run-2"


async def test_a_page_that_is_read_after_another_took_the_job_over_writes_nothing(house: House) -> None:
    job_id = bare_job(house.store)

    class TakenOver(TableWeb):
        def fetch(self, request: Request) -> Response | Refused:
            with acting_for(AGAIN), house.store.writer() as tx:
                machine = StageMachine(tx, job_id, Stage.ENRICH)
                machine.fail("LOST", "", retryable=True)
                machine.start()
            return super().fetch(request)

    result = await Enriching(house.store, TakenOver({URL: page()})).run()

    assert (result.read, result.failed) == (0, 1)
    row = stage(house.store, job_id)
    assert (row.state, row.owner_run) == ("running", "run-2")
    assert found(house.store, job_id) is None


async def test_a_canceled_pass_stops_between_pages_and_leaves_nothing_running(house: House) -> None:
    ids = [bare_job(house.store, number) for number in range(1, 8)]
    base = "https://boards.greenhouse.io/northmill/jobs/"
    web = TableWeb({f"{base}{number}": page() for number in range(1, 8)})

    result = await Enriching(house.store, web, SteadyPulse(beats=2)).run()

    assert 0 < result.read < 7
    assert {stage(house.store, job_id).state for job_id in ids} == {"succeeded", "pending"}
    assert web.closed == 1


async def test_pages_are_read_inside_a_run_only(house: House) -> None:
    with pytest.raises(InvalidRequest, match="inside a workflow run"):
        await Enriching(house.store).run(None)
