"""Starting and stopping work: what is handed to Temporal, and what is refused before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.errors import InvalidRequest, MissingInput, NotFound
from jobctrl.runtime.house import House
from jobctrl.testing import NotedDispatch
from tests.runtime.searching import job_with_text, new_house, operator_in


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
def dispatch() -> NotedDispatch:
    return NotedDispatch()


def test_a_discover_run_carries_the_workspace_and_what_was_asked_for(house: House, dispatch: NotedDispatch) -> None:
    operator_in(house, dispatch).start_discover(web="recorded:x", source_ids=("lever:a",), limit=5)

    [started] = dispatch.discovered
    assert (started.workspace, started.web, started.source_ids, started.limit, started.prepare) == (
        house.store.workspace_id, "recorded:x", ["lever:a"], 5, True,
    )  # fmt: skip


def test_without_a_profile_a_discover_run_prepares_nothing(tmp_path: Path, dispatch: NotedDispatch) -> None:
    house = new_house(tmp_path / "empty", profile=False)

    operator_in(house, dispatch).start_discover()

    assert dispatch.discovered[0].prepare is False
    with pytest.raises(MissingInput, match="profile"):
        operator_in(house, dispatch).start_preparation()
    house.close()


async def test_every_job_that_can_go_on_is_prepared_once(house: House, dispatch: NotedDispatch) -> None:
    ids = {await job_with_text(house, number) for number in (1, 2, 3)}
    operator = operator_in(house, dispatch)

    first, second = operator.start_preparation(), operator.start_preparation()

    assert first == second
    assert {each.job_id for each in dispatch.prepared.values()} == ids
    assert len(dispatch.prepared) == 3
    assert all(each.steps == ["score", "tailor", "cover", "pdf"] for each in dispatch.prepared.values())


async def test_the_jobs_the_steps_and_how_many_can_be_chosen(house: House, dispatch: NotedDispatch) -> None:
    ids = [await job_with_text(house, number) for number in (1, 2, 3)]
    operator = operator_in(house, dispatch)

    operator.start_preparation(keys=(ids[1],), steps=("score",))
    [chosen] = dispatch.prepared.values()
    assert (chosen.job_id, chosen.steps) == (ids[1], ["score"])

    assert len(operator.start_preparation(limit=2)) == 2


@pytest.mark.parametrize(
    ("keys", "steps", "error"),
    [((), ("polish",), InvalidRequest), (("nobody",), ("score",), NotFound), ((), ("score", "x"), InvalidRequest)],
)
async def test_what_does_not_exist_is_refused_before_anything_starts(
    house: House, dispatch: NotedDispatch, keys: tuple[str, ...], steps: tuple[str, ...], error: type[Exception]
) -> None:
    await job_with_text(house)

    with pytest.raises(error):
        operator_in(house, dispatch).start_preparation(keys=keys, steps=steps)

    assert dispatch.prepared == {}


async def test_a_job_that_has_nothing_to_prepare_is_said(house: House, dispatch: NotedDispatch) -> None:
    job_id = await job_with_text(house)
    operator = operator_in(house, dispatch)
    operator.dismiss_job(job_id)

    with pytest.raises(MissingInput, match="nothing to prepare"):
        operator.start_preparation(keys=(job_id,))


async def test_a_run_is_asked_to_stop(house: House, dispatch: NotedDispatch) -> None:
    await job_with_text(house)
    operator = operator_in(house, dispatch)
    [started] = operator.start_preparation()

    assert operator.cancel_run(started.workflow_id) == f"Asked {started.workflow_id} to stop."
    with pytest.raises(NotFound):
        operator.cancel_run("nobody")
