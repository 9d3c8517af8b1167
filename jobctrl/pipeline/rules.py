"""How one stage's end moves the stages after it. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jobctrl.scoring.model import EligibilityStatus, ScoringPolicy
from jobctrl.scoring.rules import Gate, gate
from jobctrl.stages.model import Stage, StageState

AFTER_SCORE = (Stage.TAILOR, Stage.COVER, Stage.APPLY)
_LOTS = b"exploration-v1"
"""Another key would draw other jobs."""


def materials_threshold(min_score: int) -> int:
    """The score from which materials are prepared: never below the floor, however low the threshold is set."""
    return max(ScoringPolicy.material_floor, min_score)


@dataclass(frozen=True)
class Standing:
    """A stage's state and the code that explains it."""

    state: StageState = StageState.PENDING
    code: str | None = None
    retryable: bool = True


@dataclass(frozen=True)
class Judged:
    """The current score, as far as the later stages depend on it."""

    fit_score: int
    eligibility: EligibilityStatus


@dataclass(frozen=True)
class Move:
    stage: Stage
    to: StageState
    code: str
    by: tuple[Stage, ...] = ()


def explores(job_id: str, score: Judged, *, min_score: int, share: float) -> bool:
    """Whether a job that only its score holds back is one of the *share* that is prepared all the same.

    The same job gets the same answer every time, and a larger share keeps whom a smaller one had chosen.
    """
    held = score.eligibility is not EligibilityStatus.BLOCKED and score.fit_score < materials_threshold(min_score)
    return held and lot(job_id) < share


def lot(job_id: str) -> float:
    """A number from 0 up to 1 that says nothing about the job but stays with it."""
    drawn = hashlib.blake2b(job_id.encode(), digest_size=8, key=_LOTS).digest()
    return int.from_bytes(drawn, "big") / 2**64


def moves(
    stages: Mapping[Stage, Standing], score: Judged | None, *, min_score: int, explored: bool = False
) -> Iterator[Move]:
    """What the later stages must become, given the score and the tailoring as they stand; *explored* jobs need no
    score to be prepared."""
    if score is None or stages[Stage.SCORE].state is not StageState.SUCCEEDED:
        return
    decision = gate(score.fit_score, score.eligibility, ScoringPolicy(min_fit_score=min_score))
    if decision.gate is Gate.BLOCK:
        for stage in AFTER_SCORE:
            if _may_block(stages[stage]):
                yield Move(stage, StageState.BLOCKED, "SCORE_ELIGIBILITY_BLOCKED", (Stage.SCORE,))
        return
    if not decision.bulk_materials and not explored:
        for stage in AFTER_SCORE:
            if _may_skip(stages[stage]):
                yield Move(stage, StageState.SKIPPED, "MIN_SCORE")
        return
    if _held_by_score(stages[Stage.TAILOR]):
        yield Move(Stage.TAILOR, StageState.PENDING, "score_allows")
    yield from _after_tailor(stages)


def _after_tailor(stages: Mapping[Stage, Standing]) -> Iterator[Move]:
    tailor = stages[Stage.TAILOR]
    for stage in (Stage.COVER, Stage.APPLY):
        standing = stages[stage]
        upstream = (standing.code or "").startswith("UPSTREAM_") or standing.code == "BLOCKED"
        waits = standing.state is StageState.PENDING or (standing.state is StageState.BLOCKED and upstream)
        if tailor.state is StageState.SUCCEEDED:
            if standing.state is StageState.BLOCKED and (upstream or _held_by_score(standing)):
                yield Move(stage, StageState.PENDING, "tailor_succeeded")
            elif standing.state is StageState.SKIPPED and standing.code == "MIN_SCORE":
                yield Move(stage, StageState.PENDING, "score_allows")
        elif tailor.state in (StageState.FAILED, StageState.EXHAUSTED) and waits:
            code = f"UPSTREAM_TAILOR_{tailor.state.value.upper()}"
            if standing.code != code:
                yield Move(stage, StageState.BLOCKED, code, (Stage.TAILOR,))
        elif _held_by_score(standing):
            yield Move(stage, StageState.PENDING, "score_allows")


def _held_by_score(standing: Standing) -> bool:
    return (standing.state is StageState.SKIPPED and standing.code == "MIN_SCORE") or (
        standing.state is StageState.BLOCKED and standing.code == "SCORE_ELIGIBILITY_BLOCKED"
    )


def _may_block(standing: Standing) -> bool:
    if standing.state is StageState.BLOCKED:
        return standing.code != "SCORE_ELIGIBILITY_BLOCKED"
    return standing.state in (StageState.PENDING, StageState.FAILED) or (
        standing.state is StageState.SKIPPED and standing.code == "MIN_SCORE"
    )


def _may_skip(standing: Standing) -> bool:
    code = standing.code or ""
    held = code in ("BLOCKED", "SCORE_ELIGIBILITY_BLOCKED") or code.startswith("UPSTREAM_")
    return standing.state is StageState.PENDING or (standing.state is StageState.BLOCKED and held)
