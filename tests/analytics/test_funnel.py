"""How far jobs came and how long it took, as it was planted."""

from __future__ import annotations

import pytest

from jobctrl.analytics.funnel import STEPS, funnel, latency
from tests.analytics.conftest import asked


def test_planted_conversions_are_found_again(search):
    for number in range(50):
        job = search.find(f"j{number}")
        if number < 40:
            search.stage(job, "enrich")
            search.score(job, 8 if number < 20 else 4)
        if number < 10:
            search.prepare(job)
        if number < 8:
            search.apply(job, 8, simulated=True)
        if number < 6:
            search.answer(job, "recruiter_reply", simulated=True)
        if number < 4:
            search.answer(job, "interview", simulated=True)
        if number < 1:
            search.answer(job, "offer", simulated=True)

    answer = funnel(asked(search))

    assert dict(answer.select("step", "jobs").rows()) == {
        "found": 50,
        "enriched": 40,
        "scored": 40,
        "good": 20,
        "prepared": 10,
        "applied": 8,
        "replied": 6,
        "interview": 4,
        "offer": 1,
    }
    rates = dict(answer.select("step", "rate").rows())
    assert rates["good"] == 0.5
    assert rates["applied"] == 0.8
    assert rates["interview"] == 0.5
    assert rates["found"] is None
    rated = answer.filter(answer["rate"].is_not_null())
    assert ((rated["low"] <= rated["rate"]) & (rated["rate"] <= rated["high"])).all()
    assert answer.filter(answer["simulated"])["step"].to_list() == ["applied", "replied", "interview", "offer"]


def test_only_jobs_first_seen_in_the_window_are_counted(search):
    search.find("old")
    search.later(days=10).find("new")

    db = asked(search)

    assert funnel(db, since=search.now)["jobs"][0] == 1
    assert funnel(db)["jobs"][0] == 2


def test_a_funnel_of_nothing_is_nine_zeros_without_rates(search):
    answer = funnel(asked(search))

    assert answer["step"].to_list() == list(STEPS)
    assert answer["jobs"].sum() == 0
    assert answer["rate"].is_null().all()


def test_the_time_of_a_stage_is_from_its_start_to_its_own_end(search):
    for seconds in (1, 2, 3, 4, 100):
        search.stage(search.find(f"j{seconds}"), "score", takes=seconds)
    search.stage(search.find("f"), "score", takes=7, fails="llm_transient")

    answer = latency(asked(search))

    assert answer.select("stage", "succeeded", "n", "p50_seconds").rows() == [
        ("score", True, 5, 3.0),
        ("score", False, 1, 7.0),
    ]
    assert answer["p90_seconds"][0] == pytest.approx(61.6)
    assert answer.select("p50_seconds_low", "p50_seconds_high").rows() == [(None, None), (None, None)]


def test_with_more_attempts_the_median_has_an_interval(search):
    for seconds in range(1, 31):
        search.stage(search.find(f"j{seconds}"), "score", takes=seconds)

    row = latency(asked(search)).row(0, named=True)

    assert row["n"] == 30
    assert row["p50_seconds_low"] < row["p50_seconds"] == 15.5 < row["p50_seconds_high"]
    assert row["p90_seconds_low"] < row["p90_seconds"]


def test_made_up_and_real_applications_are_never_added_up(search):
    for number in range(6):
        job = search.find(f"m{number}")
        search.apply(job, 8, simulated=True)
        search.answer(job, "offer", simulated=True)
    search.apply(search.find("real"), 8)
    db = asked(search)

    real, made_up = (dict(funnel(db, simulated=kind).select("step", "jobs").rows()) for kind in (None, True))

    assert (real["found"], real["applied"], real["offer"]) == (7, 1, 0)
    assert (made_up["found"], made_up["applied"], made_up["offer"]) == (7, 6, 6)
    assert not funnel(db)["simulated"].any()
