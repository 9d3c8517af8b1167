from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.errors import InvalidRequest
from jobctrl.postings.model import Span
from jobctrl.scoring.model import (
    Confidence,
    Dimensions,
    EligibilityStatus,
    Fit,
    FitBand,
    PostingAnalysis,
    Requirement,
    ScoringPolicy,
    Strength,
    Tier,
)
from jobctrl.scoring.rules import (
    Gate,
    anchor,
    band,
    check_correction,
    confidence,
    fit_ledger,
    gate,
    next_policy,
    row,
    rubric_score,
)


def need(weight: float = 1.0, tier: Tier = Tier.MUST_HAVE, name: str = "r1") -> Requirement:
    return Requirement(name, "x", tier, weight, Span(0, 1, "x"))


@pytest.mark.parametrize(
    ("fit", "strength", "tier", "weight", "most", "awarded"),
    [
        (Fit.MATCHED, Strength.DIRECT, Tier.MUST_HAVE, 0.8, 1.0, 1.0),
        (Fit.MATCHED, Strength.STRONG, Tier.MUST_HAVE, 0.8, 1.0, 0.85),
        (Fit.MATCHED, None, Tier.NICE_TO_HAVE, 0.8, 0.8, 0.68),
        (Fit.TRANSFERABLE, Strength.DIRECT, Tier.MUST_HAVE, 0.8, 1.0, 0.6),
        (Fit.MISSING, None, Tier.MUST_HAVE, 0.8, 1.0, 0.0),
        (Fit.BLOCKED, None, Tier.MUST_HAVE, 0.8, 1.0, 0.0),
        (Fit.NOT_ASSESSED, None, Tier.NICE_TO_HAVE, 0.3, 0.3, 0.0),
        (Fit.MATCHED, Strength.STRONG, Tier.MUST_HAVE, 0.33333, 0.4167, 0.3542),
    ],
)
def test_a_row_brings_its_points_rounded_to_four_places(fit, strength, tier, weight, most, awarded):
    made = row(need(weight, tier), fit, strength, ["bullet:b1"])

    assert (made.max_points, made.awarded) == (most, awarded)


@pytest.mark.parametrize(
    ("fits", "score"),
    [
        ([(Fit.MATCHED, Strength.DIRECT)], 10),
        ([(Fit.MATCHED, Strength.STRONG)], 9),
        ([(Fit.TRANSFERABLE, None)], 6),
        ([(Fit.MISSING, None)], 1),
        ([(Fit.MATCHED, Strength.DIRECT), (Fit.MISSING, None)], 6),  # 1 + floor(4.5 + 0.5)
        ([(Fit.MATCHED, Strength.DIRECT)] * 9 + [(Fit.BLOCKED, None)], 4),
        ([(Fit.BLOCKED, None)], 1),
        ([], 1),
    ],
)
def test_the_score_follows_from_the_rows_and_a_blocked_row_caps_it(fits, score):
    assert fit_ledger([row(need(), fit, strength) for fit, strength in fits]).score == score


def test_a_must_have_counts_a_quarter_more():
    ledger = fit_ledger([row(need(1.0), Fit.MATCHED, Strength.DIRECT), row(need(1.0, Tier.NICE_TO_HAVE), Fit.MISSING)])

    assert ledger.weighted_fit == 1.25 / 2.25
    assert ledger.must_have_coverage == 1.0


def test_missing_and_blocked_rows_of_high_weight_are_counted():
    rows = [
        row(need(0.75), Fit.MISSING),
        row(need(0.9), Fit.BLOCKED),
        row(need(0.74), Fit.MISSING),
        row(need(1.0), Fit.NOT_ASSESSED),
    ]

    assert fit_ledger(rows).missing_high_weight_count == 2


