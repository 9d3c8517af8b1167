"""A policy held against history: every scored job is on one side, and the sides say what had come of them."""

from __future__ import annotations

import msgspec
import pytest

from jobctrl.analytics.what_if_policy import SIDES, policies, policy_backtest, policy_changes
from jobctrl.errors import NotFound
from jobctrl.scoring.events import ScoringPolicyAdopted
from tests.analytics.conftest import asked
from tests.analytics.searches import Search
from tests.analytics.test_calibration import plant


def adopt(search: Search, version: int, min_score: int, floor: int = 6) -> None:
    search.tell()
    with search.store.writer() as tx:
        event = ScoringPolicyAdopted(
            version=version,
            min_fit_score=min_score,
            material_floor=floor,
            reason="threshold_changed",
            anchors_ref=tx.put(msgspec.json.encode(()), "application/json"),
        )
        tx.append("policy/scoring", event)


def scored(search: Search, *scores: int, policy_version: int = 1) -> list[str]:
    jobs = []
    for number, score in enumerate(scores):
        job = search.find(f"p{policy_version}-{number}")
        search.score(job, score, policy_version=policy_version)
        jobs.append(job)
    return jobs


def test_before_any_was_adopted_the_first_version_is_listed(search):
    scored(search, 9, 7, 6, 2)

    told = policies(asked(search))

    columns = (
        "version",
        "min_fit_score",
        "material_floor",
        "reason",
        "adopted_at",
        "scores",
        "prepare",
        "skip",
        "block",
    )
    assert told.select(columns).rows() == [(1, 7, 6, "first", None, 4, 2, 2, 0)]


def test_each_version_says_how_it_would_decide_on_todays_scores(search):
    scored(search, 9, 7)
    adopt(search, 2, 9)
    scored(search, 8, 8, 9, policy_version=2)

    told = policies(asked(search))

    assert told.select("version", "min_fit_score", "scores", "prepare", "skip").rows() == [
        (1, 7, 2, 5, 0),
        (2, 9, 3, 2, 3),
    ]


def test_every_scored_job_is_on_one_side(search):
    scored(search, 9, 8, 7, 6, 5)
    search.find("unscored")

    sides = dict(policy_backtest(asked(search), min_score=8).select("side", "jobs").rows())
    lower = dict(policy_backtest(asked(search), min_score=6).select("side", "jobs").rows())

    assert sides == dict(zip(SIDES, (2, 0, 1, 2), strict=True))
    assert lower == dict(zip(SIDES, (3, 1, 0, 1), strict=True))


def test_the_jobs_that_change_side_are_named_with_how_far_they_are(search):
    _, eight, seven, six = scored(search, 9, 8, 7, 6)
    blocked = search.find("blocked")
    search.score(blocked, 9, eligibility="blocked", blockers=["excluded_title"])

    dropped = policy_changes(asked(search), min_score=9)
    gained = policy_changes(asked(search), min_score=6, gates_off=["excluded_title"])

    columns = ("job_id", "side", "before", "after", "score", "margin")
    assert dropped.select(columns).rows() == [
        (eight, "dropped", "prepare", "skip", 8, -1),
        (seven, "dropped", "prepare", "skip", 7, -2),
    ]
    assert gained.select(columns).rows() == [
        (blocked, "gained", "block", "prepare", 9, 3),
        (six, "gained", "skip", "prepare", 6, 0),
    ]


def test_a_policy_is_held_against_the_newest_version_or_the_one_that_is_named(search):
    scored(search, 9, 8, 7)
    adopt(search, 2, 9)
    db = asked(search)

    assert policy_backtest(db, min_score=9)["jobs"].to_list() == [1, 0, 0, 2]
    assert policy_backtest(db, min_score=9, against=1)["jobs"].to_list() == [1, 0, 2, 0]
    with pytest.raises(NotFound, match="no version 7"):
        policy_backtest(db, against=7)


def test_what_had_come_of_each_side_is_recovered(search):
    plant(search, 400)
    db = asked(search)

    sides = {row["side"]: row for row in policy_backtest(db, min_score=9).iter_rows(named=True)}

    total = db.sql("SELECT count(*), count(interview_at) FROM jobs WHERE applied_at IS NOT NULL").fetchall()[0]
    assert (sum(row["n"] for row in sides.values()), sum(row["successes"] for row in sides.values())) == total
    assert sides["kept"]["rate"] > sides["dropped"]["rate"] > sides["left out"]["rate"]
    for row in sides.values():
        if row["n"]:
            assert row["low"] <= row["rate"] <= row["high"]
            assert row["expected_low"] <= row["expected"] <= row["expected_high"]
    assert all(row["simulated"] for row in sides.values())


def test_the_same_policy_changes_nothing(search):
    scored(search, 9, 7, 3)

    assert policy_changes(asked(search), min_score=7).is_empty()


def test_a_backtest_writes_nothing(search):
    plant(search, 40)
    db = asked(search)
    with search.store.reader() as connection:
        before = connection.execute("SELECT COUNT(*), MAX(position) FROM job_events").fetchone()

    policies(db), policy_backtest(db, min_score=3), policy_changes(db, min_score=3)

    with search.store.reader() as connection:
        assert connection.execute("SELECT COUNT(*), MAX(position) FROM job_events").fetchone() == before


def test_an_empty_search_has_four_empty_sides(search):
    assert policy_backtest(asked(search)).select("side", "jobs", "n").rows() == [(side, 0, 0) for side in SIDES]
