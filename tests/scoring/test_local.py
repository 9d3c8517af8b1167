from __future__ import annotations

import json

import pytest

from jobctrl.scoring.local import Person, assess, judge
from jobctrl.scoring.model import Fit, Strength
from jobctrl.scoring.roles import families_of


@pytest.fixture
def person(index) -> Person:
    return Person(list(index.items), index.years)


@pytest.mark.parametrize(
    ("words", "fit", "strength"),
    [
        ("Experience with Python", Fit.MATCHED, Strength.DIRECT),
        ("Experience with Terraform", Fit.MATCHED, Strength.STRONG),
        ("Knowledge of Pulumi", Fit.TRANSFERABLE, None),
        ("Experience with MySQL", Fit.TRANSFERABLE, None),
        ("Experience with Figma", Fit.MISSING, None),
        ("Python, Figma, Photoshop and accounting", Fit.MISSING, None),
        ("One of Python, Figma or Photoshop", Fit.MATCHED, Strength.DIRECT),
        ("5+ years of experience", Fit.MATCHED, Strength.DIRECT),
        ("12+ years of experience", Fit.TRANSFERABLE, None),
        ("20+ years of experience", Fit.MISSING, None),
        ("6+ years of Snowflake", Fit.TRANSFERABLE, None),
        ("4+ years of Airflow", Fit.MATCHED, Strength.DIRECT),
        ("10+ years of Snowflake", Fit.MISSING, None),
        ("Bachelor's degree in Computer Science", Fit.MATCHED, Strength.DIRECT),
        ("Master's degree", Fit.TRANSFERABLE, None),
        ("PhD or equivalent experience", Fit.MATCHED, Strength.STRONG),
        ("Excellent attention to detail", Fit.NOT_ASSESSED, None),
        ("Experience keeping zeppelins afloat over water", Fit.MISSING, None),
        ("Kafka in production", Fit.MISSING, None),  # its bullet is not confirmed
    ],
)
def test_how_a_person_meets_a_requirement(words, fit, strength, person):
    verdict = judge(words, person)

    assert (verdict.fit, verdict.strength) == (fit, strength)
    assert bool(verdict.evidence) is (fit in (Fit.MATCHED, Fit.TRANSFERABLE))


@pytest.mark.parametrize(
    ("title", "fit", "strength"),
    [
        ("Senior Data Engineer", Fit.MATCHED, Strength.DIRECT),
        ("Software Engineer", Fit.MATCHED, Strength.STRONG),
        ("Data Scientist", Fit.TRANSFERABLE, None),
        ("Data Engineering Intern / Data Engineer", Fit.TRANSFERABLE, None),
        ("Registered Nurse", Fit.MISSING, None),
    ],
)
def test_the_kind_of_work_is_met_by_jobs_held(title, fit, strength, person):
    verdict = judge(title, person, is_role=True)

    assert (verdict.fit, verdict.strength) == (fit, strength)


@pytest.mark.parametrize(
    ("title", "fit"),
    [("Data Engineer", Fit.MATCHED), ("Registered Nurse", Fit.MISSING), ("Chief Happiness Wizard", Fit.MATCHED)],
)
def test_years_of_another_trade_are_not_counted(title, fit, person):
    assert judge("At least five years of relevant experience", person, kinds=families_of(title)).fit is fit


def test_evidence_ids_are_those_of_the_items_that_show_it(person):
    assert "bullet:b1" in judge("Airflow", person).evidence
    assert judge("Terraform", person).evidence == ("skills:s1",)


def test_an_assessment_has_a_row_for_each_requirement_and_says_whose_it_is(index):
    asked = [
        {"id": "r1", "text": "x", "words": "Data Engineer", "tier": "must_have", "is_role": True},
        {"id": "r2", "text": "x", "words": "Python", "tier": "must_have", "is_role": False},
    ]

    answer = assess(
        {
            "requirements": json.dumps(asked),
            "evidence": index.evidence_json(""),
            "person": index.person_json,
            "job_id": "j7",
        }
    )

    assert answer.job_id == "j7"
    assert [r.requirement_id for r in answer.rows] == ["r1", "r2"]
    assert (answer.role_fit, answer.technical_fit) == (10, 10)


def test_the_same_question_has_the_same_answer(index):
    inputs = {"requirements": "[]", "evidence": index.evidence_json(""), "person": index.person_json, "job_id": "j"}

    assert assess(inputs) == assess(inputs)
