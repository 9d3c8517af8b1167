"""Every read table is the fold of the log, whatever a person, a run or a stranger writes, in whatever order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobctrl.discovery.model import SearchPolicy, SourceState
from jobctrl.discovery.registry import Registry
from jobctrl.errors import JobCtrlError
from jobctrl.events import Event
from jobctrl.operator import Operator
from jobctrl.pipeline.activities import SettleInput, settle_stage
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.pipeline.targets import derive_targets
from jobctrl.runtime.house import House
from jobctrl.runtime.tables import TABLES, open_store
from jobctrl.runtime.workspace import Workspace
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.store import Execution, acting_for
from jobctrl.workflows.marks import Marks, OutcomeMark, StartMark
from jobctrl.workflows.reconciler import CancelRequest, HistoryState, reconcile_runs
from jobctrl.workflows.steps import StepMark, Steps
from tests.runtime.facts import EVENTS, JOB_IDS, KEYS, any_fact
from tests.runtime.searching import BOARD, OTHER_BOARD, admit, listing, new_house, operator_in, person
from tests.store.workspace import tables_of

Command = Callable[[House, Operator], object]
job_ids = st.sampled_from(JOB_IDS)
runs = st.sampled_from([Execution("w1", "r1"), Execution("w1", "r2"), Execution("w2", "r1")])
stages = st.sampled_from(list(Stage))


def taking_in(numbers: list[int], title: str, department: str | None, run: Execution, choosy: bool) -> Command:
    policy = SearchPolicy(titles=("Data Engineer",)) if choosy else SearchPolicy()
    rows = [listing(number, title=title, department=department) for number in numbers]
    return lambda house, operator: admit(house.store, rows, run=run, policy=policy)


def elsewhere(number: int, run: Execution) -> Command:
    row = listing(number, native_id=f"x{number}", url=f"https://jobs.lever.co/northmill/x{number}")
    return lambda house, operator: admit(house.store, [row], source=OTHER_BOARD, run=run)


def moving(job_id: str, stage: Stage, run: Execution | None, move: Callable[[StageMachine], object]) -> Command:
    def command(house: House, operator: Operator) -> None:
        with acting_for(run), house.store.writer() as tx:
            move(StageMachine(tx, job_id, stage))
            reconcile(tx, job_id, min_score=3)

    return command


def settling(job_id: str, stage: str, run: Execution, canceled: bool) -> Command:
    def command(house: House, operator: Operator) -> None:
        owned = SettleInput("w", job_id, stage, run.workflow_id, run.run_id, "LOST", "", True, canceled)  # type: ignore[arg-type]
        with house.store.writer() as tx:
            settle_stage(tx, owned, min_score=3)

    return command


def marking(run: Execution, status: str | None, job_id: str) -> Command:
    def command(house: House, operator: Operator) -> None:
        marks, name = Marks(house.store, house.ledger), (run.workflow_id, run.run_id, "JobPreparationWorkflow")
        if status is None:
            asyncio.run(marks.record_workflow_started(StartMark("w", *name, {"jobId": job_id})))
        else:
            asyncio.run(marks.record_workflow_outcome(OutcomeMark("w", *name, status, duration_ms=3)))

    return command


def stepping(run: Execution, item: str, attempt: int, state: str) -> Command:
    mark = StepMark("w", run, "enrichment_pass", item, state, attempt, item_count=attempt)  # type: ignore[arg-type]
    return lambda house, operator: asyncio.run(Steps(house.store).record_steps([mark]))


def reconciling(state: HistoryState) -> Command:
    class Says:
        async def state(self, workflow_id: str, run_id: str) -> HistoryState:
            return state

        async def cancellation(self, workflow_id: str, run_id: str) -> CancelRequest | None:
            return CancelRequest("somebody") if state is HistoryState.CANCELED else None

    return lambda house, operator: asyncio.run(reconcile_runs(house.store, Says(), min_score=3))


def paying(end: str) -> Command:
    def command(house: House, operator: Operator) -> None:
        call = house.ledger.reserve("score", provider="p", model="m", estimate=Decimal("0.01"), tokens=5)
        match end:
            case "settled":
                house.ledger.settle(call, input_tokens=3, output_tokens=2, cost=Decimal("0.004"))
            case "held":
                house.ledger.hold(call, "silence")
            case "released":
                house.ledger.release(call, "never sent")

    return command


def recording(event: Event, stream: str, run: Execution | None) -> Command:
    def command(house: House, operator: Operator) -> None:
        with acting_for(run), house.store.writer() as tx:
            tx.append(stream, event)

    return command


MOVES: list[Callable[[StageMachine], object]] = [
    lambda machine: machine.queue("inbox"),
    lambda machine: machine.start(),
    lambda machine: machine.complete(duration_ms=1),
    lambda machine: machine.fail("FETCH_ERROR", "no answer", retryable=True),
    lambda machine: machine.fail("FETCH_ERROR", "gone", retryable=False),
    lambda machine: machine.reset(reason="retry", attempts=True),
    lambda machine: machine.block("BLOCKED", by=["score"]),
    lambda machine: machine.skip("MIN_SCORE"),
    lambda machine: machine.cancel("stop"),
    lambda machine: machine.mark_stale("changed"),
]
STEP_ENDS = ["started", "completed", "failed"]
OUTCOMES = ["recruiter_reply", "interview", "offer", "rejection", "no_response"]
DAYS = st.sampled_from([datetime(2026, 3, day, tzinfo=UTC) for day in (1, 2, 3)])

by_a_person = st.one_of(
    st.builds(lambda job: lambda h, o: o.save_job(job), job_ids),
    st.builds(lambda job: lambda h, o: o.dismiss_job(job, "no"), job_ids),
    st.builds(lambda job: lambda h, o: o.restore_job(job), job_ids),
    st.builds(lambda job, score: lambda h, o: o.correct_score(job, score, "I know"), job_ids, st.integers(1, 10)),
    st.builds(lambda job, at: lambda h, o: o.mark_applied(job, at), job_ids, DAYS),
    st.builds(
        lambda job, kind, at: lambda h, o: o.record_outcome(job, kind, at), job_ids, st.sampled_from(OUTCOMES), DAYS
    ),
    st.builds(
        lambda key: lambda h, o: o.split(f"link:{key}", "differs"), st.sampled_from([*KEYS, "lever:northmill:x1"])
    ),
    st.builds(lambda board: lambda h, o: o.add_source(board.id), st.sampled_from([BOARD, OTHER_BOARD])),
    st.builds(
        lambda state: lambda h, o: Registry(h.store).set_state(BOARD.id, state, "said"), st.sampled_from(SourceState)
    ),
    st.builds(
        lambda headline: lambda h, o: h.profiles.save(person().model_copy(update={"headline": headline})),
        st.sampled_from(["Data engineer", "Welder"]),
    ),
)
by_a_run = st.one_of(
    st.builds(
        taking_in,
        st.lists(st.integers(1, 3), max_size=4),
        st.sampled_from(["Data Engineer", "Welder"]),
        st.sampled_from([None, "Mills"]),
        runs,
        st.booleans(),
    ),
    st.builds(elsewhere, st.integers(1, 3), runs),
    st.builds(moving, job_ids, stages, st.one_of(st.none(), runs), st.sampled_from(MOVES)),
    st.builds(settling, job_ids, st.sampled_from(["score", "tailor", "cover"]), runs, st.booleans()),
    st.builds(marking, runs, st.sampled_from([None, "succeeded", "failed", "canceled"]), job_ids),
    st.builds(stepping, runs, st.sampled_from(["a", "b"]), st.integers(1, 3), st.sampled_from(STEP_ENDS)),
    st.builds(reconciling, st.sampled_from(HistoryState)),
    st.builds(paying, st.sampled_from(["settled", "held", "released", "open"])),
    st.just(lambda h, o: derive_targets(h.store, min_score=3)),
)  # fmt: skip
by_a_stranger = st.builds(
    recording, any_fact, st.sampled_from(["job/stranger", "run/w1/r1", "source/x"]), st.one_of(st.none(), runs)
)
commands = st.lists(st.one_of(by_a_person, by_a_run, by_a_stranger), min_size=3, max_size=20)
ANY = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def carry_out(house: House, operator: Operator, todo: list[Command]) -> int:
    """Run the commands; the ones that are not legal here are refused with an error of ours and change nothing."""
    done = 0
    for command in todo:
        before = house.store.position()
        try:
            command(house, operator)
            done += 1
        except JobCtrlError:
            assert house.store.position() == before
    return done


@settings(max_examples=100, deadline=None, suppress_health_check=ANY)
@given(commands)
def test_any_order_of_commands_gives_the_same_tables_live_and_refolded(
    tmp_path_factory: pytest.TempPathFactory, todo: list[Command]
) -> None:
    house = new_house(tmp_path_factory.mktemp("any") / "ws", profile=False)
    carry_out(
        house, operator_in(house), [taking_in([1, 2], "Data Engineer", None, Execution("w1", "r0"), False), *todo]
    )
    live = tables_of(house.store, TABLES)

    house.store.rebuild()

    assert tables_of(house.store, TABLES) == live
    house.close()


@settings(max_examples=60, deadline=None, suppress_health_check=ANY)
@given(st.lists(any_fact, min_size=10, max_size=40))
def test_facts_of_every_type_in_any_order_give_the_same_tables_live_and_refolded(
    tmp_path_factory: pytest.TempPathFactory, facts: list[Event]
) -> None:
    store = open_store(Workspace(tmp_path_factory.mktemp("facts") / "ws"), create=True)
    with store.writer() as tx:
        for number, event in enumerate(facts):
            tx.append(f"any/{number % 3}", event)
    live = tables_of(store, TABLES)

    store.rebuild()

    assert tables_of(store, TABLES) == live
    store.close()


def test_a_whole_life_is_the_same_live_refolded_and_opened_anew(tmp_path: Path) -> None:
    house = new_house(tmp_path / "ws")
    operator, run = operator_in(house), Execution("w1", "r1")
    job_id = JOB_IDS[0]
    todo: list[Command] = [
        taking_in([1, 2, 3], "Data Engineer", None, run, False),
        elsewhere(1, run),
        lambda h, o: o.split("link:lever:northmill:x1", "another office"),
        marking(run, None, job_id),
        moving(job_id, Stage.SCORE, run, lambda machine: machine.start()),
        moving(job_id, Stage.SCORE, run, lambda machine: machine.complete()),
        lambda h, o: o.mark_applied(job_id),
        lambda h, o: o.record_outcome(job_id, "interview"),
        lambda h, o: o.dismiss_job(JOB_IDS[1], "far away"),
        paying("settled"),
        marking(run, "succeeded", job_id),
    ]
    done = carry_out(house, operator, todo)
    live = tables_of(house.store, TABLES)

    assert done == len(todo)
    house.store.rebuild()
    assert tables_of(house.store, TABLES) == live
    house.close()
    again = open_store(Workspace(tmp_path / "ws"))
    assert tables_of(again, TABLES) == live
    again.close()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_has_a_row_class_whose_fields_are_its_columns(table: Any, tmp_path: Path) -> None:
    store = open_store(Workspace(tmp_path / "ws"), create=True)

    with store.reader() as connection:
        columns = tuple(row[1] for row in connection.execute(f"PRAGMA table_info({table.name})"))
    assert columns == table.columns
    assert set(table.key) <= set(columns)
    assert table.sql.lstrip().startswith("-- read table:")
    store.close()


def test_every_folded_event_has_a_name_of_its_own() -> None:
    assert len({event.__name__ for event in EVENTS}) == len(EVENTS)
