"""Any order of work, crashes, retries, cancels and clock jumps leaves a workspace that is true, and that converges.

Activities, admission, ledger, operator, settling and reconciler are the real ones over a real file. Only what lies
outside is told what to do: the workflow server, the provider, the pages, the name server and the clock.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jobctrl.discovery.model import Listing
from jobctrl.errors import InvalidRequest, JobCtrlError
from jobctrl.events import Recorded
from jobctrl.network.unsafe import NotPublic
from jobctrl.pipeline.public_fetch import recheck_public_fetches
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.runtime.house import House, open_house
from jobctrl.runtime.reconciling import ABANDONED_AFTER
from jobctrl.runtime.workspace import Workspace
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import Ceilings
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import Execution
from jobctrl.testing import NotedDispatch, TableWeb
from jobctrl.workflows.ids import DISCOVER, preparation_id
from jobctrl.workflows.reconciler import HistoryState, reconcile_runs
from tests.acceptance.promises import all_promises, log_of
from tests.acceptance.running import ATTEMPTS, WorkflowServer
from tests.acceptance.seams import MOODS, PaidModel, lay_seams
from tests.runtime.searching import (
    MIN_SCORE,
    NOW,
    TEXT,
    listing,
    local_model,
    operator_in,
    person,
)

CEILING = Decimal("0.25")
TITLES = ("Data Engineer", "Platform Engineer", "Analytics Engineer")
HOST = "boards.greenhouse.io"
CLOSINGS = [
    HistoryState.FAILED,
    HistoryState.TIMED_OUT,
    HistoryState.TERMINATED,
    HistoryState.CANCELED,
    HistoryState.NOT_FOUND,
]
JUMPS = [timedelta(minutes=2), timedelta(hours=3), timedelta(days=1), -timedelta(hours=5), -timedelta(days=2)]
picks = st.integers(0, 11)
turns = st.lists(st.tuples(picks, st.integers(0, 5)), max_size=12)
"""Who of those at work goes on, one after the other, and by how many seams; 0 is to the end of the step."""


def happens(**drawn: Any) -> Callable[[Callable[..., None]], Any]:
    """A rule after which work goes on for a few turns."""

    def decorate(happen: Callable[..., None]) -> Any:
        @wraps(happen)
        def happen_and_go_on(self: CrashMachine, turns: list[tuple[int, int]], **given: Any) -> None:
            happen(self, **given)
            self.let(turns)

        return rule(turns=turns, **drawn)(happen_and_go_on)

    return decorate


class CrashMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.folder = Path(tempfile.mkdtemp())
        self.model = PaidModel(local_model())
        self.web = TableWeb({address_of(number): page_of(number) for number in range(len(TITLES))})
        self.names = {HOST: ["93.184.216.34"]}
        self.house = self.open(create=True)
        self.house.profiles.save(person())
        self.server = WorkflowServer(self.house, self.model, self.web)
        self.log: list[Recorded] = []

    def open(self, *, create: bool = False) -> House:
        house = open_house(Workspace(self.folder / "ws"), create=create)
        house.store.clock = self.clock
        house.ledger = Ledger(house.store, lambda: Ceilings(daily_usd=CEILING))
        lay_seams(house.store)
        return house

    def clock(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    @property
    def job_ids(self) -> list[str]:
        with self.house.store.reader() as connection:
            return [row[0] for row in connection.execute("SELECT job_id FROM job_contents ORDER BY title")]

    # What happens

    @initialize(
        places=st.tuples(*[st.sampled_from(["a mill", ""])] * len(TITLES)),
        mood=st.sampled_from(["well", "well", "vague", "silent"]),
    )
    def some_jobs_are_known(self, places: tuple[str, ...], mood: str) -> None:
        self.model.mood = mood
        rows = [row_of(number, place) for number, place in enumerate(places)]
        self.server.begin(DISCOVER, "DiscoverWorkflow", ["admit", "enrich"], rows=rows)

    @happens(number=st.integers(0, 2), place=st.sampled_from(["a mill", "another mill", ""]))
    def the_board_is_read(self, number: int, place: str) -> None:
        self.server.begin(DISCOVER, "DiscoverWorkflow", ["admit", "enrich"], rows=[row_of(number, place)])

    @happens()
    def all_that_waits_is_prepared(self) -> None:
        self.start_what_can_go_on()

    def start_what_can_go_on(self) -> None:
        dispatch = NotedDispatch()
        operator_in(self.house, dispatch).start_preparation()
        for input in dispatch.prepared.values():
            workflow_id = preparation_id(input.key)
            self.server.begin(workflow_id, "JobPreparationWorkflow", list(input.steps), job_id=input.job_id)

    @precondition(lambda self: self.job_ids)
    @happens(
        pick=picks,
        again=st.booleans(),
        steps=st.sampled_from(["score tailor cover pdf", "tailor cover", "score"]),
    )
    def the_stages_of_a_job_are_run(self, pick: int, again: bool, steps: str) -> None:
        job_id = chosen(self.job_ids, pick)
        asked = ["open", *steps.split()]
        self.server.begin(f"run-{len(self.server.runs)}", "JobPipelineWorkflow", asked, job_id=job_id, again=again)

    @happens()
    def nothing_special(self) -> None:
        """Work goes on, as it does after everything that happens."""

    def let(self, turns: list[tuple[int, int]]) -> None:
        """Work goes on; when there is none, what can go a step further is started."""
        for pick, seams in turns:
            if not self.server.open_runs:
                self.start_what_can_go_on()
            if seams and self.server.alive:
                doing = chosen(self.server.alive, pick)
                for _ in range(seams):
                    if not doing.ended:
                        doing.go_on()
            elif self.server.open_runs:
                self.server.go_on(chosen(self.server.open_runs, pick))

    @precondition(lambda self: self.server.alive)
    @happens(pick=picks)
    def an_activity_dies(self, pick: int) -> None:
        chosen(self.server.alive, pick).kill()

    @precondition(lambda self: self.server.alive)
    @happens(pick=picks, how=st.sampled_from([HistoryState.RUNNING, *CLOSINGS]))
    def a_worker_is_cut_off(self, pick: int, how: HistoryState) -> None:
        """It works on and nobody hears of it; its run goes on with another attempt, or has come to an end."""
        doing = chosen(self.server.alive, pick)
        doing.cut_off = True
        for run in self.server.open_runs:
            if run.doing is doing:
                run.state = how

    @precondition(lambda self: self.server.cut_off)
    @happens(pick=picks)
    def a_worker_that_was_cut_off_comes_back(self, pick: int) -> None:
        chosen(self.server.cut_off, pick).to_the_end()

    @precondition(lambda self: self.server.open_runs)
    @happens(pick=picks)
    def an_attempt_is_given_up_while_it_lives(self, pick: int) -> None:
        run = chosen(self.server.open_runs, pick)
        if run.attempt < ATTEMPTS:
            self.server.attempt(run)

    @precondition(lambda self: self.server.open_runs)
    @happens(pick=picks, how=st.sampled_from(CLOSINGS))
    def a_run_is_gone_without_a_word(self, pick: int, how: HistoryState) -> None:
        chosen(self.server.open_runs, pick).state = how

    @precondition(lambda self: any(run.state is HistoryState.NOT_FOUND for run in self.server.runs))
    @happens(pick=picks, how=st.sampled_from([HistoryState.RUNNING, HistoryState.RUNNING, *CLOSINGS[:4]]))
    def a_lost_history_is_found_again(self, pick: int, how: HistoryState) -> None:
        run = chosen([run for run in self.server.runs if run.state is HistoryState.NOT_FOUND], pick)
        others = [each for each in self.server.open_runs if each.execution.workflow_id == run.execution.workflow_id]
        if how is not HistoryState.RUNNING or not others:
            run.state = how

    @precondition(lambda self: self.server.open_runs)
    @happens(pick=picks)
    def a_run_is_canceled(self, pick: int) -> None:
        run = chosen(self.server.open_runs, pick)
        self.server.settle(run, JobCtrlError("The run was canceled."), canceled=True)
        self.server.end(run, "canceled")

    @precondition(lambda self: self.job_ids)
    @happens(pick=picks, stage=st.sampled_from(["enrich", "score", "tailor", "cover"]), attempts=st.booleans())
    def a_person_opens_a_stage(self, pick: int, stage: str, attempts: bool) -> None:
        # What is under way or done is not reset, and says so.
        with suppress(InvalidRequest):
            operator_in(self.house).retry(stage, chosen(self.job_ids, pick), reset_attempts=attempts)

    @happens()
    def a_person_opens_all_that_failed(self) -> None:
        operator_in(self.house).retry_failed()

    @happens(jump=st.sampled_from(JUMPS))
    def the_clock_jumps(self, jump: timedelta) -> None:
        self.now += jump

    @happens(mood=st.sampled_from(MOODS))
    def the_provider_changes_its_mood(self, mood: str) -> None:
        self.model.mood = mood

    @happens(answer=st.sampled_from(["well", "broken", "unsafe"]), public=st.booleans())
    def the_web_changes(self, answer: str, public: bool) -> None:
        answers: dict[str, Callable[[int], tuple[int, str] | Exception]] = {
            "well": page_of,
            "broken": lambda number: (500, ""),
            "unsafe": lambda number: NotPublic("It leads nowhere public.", host=HOST, cause="dns_non_public"),
        }
        self.web.answers = {address_of(number): answers[answer](number) for number in range(len(TITLES))}
        self.names = {HOST: ["93.184.216.34" if public else "10.0.0.7"]}

    @happens()
    def the_process_starts_again(self) -> None:
        self.server.kill_all()
        self.house.close()
        self.house = self.server.house = self.open()

    @happens()
    def what_died_is_cleared_up(self) -> None:
        self.clear_up()

    def clear_up(self) -> None:
        house = self.house
        house.ledger.hold_abandoned(ABANDONED_AFTER)
        self.server.wait_for(reconcile_runs(house.store, self.server, min_score=MIN_SCORE))
        recheck_public_fetches(house.store, lambda host, port: self.names[host], self.clock())
        self.nothing_runs_without_its_run()

    def nothing_runs_without_its_run(self) -> None:
        open_now = {run.execution for run in self.server.open_runs}
        with self.house.store.reader() as connection:
            running = STAGE_STATES.all(connection, "state = 'running'")
            shown = WORKFLOW_RUNS.all(connection, "status = 'in_progress'")
        assert {Execution(row.owner_workflow or "", row.owner_run or "") for row in running} <= open_now
        assert {Execution(run.workflow_id, run.run_id) for run in shown} == open_now

    # What holds

    @invariant()
    def every_promise_is_kept(self) -> None:
        before, self.log = self.log, log_of(self.house.store)
        assert self.log[: len(before)] == before
        all_promises(self.house.store, self.log, CEILING)

    def teardown(self) -> None:
        try:
            self.everything_comes_to_an_end()
        finally:
            self.server.kill_all()
            self.house.close()
            self.server.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def everything_comes_to_an_end(self) -> None:
        """Left alone with a provider that answers, every run and every stage ends; a second look adds nothing."""
        self.model.mood = "well"
        self.all_runs_end()
        self.start_what_can_go_on()
        self.all_runs_end()
        for doing in [*self.server.alive, *self.server.cut_off]:
            doing.to_the_end()
        self.clear_up()
        before = self.house.store.position()
        self.server.wait_for(reconcile_runs(self.house.store, self.server, min_score=MIN_SCORE))
        assert self.house.store.position() == before
        self.every_promise_is_kept()

    def all_runs_end(self) -> None:
        while self.server.open_runs:
            self.server.go_on(self.server.open_runs[0])
        self.clear_up()


def row_of(number: int, place: str) -> Listing:
    """A row of the board, with a text of its own unless the page has to be read for it."""
    text = TEXT.format(place=f"{place} {number}") if place else None
    return listing(number, title=TITLES[number], description_text=text)


def address_of(number: int) -> str:
    return f"https://{HOST}/northmill/jobs/{number}"


def page_of(number: int) -> tuple[int, str]:
    lines = [line for line in TEXT.format(place=f"the page {number}").splitlines() if line]
    posting = {
        "@context": "https://schema.org",
        "@type": "JobPosting",
        "title": TITLES[number],
        "description": "".join(f"<p>{line}</p>" for line in lines),
        "hiringOrganization": {"@type": "Organization", "name": "Northmill"},
    }
    script = f'<script type="application/ld+json">{json.dumps(posting)}</script>'
    return 200, f"<html><head>{script}</head><body><h1>{TITLES[number]}</h1></body></html>"


def chosen(among: list[Any], pick: int) -> Any:
    return among[pick % len(among)]


@pytest.mark.slow
def test_no_order_of_crashes_retries_cancels_and_clock_jumps_breaks_a_promise() -> None:
    run_state_machine_as_test(
        CrashMachine,
        settings=settings(
            max_examples=40,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
