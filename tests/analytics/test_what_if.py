"""A change is counted exactly: what only a source shows, what only a gate blocks, what only a threshold keeps out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from jobctrl.analytics.what_if import gates, threshold_curve, what_if
from jobctrl.scoring.model import Fit
from tests.analytics.conftest import asked
from tests.analytics.ledgers import Asked, score_by
from tests.analytics.searches import Search
from tests.analytics.test_calibration import TRUTH, plant

BOARDS = ("greenhouse:alder", "lever:birch", "ashby:cedar")


def found(search: Search, score: int, number: object, board: str = BOARDS[0], **says: object) -> str:
    job = search.find(f"w{number}", board)
    search.score(job, score, **says)
    return job


def scenario(search: Search, **changes: object) -> dict[str, object]:
    return what_if(asked(search), **changes).row(1, named=True)


def test_without_a_source_exactly_what_only_it_shows_is_missing(search):
    dice = np.random.default_rng(4)
    only_here = dict.fromkeys(BOARDS, 0)
    for number in range(60):
        shown = [board for board in BOARDS if dice.random() < 0.5] or [BOARDS[number % 3]]
        job = found(search, 8, number, shown[0])
        for board in shown[1:]:
            search.also_shown(job, f"w{number}-{board}", board)
        if len(shown) == 1:
            only_here[shown[0]] += 1

    for board, lost in only_here.items():
        row = scenario(search, sources_off=[board])
        assert (row["jobs"], row["n"], row["prepared"]) == (60 - lost, 60 - lost, 60 - lost)
    assert scenario(search, sources_off=BOARDS)["jobs"] == 0


def test_a_job_that_nobody_is_known_to_show_belongs_to_the_source_that_found_it(search):
    found(search, 8, 1)

    assert what_if(asked(search))["jobs"].to_list() == [1, 1]


def test_a_higher_threshold_never_prepares_spends_or_expects_more(search):
    plant(search, 400)
    for score in range(1, 11):
        for number in range(score):
            job = found(search, score, f"{score}-{number}")
            search.call("score", 3_000, job_id=job)
            if score >= 8:
                search.prepare(job)
                search.call("tailor", 20_000 + 1_000 * number, job_id=job)

    curve = threshold_curve(asked(search))

    assert curve["min_score"].to_list() == list(range(1, 11))
    for column in ("prepared", "usd", "expected", "expected_low", "expected_high"):
        assert curve[column].is_sorted(descending=True), column
    assert (curve.select(pl.sum_horizontal("prepared", "skipped", "blocked")).to_series() == curve["n"]).all()
    assert (curve["usd_low"] <= curve["usd"]).all()
    assert (curve["usd"] <= curve["usd_high"]).all()


def test_below_the_floor_of_materials_a_threshold_changes_nothing(search):
    for score in range(1, 11):
        found(search, score, score)
    db = asked(search)

    assert what_if(db, min_score=2)["prepared"].to_list() == [4, 5]
    assert what_if(db, min_score=2, material_floor=1)["prepared"].to_list() == [4, 9]


def test_jobs_without_materials_are_counted_at_what_one_cost(search):
    for number in range(10):
        job = found(search, 9, f"ready-{number}")
        search.prepare(job)
        search.call("tailor", 20_000, job_id=job)
        search.call("score", 1_000, job_id=job)
    for number in range(4):
        found(search, 7, f"open-{number}")

    row = scenario(search, min_score=7)

    assert (row["prepared"], row["to_prepare"]) == (14, 4)
    assert row["usd"] == pytest.approx(10 * 0.021 + 4 * 0.02)
    assert row["usd_low"] <= row["usd"] <= row["usd_high"]
    assert scenario(search, min_score=9)["usd"] == pytest.approx(10 * 0.021)


def test_money_of_too_few_prepared_jobs_says_nothing_and_no_money_is_none(search):
    job = found(search, 9, "a")
    assert scenario(search)["usd"] == 0

    search.prepare(job)
    search.call("tailor", 20_000, job_id=job)
    assert scenario(search)["usd"] is None


def test_what_is_expected_holds_the_planted_truth_and_says_that_it_is_made_up(search):
    plant(search, 900)
    db = asked(search)
    from_scores = dict(db.sql("SELECT fit_score, count(*) FROM jobs GROUP BY ALL").fetchall())

    curve = threshold_curve(db)

    assert curve["simulated"].all()
    for row in curve.iter_rows(named=True):
        truth = sum(TRUTH[score] * n for score, n in from_scores.items() if score >= max(row["min_score"], 6))
        assert row["expected_low"] <= truth <= row["expected_high"]


def test_without_enough_applications_nothing_is_expected(search):
    plant(search, 12)

    row = scenario(search)

    assert (row["expected"], row["expected_low"], row["expected_high"]) == (None, None, None)
    assert row["simulated"] is False


def test_an_opened_gate_lets_out_what_it_alone_held(search):
    says = {"eligibility": "blocked"}
    found(search, 9, "one", blockers=["language_not_spoken"], **says)
    found(search, 9, "two", blockers=["language_not_spoken", "excluded_title"], **says)
    found(search, 5, "low", blockers=["language_not_spoken"], **says)
    found(search, 9, "free")

    row = scenario(search, gates_off=["language_not_spoken"])

    assert (row["prepared"], row["skipped"], row["blocked"]) == (2, 1, 1)
    both = scenario(search, gates_off=["language_not_spoken", "excluded_title"])
    assert (both["prepared"], both["blocked"]) == (3, 0)


def test_an_opened_gate_gives_a_score_back_what_the_conflict_held_down(search):
    job = search.find("a")
    lines = [Asked("You know Python.")] * 8 + [Asked("You speak Dutch.", fit=Fit.BLOCKED)]
    assert score_by(search, job, lines, eligibility="blocked", blockers=["language_not_spoken"]) == 4

    assert scenario(search)["blocked"] == 1
    assert scenario(search, gates_off=["language_not_spoken"])["prepared"] == 1


def test_a_block_whose_reason_is_not_recorded_stays(search):
    found(search, 9, "a", eligibility="blocked")

    assert scenario(search, gates_off=["language_not_spoken"])["blocked"] == 1


def test_a_warning_can_be_tried_as_a_gate(search):
    found(search, 9, "far", eligibility="warning", warnings=["city"])
    found(search, 9, "near")

    assert scenario(search, gates_on=["city"])["blocked"] == 1
    assert scenario(search, gates_on=["country"])["blocked"] == 0


def test_each_gate_says_what_it_alone_changes(search):
    says = {"eligibility": "blocked"}
    found(search, 9, "one", blockers=["language_not_spoken"], **says)
    found(search, 9, "two", blockers=["language_not_spoken", "excluded_title"], **says)
    found(search, 5, "low", blockers=["language_not_spoken"], **says)
    found(search, 9, "far", eligibility="warning", warnings=["city"])
    found(search, 4, "far and low", eligibility="warning", warnings=["city"])

    told = gates(asked(search))

    assert told.select("gate", "kind", "jobs", "n", "alone", "changes").rows() == [
        ("language_not_spoken", "blocks", 3, 5, 2, 1),
        ("excluded_title", "blocks", 1, 5, 0, 0),
        ("city", "warns", 2, 5, 2, 1),
    ]
    assert (told["low"] < told["rate"]).all()


def test_a_job_without_a_score_is_counted_and_not_decided(search):
    search.find("a")
    found(search, 8, "b")

    row = scenario(search)

    assert (row["jobs"], row["n"], row["prepared"] + row["skipped"] + row["blocked"]) == (2, 1, 1)


def test_an_empty_search_gives_zeros(search):
    db = asked(search)

    assert what_if(db).select("jobs", "n", "prepared").rows() == [(0, 0, 0), (0, 0, 0)]
    assert len(threshold_curve(db)) == 10
    assert gates(db).is_empty()