@given(
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from(list(Tier)),
            st.sampled_from(list(Fit)),
            st.sampled_from([None, *Strength]),
        ),
        max_size=30,
    )
)
def test_any_ledger_stays_in_its_bounds(entries):
    ledger = fit_ledger([row(need(w, t), f, s) for w, t, f, s in entries])

    assert 1 <= ledger.score <= 10
    assert 0 <= ledger.weighted_fit <= 1
    assert ledger.band is band(ledger.score)
    if any(f is Fit.BLOCKED for _, _, f, _ in entries):
        assert ledger.score <= 4


@pytest.mark.parametrize(
    ("score", "name"),
    [(10, "excellent"), (9, "excellent"), (8, "strong"), (7, "strong"), (6, "plausible"), (5, "plausible"),
     (4, "stretch"), (3, "stretch"), (2, "poor"), (1, "poor")],
)  # fmt: skip
def test_bands(score, name):
    assert band(score) is FitBand(name)


@pytest.mark.parametrize(
    ("dimensions", "score"),
    [((10, 10, 10), 10), ((0, 0, 0), 1), ((8, 6, 6), 7), ((5, 5, 5), 5), ((10, 0, 0), 5), ((7, 7, 5), 7)],
)
def test_the_rubric_weighs_the_dimensions_and_rounds_halves_up(dimensions, score):
    assert rubric_score(Dimensions(*dimensions)) == score


@pytest.mark.parametrize(
    ("score", "status", "expected"),
    [
        (9, EligibilityStatus.ELIGIBLE, (Gate.PROCEED, None, True)),
        (7, EligibilityStatus.WARNING, (Gate.PROCEED, None, True)),
        (6, EligibilityStatus.UNKNOWN, (Gate.SKIP, "MIN_SCORE", False)),
        (10, EligibilityStatus.BLOCKED, (Gate.BLOCK, "SCORE_ELIGIBILITY_BLOCKED", False)),
        (1, EligibilityStatus.BLOCKED, (Gate.BLOCK, "SCORE_ELIGIBILITY_BLOCKED", False)),
    ],
)
def test_what_a_score_means_for_the_stages_after_it(score, status, expected):
    decision = gate(score, status, ScoringPolicy())

    assert (decision.gate, decision.reason, decision.bulk_materials) == expected


def test_a_low_threshold_never_lets_weak_scores_into_bulk_materials():
    decision = gate(5, EligibilityStatus.ELIGIBLE, ScoringPolicy(min_fit_score=3))

    assert decision.gate is Gate.PROCEED
    assert not decision.bulk_materials


@pytest.mark.parametrize(("rows", "expected"), [(2, Confidence.LOW), (4, Confidence.MEDIUM), (8, Confidence.HIGH)])
def test_few_rows_give_little_confidence_whatever_the_model_says(rows, expected):
    assert confidence([row(need(), Fit.MATCHED)] * rows, Confidence.HIGH) is expected


ANALYSIS = PostingAnalysis((), (), None, "en", "", 1, "h")


def test_a_correction_keeps_its_reason_without_the_blanks_around_it():
    assert check_correction(4, " They want ten years of it. ") == "They want ten years of it."


@pytest.mark.parametrize(("score", "reason"), [(0, "x"), (11, "x"), (5, "  "), (5, "x" * 501)])
def test_a_correction_without_a_reason_or_off_the_scale_is_refused(score, reason):
    with pytest.raises(InvalidRequest):
        check_correction(score, reason)


def test_a_correction_teaches_the_next_policy():
    policy = next_policy(ScoringPolicy(), learned=anchor(8, 4, must_have_coverage=0.5, analysis=ANALYSIS))

    assert (policy.version, policy.id) == (2, "local:scoring-policy-v2")
    assert policy.anchors[0].id.startswith("correction-anchor-")
    assert (policy.anchors[0].band, policy.min_fit_score) == (FitBand.STRETCH, 7)


def test_another_threshold_makes_the_next_policy_and_keeps_what_was_learned():
    learned = anchor(8, 4, must_have_coverage=0.5, analysis=ANALYSIS)

    policy = next_policy(next_policy(ScoringPolicy(), learned=learned), min_fit_score=5)

    assert (policy.version, policy.min_fit_score, policy.anchors) == (3, 5, (learned,))
