"""Money is counted to the millionth of a dollar, and a cost never stands without its interval."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from jobctrl.analytics.spend import forecast, spend, spend_days, unit_costs
from jobctrl.spend.state import CHARGES
from tests.analytics.conftest import asked


@pytest.mark.parametrize("by", ["day", "lane", "stage", "model", "provider", "job"])
@pytest.mark.parametrize("seed", [1, 2])
def test_by_whatever_it_is_split_the_total_is_the_ledgers(search, by, seed):
    dice = random.Random(seed)
    jobs = [search.find(f"j{number}") for number in range(5)]
    for _ in range(60):
        search.call(
            dice.choice(["enrich", "score", "tailor", "cover"]),
            dice.randint(0, 3_000_001),
            job_id=dice.choice([*jobs, None]),
            ends=dice.choice(["settled", "settled", "held", "open"]),
            model=dice.choice(["claude-small", "gpt-mini"]),
            provider=dice.choice(["anthropic", "openai"]),
            day=f"2026-03-{dice.randint(1, 9):02d}",
        )
    answer = spend(asked(search), by=by)
    with search.store.reader() as connection:
        charges = CHARGES.all(connection)

    ledger = sum(c.usd_micros or (c.reserved_usd_micros if c.state == "reserved" else 0) for c in charges)

    assert answer["total_usd_micros"].sum() == ledger
    assert answer["calls"].sum() == 60
    assert answer.columns[0] == by


def test_open_held_and_settled_money_is_told_apart(search):
    search.call("score", 500_000)
    search.call("score", 200_000, ends="held")
    search.call("score", 100_000, ends="open")

    row = spend(asked(search), by="lane").row(0, named=True)

    assert (row["settled_usd"], row["held_usd"], row["reserved_usd"], row["total_usd"]) == (0.5, 0.2, 0.1, 0.8)
    assert (row["input_tokens"], row["output_tokens"]) == (700, 200)


def test_discarded_work_counts_towards_what_an_interview_costs(search):
    for number in range(100):
        job = search.find(f"j{number}")
        search.score(job, 8 if number < 20 else 3)
        search.call("score", 10_000, job_id=job)
        if number < 20:
            search.prepare(job)
            search.call("tailor", 100_000, job_id=job)
            search.apply(job, 8, days_ago=20)
        if number < 10:
            search.answer(job, "interview")
    search.call("enrich", 1_000_000)

    costs = {row["unit"]: row for row in unit_costs(asked(search)).iter_rows(named=True)}

    assert costs["scored job"]["usd_each"] == pytest.approx(0.04)
    assert costs["prepared job"]["usd_each"] == pytest.approx(0.2)
    assert costs["interview"]["usd_each"] == pytest.approx(0.4)
    assert costs["interview"]["usd_low"] < 0.4 < costs["interview"]["usd_high"]
    assert costs["interview"]["n"] == 10


def test_without_calls_spend_is_empty_and_nothing_has_a_price(search):
    search.find("a")
    db = asked(search)

    for by in ("day", "lane", "job"):
        assert spend(db, by=by).is_empty()
    assert spend_days(db).is_empty()
    assert unit_costs(db)["usd_each"].to_list() == [None] * 4
    assert unit_costs(db)["usd"].to_list() == [0.0] * 4


def test_the_ceiling_is_met_where_the_pace_says(search):
    search.now = datetime(2026, 3, 4, 8, 0, tzinfo=UTC)
    search.call("score", 2_000_000)
    search.later(hours=2).call("score", 2_000_000, ends="held")
    db = asked(search)

    row = forecast(db, ceiling_usd=10, now=search.now).row(0, named=True)

    assert (row["spent_usd"], row["set_aside_usd"], row["share"]) == (2.0, 2.0, 0.4)
    assert row["usd_per_hour"] == pytest.approx(2.0)
    assert row["reaches_at"] == datetime(2026, 3, 4, 13, 0, tzinfo=UTC)
    assert forecast(db, ceiling_usd=400, now=search.now)["reaches_at"].item() is None
    assert forecast(db, ceiling_usd=0, now=search.now)["share"].item() is None
    assert forecast(db, ceiling_usd=1, now=search.now)["reaches_at"].item() == search.now


def test_a_day_is_a_utc_day_whatever_zone_the_clock_speaks(search):
    search.call("score", 1_000_000, day="2026-03-04")
    from datetime import timezone

    east = datetime(2026, 3, 5, 1, 0, tzinfo=timezone(timedelta(hours=3)))

    assert forecast(asked(search), ceiling_usd=10, now=east)["spent_usd"].item() == 1.0
