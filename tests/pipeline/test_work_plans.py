"""Why a member of an execution is not prepared: each gets its reason, and work that is left is never called none."""

from __future__ import annotations

from typing import Any

import pytest

from jobctrl.pipeline.membership import PlanState
from jobctrl.pipeline.rules import Judged
from jobctrl.pipeline.work_plans import Asked, Leftover, why_unplanned
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.stages.model import StageState
from tests.pipeline.test_eligibility import known

S, NO, FAILED = StageState, PlanState.NOT_ELIGIBLE, PlanState.FAILED
DONE = (S.SUCCEEDED,) * 4
BLOCKED, LOW = Judged(9, EligibilityStatus.BLOCKED), Judged(2, EligibilityStatus.ELIGIBLE)


def left(*states: StageState, job: dict[str, Any] | None = None, **facts: Any) -> Leftover:
    return Leftover(known(*states, **(job or {})), **facts)


@pytest.mark.parametrize(
    ("member", "plan"),
    [
        (Leftover(None), (FAILED, "canonical_job_missing")),
        (left(hidden=True), (NO, "job_not_actionable")),
        (left(active_state="expired"), (NO, "posting_not_actionable")),
        (left(active_state="location_incompatible"), (NO, "posting_not_actionable")),
        (left(under_way=True), (NO, "preparation_already_accounted")),
        (left(*DONE), (NO, "preparation_already_accounted")),
        (left(job={"has_text": False, "score": None}), (NO, "posting_text_missing")),
        (left(S.SUCCEEDED, S.SUCCEEDED, S.BLOCKED, job={"score": BLOCKED}), (NO, "score_eligibility_blocked")),
        (left(S.SUCCEEDED, S.SUCCEEDED, S.SKIPPED, job={"score": LOW}), (NO, "score_below_threshold")),
        (left(S.SUCCEEDED, S.SUCCEEDED, S.CANCELED), (NO, "preparation_explicitly_skipped")),
        (left(S.SUCCEEDED, S.EXHAUSTED, job={"score": None}), (NO, "stage_attempts_exhausted")),
        (left(S.SUCCEEDED, job={"score": None}), (FAILED, "preparation_target_not_selected")),
    ],
)
def test_what_stands_in_the_way_is_said(member: Leftover, plan: tuple[PlanState, str]) -> None:
    assert why_unplanned(member, Asked(), min_score=3) == plan


@pytest.mark.parametrize(
    ("asked", "reason"),
    [(Asked(prepare=False), "preparation_not_asked_for"), (Asked(has_profile=False), "profile_missing")],
)
def test_what_was_not_asked_for_is_no_failure(asked: Asked, reason: str) -> None:
    assert why_unplanned(left(S.SUCCEEDED, job={"score": None}), asked, min_score=3) == (NO, reason)


def test_an_old_score_of_a_changed_text_decides_nothing() -> None:
    changed = left(S.SUCCEEDED, job={"score": LOW, "score_is_current": False})

    assert why_unplanned(changed, Asked(), min_score=3) == (FAILED, "preparation_target_not_selected")
