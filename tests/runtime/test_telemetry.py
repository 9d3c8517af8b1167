"""What a worker tells of itself: exact counts, safe references, and nothing of what the activities were given."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from temporalio import activity
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from jobctrl.operations.heartbeats import Durations
from jobctrl.runtime.telemetry import KINDS, Inventory, Telemetry, opaque_id, safe_run, safe_workflow

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
RUN_ID = "01a228d7-5b2d-7a08-96cf-ae265a83ebdc"
PREPARATION = "prep-preparation:" + "0a" * 32


class Clock:
    """A second passes at each look."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


class Unreadable:
    """Arguments that would tell on anybody who looks at them."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"somebody read {name} of an argument")


class Doing(ActivityInboundInterceptor):
    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        return self.act()


async def run(inventory: Inventory, act: Callable[[], Any], **info: Any) -> Any:
    counted = Telemetry(inventory).intercept_activity(Doing(act))
    environment = ActivityEnvironment()
    environment.info = dataclasses.replace(
        ActivityEnvironment.default_info(),
        **{
            "activity_type": "score_job",
            "workflow_id": PREPARATION,
            "workflow_run_id": RUN_ID,
            "is_local": False,
            **info,
        },
    )

    async def activity_itself() -> Any:
        return await counted.execute_activity(
            ExecuteActivityInput(fn=lambda: None, args=[Unreadable()], executor=None, headers={})
        )

    return await environment.run(activity_itself)


async def test_an_activity_holds_a_slot_while_it_runs() -> None:
    inventory = Inventory(Clock())

    during = await run(inventory, inventory.standing)

    assert (during.active, during.counts, during.total) == (1, {"score_job": 1}, 1)
    [detail] = during.details
    assert (detail.kind, detail.workflow_ref, detail.execution_ref, detail.attempt) == (
        "job-scoring",
        PREPARATION,
        RUN_ID,
        1,
    )
    after = inventory.standing()
    assert (after.active, after.details, after.durations["score_job"].completed_count) == (0, (), 1)


async def test_a_type_that_is_not_on_the_list_takes_a_slot_and_no_more_is_said() -> None:
    inventory = Inventory(Clock())

    during = await run(inventory, inventory.standing, activity_type="apply_activity")

    assert (during.active, during.counts, during.details, during.total) == (1, {}, (), 0)
    assert inventory.standing().durations == {}


async def test_marks_have_slots_of_their_own() -> None:
    inventory = Inventory(Clock())

    during = await run(inventory, inventory.standing, is_local=True, activity_type="record_workflow_started")

    assert during.active == 0


@pytest.mark.parametrize("error", [ValueError("words of a page"), asyncio.CancelledError()])
async def test_a_slot_is_free_again_however_the_activity_ends(error: BaseException) -> None:
    inventory = Inventory(Clock())

    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        await run(inventory, fail)

    with inventory.ended() as ended:
        [attempt] = ended
    assert inventory.standing().active == 0
    assert attempt.outcome == ("canceled" if isinstance(error, asyncio.CancelledError) else "failed")
    assert "page" not in repr(attempt)
    assert inventory.standing().durations == {}


async def test_telemetry_that_fails_does_not_touch_the_activity() -> None:
    def broken() -> datetime:
        raise OSError("no clock")

    inventory = Inventory(broken)

    assert await run(inventory, lambda: "done") == "done"


async def test_a_count_stays_exact_when_its_detail_cannot_be_made() -> None:
    inventory = Inventory(lambda: NOW)

    # A number, where an id should be.
    during = await run(inventory, inventory.standing, activity_id=7)

    assert during.details == ()
    assert (await run(inventory, lambda: "done"), inventory.standing().total) == ("done", 0)


def test_details_are_the_twenty_oldest() -> None:
    inventory = Inventory(Clock())
    info = dataclasses.replace(ActivityEnvironment.default_info(), activity_type="score_job")
    numbers = [inventory.take(info) for _ in range(25)]

    standing = inventory.standing()
    assert (standing.active, standing.total, len(standing.details)) == (25, 25, 20)
    assert [each.started_at for each in standing.details] == sorted(each.started_at for each in standing.details)
    for number in numbers:
        inventory.free(number, "succeeded", 10)
    assert inventory.standing().durations == {"score_job": Durations(25, 250, 10)}


def test_what_ended_is_kept_until_it_has_been_written() -> None:
    inventory = Inventory(Clock())
    info = dataclasses.replace(ActivityEnvironment.default_info(), activity_type="score_job")
    inventory.free(inventory.take(info), "succeeded", 10)

    with pytest.raises(OSError), inventory.ended():
        raise OSError("the disk is full")

    with inventory.ended() as ended:
        assert len(ended) == 1
    with inventory.ended() as ended:
        assert ended == []


@pytest.mark.parametrize(
    ("workflow_id", "safe"),
    [
        ("discover-local", True),
        (PREPARATION, True),
        ("run-" + "0f" * 16, True),
        ("run-" + "0f" * 16 + "-score-12", True),
        ("run-" + "0f" * 16 + "-acme", False),
        ("prep-preparation:" + "0A" * 32, False),
        ("prep-https://example.org/jobs/1", False),
        ("discover-local ", False),
        ("import-https://example.org", False),
        ("", False),
        (None, False),
    ],
)
def test_a_workflow_is_named_only_when_its_id_says_nothing_private(workflow_id: str | None, safe: bool) -> None:
    assert (safe_workflow(workflow_id) is not None) == safe


@given(text=st.text())
def test_a_run_is_named_only_by_a_uuid(text: str) -> None:
    assert safe_run(text) in (None, text)
    assert safe_run(RUN_ID) == RUN_ID
    assert safe_run(RUN_ID + text) == (None if text else RUN_ID)


@given(first=st.text(), second=st.text())
def test_opaque_ids_are_told_apart_by_their_parts(first: str, second: str) -> None:
    found = opaque_id(first, second)

    assert found == opaque_id(first, second)
    assert len(found) == 27
    assert found.startswith("op_")
    if first:
        assert found != opaque_id(first[:-1], first[-1] + second)


def test_every_activity_of_the_pipeline_that_works_on_jobs_has_a_kind() -> None:
    from jobctrl.operations.snapshot import STAGE_OF_ACTIVITY

    assert set(STAGE_OF_ACTIVITY) <= set(KINDS)


def test_the_info_of_an_activity_says_whether_it_is_local() -> None:
    assert "is_local" in {field.name for field in dataclasses.fields(activity.Info)}
