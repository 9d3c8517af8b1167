"""Every fact of a job is a short sentence, and none of them brings a person's or a posting's words along."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal, get_args, get_origin

import pytest

from jobctrl.discovery.events import JobHidden, JobSnoozed, Posting
from jobctrl.enrichment.events import JobActiveStateChanged
from jobctrl.events import CATALOG, Event, Recorded
from jobctrl.operations.job_history import words_of
from jobctrl.operations.job_plan import JobPlan
from jobctrl.pipeline.events import ExecutionRef
from jobctrl.pipeline.membership import Cohort, PlanState
from jobctrl.stages.events import StageExhausted, StageFailed

OF_A_JOB = sorted(
    name
    for name, event in CATALOG.items()
    if "job_id" in event.model_fields and event.__module__.startswith("jobctrl.")
)


def some(kind: Any) -> Any:
    """A value of a field's type."""
    origin = get_origin(kind)
    if origin is Literal:
        return get_args(kind)[0]
    if origin in (types.UnionType, typing.Union):
        return some(get_args(kind)[0])
    if origin in (list, dict, tuple):
        return origin()
    if kind is ExecutionRef:
        return ExecutionRef(workflow_id="w", temporal_run_id="r")
    if kind is Posting:
        return Posting(title="t", url="https://a.example.org", facts_hash="0" * 64)
    return {str: "some_code", int: 3, float: 0.5, bool: False}[kind]


def fact(event: Event, stage: str | None = None) -> Recorded:
    recorded = Recorded(1, "id", "job/a", 1, event.event_type, 1, "a", stage, None, None, "2026-03-01T00:00:00Z", "{}")
    recorded.__dict__["event"] = event
    return recorded


@pytest.mark.parametrize("name", OF_A_JOB)
def test_every_fact_of_a_job_has_words(name):
    event = CATALOG[name]
    made = event(**{key: some(field.annotation) for key, field in event.model_fields.items() if field.is_required()})

    words = words_of(fact(made, getattr(made, "stage", None)))

    assert words.endswith((".", "…"))
    assert "\n" not in words
    assert "_" not in words.replace("some_code", "")


@pytest.mark.parametrize(
    ("event", "stage", "words"),
    [
        (JobHidden(job_id="a", reason="too far"), None, "You dismissed it: too far."),
        (JobSnoozed(job_id="a", until="2026-04-01T09:00:00Z"), None, "You put it off until 2026-04-01."),
        (
            JobActiveStateChanged(
                job_id="a",
                source_id="lever:b",
                active_state="closed",
                previous_state="active",
                verification_method="board_listing",
            ),
            None,
            "Availability: active became closed, by board listing.",
        ),
        (
            StageFailed(
                job_id="a",
                stage="score",
                error_code="llm_transient",
                error_message="x",
                retryable=False,
                attempt_number=2,
            ),
            "score",
            "score failed: llm transient (not worth another try).",
        ),
        (
            StageExhausted(job_id="a", stage="tailor", attempt_count=3, max_attempts=3),
            "tailor",
            "tailor gave up after 3 attempts.",
        ),
    ],
)
def test_a_fact_says_what_a_person_wants_to_know(event, stage, words):
    assert words_of(fact(event, stage)) == words


@pytest.mark.parametrize(
    ("state", "steps", "reason", "words"),
    [
        (PlanState.PLANNED, ("score", "tailor"), None, "planned are score, tailor, by `prep-a`."),
        (
            PlanState.NOT_ELIGIBLE,
            (),
            "score_below_threshold",
            "there was nothing to do for it (score below threshold).",
        ),
        (PlanState.FAILED, (), None, "its plan could not be made; it is tried again."),
        (PlanState.PENDING, (), None, "nothing is decided yet."),
    ],
)
def test_a_plan_says_why_the_job_is_there_and_what_was_decided(state, steps, reason, words):
    plan = JobPlan(
        "run-1", "r", "succeeded", Cohort.BACKLOG, state, steps, reason, "prep-a", "2026-03-01T09:00:00.000Z"
    )

    assert plan.says == (
        "In the run `run-1` since 2026-03-01 09:00 (UTC), because it waited from before and was taken along: " + words
    )
