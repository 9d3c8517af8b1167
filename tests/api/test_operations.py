"""How the pipeline stands, over HTTP."""

from __future__ import annotations

import httpx

ROUTE = "/v1/pipeline/operations"


async def test_the_snapshot_has_the_logs_names_and_says_what_it_does_not_know(client: httpx.AsyncClient) -> None:
    found = (await client.get(ROUTE)).json()

    assert found["etaEstimatorVersion"] == "pipeline-eta-v1"
    assert (found["execution"]["phase"], found["execution"]["discoverRunId"]) == ("discovering", "run-0")
    assert (found["capacity"]["status"], found["capacity"]["activeSlots"]) == ("unavailable", None)
    assert (found["activeItems"], found["activeItemsTotal"], found["activeStageCounts"]) == ([], None, None)
    # No worker has compared the run with its history: nothing is counted of it, and nothing estimated.
    assert found["projectionCoverage"]["state"] == "recovering"
    assert found["overallEta"]["reason"] == "unknown_scope"
    assert (found["execution"]["progress"]["total"], found["execution"]["currentExecution"]["members"]) == (None, None)
    assert {stage["scope"] for stage in found["stages"]} == {
        "current_execution",
        "execution_sweep",
        "global_outside_execution",
    }
    counted = {stage["scope"] for stage in found["stages"] if stage["counts"] is not None}
    assert counted == {"global_outside_execution"}


async def test_it_needs_the_token(anyone: httpx.AsyncClient) -> None:
    anyone.headers.pop("Authorization", None)

    assert (await anyone.get(ROUTE)).status_code == 401
