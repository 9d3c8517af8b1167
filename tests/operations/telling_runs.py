"""Discover runs, their steps and their jobs, told in a few words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from msgspec import structs

from jobctrl.events import Event, Recorded
from jobctrl.operations.groups import JobGroup, Plan, Scope
from jobctrl.pipeline.membership import PlanState
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step
from jobctrl.pipeline.targets import STEPS
from jobctrl.stages.model import StageState

AT = "2026-03-09T12:00:00.000Z"
RUN = Run("discover-local", "run-1", "DiscoverWorkflow", "in_progress", input_summary='{"workers": 4}', started_at=AT)
ENDED = structs.replace(RUN, status="succeeded", finished_at=AT)


def step(kind: str, item: str, state: str, **changes: Any) -> Step:
    return Step("discover-local", "run-1", kind, item, 1, state, **changes)


def recorded(event: Event) -> Recorded:
    """The fact in which the log would keep it."""
    payload = event.model_dump_json(by_alias=True)
    return Recorded(1, "e", "run/w/r", 1, event.event_type, 1, None, None, "w", "r", AT, payload)


CLOSED_BY = (
    step("source_planning", "plan", "succeeded"),
    step("enrichment_pass", "terminal", "succeeded"),
    step("preparation_fanout", "terminal", "succeeded"),
)
"""The steps of a run that came to its end."""


def jobs(number: int, *states: str, scope: Scope = "global_outside_execution", **changes: Any) -> JobGroup:
    """Jobs with these states of enrich, score, tailor and cover; what is not named is pending."""
    enrich, score, tailor, cover = (*states, *("pending",) * (4 - len(states)))
    return replace(JobGroup(scope, enrich, score, tailor, cover, number), **changes)


def planned(
    number: int,
    *states: str,
    scope: Scope = "current_execution",
    state: PlanState = PlanState.PLANNED,
    steps: tuple[str, ...] = STEPS,
    owner: str | None = "in_progress",
    pdf: str | None = None,
    receipt: Any = None,
    hold: Any = None,
    **changes: Any,
) -> JobGroup:
    """Members of an execution, all steps planned and their preparation under way unless told otherwise."""
    decided = Plan(state, steps if state is PlanState.PLANNED else (), owner, pdf, receipt, hold)
    return jobs(number, *states, scope=scope, plan=decided, **changes)


def states() -> st.SearchStrategy[str]:
    return st.sampled_from([*(state.value for state in StageState), "a state of another version"])


@st.composite
def plan(draw: st.DrawFn) -> Plan:
    """Any decision of an execution, with anything that may be known of it."""
    state = draw(st.sampled_from(PlanState))
    if state is not PlanState.PLANNED:
        return Plan(state)
    return Plan(
        state,
        STEPS[draw(st.integers(0, 3)) :],
        draw(st.sampled_from([None, "in_progress", "succeeded", "failed", "canceled", "timed_out", "terminated"])),
        draw(st.sampled_from([None, "queued", "running", "succeeded", "failed"])),
        draw(st.sampled_from([None, "succeeded", "skipped"])),
        draw(st.sampled_from([None, "recorded", "proven"])),
    )
