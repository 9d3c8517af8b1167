from __future__ import annotations

import pytest

from jobctrl.enrichment.model import ActiveState, Confidence, ExtractionTier, Quarantine
from jobctrl.enrichment.rules import confidence, quarantine, usable

LD, CSS, LLM, ATS = (
    ExtractionTier.JSON_LD,
    ExtractionTier.CSS_SELECTORS,
    ExtractionTier.LLM_ASSISTED,
    ExtractionTier.ATS_API,
)


@pytest.mark.parametrize(
    ("tier", "characters", "apply", "want"),
    [
        (LD, 200, True, Confidence.HIGH),
        (LD, 200, False, Confidence.MEDIUM),
        (LD, 199, True, Confidence.LOW),
        (CSS, 400, True, Confidence.HIGH),
        (CSS, 400, False, Confidence.MEDIUM),
        (CSS, 399, True, Confidence.MEDIUM),
        (CSS, 199, True, Confidence.LOW),
        (LLM, 4000, True, Confidence.MEDIUM),
        (LLM, 399, True, Confidence.LOW),
        (ATS, 200, True, Confidence.MEDIUM),
        (ATS, 199, True, Confidence.LOW),
        (None, 0, False, Confidence.LOW),
    ],
)
def test_confidence_follows_tier_length_and_apply_link(tier, characters, apply, want):
    assert confidence(tier, characters, has_apply_url=apply) is want


@pytest.mark.parametrize(
    ("state", "sure", "characters", "want"),
    [
        (ActiveState.ACTIVE, Confidence.HIGH, 900, Quarantine.NONE),
        (ActiveState.ACTIVE, Confidence.MEDIUM, 900, Quarantine.NONE),
        (ActiveState.ACTIVE, Confidence.LOW, 150, Quarantine.LOW_CONFIDENCE_EXTRACTION),
        (ActiveState.ACTIVE, Confidence.LOW, 60, Quarantine.SHORT_DESCRIPTION),
        (ActiveState.UNKNOWN, Confidence.HIGH, 900, Quarantine.UNKNOWN_ACTIVE_STATE),
        (ActiveState.CLOSED, Confidence.HIGH, 900, Quarantine.POSTING_INACTIVE),
        (ActiveState.EXPIRED, Confidence.LOW, 0, Quarantine.POSTING_INACTIVE),
    ],
)
def test_a_reading_waits_when_its_state_is_unknown_or_its_text_is_thin(state, sure, characters, want):
    assert quarantine(state, sure, characters) is want


def test_json_ld_may_be_shorter_than_markup():
    assert [usable(LD, 50), usable(LD, 49), usable(CSS, 100), usable(CSS, 99)] == [True, False, True, False]
