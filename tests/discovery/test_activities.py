"""Reading boards inside a run: what fails is recorded and the others go on; a retry reads nothing twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jobctrl.discovery import activities
from jobctrl.discovery.activities import DiscoveryActivities, FamilyInput, FamilyResult, PlanInput
from jobctrl.discovery.events import DiscoveryRunCompleted, DiscoveryRunFailed
from jobctrl.discovery.locate import locate
from jobctrl.discovery.model import SearchPolicy, Source, SourceState
from jobctrl.discovery.registry import Registry, SourceRow
from jobctrl.errors import InvalidRequest, MissingInput, NotFound, SourceUnavailable
from jobctrl.network.model import Politeness, Refused, Request, Response
from jobctrl.operations.jobs import JOBS
from jobctrl.runtime.house import House
from jobctrl.store import Execution, Store, acting_for
from jobctrl.testing import Inline, SteadyPulse, TableWeb
from tests.runtime.searching import RUN, TEXT, new_house

NORTH = "https://boards-api.greenhouse.io/v1/boards/northmill/jobs?content=true"
SOUTH = "https://boards-api.greenhouse.io/v1/boards/southmill/jobs?content=true"
AGAIN = Execution("discover-local", "run-2")


def board(*numbers: int, employer: str = "northmill", **more: Any) -> tuple[int, str]:
    """A Greenhouse board of our own with one posting for each number."""
    jobs = [
        {
            "id": number,
            "title": "Data Engineer",
            "absolute_url": f"https://boards.greenhouse.io/{employer}/jobs/{number}",
            "location": {"name": "Kraków, Poland"},
            "content": TEXT.format(place=f"{employer} {number}").replace("\n", "<br>"),
            **more,
        }
        for number in numbers
    ]
    return 200, json.dumps({"jobs": jobs, "meta": {"total": len(jobs)}})


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    for token in ("northmill", "southmill"):
        registry = Registry(house.store)
        registry.add(_source(token))
    yield house
    house.close()


def _source(token: str) -> Source:
    return locate(f"greenhouse:{token}")


@dataclass
class Reading:
    """The activities on one web."""

    store: Store
    web: TableWeb
    policy: SearchPolicy = field(default_factory=SearchPolicy)
    pulse: SteadyPulse = field(default_factory=SteadyPulse)
    shown: list[tuple[str, str]] = field(default_factory=list)
    """Which source showed which job, as the execution is told."""

    @property
    def reader(self) -> DiscoveryActivities:
        return DiscoveryActivities(
            self.store,
            Inline(self.pulse),
            lambda mode: self.web,
            lambda: self.policy,
            lambda: "Europe/Warsaw",
            lambda: 2,
            lambda tx, execution, job_ids, source_id: self.shown.extend((source_id, job_id) for job_id in job_ids),
        )

    async def read(self, *source_ids: str, run: Execution = RUN) -> FamilyResult:
        wanted = list(source_ids or ("greenhouse:northmill", "greenhouse:southmill"))
        with acting_for(run):
            return await self.reader.discovery_source_family(FamilyInput("w", "ats_api", wanted, "recorded:x"))


def source(store: Store, token: str) -> SourceRow:
    with store.reader() as connection:
        return Registry(store).get(connection, f"greenhouse:{token}")


def jobs(store: Store) -> int:
    with store.reader() as connection:
        return len(JOBS.all(connection))


def events(store: Store, kind: type) -> list[Any]:
    return [fact.event for fact in store.since(0, 100_000) if isinstance(fact.event, kind)]


async def test_each_board_is_read_and_its_counts_add_up(house: House) -> None:
    reading = Reading(house.store, TableWeb({NORTH: board(1, 2, 3), SOUTH: board(4, employer="southmill")}))

    result = await reading.read()

    assert result == FamilyResult("ats_api", returned=4, admitted=4, sources_read=2)
    assert jobs(house.store) == 4
    assert Counter(source_id for source_id, _ in reading.shown) == {
        "greenhouse:northmill": 3,
        "greenhouse:southmill": 1,
    }
    north = source(house.store, "northmill")
    assert (north.runs, north.returned, north.admitted, north.last_error) == (1, 3, 3, None)
    assert reading.web.closed == 1


async def test_rows_that_are_no_postings_are_counted_with_the_rest(house: House) -> None:
    status, body = board(1, 2)
    broken = json.loads(body)
    broken["jobs"] += [{"id": 9}, "no posting at all"]
    reading = Reading(house.store, TableWeb({NORTH: (status, json.dumps(broken))}))

    result = await reading.read("greenhouse:northmill")

    [done] = events(house.store, DiscoveryRunCompleted)
    assert (result.returned, result.admitted, result.rejected) == (4, 2, 2)
    assert done.returned == done.admitted + done.merged + done.filtered + done.rejected
    assert sum(done.reasons.values()) == 4


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((500, "oops"), "source_unavailable"),
        ((404, ""), "not_found"),
        ((200, "<html>Maintenance</html>"), "source_unavailable"),
        ((200, '{"jobs": [{"id": 1,'), "source_unavailable"),
        (SourceUnavailable("no answer"), "source_unavailable"),
    ],
)
async def test_a_board_that_fails_is_recorded_and_the_others_go_on(house: House, answer: Any, code: str) -> None:
    without_text = NORTH.removesuffix("?content=true")
    web = TableWeb({NORTH: answer, without_text: answer, SOUTH: board(4, employer="southmill")})

    result = await Reading(house.store, web).read()

    assert (result.sources_read, result.sources_failed, result.admitted) == (1, 1, 1)
    north = source(house.store, "northmill")
    assert (north.failed_runs, north.consecutive_failures, north.last_error) == (1, 1, code)
    assert source(house.store, "southmill").failed_runs == 0


async def test_a_family_whose_boards_all_fail_fails_with_the_last_reason(house: House) -> None:
    web = TableWeb({NORTH: (404, ""), SOUTH: (404, "")})

    with pytest.raises(NotFound, match="southmill"):
        await Reading(house.store, web).read()

    assert len(events(house.store, DiscoveryRunFailed)) == 2
    assert web.closed == 1


async def test_politeness_is_an_outcome_not_a_fault_of_the_board(house: House) -> None:
    refused = Refused(NORTH, Politeness.RATE_LIMITED, retry_after=30)
    web = TableWeb({NORTH: refused, SOUTH: Refused(SOUTH, Politeness.BUDGET_EXHAUSTED)})

    result = await Reading(house.store, web).read()

    north = source(house.store, "northmill")
    assert result == FamilyResult("ats_api", sources_refused=2)
    assert (north.refused_runs, north.failed_runs, north.last_error) == (1, 0, "rate_limited")


async def test_a_board_that_this_execution_has_read_is_not_asked_again(house: House) -> None:
    web = TableWeb({NORTH: board(1, 2), SOUTH: SourceUnavailable("down")})
    reading = Reading(house.store, web)
    first = await reading.read()
    before = house.store.position()
    asked = len(web.asked)

    retry = await reading.read()

    assert web.asked.count(NORTH) == 1
    assert len(web.asked) > asked
    assert (retry.returned, retry.admitted) == (first.returned, first.admitted) == (2, 2)
    assert house.store.position() == before
    await reading.read(run=AGAIN)
    assert web.asked.count(NORTH) == 2


async def test_a_board_that_changed_between_two_attempts_counts_each_row_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activities, "BATCH", 10)

    class DiesAfterOneBatch(SteadyPulse):
        def beat(self, *details: Any) -> None:
            super().beat(*details)
            if len(self.seen) == 4:
                raise ConnectionResetError("killed")

    web = TableWeb({NORTH: board(*range(1, 31))})
    with pytest.raises(ConnectionResetError):
        await Reading(house.store, web, pulse=DiesAfterOneBatch()).read("greenhouse:northmill")
    kept = jobs(house.store)

    result = await Reading(house.store, TableWeb({NORTH: board(*range(11, 41))})).read("greenhouse:northmill")

    assert 0 < kept < 30
    assert result.returned == result.admitted == jobs(house.store) == 30 + 10


async def test_a_canceled_reading_stops_and_the_next_attempt_begins_the_board_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activities, "BATCH", 10)
    web = TableWeb({NORTH: board(*range(1, 31)), SOUTH: board(200, employer="southmill")})
    reading = Reading(house.store, web, pulse=SteadyPulse(beats=3))

    result = await reading.read()

    assert result.sources_read == 0
    assert SOUTH not in web.asked
    assert events(house.store, DiscoveryRunCompleted) == []
    again = await Reading(house.store, web).read()
    assert (again.returned, again.admitted, again.sources_read) == (31, 31, 2)
    assert jobs(house.store) == 31


async def test_what_the_search_does_not_want_is_not_asked_for_its_text(house: House) -> None:
    bare = board(1, 2, content=None)
    titled = json.loads(bare[1])
    titled["jobs"][1]["title"] = "Welder"
    web = TableWeb({NORTH: (200, json.dumps(titled))})

    result = await Reading(house.store, web, SearchPolicy(titles=("Data Engineer",))).read("greenhouse:northmill")

    assert (result.admitted, result.filtered) == (1, 1)
    assert any("/jobs/1" in url for url in web.asked)
    assert not any("/jobs/2" in url for url in web.asked)


async def test_boards_are_read_inside_a_run_only(house: House) -> None:
    reading = Reading(house.store, TableWeb({}))

    with pytest.raises(InvalidRequest, match="inside a workflow run"):
        await reading.reader.discovery_source_family(FamilyInput("w", "ats_api", [], "live"))


async def test_the_web_is_closed_when_the_reading_dies(house: House) -> None:
    class Broken(TableWeb):
        def fetch(self, request: Request) -> Response | Refused:
            raise ValueError("a fault of ours")

    web = Broken({})
    with pytest.raises(ValueError):
        await Reading(house.store, web).read()

    assert web.closed == 1


def planner(store: Store) -> Callable[..., Any]:
    return lambda *ids: Reading(store, TableWeb({})).reader.plan_discovery_sources(PlanInput("w", list(ids)))


async def test_a_plan_groups_the_boards_that_are_read_by_family(house: House) -> None:
    Registry(house.store).add(_workday())
    Registry(house.store).set_state("greenhouse:southmill", SourceState.DISABLED, "paused")

    plan = await planner(house.store)()

    assert plan.families == {"ats_api": ["greenhouse:northmill"], "workday": [_workday().id]}
    assert plan.max_parallel_families == 2


async def test_a_plan_reads_only_the_boards_it_is_asked_for(house: House) -> None:
    plan = await planner(house.store)("greenhouse:southmill")

    assert plan.families == {"ats_api": ["greenhouse:southmill"]}


async def test_a_plan_names_the_boards_it_does_not_know(house: House) -> None:
    with pytest.raises(InvalidRequest, match="lever:nobody") as caught:
        await planner(house.store)("greenhouse:northmill", "lever:nobody")

    assert "jobctrl sources" in (caught.value.hint or "")


async def test_a_plan_without_any_board_says_how_to_add_one(tmp_path: Path) -> None:
    house = new_house(tmp_path / "empty")

    with pytest.raises(MissingInput, match="no source to read"):
        await planner(house.store)()
    house.close()


def _workday() -> Source:
    return locate("https://mill.wd3.myworkdayjobs.com/Careers")
