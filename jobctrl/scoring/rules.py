"""How a score is decided, and what follows from it. Pure: nothing here reads a clock, a store or a model."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from jobctrl.errors import InvalidRequest
from jobctrl.ids import digest_of
from jobctrl.scoring.model import (
    Confidence,
    CorrectionAnchor,
    Dimensions,
    EligibilityStatus,
    Fit,
    FitBand,
    FitLedger,
    PostingAnalysis,
    Requirement,
    RequirementFit,
    ScoringPolicy,
    Strength,
    Tier,
)

RUBRIC_VERSION = "default-scoring-rubric-v1"
MUST_HAVE_FACTOR = 1.25
HIGH_WEIGHT = 0.75
BLOCKED_CAP = 4
LONGEST_REASON = 500
LOW, HIGH = 1, 10

_VALUES = {(Fit.MATCHED, Strength.DIRECT): 1.0, (Fit.MATCHED, Strength.STRONG): 0.85}
_TRANSFERABLE = 0.6
_BANDS = ((9, FitBand.EXCELLENT), (7, FitBand.STRONG), (5, FitBand.PLAUSIBLE), (3, FitBand.STRETCH))
_RUBRIC = (0.45, 0.30, 0.25)


def row(
    requirement: Requirement,
    fit: Fit,
    strength: Strength | None = None,
    evidence_ids: Sequence[str] = (),
    rationale: str = "",
) -> RequirementFit:
    """One requirement's row: the points it could bring and those it does, each rounded to four places."""
    if fit is Fit.MATCHED:
        strength = strength or Strength.STRONG
        value = _VALUES[fit, strength]
    else:
        strength = None
        value = _TRANSFERABLE if fit is Fit.TRANSFERABLE else 0.0
    most = round(requirement.weight * (MUST_HAVE_FACTOR if requirement.tier is Tier.MUST_HAVE else 1.0), 4)
    return RequirementFit(
        requirement_id=requirement.id,
        fit=fit,
        strength=strength,
        evidence_ids=tuple(evidence_ids),
        max_points=most,
        awarded=round(most * value, 4),
        weight=requirement.weight,
        tier=requirement.tier,
        rationale=rationale,
    )


def fit_ledger(items: Sequence[RequirementFit]) -> FitLedger:
    """The ledger `requirement-fit-v1`: points are rounded row by row and then summed, and one blocked row caps all."""
    weighted = _share(items)
    score = min(HIGH, max(LOW, 1 + math.floor(9 * weighted + 0.5)))
    if any(i.fit is Fit.BLOCKED for i in items):
        score = min(score, BLOCKED_CAP)
    return FitLedger(
        items=tuple(items),
        weighted_fit=weighted,
        must_have_coverage=_share([i for i in items if i.tier is Tier.MUST_HAVE]),
        score=score,
        band=band(score),
        missing_high_weight_count=sum(i.fit in (Fit.MISSING, Fit.BLOCKED) and i.weight >= HIGH_WEIGHT for i in items),
    )


def rubric_score(dimensions: Dimensions) -> int:
    """The fallback when there is no ledger: the three dimensions by weight, halves rounded up."""
    total = sum(share * value for share, value in zip(_RUBRIC, dimensions, strict=True))
    return min(HIGH, max(LOW, math.floor(round(total, 6) + 0.5)))


def band(score: int) -> FitBand:
    return next((name for least, name in _BANDS if score >= least), FitBand.POOR)


def confidence(items: Sequence[RequirementFit], proposed: Confidence) -> Confidence:
    """No more than the rows allow: few rows, or many that nobody could assess, are little to go by."""
    assessed = sum(i.fit is not Fit.NOT_ASSESSED for i in items)
    order = (Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH)
    allowed = 0 if assessed < 3 else 1 if assessed < 6 or assessed < 0.6 * len(items) else 2
    return order[min(allowed, order.index(proposed))]


class Gate(StrEnum):
    """What a score means for the stages after it."""

    PROCEED = "proceed"
    SKIP = "skip"
    BLOCK = "block"


@dataclass(frozen=True)
class GateDecision:
    gate: Gate
    reason: str | None = None
    """SCORE_ELIGIBILITY_BLOCKED or MIN_SCORE."""
    bulk_materials: bool = False
    """Whether the bulk queues for materials may take the job."""


def gate(score: int, status: EligibilityStatus, policy: ScoringPolicy) -> GateDecision:
    """A hard blocker blocks, a low score skips; materials in bulk need the floor as well."""
    if status is EligibilityStatus.BLOCKED:
        return GateDecision(Gate.BLOCK, "SCORE_ELIGIBILITY_BLOCKED")
    if score < policy.min_fit_score:
        return GateDecision(Gate.SKIP, "MIN_SCORE")
    return GateDecision(Gate.PROCEED, None, score >= max(policy.material_floor, policy.min_fit_score))


def check_correction(score: int, reason: str) -> str:
    """The reason, trimmed. Raises InvalidRequest when it is missing or too long, or the score is off the scale."""
    words = reason.strip()
    if not words:
        raise InvalidRequest(
            "A correction needs its reason.", hint="Say in a sentence why the score should be another."
        )
    if len(words) > LONGEST_REASON:
        raise InvalidRequest(f"The reason has {len(words)} characters; {LONGEST_REASON} is the most.")
    if not LOW <= score <= HIGH:
        raise InvalidRequest(f"A score is between {LOW} and {HIGH}, not {score}.")
    return words


def anchor(original: int, corrected: int, *, must_have_coverage: float, analysis: PostingAnalysis) -> CorrectionAnchor:
    """What a person's correction says about scores like it, without the reason and without the posting."""
    features = {
        "original": original,
        "corrected": corrected,
        "coverage": must_have_coverage,
        "seniority": analysis.inferred_seniority,
        "language": analysis.language,
        "inputs": analysis.inputs_hash,
    }
    return CorrectionAnchor(
        id=f"correction-anchor-{digest_of(features)[:12]}",
        original_score=original,
        corrected_score=corrected,
        band=band(corrected),
        must_have_coverage=must_have_coverage,
        seniority=analysis.inferred_seniority,
        language=analysis.language,
    )


def next_policy(
    policy: ScoringPolicy,
    *,
    learned: CorrectionAnchor | None = None,
    forgotten: Collection[CorrectionAnchor] = (),
    min_fit_score: int | None = None,
) -> ScoringPolicy:
    """The policy one version on, with what was learned, without what is forgotten, or with another threshold."""
    kept = tuple(each for each in policy.anchors if each not in forgotten)
    return replace(
        policy,
        version=policy.version + 1,
        anchors=(*kept, learned) if learned else kept,
        min_fit_score=policy.min_fit_score if min_fit_score is None else min_fit_score,
    )


def _share(items: Sequence[RequirementFit]) -> float:
    most = sum(i.max_points for i in items)
    return sum(i.awarded for i in items) / most if most else 0.0
