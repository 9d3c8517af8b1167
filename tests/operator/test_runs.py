"""Starting and stopping work: what is handed to Temporal, and what is refused before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.errors import InvalidRequest, MissingInput, NotFound, TransientNetwork
from jobctrl.operator.runs import Retried
from jobctrl.pipeline.retries import Reset
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.store import acting_for
from jobctrl.testing import NotedDispatch
from tests.runtime.searching import RUN, job_with_text, new_house, operator_in, scoring_of


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


def fail(house: House, job_id: str, stage: Stage = Stage.SCORE, *, retryable: bool = True) -> None:
    with house.store.writer() as tx:
        machine = StageMachine(tx, job_id, stage)
        machine.start()
        machine.fail("llm_transient", "No.", retryable=retryable)


def state(house: House, job_id: str, stage: Stage = Stage.SCORE) -> str:
    with house.store.reader() as connection:
        return stage_of(connection, job_id, stage).state


async def test_stages_are_run_over_what_waits_or_over_named_jobs(house: House, dispatch: NotedDispatch) -> None:
    ids = [await job_with_text(house, number) for number in (1, 2)]
    operator = operator_in(house, dispatch)

    operator.run_stages(["tailor", "score"], limit=3, workers=2)
    operator.run_stages(["score"], keys=(ids[1][:8],))

    waiting, named = dispatch.run.values()
    assert (waiting.stages, waiting.job_ids, waiting.limit, waiting.workers) == (["score", "tailor"], [], 3, 2)
    assert (named.stages, named.job_ids) == (["score"], [ids[1]])
    assert named.workers == operator.settings().pipeline_internal_concurrency


def test_discover_alone_is_its_own_run_and_prepares_nothing(house: House, dispatch: NotedDispatch) -> None:
    operator_in(house, dispatch).run_stages(["discover"], web="recorded:x")

    assert dispatch.run == {}
    assert [(each.web, each.prepare) for each in dispatch.discovered] == [("recorded:x", False)]


@pytest.mark.parametrize(
    ("stages", "choices", "words"),
    [
        (["score", "apply"], {}, "approval"),
        (["polish"], {}, "polish"),
        ([], {}, "No stage"),
        (["discover", "score"], {"keys": ("x",)}, "whole boards"),
        (["tailor"], {"rescore": True}, "needs the stage score"),
        (["score"], {"retailor": True}, "needs the stage tailor"),
        (["score"], {"workers": 17}, "workers"),
        (["score"], {"limit": -1}, "limit"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_starts(
    house: House, dispatch: NotedDispatch, stages: list[str], choices: dict[str, object], words: str
) -> None:
    with pytest.raises(InvalidRequest, match=words):
        operator_in(house, dispatch).run_stages(stages, **choices)  # type: ignore[arg-type]

    assert (dispatch.run, dispatch.discovered) == ({}, [])


async def test_named_jobs_that_cannot_be_run_are_left_out_and_told_when_none_is_left(
    house: House, dispatch: NotedDispatch
) -> None:
    good, failed = [await job_with_text(house, number) for number in (1, 2)]
    fail(house, failed)
    operator = operator_in(house, dispatch)

    operator.run_stages(["score"], keys=(good, failed))
    with pytest.raises(MissingInput, match="jobctrl retry"):
        operator.run_stages(["score"], keys=(failed,))
    with pytest.raises(MissingInput, match="no score yet"):
        operator.run_stages(["tailor"], keys=(good,))

    assert [each.job_ids for each in dispatch.run.values()] == [[good]]


async def test_a_failed_stage_is_opened_without_starting_anything(house: House, dispatch: NotedDispatch) -> None:
    job_id = await job_with_text(house)
    fail(house, job_id)
    dispatch.is_ready = False
    operator = operator_in(house, dispatch)

    first, again = operator.retry("score", job_id), operator.retry("score", job_id)

    assert (first, again) == (Retried([Reset(job_id, "score")]), Retried())
    assert (state(house, job_id), dispatch.run) == ("pending", {})


async def test_retry_and_run_goes_on_from_the_stage(house: House, dispatch: NotedDispatch) -> None:
    job_id = await job_with_text(house)
    fail(house, job_id)

    done = operator_in(house, dispatch).retry("score", job_id, run_after=True)

    [(name, run)] = dispatch.run.items()
    assert [each.workflow_id for each in done.runs] == [name]
    assert (run.stages, run.job_ids, run.after) == (["score", "tailor", "cover"], [job_id], house.store.position())


async def test_nothing_is_reset_for_a_run_that_no_worker_would_take(house: House, dispatch: NotedDispatch) -> None:
    job_id = await job_with_text(house)
    fail(house, job_id)
    dispatch.is_ready = False
    operator, position = operator_in(house, dispatch), house.store.position()

    with pytest.raises(TransientNetwork, match="No worker"):
        operator.retry("score", job_id, run_after=True)
    with pytest.raises(TransientNetwork, match="No worker"):
        operator.retry_failed(run_after=True)

    assert (house.store.position(), state(house, job_id), dispatch.run) == (position, "failed", {})


async def test_nothing_is_reset_for_a_run_that_lacks_its_profile(tmp_path: Path, dispatch: NotedDispatch) -> None:
    house = new_house(tmp_path / "empty", profile=False)
    job_id = await job_with_text(house)
    fail(house, job_id)

    with pytest.raises(MissingInput, match="profile"):
        operator_in(house, dispatch).retry_failed("score", run_after=True)

    assert state(house, job_id) == "failed"
    house.close()


async def test_all_that_failed_is_opened_and_run_by_the_stage_it_failed_in(
    house: House, dispatch: NotedDispatch
) -> None:
    first, second, tailored, unfit = [await job_with_text(house, number) for number in (1, 2, 3, 4)]
    fail(house, first)
    fail(house, second)
    fail(house, tailored, Stage.TAILOR)
    fail(house, unfit, retryable=False)

    done = operator_in(house, dispatch).retry_failed(run_after=True)

    assert {(each.job_id, each.stage) for each in done.reset} == {
        (first, "score"),
        (second, "score"),
        (tailored, "tailor"),
    }
    assert [(run.stages, run.job_ids) for run in dispatch.run.values()] == [
        (["score", "tailor", "cover"], sorted([first, second])),
        (["tailor", "cover"], [tailored]),
    ]
    assert state(house, unfit) == "failed"


async def test_only_one_stage_can_be_asked_for(house: House, dispatch: NotedDispatch) -> None:
    scored, tailored = [await job_with_text(house, number) for number in (1, 2)]
    fail(house, scored)
    fail(house, tailored, Stage.TAILOR)

    done = operator_in(house, dispatch).retry_failed("tailor")

    assert done == Retried([Reset(tailored, "tailor")])
    assert (state(house, scored), dispatch.run) == ("failed", {})


@pytest.mark.parametrize(("stage", "key", "error"), [("apply", "", InvalidRequest), ("score", "nobody", NotFound)])
async def test_what_cannot_be_tried_again_is_refused(
    house: House, dispatch: NotedDispatch, stage: str, key: str, error: type[Exception]
) -> None:
    job_id = await job_with_text(house)

    with pytest.raises(error):
        operator_in(house, dispatch).retry(stage, key or job_id)


async def test_what_waits_is_run_by_the_stage_each_job_is_without(house: House, dispatch: NotedDispatch) -> None:
    scored = await job_with_text(house, 1)
    with acting_for(RUN):
        await ActivityEnvironment().run(scoring_of(house).score_job, ScoreInput("w", scored))
    waiting = [await job_with_text(house, number) for number in (2, 3)]
    operator = operator_in(house, dispatch)

    done = operator.run_pending([scored, *waiting, waiting[0]])

    assert done.stages == {"tailor": [scored], "score": waiting}
    assert [(each.stages, each.job_ids) for each in dispatch.run.values()] == [
        (["tailor", "cover"], [scored]),
        (["score", "tailor", "cover"], waiting),
    ]
    assert done.refused == {}


async def test_one_stage_of_a_job_is_run_only_when_it_can_be(house: House, dispatch: NotedDispatch) -> None:
    job = await job_with_text(house)
    operator = operator_in(house, dispatch)

    assert operator.run_job_stage("tailor", job).refused == {job: "missing_score"}
    assert operator.run_job_stage("enrich", job).refused == {job: "already_enriched"}
    assert dispatch.run == {}
    assert operator.run_job_stage("score", job).stages == {"score": [job]}
