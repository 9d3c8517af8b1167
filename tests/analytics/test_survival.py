"""How long answers take and postings last, told fact by fact and found again."""

from __future__ import annotations

import numpy as np
import pytest

from jobctrl.analytics.ask import ask
from jobctrl.analytics.survival import posting_curve, posting_life, reply_curve, reply_time
from tests.analytics.conftest import asked

ACME, BETA = "greenhouse:acme", "lever:beta"


@pytest.fixture
def answered(search):
    """Applications over 60 days of which each has a reply after about 12 days, unless the last day comes first."""
    dice = np.random.default_rng(5)
    due: dict[int, list[str]] = {}
    for day in range(60):
        for number in range(3):
            job = search.find(f"d{day}n{number}")
            search.apply(job, 7)
            due.setdefault(day + max(1, round(dice.exponential(12))), []).append(job)
        for job in due.get(day, []):
            search.answer(job, "recruiter_reply")
        search.later(days=1)
    return search


def test_the_time_to_a_reply_is_recovered_although_many_still_wait(answered):
    db = asked(answered)

    curve, reply = reply_curve(db), reply_time(db).row(0, named=True)

    truth = np.exp(-curve["days"].to_numpy() / 12)
    inside = (curve["low"].to_numpy() <= truth + 0.04) & (truth - 0.04 <= curve["high"].to_numpy())
    assert inside[curve["days"].to_numpy() <= 30].all()
    assert reply["n"] == 180
    assert reply["answered"] < 180
    assert reply["median_days_low"] <= 12 * np.log(2) + 0.5
    assert reply["median_days_high"] >= 12 * np.log(2) - 0.5
    assert reply["low"] < 1 - np.exp(-14 / 12) < reply["high"]
    assert not curve["simulated"].any()


def test_what_was_never_reached_is_said_to_be_so(answered):
    offer = reply_time(asked(answered)).row(2, named=True)

    assert (offer["outcome"], offer["answered"], offer["median_days"]) == ("offer", 0, None)
    assert offer["rate"] == 0.0
    assert 0 < offer["high"] < 0.05


def test_made_up_applications_never_count_among_real_ones(search):
    for number in range(20):
        job = search.find(f"m{number}")
        search.apply(job, 7, days_ago=30, simulated=True)
        search.answer(job, "interview", simulated=True)
    db = asked(search)
    assert reply_time(db)["n"].to_list() == [20, 20, 20]
    assert reply_time(db)["simulated"].all()

    search.apply(search.find("real"), 8, days_ago=3)
    db = asked(search)

    assert reply_time(db)["n"].to_list() == [1, 1, 1]
    assert not reply_curve(db)["simulated"].any()
    assert reply_time(db, simulated=True)["n"].to_list() == [20, 20, 20]


def lives(db):
    told = ask(db, "posting_lives", source_id=None)
    return [(row["open_days"], row["closed_days"]) for row in told.iter_rows(named=True)]


def test_a_closing_lies_between_the_last_sign_of_life_and_the_look_that_found_it(search):
    job = search.find("a")
    search.later(days=2).active(job, "active")
    search.later(days=3).also_shown(job, "a-too", BETA)
    search.later(days=4).active(job, "closed")

    assert lives(asked(search)) == [(5.0, 9.0)]


def test_a_page_read_again_and_found_as_it_was_is_a_sign_of_life(search):
    job = search.find("a")
    search.later(days=1).enrich(job)
    search.active(job, "active")
    search.later(days=6).enrich(job)
    search.tell()

    assert lives(asked(search)) == [(7.0, None)]


def test_a_closing_that_was_taken_back_was_none(search):
    job = search.find("a")
    search.later(days=2).active(job, "closed")
    search.later(days=2).active(job, "active")
    assert lives(asked(search)) == [(4.0, None)]

    search.later(days=6).active(job, "expired")
    assert lives(asked(search)) == [(4.0, 10.0)]


def test_a_posting_that_was_gone_at_the_first_look_counts_against_the_first_day(search):
    for number in range(10):
        search.active(search.find(f"a{number}"), "closed" if number < 3 else "active")

    curve = posting_curve(asked(search))

    assert curve.select("days", "rate", "n").rows() == [(0.5, pytest.approx(0.7, abs=1e-3), 10)]
    assert curve["low"][0] < 0.7 < curve["high"][0]


def test_planted_lives_of_postings_are_recovered_by_source(search):
    dice = np.random.default_rng(8)
    ends: dict[str, float] = {}
    looks: dict[int, list[str]] = {}
    for day in range(70):
        if day < 30:
            for source, mean, count in ((ACME, 25, 4), (BETA, 6, 4)):
                for number in range(count):
                    job = search.find(f"{day}-{number}", source)
                    search.active(job, "active", source)
                    ends[job] = day + dice.exponential(mean)
                    looks.setdefault(day + int(dice.integers(1, 6)), []).append(job)
        for job in looks.pop(day, []):
            if ends[job] <= day:
                search.active(job, "removed")
            else:
                search.enrich(job)
                looks.setdefault(day + int(dice.integers(1, 6)), []).append(job)
        search.later(days=1)
    db = asked(search)

    life = {row["source_id"]: row for row in posting_life(db).iter_rows(named=True)}

    assert life[ACME]["n"] == life[BETA]["n"] == 120
    assert life[ACME]["median_days_low"] - 1 <= 25 * np.log(2) <= life[ACME]["median_days_high"] + 1
    assert life[BETA]["median_days_low"] - 1 <= 6 * np.log(2) <= life[BETA]["median_days_high"] + 1
    assert life[ACME]["low"] < np.exp(-30 / 25) < life[ACME]["high"]
    assert life[None]["n"] == 240
    one = posting_curve(db, source_id=BETA)
    assert one["rate"].is_sorted(descending=True)
    assert one["n"].max() == 120


def test_without_a_posting_or_an_application_every_answer_is_empty_with_its_columns(search):
    db = asked(search)

    for answer in (reply_curve(db), reply_time(db), posting_curve(db), posting_life(db)):
        assert answer.is_empty()
        assert answer.columns
