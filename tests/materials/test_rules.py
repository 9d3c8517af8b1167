"""How words are found in texts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jobctrl.materials.model import CoverageState, Need, NeedCoverage, Tier
from jobctrl.materials.rules import (
    bullet_limit,
    content_words,
    disposition,
    matched_keywords,
    material_score,
    mentions,
    must_have_coverage,
)


@pytest.mark.parametrize(
    ("text", "keyword", "found"),
    [
        ("Wrote Java services", "Java", True),
        ("Wrote JavaScript", "Java", False),
        ("C++ and C", "C", True),
        ("C++ only", "C", False),
        ("C# only", "C#", True),
        (".NET services", ".NET", True),
        ("REST APIs", "REST API", True),
        ("a REST API", "REST APIs", True),
        ("class", "clas", False),
        ("Python.", "python", True),
        ("(Kafka)", "kafka", True),
        ("ﬁnance", "finance", True),
        ("don’t", "don't", True),
        ("anything", "", False),
        ("データ基盤 Kafka", "Kafka", True),
    ],
)
def test_a_keyword_is_found_as_a_word_of_its_own(text, keyword, found):
    assert mentions(text, keyword) is found


def test_a_need_without_keywords_is_met_by_most_of_its_words():
    need = Need("r", "Experience with event streaming platforms")

    assert matched_keywords(need, "Ran the event streaming platform of the bank") == ("event", "stream", "platform")
    assert matched_keywords(need, "Organised an event") == ()


def test_forms_of_a_word_are_one_word():
    assert matched_keywords(Need("r", "Mentoring engineers"), "Mentored four engineers")
    assert content_words("Kubernetes is boring and used") == ("kubernete", "boring", "used")


def test_stop_words_carry_no_meaning():
    assert content_words("Experience with the C++ and Java services is required") == ("c++", "java", "service")


def test_a_position_that_ended_long_ago_shows_fewer_bullets():
    now = datetime(2026, 3, 9, tzinfo=UTC)

    assert [bullet_limit(end, 4, now) for end in ("", "2024-01", "2016-05", "2015-12", "sometime")] == [4, 4, 4, 2, 4]


def coverage(state: CoverageState, weight: float = 1.0, tier: Tier = Tier.MUST_HAVE) -> NeedCoverage:
    return NeedCoverage("r", tier, weight, state)


def test_the_score_is_the_covered_share_of_the_weight():
    rows = [coverage(CoverageState.COVERED, 0.75), coverage(CoverageState.MISSING_FROM_PROFILE, 0.25)]

    assert (material_score(rows), must_have_coverage(rows)) == (8, 0.5)
    assert (material_score([]), must_have_coverage([])) == (1, 1.0)
    assert disposition(8, 0.5) == "accept_with_residual_gap"
    assert disposition(8, 0.85) == "passed"
