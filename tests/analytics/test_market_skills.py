"""Planted needs and gaps are recovered, and a gap's cost is what the ledger itself would say."""

from __future__ import annotations

import pytest

from jobctrl.analytics.market_skills import crossing, gaps, wanted
from jobctrl.scoring.model import Fit, Tier
from tests.analytics.conftest import asked
from tests.analytics.ledgers import Asked, ledger_of, score_by

PYTHON = Asked("You know Python.", ("Python",))
KAFKA = Asked("You have run Kafka.", ("Kafka",), Fit.MISSING)
SPARK = Asked("Spark is a plus.", ("Spark",), Fit.TRANSFERABLE, 0.5, Tier.NICE_TO_HAVE)


def test_what_jobs_that_fit_ask_for_is_counted_over_those_alone(search):
    for number in range(8):
        score_by(search, search.find(f"j{number}"), [PYTHON] * 3 + ([SPARK] if number < 2 else []))
    score_by(search, search.find("poor"), [KAFKA, KAFKA, PYTHON])

    rows = {row["skill"]: row for row in wanted(asked(search), min_score=7).iter_rows(named=True)}

    assert set(rows) == {"Python", "Spark"}
    python, spark = rows["Python"], rows["Spark"]
    assert (python["jobs"], python["n"], python["rate"], python["must_have"], python["met"]) == (8, 8, 1.0, 8, 8)
    assert (spark["jobs"], spark["n"], spark["must_have"], spark["partly"]) == (2, 8, 0, 2)
    assert spark["low"] < spark["rate"] == 0.25 < spark["high"]


def test_requirements_are_told_together_by_their_words(search):
    for number in range(3):
        score_by(search, search.find(f"j{number}"), [replace_words(PYTHON, " YOU know Python. "), PYTHON, PYTHON])

    rows = wanted(asked(search), min_score=1, of="requirement").rows(named=True)

    assert [(row["requirement"], row["jobs"]) for row in rows] == [("you know python.", 3)]


def replace_words(each: Asked, words: str) -> Asked:
    return each._replace(words=words)


@pytest.mark.parametrize("missing_weight", [0.2, 0.55, 0.8, 1.0])
def test_a_gap_costs_what_the_ledger_says_and_lifts_a_job_as_the_ledger_would(search, missing_weight):
    lines = [PYTHON, PYTHON, KAFKA._replace(weight=missing_weight), SPARK]
    job = search.find("a")
    score = score_by(search, job, lines)
    met = ledger_of([PYTHON, PYTHON, KAFKA._replace(weight=missing_weight, fit=Fit.MATCHED), SPARK]).score

    row = next(row for row in gaps(asked(search), min_score=10).iter_rows(named=True) if row["skill"] == "Kafka")
    of_all = sum(item.max_points for item in ledger_of(lines).items)

    assert row["score_lost"] == pytest.approx(9 * 1.25 * missing_weight / of_all)
    assert (row["n"], row["missing"], row["partly"], row["losing"]) == (1, 1, 0, 1)
    db = asked(search)
    for least in range(1, 11):
        found = crossing(db, lacking="Kafka", min_score=least).select("job_id", "score", "would_be").rows()
        assert found == ([(job, score, met)] if score < least <= met else [])


def test_the_dearest_gap_over_all_jobs_comes_first_with_its_interval(search):
    for number in range(10):
        lines = [PYTHON, PYTHON, KAFKA._replace(weight=0.5 + 0.05 * number)]
        score_by(search, search.find(f"k{number}"), lines)
    score_by(search, search.find("s"), [PYTHON, SPARK._replace(fit=Fit.MISSING, weight=1.0)])

    dearest = gaps(asked(search)).row(0, named=True)

    assert (dearest["skill"], dearest["n"], dearest["missing"]) == ("Kafka", 10, 10)
    assert dearest["mean_low"] < dearest["mean_lost"] < dearest["mean_high"]
    assert gaps(asked(search))["mean_low"].to_list()[1] is None


def test_a_skill_that_is_met_elsewhere_still_counts_as_asked(search):
    score_by(search, search.find("a"), [PYTHON, KAFKA])
    score_by(search, search.find("b"), [PYTHON, KAFKA._replace(fit=Fit.MATCHED)])

    row = gaps(asked(search)).row(0, named=True)

    assert (row["skill"], row["n"], row["missing"], row["rate"]) == ("Kafka", 2, 1, 0.5)


def test_a_blocked_job_crosses_nothing(search):
    score_by(search, search.find("a"), [PYTHON, PYTHON, KAFKA], eligibility="blocked")

    row = gaps(asked(search), min_score=8).row(0, named=True)

    assert (row["losing"], row["below"], row["would_cross"]) == (1, 0, 0)


def test_a_person_s_correction_takes_the_place_of_the_ledger(search):
    job = search.find("a")
    score = score_by(search, job, [PYTHON, KAFKA])
    score_by(search, job, [PYTHON, KAFKA], version=2, corrected_from=score, formula_version="person")

    assert gaps(asked(search)).is_empty()


def test_only_the_newest_reading_of_a_job_counts(search):
    job = search.find("a")
    score_by(search, job, [PYTHON, KAFKA])
    score_by(search, job, [PYTHON, PYTHON], version=2)
    db = asked(search)

    assert gaps(db).is_empty()
    assert wanted(db, min_score=1)["skill"].to_list() == ["Python"]


def test_without_ledgers_every_answer_is_empty(search):
    search.score(search.find("a"), 8)
    db = asked(search)

    for answer in (wanted(db), gaps(db), crossing(db, lacking="Python")):
        assert answer.is_empty()
