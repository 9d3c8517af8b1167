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
