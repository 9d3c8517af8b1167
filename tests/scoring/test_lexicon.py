from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.scoring.lexicon import implied, is_umbrella, known, mentions, related, skills


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Node.js/React, .NET and ASP.NET Core", ("Node.js", "React", ".NET", "ASP.NET")),
        ("C++, C# and C", ("C++", "C#", "C")),
        ("k8s on AWS with CI/CD", ("Kubernetes", "AWS", "CI/CD")),
        ("scikit-learn, A/B testing", ("scikit-learn", "A/B testing")),
        ("Postgres or MySQL.", ("PostgreSQL", "MySQL")),
        ("Expérience en apprentissage automatique", ("Machine learning",)),
        ("RESTful APIs", ("REST APIs",)),
        ("bookkeeping and payroll", ("Accounting", "Payroll")),
        ("ML models", ("Machine learning",)),
        ("nothing of the kind", ()),
    ],
)
def test_skills_are_found_under_any_spelling(text, expected):
    assert skills(text) == expected


@pytest.mark.parametrize(
    ("text", "skill", "meant"),
    [
        ("We write Go, Rust and Python", "Go", True),
        ("Services in Go", "Go", True),
        ("Go Developer", "Go", True),
        ("You will go far", "Go", False),
        ("Go to market fast. Python is used.", "Go", False),
        ("Spark or Ray for training data", "Spark", True),
        ("React Engineer", "React", True),
        ("React quickly to incidents", "React", False),
        ("Python, R, SQL", "R", True),
        ("R&D department", "R", False),
        ("C-level executives", "C", False),
        ("Series C company. We use AWS.", "C", False),
        ("Java, Spring, Hibernate", "Spring", True),
        ("Spring 2026 internship", "Spring", False),
        ("the ai of it", "Artificial intelligence", False),
    ],
)
def test_an_everyday_word_is_a_skill_only_in_company(text, skill, meant):
    assert (skill in skills(text)) is meant


def test_a_name_does_not_reach_over_a_comma_or_a_line():
    assert "Machine learning" not in skills("machine, learning")
    assert "Data pipelines" not in skills("data\npipeline")


def test_everything_that_is_implied_is_itself_known():
    dangling = [
        (name, other)
        for name in ("React", "Spring Boot", "Snowflake", "LangChain", "Azure DevOps", "Redux")
        for other in implied(name)
        if known(other) is None
    ]

    assert dangling == []


def test_knowing_one_thing_implies_what_it_is_built_on():
    assert {"Python", "Back-end development", "API design"} <= implied("Django")
    assert {"SQL", "Databases"} <= implied("PostgreSQL")


def test_only_members_of_an_exchangeable_group_carry_over():
    assert related("MySQL", ["PostgreSQL", "Figma"]) == ("PostgreSQL",)
    assert related("Django", ["Python"]) == ("Python",)
    assert related("Payroll", ["Accounting"]) == ()
    assert related("no such thing", ["Python"]) == ()


def test_a_wide_word_shows_nothing_alone():
    assert is_umbrella("Artificial intelligence")
    assert not is_umbrella("PyTorch")


@given(st.text(max_size=300))
def test_mentions_are_slices_in_order(text):
    found = mentions(text)

    assert all(0 <= m.start < m.end <= len(text) and known(m.term) for m in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
