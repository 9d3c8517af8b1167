"""What a history proves: steps, members, the outcome of a preparation; what is ambiguous or foreign is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jobctrl.errors import InvalidRequest, RuntimeMismatch
from jobctrl.pipeline.coverage import digest
from jobctrl.pipeline.receipts import Outcome
from jobctrl.runtime.house import House
from jobctrl.store import Execution
from jobctrl.workflows.execution_history import ExecutionHistory, outcome_of, proof_of
from tests.workflows.executions import BACKLOG, FAMILY, OTHER, PLANNED, TEXTS, activity, closing, history


def test_a_history_is_read_into_its_steps_and_its_members(house: House) -> None:
    proof = proof_of(
        history(house, PLANNED, BACKLOG, FAMILY, OTHER, activity("discovery_stream", {}), TEXTS, closing("a", "b")),
        house.store.workspace_id,
    )

    assert proof.is_native
    assert {key: (step.state, step.item_count, step.error_code) for key, step in proof.steps.items()} == {
        ("source_planning", "plan"): ("completed", 3, None),
        ("source_family", "family:ats_api"): ("completed", 9, None),
        ("source_family", "family:workday"): ("failed", None, "not_found"),
        ("existing_backlog_sweep", "backlog"): ("completed", 1, None),
        ("enrichment_pass", "terminal"): ("completed", 3, None),
        ("preparation_fanout", "terminal"): ("completed", 1, None),
    }
    assert proof.membership is not None
    assert (proof.membership.count, proof.membership.digest) == (2, digest(["a", "b"]))
    assert proof.planned == 1


def test_a_family_that_is_planned_and_not_begun_is_queued(house: House) -> None:
    proof = proof_of(history(house, PLANNED, FAMILY), house.store.workspace_id)

    assert proof.steps["source_family", "family:workday"].state == "queued"


@pytest.mark.parametrize(
    "bad",
    [
        lambda h: replace(h, workflow_type="JobPipelineWorkflow"),
        lambda h: replace(h, input=None),
        lambda h: replace(h, activities=(replace(FAMILY, input=None),)),
        lambda h: replace(h, activities=(replace(FAMILY, result={"returned": "many"}),)),
        lambda h: replace(h, activities=(TEXTS, TEXTS)),
    ],
)
def test_an_ambiguous_history_is_refused(house: House, bad: Callable[[ExecutionHistory], ExecutionHistory]) -> None:
    with pytest.raises(InvalidRequest):
        proof_of(bad(history(house)), house.store.workspace_id)


def test_the_history_of_another_workspace_is_refused(house: House) -> None:
    with pytest.raises(RuntimeMismatch):
        proof_of(history(house, workspace="foreign"), house.store.workspace_id)


STEPS = ["score", "tailor", "cover", "pdf"]
ORIGIN = {"workflow_id": "discover-local", "run_id": "run-1"}
ID = "prep-preparation:k"


def prepared(house: House, **changes: Any) -> ExecutionHistory:
    """The history of a preparation that stopped after scoring."""
    asked = {
        "workspace": house.store.workspace_id,
        "job_id": "j",
        "steps": STEPS,
        "key": "preparation:k",
        "discovery": ORIGIN,
    }
    said = {"steps_completed": ["score"], "steps_skipped": STEPS[1:], "steps_failed": [], "failure": None}
    plain = ExecutionHistory("JobPreparationWorkflow", asked, 30, "completed", said)
    for name, value in changes.items():
        where = "input" if name in asked else "result" if name in said else None
        plain = replace(plain, **{where: {**getattr(plain, where), name: value}} if where else {name: value})
    return plain


def outcome(house: House, told: ExecutionHistory) -> tuple[Outcome, Execution | None]:
    return outcome_of(told, workspace=house.store.workspace_id, workflow_id=ID, job_id="j", steps=STEPS)


@pytest.mark.parametrize(
    ("completed", "skipped"),
    [(STEPS[:1], STEPS[1:]), (STEPS, []), (["score", "tailor", "pdf"], ["cover"]), ([], STEPS)],
)
def test_a_completed_preparation_says_what_it_did_and_left_out(
    house: House, completed: list[str], skipped: list[str]
) -> None:
    told = prepared(house, steps_completed=completed, steps_skipped=skipped)

    assert outcome(house, told) == (Outcome(tuple(completed), tuple(skipped)), Execution("discover-local", "run-1"))


@pytest.mark.parametrize("origin", [None, {"workflow_id": "discover-local", "run_id": "run-0"}])
def test_its_origin_is_the_one_it_was_started_with(house: House, origin: dict[str, str] | None) -> None:
    assert outcome(house, prepared(house, discovery=origin))[1] == (Execution(**origin) if origin else None)


@pytest.mark.parametrize(
    "change",
    [
        {"workflow_type": "DiscoverWorkflow"},
        {"job_id": "another"},
        {"key": "preparation:other"},
        {"steps": STEPS[1:]},
        {"discovery": {"workflow_id": 3}},
        {"end": None},
        {"end": "failed"},
        {"end": "canceled"},
        {"result": None},
        {"failure": "It failed."},
        {"steps_failed": ["tailor"]},
        {"steps_skipped": ["tailor"]},
        {"steps_skipped": STEPS},
        {"steps_skipped": ["tailor", "cover", "apply"]},
        {"steps_completed": ["score", "score"], "steps_skipped": ["tailor", "cover"]},
    ],
)
def test_what_is_not_exactly_the_planned_run_with_its_result_proves_no_outcome(
    house: House, change: dict[str, Any]
) -> None:
    with pytest.raises(InvalidRequest):
        outcome(house, prepared(house, **change))


def test_the_preparation_of_another_workspace_proves_no_outcome(house: House) -> None:
    with pytest.raises(RuntimeMismatch):
        outcome(house, prepared(house, workspace="foreign"))
