"""Whether a stage of one job may be run when somebody asks for it, and if not, why. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jobctrl.pipeline.rules import Judged, Standing, materials_threshold
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.stages.model import Stage, StageState
from jobctrl.stages.rules import attempts_left

PREPARATION = (Stage.ENRICH, Stage.SCORE, Stage.TAILOR, Stage.COVER)
_ALREADY = {
    Stage.ENRICH: "already_enriched",
    Stage.SCORE: "already_scored",
    Stage.TAILOR: "already_tailored",
    Stage.COVER: "already_covered",
}
WORDS = {
    "already_enriched": "its text is there already",
    "already_scored": "it is scored already; --rescore scores it again",
    "already_tailored": "its resume is there already; --retailor writes it again",
    "already_covered": "its letter is there already",
    "upstream_stage_active": "an earlier stage of it is under way",
    "stage_attempts_exhausted": "no attempt is left; `jobctrl retry STAGE JOB --run` gives them back",
    "stage_not_pending": "the stage does not wait; `jobctrl show JOB` says where it stands, `jobctrl retry` resets it",
    "missing_description": "its text is not there yet",
    "missing_score": "it has no score yet",
    "score_blocks_downstream": "its score found something that rules it out",
    "score_below_threshold": "its score is below the threshold",
    "score_not_current": "its text has changed since it was scored",
    "missing_resume": "it has no tailored resume yet",
}
"""Each reason, for a person."""


@dataclass(frozen=True)
class Known:
    """What is known of a job, as far as it decides whether a stage may run."""

    stages: Mapping[Stage, Standing]
    attempts: Mapping[Stage, int]
    has_text: bool
    score: Judged | None
    score_is_current: bool
    has_resume: bool
    explored: bool = False
    """Chance lets it through below the threshold."""


def why_not(stages: Sequence[Stage], known: Known, *, min_score: int, again: frozenset[Stage] = frozenset()) -> str:
    """Why none of *stages* can be run for the job now; empty when the first that is not done can. *again* redoes."""
    first = first_undone(stages, known, again=again)
    if first is None:
        return _ALREADY[stages[-1]]
    return _held(first, known, redone=first in again) or _lacks(first, known, materials_threshold(min_score))


def first_undone(stages: Sequence[Stage], known: Known, *, again: frozenset[Stage] = frozenset()) -> Stage | None:
    """The first of *stages* that is without its result, or is to be done *again*."""
    for stage in stages:
        if stage in again or known.stages[stage].state is not StageState.SUCCEEDED:
            return stage
    return None


def _held(stage: Stage, known: Known, *, redone: bool) -> str:
    """What in the stages themselves keeps *stage* from running."""
    earlier = PREPARATION[: PREPARATION.index(stage)]
    if any(known.stages[each].state in (StageState.QUEUED, StageState.RUNNING) for each in earlier):
        return "upstream_stage_active"
    state = known.stages[stage].state
    if redone and state is StageState.SUCCEEDED:
        return ""
    if state is StageState.EXHAUSTED or not attempts_left(stage, known.attempts[stage]):
        return "stage_attempts_exhausted"
    return "" if state is StageState.PENDING else "stage_not_pending"


def _lacks(stage: Stage, known: Known, threshold: int) -> str:
    """What *stage* needs and the job does not have."""
    if stage is Stage.ENRICH:
        return ""
    if not known.has_text:
        return "missing_description"
    if stage is Stage.SCORE:
        return ""
    if known.score is None:
        return "missing_score"
    if known.score.eligibility is EligibilityStatus.BLOCKED:
        return "score_blocks_downstream"
    if known.score.fit_score < threshold and not known.explored:
        return "score_below_threshold"
    if not known.score_is_current:
        return "score_not_current"
    return "missing_resume" if stage is Stage.COVER and not known.has_resume else ""
