"""Where a stage stands: attempts, owners, and moves that hold for any order of commands."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.errors import InvalidRequest, OwnershipLost
from jobctrl.events import Event, Recorded
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import MAX_ATTEMPTS, Owner, Stage, StageState
from jobctrl.stages.rules import DRY_RUN, LEGAL
from jobctrl.stages.state import STAGE_STATES, StageRow, fold, stage_of
from jobctrl.store import Execution, Store, acting_for
from tests.stages.conftest import Machine
from tests.store.strategies import any_facts, stage_facts
from tests.store.workspace import open_workspace, tables_of


def row_of(store: Store, stage: Stage = Stage.SCORE) -> StageRow:
    with store.reader() as connection:
        return stage_of(connection, "j1", stage)


def kinds(store: Store) -> list[str]:
    return [fact.event_type.removeprefix("Stage") for fact in store.stream("job/j1")]


def recorded(event: Event) -> Recorded:
    return Recorded(
        1, "e", "job/j1", 1, event.event_type, 1, "j1", None, "w", "r", "2026-03-01T12:00:00.000Z",
        event.model_dump_json(by_alias=True),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(stage_facts, max_size=12), any_facts)
def test_the_fold_takes_any_facts_in_any_order(facts: list[Event], stranger: Event) -> None:
    row: StageRow | None = None
    for event in facts:
        row = fold(row, recorded(event))
        assert row is not None
        assert row.state in set(StageState)
        assert row.updated_at

    if type(stranger) not in STAGE_STATES.handles:
        assert row is None or fold(row, recorded(stranger)) == row


def test_a_stage_nobody_touched_is_pending(store: Store) -> None:
    assert row_of(store).state == "pending"
    assert store.position() == 0


def test_a_stage_runs_from_queue_to_success(store: Store, machine: Machine) -> None:
    with machine() as m:
        m.queue("inbox")
    with machine() as m:
        assert m.start(baseline="v3") == 1
    with machine() as m:
        m.complete(duration_ms=120)

    row = row_of(store)
    assert kinds(store) == ["Queued", "Started", "Completed"]
    assert (row.state, row.attempt_count, row.duration_ms, row.baseline) == ("succeeded", 1, 120, "v3")
    assert (row.owner_workflow, row.owner_run) == ("prepare/j1", "r1")
    assert row.started_at is not None
    assert row.finished_at is not None
    assert row.started_at < row.finished_at


@pytest.mark.parametrize("stage", [stage for stage, ceiling in MAX_ATTEMPTS.items() if ceiling])
def test_failing_attempts_converge_to_exhausted(store: Store, machine: Machine, stage: Stage) -> None:
    ceiling = MAX_ATTEMPTS[stage]
    assert ceiling
    for number in range(ceiling):
        with machine(stage, run=f"r{number}") as m:
            assert m.start() == number + 1
            m.fail("llm_transient", "no answer", retryable=True)

    assert row_of(store, stage).state == "exhausted"
    assert row_of(store, stage).attempt_count == ceiling
    with pytest.raises(InvalidRequest), machine(stage) as m:
        m.start()
    assert kinds(store).count("Exhausted") == 1


def test_discover_is_never_exhausted(store: Store, machine: Machine) -> None:
    for number in range(20):
        with machine(Stage.DISCOVER) as m:
            assert m.start() == number + 1
            m.fail("source_unavailable", "down", retryable=True)

    assert row_of(store, Stage.DISCOVER).state == "failed"


def test_a_failure_that_cannot_be_retried_waits_for_a_person(store: Store, machine: Machine) -> None:
    with machine() as m:
        m.start()
        m.fail("missing_input", "the posting has no text", retryable=False)

    with pytest.raises(InvalidRequest), machine() as m:
        m.start()

    with machine() as m:
        m.reset(reason="text was added")
        assert m.start() == 2


def test_the_same_failure_told_twice_is_one(store: Store, machine: Machine) -> None:
    for _ in range(2):
        with machine() as m:
            if m.row.state == "pending":
                m.start()
            m.fail("llm_transient", "no answer", retryable=True)

    assert kinds(store) == ["Started", "Failed"]


@pytest.mark.parametrize("end", ["exhausted", "stale", "skipped"])
def test_a_stage_that_came_to_an_end_starts_afresh_when_it_is_reset(store: Store, machine: Machine, end: str) -> None:
    for _ in range(3):
        with machine() as m:
            m.start()
            if end == "exhausted":
                m.fail("llm_transient", "no answer", retryable=True)
            elif end == "stale":
                m.complete()
                m.mark_stale("profile_changed")
            else:
                m.skip(DRY_RUN)
        if end != "exhausted":
            with machine() as m:
                m.reset(reason="again")

    with machine() as m:
        m.reset(reason="again")
        assert m.start() == 1


def test_attempts_can_be_given_back_to_a_stage_that_is_ready(store: Store, machine: Machine) -> None:
    for number in range(3):
        with machine(run=f"r{number}") as m:
            m.start()
            m.cancel("stopped by hand")
            m.reset(reason="again")
    with pytest.raises(InvalidRequest, match="no attempts left") as caught, machine() as m:
        m.start()
    assert caught.value.hint

    with machine() as m:
        m.reset(reason="by hand", attempts=True)
        assert m.start() == 1


def test_a_reset_of_what_is_ready_records_nothing(store: Store, machine: Machine) -> None:
    with machine() as m:
        m.reset(reason="again")
        m.reset(reason="again", attempts=True)

    assert store.position() == 0


def test_a_retry_of_the_same_execution_keeps_its_attempt_and_its_baseline(store: Store, machine: Machine) -> None:
    with machine() as m:
        assert m.start(owner_attempt=1, baseline="v1") == 1
    with machine() as m:
        assert m.start(owner_attempt=2, baseline="v2") == 1

    row = row_of(store)
    assert (row.attempt_count, row.owner_attempt, row.baseline) == (1, 2, "v1")
    assert kinds(store) == ["Started", "Started"]


@pytest.mark.parametrize("late", [1, 2])
def test_a_start_told_again_or_too_late_changes_nothing(store: Store, machine: Machine, late: int) -> None:
    with machine() as m:
        m.start(owner_attempt=2)
    before = row_of(store)

    with machine() as m:
        assert m.start(owner_attempt=late) == 1

    assert row_of(store) == before
    assert store.position() == 1


@pytest.mark.parametrize("other", ["r2", None])
def test_another_execution_does_not_get_a_running_stage(store: Store, machine: Machine, other: str | None) -> None:
    with machine() as m:
        m.start()

    with pytest.raises(OwnershipLost, match="prepare/j1"), machine(run=other) as m:
        m.start()

    assert store.position() == 1


@pytest.mark.parametrize(
    ("owner", "holds"),
    [
        (Owner("prepare/j1", "r1", 2), True),
        (Owner("prepare/j1", "r1", 1), False),
        (Owner("prepare/j1", "r2", 2), False),
        (Owner("prepare/j2", "r1", 2), False),
    ],
)
def test_the_fence_lets_only_the_holder_write(machine: Machine, owner: Owner, holds: bool) -> None:
    with machine() as m:
        m.start(owner_attempt=2)
        if holds:
            m.check_owner(owner)
        else:
            with pytest.raises(OwnershipLost):
                m.check_owner(owner)


def test_the_fence_closes_when_the_stage_ends(machine: Machine) -> None:
    with machine() as m:
        m.start()
        m.complete()
        with pytest.raises(OwnershipLost, match="succeeded"):
            m.check_owner(Owner("prepare/j1", "r1", 1))


def test_a_canceled_stage_taken_by_a_new_run_fences_the_old_one(machine: Machine) -> None:
    with machine(run="r1") as m:
        m.start()
        m.cancel("stopped by hand")
        m.reset(reason="again")
    with machine(run="r2") as m:
        m.start()

    with machine(run="r1") as m:
        with pytest.raises(OwnershipLost):
            m.check_owner(Owner("prepare/j1", "r1", 1))


def test_another_blocker_takes_the_place_of_the_first(store: Store, machine: Machine) -> None:
    with machine(Stage.COVER) as m:
        m.block("BLOCKED_UPSTREAM", by=["tailor"])
        m.block("BLOCKED_UPSTREAM", by=["tailor"])
        m.block("SCORE_ELIGIBILITY_BLOCKED", detail="needs a permit", retryable=False)

    row = row_of(store, Stage.COVER)
    assert kinds(store) == ["Blocked", "Reset", "Blocked"]
    assert (row.error_code, row.error_message, row.retryable, row.blocked_by) == (
        "SCORE_ELIGIBILITY_BLOCKED",
        "needs a permit",
        0,
        "[]",
    )


def test_a_skipped_stage_names_no_blocker(store: Store, machine: Machine) -> None:
    with machine(Stage.COVER) as m:
        m.block("BLOCKED_UPSTREAM", by=["tailor"])
        m.skip("MIN_SCORE")

    assert row_of(store, Stage.COVER).blocked_by == "[]"


def test_an_unknown_outcome_is_kept_for_a_person_and_is_not_retryable(store: Store, machine: Machine) -> None:
    with machine(Stage.APPLY) as m:
        m.start()
        m.park("APPLY_NEEDS_VERIFICATION", detail="The run that held it has ended.")
        m.park("APPLY_NEEDS_VERIFICATION", detail="The run that held it has ended.")

    row = row_of(store, Stage.APPLY)
    assert kinds(store) == ["Started", "NeedsVerification"]
    assert (row.state, row.error_code, row.retryable) == ("needs_verification", "APPLY_NEEDS_VERIFICATION", 0)
    assert row.finished_at is not None
    with pytest.raises(InvalidRequest, match="needs_verification"), machine(Stage.APPLY, run="r2") as m:
        m.start()
    with pytest.raises(OwnershipLost), machine(Stage.APPLY) as m:
        m.check_owner(Owner("prepare/j1", "r1", 1))


@pytest.mark.parametrize("said", ["sent", "not sent", "again"])
def test_a_person_says_what_came_of_an_unknown_outcome(store: Store, machine: Machine, said: str) -> None:
    with machine(Stage.APPLY) as m:
        m.start()
        m.park("APPLY_NEEDS_VERIFICATION")

    with machine(Stage.APPLY, run=None) as m:
        match said:
            case "sent":
                m.complete()
            case "not sent":
                m.fail("APPLY_NOT_SENT", "The employer has nothing.", retryable=False)
            case _:
                m.reset(reason="asked for by hand")

    row = row_of(store, Stage.APPLY)
    assert (row.state, row.error_code, row.retryable, row.attempt_count) == {
        "sent": ("succeeded", None, 1, 1),
        "not sent": ("failed", "APPLY_NOT_SENT", 0, 1),
        "again": ("pending", None, 1, 1),
    }[said]


def test_a_rehearsal_ends_as_skipped_with_its_reason_and_can_be_followed_by_another(
    store: Store, machine: Machine
) -> None:
    for _ in range(5):
        with machine(Stage.APPLY) as m:
            m.start()
            m.skip(DRY_RUN)
            m.skip(DRY_RUN)
        row = row_of(store, Stage.APPLY)
        assert (row.state, row.error_code, row.retryable) == ("skipped", DRY_RUN, 1)
        with machine(Stage.APPLY) as m:
            m.reset(reason="again")


def test_a_policy_does_not_skip_what_runs(store: Store, machine: Machine) -> None:
    with machine() as m:
        m.start()

    with pytest.raises(InvalidRequest), machine() as m:
        m.skip("MIN_SCORE")

    assert row_of(store).state == "running"


def test_a_stage_kept_for_one_workflow_is_taken_by_no_other(store: Store, machine: Machine) -> None:
    with machine(run=None) as m:
        m.queue("automatic", reserved_by="prepare/other")
    position = store.position()

    with pytest.raises(OwnershipLost, match="kept for prepare/other"), machine() as m:
        m.start()

    assert store.position() == position
    with acting_for(Execution("prepare/other", "r7")), store.writer() as tx:
        assert StageMachine(tx, "j1", Stage.SCORE).start() == 1


WAYS: dict[str, list[str]] = {
    "pending": [],
    "queued": ["queued"],
    "running": ["running"],
    "succeeded": ["running", "succeeded"],
    "failed": ["running", "failed"],
    "blocked": ["blocked"],
    "skipped": ["skipped"],
    "exhausted": ["running", "exhausted"],
    "needs_verification": ["running", "needs_verification"],
    "stale": ["running", "succeeded", "stale"],
    "canceled": ["running", "canceled"],
}


def move_to(m: StageMachine, state: str) -> None:
    """The command that brings a stage to *state*."""
    match state:
        case "pending":
            m.reset(reason="again")
        case "queued":
            m.queue("inbox")
        case "running":
            m.start()
        case "succeeded":
            m.complete()
        case "failed":
            m.fail("missing_input", "no text", retryable=False)
        case "exhausted":
            # The last attempt that is allowed, failed.
            while m.row.state != "exhausted":
                m.fail("llm_transient", "no answer", retryable=True)
                if m.row.state == "failed":
                    m.start()
        case "blocked":
            m.block("OTHER")
        case "skipped":
            m.skip(DRY_RUN)
        case "needs_verification":
            m.park("UNKNOWN")
        case "canceled":
            m.cancel("by hand")
        case "stale":
            m.mark_stale("profile_changed")


@pytest.mark.parametrize("old", WAYS)
@pytest.mark.parametrize("new", [state for state in WAYS if state != "exhausted"])
def test_the_machine_makes_the_moves_of_the_table_and_no_other(
    store: Store, machine: Machine, old: str, new: str
) -> None:
    with machine() as m:
        for state in WAYS[old]:
            move_to(m, state)
        assert m.row.state == old
    before, position = row_of(store), store.position()

    if old != new and StageState(new) not in LEGAL[StageState(old)]:
        with pytest.raises(InvalidRequest), machine() as m:
            move_to(m, new)
        assert (row_of(store), store.position()) == (before, position)
        return
    with machine() as m:
        move_to(m, new)
    assert row_of(store).state == new
    assert (store.position() == position) == (old == new)


def test_a_long_error_is_cut(store: Store, machine: Machine) -> None:
    with machine() as m:
        m.start()
        m.fail("x", "long " * 1000, retryable=True)

    assert len(row_of(store).error_message or "") == 300


COMMANDS = st.sampled_from(
    [
        ("queue", ("inbox",), {}),
        ("start", (), {}),
        ("start", (), {"owner_attempt": 2, "baseline": "v1"}),
        ("complete", (), {"duration_ms": 5}),
        ("fail", ("llm_transient", "no answer"), {"retryable": True}),
        ("fail", ("missing_input", "no text"), {"retryable": False}),
        ("reset", (), {"reason": "again"}),
        ("reset", (), {"reason": "again", "attempts": True}),
        ("block", ("BLOCKED_UPSTREAM",), {"by": ["score"]}),
        ("block", ("OTHER",), {}),
        ("skip", ("MIN_SCORE",), {}),
        ("skip", (DRY_RUN,), {}),
        ("park", ("UNKNOWN",), {}),
        ("queue", ("automatic",), {"reserved_by": "prepare/other"}),
        ("cancel", ("by hand",), {}),
        ("mark_stale", ("profile_changed",), {}),
    ]
)
STEPS = st.tuples(st.sampled_from([Stage.SCORE, Stage.COVER]), st.sampled_from(["r1", "r2"]), COMMANDS)


@settings(max_examples=60, deadline=None)
@given(st.lists(STEPS, max_size=30))
def test_any_order_of_commands_keeps_the_promises(steps: list[tuple[Stage, str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_workspace(Path(folder) / "w.db", (STAGE_STATES,))
        for stage, run, (command, arguments, options) in steps:
            before, position = row_of(store, stage), store.position()
            try:
                with acting_for(Execution("prepare/j1", run)), store.writer() as tx:
                    getattr(StageMachine(tx, "j1", stage), command)(*arguments, **options)
            except (InvalidRequest, OwnershipLost):
                assert store.position() == position
                assert row_of(store, stage) == before
            after, ceiling = row_of(store, stage), MAX_ATTEMPTS[stage]
            assert ceiling
            assert 0 <= after.attempt_count <= ceiling
            assert after.state != "failed" or after.attempt_count < ceiling
            assert (after.owner_run == run) or after.state != "running" or before.state == "running"

        live = tables_of(store, (STAGE_STATES,))
        store.rebuild()
        assert tables_of(store, (STAGE_STATES,)) == live
        store.close()
