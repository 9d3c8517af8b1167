from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta

import pytest

from jobctrl.scoring.retrieval import (
    EvidenceSearch,
    FieldWeightedBM25,
    Preselectable,
    preselect,
    profile_terms,
    recency,
    tokens_of,
    trust,
)
from tests.scoring.conftest import NOW, profile

DATA = Preselectable("data", "Data Engineer", "Requirements\n- Python, Airflow and Snowflake\n- dbt")
BAKER = Preselectable("baker", "Baker", "Requirements\n- Bread at night\n- Clean hands")
BACKEND = Preselectable("backend", "Backend Developer", "Requirements\n- Django and PostgreSQL")


def test_the_score_is_the_formula_over_weighted_fields():
    index = FieldWeightedBM25([{"a": ["x", "y"], "b": ["x"]}, {"a": ["z"], "b": []}], {"a": 4.0, "b": 1.0})

    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 5.0 * 2.2 / (5.0 + 1.2 * (0.25 + 0.75 * 3 / 2.0))
    assert index.get_scores(["x", "x"]).tolist() == pytest.approx([expected, 0.0])


def test_the_nearest_posting_comes_first_and_the_limit_holds():
    ranked = preselect(profile(), [BAKER, BACKEND, DATA], 2, now=NOW)

    assert [r.job_id for r in ranked] == ["data", "backend"]
    assert ranked[0].lexical == 1.0


def test_no_limit_ranks_all_of_them():
    assert len(preselect(profile(), [BAKER, BACKEND, DATA], 0, now=NOW)) == 3
    assert preselect(profile(), [], 5, now=NOW) == ()


def test_of_equals_the_newer_and_the_better_known_comes_first():
    old = replace(DATA, job_id="old", seen_at=NOW - timedelta(days=300))
    new = replace(DATA, job_id="new", seen_at=NOW)
    known = replace(DATA, job_id="known", seen_at=NOW, identity_confidence="verified")

    assert [r.job_id for r in preselect(profile(), [old, new, known], 0, now=NOW)] == ["known", "new", "old"]


def test_who_the_person_is_is_not_searched_with():
    assert not {"mira", "example"} & set(profile_terms(profile()))


@pytest.mark.parametrize(("days", "value"), [(0, 1.0), (30, 0.5), (90, 0.25), (-5, 1.0)])
def test_recency_halves_in_thirty_days(days, value):
    assert recency(NOW - timedelta(days=days), now=NOW) == value


def test_an_unknown_date_is_not_recent():
    assert recency(None, now=NOW) == 0.0


@pytest.mark.parametrize(
    ("confidence", "link", "value"),
    [
        ("verified", False, 1.0),
        ("HIGH", False, 1.0),
        ("probable", True, 0.65),
        ("low", True, 0.25),
        ("", True, 0.55),
        ("", False, 0.35),
    ],
)
def test_trust_follows_the_identity(confidence, link, value):
    assert trust(Preselectable("j", "t", "x", identity_confidence=confidence, has_link=link)) == value


def test_evidence_is_found_by_what_it_says():
    search = EvidenceSearch(["Built pipelines in Airflow", "Baked bread", ""])

    assert search.best(tokens_of("Experience with Airflow"), 5)[0][0] == 0
    assert search.best(tokens_of("zeppelins"), 5) == []
    assert search.coverage(tokens_of("bread"), 1) == 1.0
    assert EvidenceSearch(["", ""]).best(tokens_of("bread"), 5) == []
