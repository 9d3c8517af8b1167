"""How far a reading can be trusted, and whether it has to wait for a person."""

from __future__ import annotations

from jobctrl.enrichment.model import ActiveState, Confidence, ExtractionTier, Openness, Quarantine

JSON_LD_MIN = 50
DOM_MIN = 100
GOOD = 200
CSS_HIGH = 400


def usable(tier: ExtractionTier, characters: int) -> bool:
    """Whether a description of this length ends the cascade."""
    return characters >= (JSON_LD_MIN if tier is ExtractionTier.JSON_LD else DOM_MIN)


def confidence(tier: ExtractionTier | None, characters: int, *, has_apply_url: bool) -> Confidence:
    """How sure a description of this tier and length is."""
    match tier:
        case ExtractionTier.JSON_LD if characters >= GOOD:
            return Confidence.HIGH if has_apply_url else Confidence.MEDIUM
        case ExtractionTier.CSS_SELECTORS if characters >= GOOD:
            return Confidence.HIGH if has_apply_url and characters >= CSS_HIGH else Confidence.MEDIUM
        case ExtractionTier.LLM_ASSISTED if characters >= CSS_HIGH:
            return Confidence.MEDIUM
        case ExtractionTier.ATS_API if characters >= GOOD:
            return Confidence.MEDIUM
        case _:
            return Confidence.LOW


def quarantine(state: ActiveState, sure: Confidence, characters: int) -> Quarantine:
    """Why the reading waits for a person; a missing apply link never is the reason."""
    if state.openness is Openness.CLOSED:
        return Quarantine.POSTING_INACTIVE
    if state is ActiveState.UNKNOWN:
        return Quarantine.UNKNOWN_ACTIVE_STATE
    if sure is Confidence.LOW:
        return Quarantine.SHORT_DESCRIPTION if 0 < characters < DOM_MIN else Quarantine.LOW_CONFIDENCE_EXTRACTION
    return Quarantine.NONE
