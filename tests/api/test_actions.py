"""Starting stages, trying again and stopping, over HTTP."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from jobctrl.errors import TransientNetwork
from jobctrl.operator import Operator
from jobctrl.pipeline.events import WorkflowCompleted
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import stage_of
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.pipeline import PipelineInput
from tests.api.searches import JOBS, RememberedDispatch, hosted
from tests.runtime.searching import person

RUN_STAGE = "/v1/pipeline/actions/run-stage"
RETRY = f"/v1/jobs/{JOBS[0]}/actions/retry"
BULK = "/v1/jobs/bulk-retry-failed"


@pytest.fixture
def failed(operator: Operator) -> Operator:
    """The first job failed to be scored; there is a profile."""
    operator.profiles.save(person())
    with operator.store.writer() as tx:
        machine = StageMachine(tx, JOBS[0], Stage.SCORE)
        machine.start()
        machine.fail("llm_transient", "No.", retryable=True)
    return operator


def state(operator: Operator) -> str:
    with operator.store.reader() as connection:
        return stage_of(connection, JOBS[0], Stage.SCORE).state


@pytest.mark.parametrize(
    ("body", "stages"),
    [
        ({"stages": ["score", "discover"], "limit": 3}, ["discover", "score"]),
        ({"stages": ["enrich"]}, ["enrich"]),
        ({"stages": ["discover", "cover", "pdf"]}, ["discover", "cover"]),
        ({"stages": ["score"], "rescore": True}, ["score"]),
    ],
)
async def test_mixed_stages_are_one_run_one_after_the_other(
    client: httpx.AsyncClient, workspace: Path, failed: Operator, dispatch: RememberedDispatch,
    body: dict[str, object], stages: list[str],
) -> None:  # fmt: skip
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json=body)

    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    [asked] = dispatch.asked
    assert isinstance(asked, PipelineInput)
    assert (asked.stages, asked.web, asked.limit) == (stages, "recorded:web", body.get("limit", 0))
    assert asked.rescore == body.get("rescore", False)


async def test_discover_alone_stays_a_discover_run(
    client: httpx.AsyncClient, workspace: Path, dispatch: RememberedDispatch
) -> None:
    with hosted(workspace):
        await client.post(RUN_STAGE, json={"stages": ["discover"]})

    assert [type(each) for each in dispatch.asked] == [DiscoverInput]


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"stages": ["enrich", "pdf"]}, "pdf"),
        ({"stages": ["enrich"], "rescore": True}, "score"),
        ({"stages": ["score"], "workers": 99}, "workers"),
    ],
)
async def test_what_does_not_go_together_is_refused(
    client: httpx.AsyncClient, workspace: Path, dispatch: RememberedDispatch, body: dict[str, object], named: str
) -> None:
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert named in answer.json()["error"]["message"]
    assert dispatch.asked == []


async def test_a_stage_is_opened_again_without_a_worker(client: httpx.AsyncClient, failed: Operator) -> None:
    first = await client.post(RETRY, json={"stage": "score"})
    again = await client.post(RETRY, json={"stage": "score"})

    assert (first.status_code, first.json()) == (
        200,
        {"status": "reset", "count": 1, "reset": [{"jobId": JOBS[0], "stage": "score"}], "runs": []},
    )
    assert again.json()["status"] == "nothing_to_do"
    assert state(failed) == "pending"


@pytest.mark.parametrize(("path", "body"), [(RETRY, {"stage": "score"}), (BULK, {}), (BULK, {"stage": "score"})])
async def test_retry_and_run_is_queued(
    client: httpx.AsyncClient,
    workspace: Path,
    failed: Operator,
    dispatch: RememberedDispatch,
    path: str,
    body: dict[str, object],
) -> None:
    with hosted(workspace):
        answer = await client.post(path, json={**body, "runAfter": True})

    assert (answer.status_code, answer.json()["status"], answer.json()["count"]) == (202, "queued", 1)
    assert answer.json()["runs"] == [{"workflowId": "run-0", "runId": "run-1"}]
    [asked] = dispatch.asked
    assert isinstance(asked, PipelineInput)
    assert (asked.stages, asked.job_ids) == (["score", "tailor", "cover"], [JOBS[0]])


@pytest.mark.parametrize(("path", "body"), [(RETRY, {"stage": "score"}), (BULK, {})])
@pytest.mark.parametrize("has_host", [False, True])
async def test_nothing_is_reset_when_no_worker_would_run_it(
    client: httpx.AsyncClient,
    workspace: Path,
    failed: Operator,
    dispatch: RememberedDispatch,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, object],
    has_host: bool,
) -> None:
    def nobody() -> None:
        raise TransientNetwork("No worker serves this workspace now.")

    monkeypatch.setattr(dispatch, "check_ready", nobody, raising=False)
    position = failed.store.position()
    if has_host:
        with hosted(workspace):
            answer = await client.post(path, json={**body, "runAfter": True})
    else:
        answer = await client.post(path, json={**body, "runAfter": True})

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "worker_runtime_unavailable")
    assert (failed.store.position(), state(failed), dispatch.asked) == (position, "failed", [])


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (RETRY, {"stage": "apply"}, 400),
        (RETRY, {}, 400),
        (RETRY, {"stage": "score", "dryRun": True}, 400),
        ("/v1/jobs/ffffff/actions/retry", {"stage": "score"}, 404),
        (BULK, {"stage": "apply"}, 400),
    ],
)
async def test_what_cannot_be_tried_again_is_refused(
    client: httpx.AsyncClient, failed: Operator, path: str, body: dict[str, object], status: int
) -> None:
    assert (await client.post(path, json=body)).status_code == status


async def test_an_open_run_is_asked_to_stop(
    client: httpx.AsyncClient, workspace: Path, dispatch: RememberedDispatch
) -> None:
    with hosted(workspace):
        answer = await client.post("/v1/workflow-runs/discover/cancel")

    assert answer.status_code == 202
    assert answer.json() == {"status": "canceling", "workflowId": "discover", "runId": "run-0"}
    assert dispatch.asked == ["discover"]


async def test_a_run_is_not_asked_to_stop_when_nobody_would_hear_it(
    client: httpx.AsyncClient, dispatch: RememberedDispatch
) -> None:
    answer = await client.post("/v1/workflow-runs/discover/cancel")

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "worker_runtime_unavailable")
    assert dispatch.asked == []


async def test_a_run_that_has_ended_is_told_to_have(
    client: httpx.AsyncClient, operator: Operator, dispatch: RememberedDispatch
) -> None:
    with operator.store.writer() as tx:
        tx.append(
            "run/discover/run-0",
            WorkflowCompleted(workflow_id="discover", workflow_type="DiscoverWorkflow", temporal_run_id="run-0"),
        )

    answer = await client.post("/v1/workflow-runs/discover/cancel")

    assert (answer.status_code, answer.json()["status"]) == (200, "already_ended")
    assert (await client.post("/v1/workflow-runs/nobody/cancel")).status_code == 404
    assert dispatch.asked == []


PENDING = "/v1/jobs/bulk-run-pending-preparation"
OF_A_JOB = f"/v1/jobs/{JOBS[0]}/actions/run-stage"


@pytest.fixture
def waiting(operator: Operator) -> Operator:
    """No job has its text; there is a profile."""
    operator.profiles.save(person())
    return operator


@pytest.mark.parametrize(("path", "body"), [(OF_A_JOB, {"stage": "enrich"}), (PENDING, {"jobKeys": [JOBS[0]]})])
async def test_what_waits_for_a_job_is_run_from_its_first_stage(
    client: httpx.AsyncClient,
    workspace: Path,
    waiting: Operator,
    dispatch: RememberedDispatch,
    path: str,
    body: dict[str, object],
) -> None:
    with hosted(workspace):
        answer = await client.post(path, json=body)

    assert (answer.status_code, answer.json()["status"], answer.json()["count"]) == (202, "queued", 1)
    assert answer.json()["stageCounts"] == {"enrich": 1}
    [asked] = dispatch.asked
    assert isinstance(asked, PipelineInput)
    assert (asked.stages, asked.job_ids) == (["enrich", "score", "tailor", "cover"], [JOBS[0]])


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        (OF_A_JOB, {"stage": "tailor"}, "missing_description"),
        (f"/v1/jobs/{JOBS[0]}/actions/run-stage", {"stage": "score"}, "missing_description"),
    ],
)
async def test_a_job_that_is_not_ready_is_left_with_its_reason(
    client: httpx.AsyncClient,
    workspace: Path,
    waiting: Operator,
    dispatch: RememberedDispatch,
    path: str,
    body: dict[str, object],
    reason: str,
) -> None:
    with hosted(workspace):
        answer = await client.post(path, json=body)

    assert (answer.status_code, answer.json()["status"]) == (200, "not_eligible")
    assert answer.json()["refused"] == {JOBS[0]: reason}
    assert dispatch.asked == []


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (OF_A_JOB, {"stage": "discover"}, 400),
        (OF_A_JOB, {"stage": "apply"}, 400),
        ("/v1/jobs/ffffff/actions/run-stage", {"stage": "score"}, 404),
        (PENDING, {"jobKeys": []}, 400),
        (PENDING, {"jobKeys": ["ffffff"]}, 404),
    ],
)
async def test_what_cannot_be_run_for_a_job_is_refused(
    client: httpx.AsyncClient, workspace: Path, waiting: Operator, path: str, body: dict[str, object], status: int
) -> None:
    with hosted(workspace):
        assert (await client.post(path, json=body)).status_code == status


@pytest.mark.parametrize(("path", "body"), [(OF_A_JOB, {"stage": "enrich"}), (PENDING, {"jobKeys": [JOBS[0]]})])
async def test_without_a_worker_nothing_is_started_for_a_job(
    client: httpx.AsyncClient,
    waiting: Operator,
    dispatch: RememberedDispatch,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    body: dict[str, object],
) -> None:
    def nobody() -> None:
        raise TransientNetwork("No worker serves this workspace now.")

    monkeypatch.setattr(dispatch, "check_ready", nobody, raising=False)
    answer = await client.post(path, json=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "worker_runtime_unavailable")
    assert dispatch.asked == []
