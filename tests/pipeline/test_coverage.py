"""The proof of an execution's keys: one digest in any order, advanced with each write, void once the rows differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.pipeline import coverage as module
from jobctrl.pipeline.coverage import (
    NOTHING,
    Coverage,
    CoverageState,
    Mode,
    advanced,
    checkpoint,
    coverage_of,
    digest,
    mark_step,
    member_keys,
    membership_digest,
    publish,
    step_keys,
)
from jobctrl.pipeline.events import ExecutionRef, PipelineStepStarted, StepFact
from jobctrl.pipeline.membership import Cohort, link, members
from jobctrl.runtime.house import House
from jobctrl.store import Execution, Store
from tests.runtime.searching import new_house

RUN = Execution("discover-local", "run-1")
READ = "2026-03-01T12:00:00.000Z"
keys = st.text(max_size=12)
steps = st.tuples(st.text(max_size=6), keys)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws", profile=False)
    yield house
    house.close()


@pytest.fixture
def store(house: House) -> Store:
    return house.store


def ready(store: Store, mode: Mode = Mode.NATIVE, state: CoverageState = CoverageState.READY) -> None:
    """Leave a checkpoint of the keys as they stand."""
    with store.writer() as tx:
        jobs, marked = member_keys(tx.connection, RUN), step_keys(tx.connection, RUN)
        count = (len(jobs), len(jobs), len(marked), len(marked))
        publish(tx, RUN, Coverage(state, mode, 3, 17, *count, digest(jobs, marked), None, READ))


def found(store: Store) -> Coverage:
    with store.reader() as connection:
        coverage = coverage_of(connection, RUN)
    assert coverage is not None
    return coverage


def started(item: str, attempt: int = 1) -> StepFact:
    name = ExecutionRef(workflow_id=RUN.workflow_id, temporal_run_id=RUN.run_id)
    return PipelineStepStarted(execution=name, step_kind="source_family", item_key=item, attempt=attempt)


@given(st.sets(keys), st.sets(steps), st.randoms(use_true_random=False))
def test_advanced_key_by_key_in_any_order_the_digest_is_that_of_all(
    jobs: set[str], marked: set[tuple[str, str]], random: object
) -> None:
    writes: list[tuple[list[str], list[tuple[str, str]]]] = [([job], []) for job in sorted(jobs)]
    writes += [([], [step]) for step in sorted(marked)]
    random.shuffle(writes)  # type: ignore[attr-defined]
    running = NOTHING
    for some_jobs, some_steps in writes:
        running = advanced(running, some_jobs, some_steps)

    assert running == digest(jobs, marked)


@given(st.sets(keys), st.sets(keys))
def test_other_keys_have_another_digest(some: set[str], others: set[str]) -> None:
    assert (digest(some) == digest(others)) == (some == others)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (digest(["a"]), digest(steps=[("member", "a")])),
        (digest(["ab", "c"]), digest(["a", "bc"])),
        (digest(steps=[("ab", "c")]), digest(steps=[("a", "bc")])),
        (digest(["a"]), NOTHING),
    ],
)
def test_no_two_sets_of_keys_read_the_same(one: str, other: str) -> None:
    assert one != other


def test_a_member_and_a_step_join_a_native_proof_in_their_own_transaction(store: Store) -> None:
    ready(store)
    with store.writer() as tx:
        link(tx, RUN, ["a", "b", "a"], Cohort.BACKLOG)
        link(tx, RUN, ["b", "c"], Cohort.OBSERVED, source_id="board")
        mark_step(tx, "run/x", started("family:one"))
        mark_step(tx, "run/x", started("family:one"))
        mark_step(tx, "run/x", started("family:one", attempt=2))

    coverage = found(store)
    assert (coverage.state, coverage.members, coverage.expected_members) == (CoverageState.READY, 3, 3)
    assert (coverage.steps, coverage.expected_steps) == (1, 1)
    assert coverage.digest == digest(["a", "b", "c"], [("source_family", "family:one")])
    assert (coverage.history_event_id, coverage.updated_at) == (17, READ)


@pytest.mark.parametrize(
    ("mode", "state"),
    [
        (Mode.RECONSTRUCTED, CoverageState.READY),
        (Mode.NATIVE, CoverageState.RECOVERING),
        (Mode.NATIVE, CoverageState.RETRYING),
        (Mode.NATIVE, CoverageState.INCOMPLETE),
    ],
)
def test_nothing_joins_a_proof_that_is_not_the_executions_own_or_does_not_stand(
    store: Store, mode: Mode, state: CoverageState
) -> None:
    ready(store, mode, state)
    with store.reader() as connection:
        before = checkpoint(connection, RUN)
    with store.writer() as tx:
        link(tx, RUN, ["a"], Cohort.OBSERVED)

    with store.reader() as connection:
        assert checkpoint(connection, RUN) == before
    assert found(store).state is not CoverageState.READY


def test_a_proof_that_cannot_be_advanced_takes_the_write_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ready(store)

    def broken(*_: object) -> None:
        raise ValueError("no room")

    monkeypatch.setattr(module, "publish", broken)
    for write in (
        lambda tx: link(tx, RUN, ["a"], Cohort.OBSERVED),
        lambda tx: mark_step(tx, "run/x", started("family:one")),
    ):
        with pytest.raises(ValueError), store.writer() as tx:
            write(tx)

    with store.reader() as connection:
        assert members(connection, RUN) == []
        assert step_keys(connection, RUN) == set()
    assert store.stream("run/x") == []
    assert found(store).state is CoverageState.READY


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM discovery_execution_jobs WHERE job_id = 'a'",
        "UPDATE discovery_execution_jobs SET job_id = 'z' WHERE job_id = 'a'",
        "DELETE FROM pipeline_steps",
        "UPDATE pipeline_steps SET item_key = 'family:other'",
    ],
)
def test_a_proof_is_worth_nothing_once_the_rows_are_others(store: Store, change: str) -> None:
    with store.writer() as tx:
        link(tx, RUN, ["a", "b"], Cohort.OBSERVED)
        mark_step(tx, "run/x", started("family:one"))
    ready(store)
    assert found(store).state is CoverageState.READY

    with store.writer() as tx:
        tx.connection.execute(change)

    assert found(store).state is CoverageState.RECOVERING
    with store.reader() as connection:
        before = checkpoint(connection, RUN)
    assert before is not None
    assert before.state is CoverageState.READY


def test_an_execution_without_a_checkpoint_has_no_coverage(store: Store) -> None:
    ready(store)
    with store.reader() as connection:
        assert coverage_of(connection, replace(RUN, run_id="run-2")) is None


def test_the_members_are_counted_with_their_digest(store: Store) -> None:
    with store.writer() as tx:
        link(tx, RUN, ["b", "a"], Cohort.OBSERVED)
        link(tx, replace(RUN, run_id="run-2"), ["c"], Cohort.OBSERVED)
    with store.reader() as connection:
        assert membership_digest(connection, RUN) == (2, digest(["a", "b"]))
