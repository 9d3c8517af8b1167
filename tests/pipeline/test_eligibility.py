"""Whether a stage of a job may be run when somebody asks, and the reason when it may not."""

from __future__ import annotations

from typing import Any

import pytest

from jobctrl.pipeline.eligibility import PREPARATION, WORDS, Known, why_not
from jobctrl.pipeline.rules import Judged, Standing
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.stages.model import Stage, StageState

ENRICH, SCORE, TAILOR, COVER = PREPARATION
GOOD = Judged(8, EligibilityStatus.ELIGIBLE)
S = StageState


def known(*states: StageState, attempts: int = 0, **changes: Any) -> Known:
    """A job whose stages stand so, in their order; the rest wait."""
    given = [*states, *[S.PENDING] * (4 - len(states))]
    facts: dict[str, Any] = {"has_text": True, "score": GOOD, "score_is_current": True, "has_resume": True, **changes}
    return Known(
        stages={stage: Standing(state) for stage, state in zip(PREPARATION, given, strict=True)},
        attempts=dict.fromkeys(PREPARATION, attempts),
        **facts,
    )


@pytest.mark.parametrize(
    ("stages", "job", "reason"),
    [
        ([ENRICH], known(), ""),
        ([SCORE], known(S.SUCCEEDED), ""),
        ([TAILOR], known(S.SUCCEEDED, S.SUCCEEDED), ""),
        ([COVER], known(S.SUCCEEDED, S.SUCCEEDED, S.SUCCEEDED), ""),
        ([ENRICH], known(S.SUCCEEDED), "already_enriched"),
        ([SCORE], known(S.SUCCEEDED, S.SUCCEEDED), "already_scored"),
        ([SCORE, TAILOR], known(S.SUCCEEDED, S.SUCCEEDED), ""),
        ([SCORE, TAILOR], known(S.SUCCEEDED, S.SUCCEEDED, S.SUCCEEDED), "already_tailored"),
        ([COVER], known(S.SUCCEEDED, S.SUCCEEDED, S.SUCCEEDED, S.SUCCEEDED), "already_covered"),
        ([SCORE], known(S.RUNNING), "upstream_stage_active"),
        ([TAILOR], known(S.SUCCEEDED, S.QUEUED), "upstream_stage_active"),
        ([SCORE], known(S.SUCCEEDED, S.EXHAUSTED), "stage_attempts_exhausted"),
        ([SCORE], known(S.SUCCEEDED, S.PENDING, attempts=3), "stage_attempts_exhausted"),
        ([SCORE], known(S.SUCCEEDED, S.FAILED), "stage_not_pending"),
        ([SCORE], known(S.SUCCEEDED, S.RUNNING), "stage_not_pending"),
        ([TAILOR], known(S.SUCCEEDED, S.SUCCEEDED, S.SKIPPED), "stage_not_pending"),
        ([SCORE], known(S.FAILED, has_text=False), "missing_description"),
        ([TAILOR], known(S.SUCCEEDED, score=None), "missing_score"),
        ([TAILOR], known(score=Judged(9, EligibilityStatus.BLOCKED)), "score_blocks_downstream"),
        ([TAILOR], known(score=Judged(2, EligibilityStatus.ELIGIBLE)), "score_below_threshold"),
        ([TAILOR], known(score_is_current=False), "score_not_current"),
        ([COVER], known(has_resume=False), "missing_resume"),
    ],
)
def test_the_first_stage_that_is_not_done_decides(stages: list[Stage], job: Known, reason: str) -> None:
    assert why_not(stages, job, min_score=1) == reason
    assert not reason or WORDS[reason]


@pytest.mark.parametrize(
    ("job", "reason"),
    [(known(S.SUCCEEDED, S.SUCCEEDED), ""), (known(S.SUCCEEDED, S.SUCCEEDED, has_text=False), "missing_description")],
)
def test_what_is_done_can_be_asked_for_again(job: Known, reason: str) -> None:
    assert why_not([SCORE], job, min_score=1, again=frozenset({SCORE})) == reason
