"""What each route answers."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from jobctrl import __version__
from jobctrl.api.app import create_app
from jobctrl.errors import LlmTransient, MissingInput, NotFound, TransientNetwork, WorkspaceError
from jobctrl.operator import Operator
from jobctrl.operator.runs import RunActions
from jobctrl.workflows.discover import DiscoverInput
from tests.api.searches import JOBS, RememberedDispatch, hosted

ROOT = Path(__file__).resolve().parents[2]
RUN_STAGE = "/v1/pipeline/actions/run-stage"


async def test_health_says_where_the_log_stands_and_gives_nothing_away(
    anyone: httpx.AsyncClient, operator: Operator
) -> None:
    found = (await anyone.get("/v1/health")).json()

    assert found == {
        "ok": True,
        "version": __version__,
        "workspace": operator.store.workspace_id,
        "position": operator.store.position(),
        "hosted": False,
    }


async def test_health_sees_an_up_that_came_later(anyone: httpx.AsyncClient, workspace: Path) -> None:
    with hosted(workspace):
        during = (await anyone.get("/v1/health")).json()["hosted"]
    after = (await anyone.get("/v1/health")).json()["hosted"]

    assert (during, after) == (True, False)


async def test_the_job_list_is_the_one_of_the_command_line(client: httpx.AsyncClient, operator: Operator) -> None:
    page = (await client.get("/v1/jobs")).json()

    assert [item["jobId"] for item in page["items"]] == [job.job_id for job in operator.jobs()]
    first = page["items"][0]
    assert (first["title"], first["fitScore"], first["hasPdf"]) == ("Data Engineer", 9, False)
    assert (first["places"], first["countries"]) == (["Kraków, PL", "ES"], ["ES", "PL"])
    assert first["pay"] == {"state": "stated", "currency": "PLN", "period": "month", "low": 21000.0, "high": None}


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("minScore=8", [0, 1]),
        ("text=data+eng", [0]),
        ("text=Żeglarz", [3]),
        ("country=pl", [0, 1, 2, 3]),
        ("mode=remote", [4]),
        ("source=greenhouse:acme&minScore=9", [0]),
        ("source=lever:acme", []),
        ("stage=apply", []),
        ("sort=employer&text=data", [2, 0, 4]),
    ],
)
async def test_jobs_are_filtered(client: httpx.AsyncClient, query: str, numbers: list[int]) -> None:
    page = (await client.get(f"/v1/jobs?{query}")).json()

    assert [item["jobId"] for item in page["items"]] == [JOBS[number] for number in numbers]
    assert page["total"] == len(numbers)


async def test_pages_together_are_the_whole_list(client: httpx.AsyncClient) -> None:
    whole = [item["jobId"] for item in (await client.get("/v1/jobs")).json()["items"]]

    seen, offset = [], 0
    while offset is not None:
        page = (await client.get("/v1/jobs", params={"limit": 2, "offset": offset})).json()
        assert page["total"] == len(whole)
        seen += [item["jobId"] for item in page["items"]]
        offset = page["nextOffset"]

    assert seen == whole


async def test_a_page_beyond_the_end_is_empty(client: httpx.AsyncClient) -> None:
    page = (await client.get("/v1/jobs?offset=500")).json()

    assert (page["items"], page["total"], page["nextOffset"]) == ([], 5, None)


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("limit=0", "limit"),
        ("limit=1000", "limit"),
        ("offset=-1", "offset"),
        ("minScore=high", "minScore"),
        ("sort=luck", "sort"),
        ("mode=sometimes", "mode"),
        ("min_scor=7", "min_scor"),
    ],
)
async def test_a_query_that_makes_no_sense_is_refused_by_name(
    client: httpx.AsyncClient, query: str, named: str
) -> None:
    answer = await client.get(f"/v1/jobs?{query}")

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert named in answer.json()["error"]["message"]


@pytest.mark.parametrize("key", [JOBS[0], JOBS[0][:8], "https://jobs.example.org/acme/0?gh_jid=400", "400"])
async def test_one_job_is_found_by_any_of_its_names(client: httpx.AsyncClient, key: str) -> None:
    found = (await client.get(f"/v1/jobs/{quote(key, safe='')}")).json()

    assert found["job"]["jobId"] == JOBS[0]
    assert found["description"] == "We look after the harbour's records."
    assert found["facts"] == {"places": [], "publishedOn": None}
    assert found["score"]["fitScore"] == 9
    assert [each["event"] for each in found["history"]] == ["JobDiscovered", "JobSourceObserved", "JobScored"]
    assert found["observations"][0]["sourceId"] == "greenhouse:acme"


async def test_a_job_that_is_not_there_is_a_404_that_says_what_to_do(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/jobs/ffffff")

    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"
    assert "jobctrl jobs" in answer.json()["error"]["hint"]


async def test_runs_are_listed_with_what_they_were_asked(client: httpx.AsyncClient) -> None:
    (run,) = (await client.get("/v1/workflow-runs")).json()["items"]

    assert (run["workflowId"], run["runId"], run["status"]) == ("discover", "run-0", "in_progress")
    assert run["inputSummary"] == {"sourceIds": ["greenhouse:acme"]}


async def test_discover_is_started_on_the_web_of_the_server(
    client: httpx.AsyncClient, workspace: Path, dispatch: RememberedDispatch
) -> None:
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json={"stages": ["discover"]})

    assert answer.status_code == 202
    assert answer.json() == {
        "status": "queued",
        "workflowId": "discover",
        "runId": "run-1",
        "runs": [{"workflowId": "discover", "runId": "run-1"}],
    }
    (asked,) = dispatch.asked
    assert isinstance(asked, DiscoverInput)
    assert (asked.web, asked.prepare) == ("recorded:web", False)


async def test_preparation_without_a_profile_says_so(client: httpx.AsyncClient, workspace: Path) -> None:
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json={"stages": ["score"], "jobIds": [JOBS[4]]})

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "missing_input")


@pytest.mark.parametrize("stages", [["discover"], ["score", "tailor"]])
async def test_nothing_is_started_when_nothing_hosts_the_workspace(
    client: httpx.AsyncClient, dispatch: RememberedDispatch, stages: list[str]
) -> None:
    answer = await client.post(RUN_STAGE, json={"stages": stages})

    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "worker_runtime_unavailable")
    assert "jobctrl up" in answer.json()["error"]["hint"]
    assert dispatch.asked == []


async def test_applying_is_refused_whatever_comes_with_it(
    client: httpx.AsyncClient, workspace: Path, dispatch: RememberedDispatch
) -> None:
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json={"stages": ["score", "apply"], "jobIds": [JOBS[0]]})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert "approval" in answer.json()["error"]["message"]
    assert dispatch.asked == []


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({}, "stages"),
        ({"stages": []}, "stages"),
        ({"stages": "score"}, "stages"),
        ({"stages": ["enrol"]}, "enrol"),
        ({"stages": ["discover"], "jobIds": ["x"]}, "jobIds"),
        ({"stages": ["score"], "limit": -1}, "limit"),
        ({"stages": ["score"], "web": "recorded:/"}, "web"),
    ],
)
async def test_a_body_that_makes_no_sense_is_refused_by_name(
    client: httpx.AsyncClient, body: dict[str, object], named: str
) -> None:
    answer = await client.post(RUN_STAGE, json=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")
    assert named in answer.json()["error"]["message"]


async def test_a_body_that_is_not_json_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post(RUN_STAGE, content=b"{", headers={"Content-Type": "application/json"})

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [("GET", "/v1/nothing", 404, "not_found"), ("DELETE", "/v1/jobs", 405, "method_not_allowed")],
)
async def test_what_is_not_there_answers_in_the_same_shape(
    client: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    answer = await client.request(method, path)

    assert answer.status_code == status
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotFound("no such run"), 404),
        (MissingInput("no profile"), 409),
        (TransientNetwork("no server"), 503),
        (WorkspaceError("damaged"), 503),
        (LlmTransient("malformed"), 502),
        (RuntimeError("a line of somebody's resume"), 500),
    ],
)
async def test_an_error_of_the_operator_gets_its_status_and_keeps_its_code(
    client: httpx.AsyncClient,
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
) -> None:
    def fail(*args: object, **named: object) -> None:
        raise error

    monkeypatch.setattr(RunActions, "start_discover", fail)
    with hosted(workspace):
        answer = await client.post(RUN_STAGE, json={"stages": ["discover"]})

    assert answer.status_code == status
    assert answer.json()["error"]["code"] == getattr(error, "code", "unexpected")
    assert "resume" not in answer.text


def test_every_route_is_in_the_documentation(operator: Operator) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")

    paths = create_app(operator, token="", host_allow_list=()).openapi()["paths"]

    assert [path for path in sorted(paths) if f"`{path.replace('{key}', '{id}')}`" not in page] == []
    assert len(paths) >= 5
