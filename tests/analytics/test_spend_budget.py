"""How the day will end and what being less choosy would cost, against what was planted."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from jobctrl.analytics.budget import day_end, threshold_costs
from tests.analytics.conftest import asked

NOW = datetime(2026, 3, 30, 12, 0, tzinfo=UTC)


def by_basis(answer):
    return {row["basis"]: row for row in answer.iter_rows(named=True)}


def call_at(search, day, hour, usd):
    search.tell()
    search.now = datetime(2026, 3, day, hour, 30, tzinfo=UTC)
    search.call("score", round(usd * 1e6))


@pytest.fixture
def month(search):
    """Ten days with a dollar at seven and one, two … ten dollars at fifteen and at twenty; then three at seven."""
    for day in range(20, 30):
        for hour, usd in ((7, 1), (15, day - 19), (20, day - 19)):
            call_at(search, day, hour, usd)
    call_at(search, 30, 7, 3)
    search.tell()
    return search


def test_the_rest_of_the_day_is_what_the_days_before_still_spent_after_this_hour(month):
    row = by_basis(day_end(asked(month), ceiling_usd=14, now=NOW))["last days"]

    assert (row["n"], row["spent_usd"]) == (10, 3.0)
    assert (row["low_usd"], row["ends_usd"], row["high_usd"]) == (5.0, 14.0, 23.0)
    assert row["coverage"] == pytest.approx(9 / 11)
    assert (row["met"], row["rate"]) == (5, 0.5)
    assert row["low"] < 0.5 < row["high"]
    assert row["earliest"] == datetime(2026, 3, 30, 20, 30, tzinfo=UTC)
    assert (row["reaches_at"], row["latest"]) == (None, None)
    assert row["says"].startswith("Between $5.00 and $23.00, going by what the 10 days before still spent")
    assert row["says"].endswith("5 of them spent as much as is left (95%: 22% to 78%).")


def test_a_ceiling_most_days_would_meet_is_met_when_they_met_it(month):
    row = by_basis(day_end(asked(month), ceiling_usd=5, now=NOW))["last days"]

    assert row["met"] == 10
    assert row["reaches_at"] == row["earliest"] == datetime(2026, 3, 30, 15, 30, tzinfo=UTC)
    assert row["latest"] == datetime(2026, 3, 30, 20, 30, tzinfo=UTC)


def test_a_ceiling_that_is_met_is_met_now(month):
    rows = by_basis(day_end(asked(month), ceiling_usd=2, now=NOW))

    for row in rows.values():
        assert (row["reaches_at"], row["says"]) == (NOW, "The ceiling is met.")
    assert rows["last days"]["ends_usd"] == 14.0


def test_without_a_ceiling_the_day_still_has_an_end(month):
    rows = by_basis(day_end(asked(month), ceiling_usd=0, now=NOW))

    assert rows["last days"]["ends_usd"] == 14.0
    assert rows["last days"]["reaches_at"] is None
    assert rows["today so far"]["reaches_at"] is None


def test_what_cannot_be_said_is_said_to_be_so(search):
    for day in (28, 29):
        call_at(search, day, 9, 1)
    search.now = datetime(2026, 3, 30, 11, 0, tzinfo=UTC)
    search.call("score", 1_000_000)

    rows = by_basis(day_end(asked(search), ceiling_usd=10, now=NOW))

    assert rows["last days"]["says"] == "Cannot say: 2 days of spending before this one, needs 5."
    assert rows["today so far"]["says"] == "Cannot say: 1 whole hour since the day's first call, needs 3."
    assert [row["ends_usd"] for row in rows.values()] == [None, None]


def test_the_days_own_pace_is_carried_on_with_an_interval(search):
    for hour in range(4, 12):
        call_at(search, 30, hour, 1 + hour % 2)
    search.tell()

    row = by_basis(day_end(asked(search), ceiling_usd=20, now=NOW))["today so far"]

    assert (row["n"], row["spent_usd"]) == (7, 12.0)
    # The call of half past eleven lies in an hour that is not over.
    assert row["ends_usd"] == pytest.approx(12 + 12 * 10 / 7)
    assert row["spent_usd"] < row["low_usd"] < row["ends_usd"] < row["high_usd"]
    assert row["earliest"] < row["reaches_at"] < row["latest"]


def test_the_interval_of_the_last_days_holds_as_often_as_it_says(search):
    spent = np.random.default_rng(2).lognormal(0, 1, 28)
    for day, usd in enumerate(spent, start=1):
        call_at(search, day, 15, float(usd))
    db = asked(search)

    held, said = [], []
    for day in range(8, 28):
        row = by_basis(day_end(db, ceiling_usd=0, now=datetime(2026, 3, day, 12, tzinfo=UTC)))["last days"]
        low, high = (row[end] - row["spent_usd"] for end in ("low_usd", "high_usd"))
        held.append(low <= spent[day - 1] <= high)
        said.append(row["coverage"])

    assert np.mean(held) == pytest.approx(np.mean(said), abs=0.15)


def test_a_lower_threshold_costs_the_jobs_between_times_what_a_prepared_one_costs(search):
    for number in range(40):
        job = search.find(f"good{number}")
        search.score(job, 8)
        search.call("score", 1_000_000, job_id=job)
        if number < 20:
            search.call("tailor", 100_000 + 1000 * number, job_id=job)
        if number < 10:
            search.prepare(job)
    for number, score in enumerate([6] * 12 + [5] * 7 + [2] * 3):
        search.score(search.find(f"low{number}"), score)
    search.active(search.find("shut"), "closed")
    search.later(days=7).tell()

    rows = {row["threshold"]: row for row in threshold_costs(asked(search), threshold=7).iter_rows(named=True)}

    each = sum(100_000 + 1000 * number for number in range(20)) / 1e6 / 10
    assert {threshold: row["jobs"] for threshold, row in rows.items()} == {6: 12, 5: 19, 4: 19, 3: 19, 2: 22, 1: 22}
    assert [threshold for threshold, row in rows.items() if row["possible"]] == [6]
    assert rows[6]["n"] == 10
    assert rows[6]["usd"] == pytest.approx(12 * each)
    assert rows[6]["usd_low"] < rows[6]["usd"] < rows[6]["usd_high"]
    assert rows[6]["usd_low"] == pytest.approx(12 * rows[6]["usd_each_low"])
    assert rows[6]["a_week_low"] < rows[6]["a_week"] < rows[6]["a_week_high"]
    assert threshold_costs(asked(search), threshold=1).is_empty()


def test_closed_hidden_blocked_and_prepared_jobs_would_not_be_prepared(search):
    for name in ("open", "closed", "blocked", "prepared"):
        job = search.find(name)
        search.score(job, 6, eligibility="blocked" if name == "blocked" else "eligible")
        if name == "closed":
            search.active(job, "closed")
        if name == "prepared":
            search.prepare(job)

    row = threshold_costs(asked(search), threshold=7).row(0, named=True)

    assert (row["threshold"], row["jobs"]) == (6, 1)


def test_without_a_prepared_job_nobody_knows_what_one_costs(search):
    search.score(search.find("a"), 6)

    row = threshold_costs(asked(search), threshold=7).row(0, named=True)

    assert (row["jobs"], row["usd_each"], row["usd"]) == (1, None, None)
