"""Jobs that stand alike: what each stage is called, and when an execution has nothing left to do for them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.operations.groups import JOB_STAGES, STOPPED, JobGroup, demand, paths
from jobctrl.pipeline.membership import PlanState
from tests.operations.telling_runs import jobs, plan, planned, states

DONE = ("succeeded",) * 4
SKIPPED = ("succeeded", "succeeded", "skipped", "skipped")
RULED_OUT = ("succeeded", "succeeded", "blocked", "blocked")


@pytest.mark.parametrize(
    ("group", "stage", "outcome"),
    [
        (jobs(1), "enrich", "waiting"),
        (jobs(1, "queued"), "enrich", "waiting"),
        (jobs(1, "failed"), "score", "blocked"),
        (jobs(1, "succeeded", "exhausted"), "tailor", "blocked"),
        (jobs(1, "succeeded", closed=True), "score", "blocked"),
        (jobs(1, "succeeded", "succeeded", closed=True), "score", "succeeded"),
        (jobs(1, *SKIPPED), "pdf_render", "skipped"),
        (jobs(1, *RULED_OUT), "pdf_render", "blocked"),
        (jobs(1, "succeeded", "succeeded", "running"), "pdf_render", "waiting"),
        (jobs(1, *DONE), "pdf_render", "waiting"),
        (jobs(1, "succeeded", "succeeded", "succeeded", "skipped"), "pdf_render", "waiting"),
        (jobs(1, *DONE, complete=True), "pdf_render", "succeeded"),
        (jobs(1, "succeeded", "a state of another version"), "score", "unknown"),
        (jobs(1, "succeeded", "needs_verification"), "score", "needs_verification"),
    ],
)
def test_a_stage_that_cannot_be_reached_does_not_wait(group: JobGroup, stage: str, outcome: str) -> None:
    assert group.outcomes()[stage] == outcome


@pytest.mark.parametrize(
    ("group", "outcome"),
    [
        # It follows what comes before it, while its preparation goes on.
        (planned(1, "succeeded"), "waiting"),
        (planned(1, "succeeded", "running"), "waiting"),
        (planned(1, "succeeded", owner=None), "waiting"),
        (planned(1, *DONE[:3], steps=("cover", "pdf")), "waiting"),
        # Nothing is left before it, and nothing was recorded: nobody knows.
        (planned(1, *DONE), "unknown"),
        (planned(1, *DONE, complete=True), "unknown"),
        (planned(1, *SKIPPED), "unknown"),
        (planned(1, *SKIPPED, owner="succeeded"), "unknown"),
        (planned(1, "succeeded", owner="succeeded"), "unknown"),
        (planned(1, "succeeded", owner="failed"), "unknown"),
        # What was recorded comes first.
        (planned(1, *DONE, pdf="queued"), "waiting"),
        (planned(1, *DONE, pdf="running"), "processing"),
        (planned(1, *DONE, pdf="succeeded", owner="failed"), "succeeded"),
        (planned(1, *DONE, pdf="failed", receipt="succeeded", owner="succeeded"), "failed"),
        (planned(1, *DONE, pdf="running", receipt="succeeded", owner="succeeded"), "unknown"),
        (planned(1, *DONE, pdf="running", owner="terminated"), "unknown"),
        # What the exact history proves comes next.
        (planned(1, *SKIPPED, owner="succeeded", receipt="skipped"), "skipped"),
        (planned(1, *DONE, owner="succeeded", receipt="succeeded"), "succeeded"),
        # A preparation that stopped, after something that will not be tried again.
        (planned(1, "succeeded", "exhausted", owner="failed"), "blocked"),
        (planned(1, "succeeded", "failed", owner="failed"), "blocked"),
        (planned(1, "succeeded", "failed", owner="timed_out", closed=True), "blocked"),
        (planned(1, "succeeded", "failed", owner="failed", retryable=frozenset({"score"})), "unknown"),
        (planned(1, "succeeded", "canceled", owner="canceled"), "canceled"),
        (planned(1, "succeeded", "canceled"), "unknown"),
        (planned(1, *RULED_OUT, owner="failed", hold="recorded"), "blocked"),
        (planned(1, *RULED_OUT, owner="failed"), "unknown"),
        # Not planned: it is what its materials are.
        (planned(1, *DONE, steps=("score",), complete=True), "succeeded"),
        (planned(1, *DONE, state=PlanState.PENDING, complete=True), "succeeded"),
    ],
)
def test_a_pdf_is_what_was_recorded_or_proven_and_otherwise_unknown(group: JobGroup, outcome: str) -> None:
    assert group.outcomes()["pdf_render"] == outcome


@pytest.mark.parametrize(
    ("group", "open_stages"),
    [
        (planned(1, *DONE, pdf="succeeded"), ""),
        (planned(1, "succeeded", "running"), "score tailor cover pdf_render"),
        (planned(1, "succeeded", "succeeded", steps=("score",)), ""),
        # A failure that may be tried again is open, unless its preparation stopped.
        (planned(1, "succeeded", "failed", steps=("score",), retryable=frozenset({"score"})), "score"),
        (planned(1, "succeeded", "failed", steps=("score",), retryable=frozenset({"score"}), owner="failed"), ""),
        (planned(1, "succeeded", "failed", steps=("score",)), ""),
        (planned(1, "succeeded", "exhausted", owner="failed"), ""),
        # Blocked by what failed before it: that says it all.
        (planned(1, "succeeded", "succeeded", "failed", "blocked", owner="failed"), ""),
        # Blocked by something outside: it may still go on.
        (planned(1, "succeeded", "blocked", steps=("score",), retryable=frozenset({"score"}), owner="failed"), "score"),
        # Ruled out by its score: done when this very preparation proves it.
        (planned(1, *RULED_OUT, owner="succeeded", receipt="skipped", hold="proven"), ""),
        (planned(1, *RULED_OUT, owner="succeeded", receipt="skipped", hold="recorded"), "tailor cover"),
        (planned(1, *RULED_OUT, owner="failed", hold="recorded"), ""),
        # A rendering nobody knows of keeps its run from being done, until nothing can tell of it any more.
        (planned(1, *DONE, owner="succeeded"), "pdf_render"),
        (planned(1, *DONE, owner="terminated"), ""),
    ],
)
def test_what_may_still_go_on_is_open(group: JobGroup, open_stages: str) -> None:
    assert " ".join(group.open_stages()) == open_stages
    assert group.is_done == (open_stages == "")


@pytest.mark.parametrize(
    ("group", "troubled"),
    [
        (planned(1, *DONE, pdf="succeeded"), False),
        (planned(1, *SKIPPED, owner="succeeded", receipt="skipped"), False),
        (planned(1, *RULED_OUT, owner="succeeded", receipt="skipped", hold="proven"), False),
        (planned(1, "succeeded", closed=True, steps=("score",)), False),
        (planned(1, "succeeded", "exhausted", owner="failed"), True),
        (planned(1, *DONE, pdf="failed"), True),
        (planned(1, *DONE, owner="succeeded"), True),
        (planned(1, *DONE, steps=()), True),
        (planned(1, state=PlanState.PENDING), True),
        (planned(1, state=PlanState.FAILED), True),
        (planned(1, state=PlanState.NOT_ELIGIBLE), False),
        (planned(1, "failed", state=PlanState.NOT_ELIGIBLE), True),
        (jobs(1, "exhausted"), False),
    ],
)
def test_what_went_wrong_or_was_never_decided_is_trouble(group: JobGroup, troubled: bool) -> None:
    assert group.is_troubled is troubled


@pytest.mark.parametrize(
    ("group", "handing_on", "wanted"),
    [
        (planned(1, "succeeded"), False, "score tailor cover pdf_render"),
        (planned(1, "succeeded", steps=("score",)), False, "score"),
        (planned(1, state=PlanState.PENDING), True, "enrich"),
        (planned(1, "succeeded", state=PlanState.PENDING), True, ""),
        (planned(1, state=PlanState.PENDING), False, ""),
        (planned(1, "succeeded", state=PlanState.FAILED, prepared=True), False, "score tailor cover pdf_render"),
        (planned(1, "succeeded", state=PlanState.NOT_ELIGIBLE, prepared=True), True, ""),
        (jobs(1, "succeeded", prepared=True), True, ""),
    ],
)
def test_an_execution_wants_what_it_planned(group: JobGroup, handing_on: bool, wanted: str) -> None:
    assert " ".join(group.wanted(handing_on=handing_on)) == wanted


@pytest.mark.parametrize(
    ("group", "contends"),
    [
        (jobs(1, "succeeded"), False),
        (jobs(1, "succeeded", "queued"), True),
        (jobs(1, "succeeded", "running"), True),
        (jobs(1, "succeeded", prepared=True), True),
        (planned(1, "succeeded", state=PlanState.NOT_ELIGIBLE, prepared=True), True),
        (planned(1, "succeeded", "running"), False),
    ],
)
def test_what_lies_dormant_outside_wants_no_slot(group: JobGroup, contends: bool) -> None:
    assert bool(group.contends()) is contends


@given(
    decided=plan(), each=st.tuples(states(), states(), states(), states()), prepared=st.booleans(), closed=st.booleans()
)
def test_a_job_is_wanted_or_contends_and_never_both(decided: Any, each: Any, prepared: bool, closed: bool) -> None:
    group = jobs(1, *each, scope="current_execution", plan=decided, prepared=prepared, closed=closed)

    assert set(group.outcomes()) == set(JOB_STAGES)
    assert not (group.wanted(handing_on=True) and group.contends())
    if decided.state is PlanState.PLANNED:
        assert set(group.wanted(handing_on=False)) <= set(group.open_stages())
    if decided.owner in STOPPED:
        assert "unknown" not in group.open_stages().values()


def test_the_ways_that_are_left_are_told_once_and_counted_together() -> None:
    ways = [(("score", "tailor"), 3), (("tailor",), 2), (("score", "tailor"), 1), ((), 9)]

    assert demand(ways) == {"score": 4, "tailor": 6}
    assert list(paths(ways)) == [("score", "tailor"), ("tailor",)]
