"""Planted pay is recovered band by band; what is not said is counted and never filled in."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from scipy import stats

from jobctrl.analytics.market_groups import title_families, title_level
from jobctrl.analytics.market_pay import asked_per, pay_bands, pay_stated, posted_against_asked, units
from jobctrl.analytics.quantiles import with_quantiles
from tests.analytics.conftest import asked
from tests.analytics.searches import Search


def stated(
    low: float | None, high: float | None, currency: str = "EUR", period: str | None = "year"
) -> dict[str, object]:
    return {"state": "stated", "currency": currency, "period": period, "low": low, "high": high}


def plant(search: Search, n: int, *, title: str = "Data Engineer", middle: float = 70_000, seed: int = 5) -> None:
    dice = np.random.default_rng(seed)
    for number in range(n):
        pay = float(np.round(middle * dice.lognormal(0, 0.2), -2))
        search.find(f"{title}-{number}", title=title, pay=stated(pay - 5_000, pay + 5_000))


@pytest.mark.parametrize(
    ("title", "families"),
    [
        ("Senior Data Engineer (m/f/d)", ["data engineering"]),
        ("Staff Software Engineer, Backend", ["backend"]),
        ("Head of Something Unheard Of", ["not said"]),
    ],
)
def test_a_title_belongs_to_the_kinds_of_work_it_names_and_to_no_other(title, families):
    assert title_families(title) == families


def test_a_title_of_two_kinds_belongs_to_both():
    assert title_families("Data Scientist and Data Engineer") == ["data engineering", "data science"]


@pytest.mark.parametrize(
    ("title", "level"),
    [("Senior Data Engineer", "senior"), ("Data Engineer", "not said"), ("Principal Engineer", "principal")],
)
def test_a_level_is_what_the_title_states(title, level):
    assert title_level(title) == level


def test_planted_bands_are_recovered_and_their_intervals_hold_the_truth(search):
    plant(search, 160, title="Data Engineer", middle=70_000)
    plant(search, 120, title="Nurse", middle=45_000, seed=6)

    bands = pay_bands(asked(search))

    rows = {row["group"]: row for row in bands.iter_rows(named=True)}
    assert [row["n"] for row in rows.values()] == [160, 120]
    for group, middle in (("data engineering", 70_000), ("healthcare", 45_000)):
        for name, share in (("p25_pay", 0.25), ("p50_pay", 0.5), ("p75_pay", 0.75)):
            truth = middle * float(stats.lognorm.ppf(share, 0.2))
            row = rows[group]
            assert row[f"{name}_low"] <= truth <= row[f"{name}_high"]
            assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


def test_the_interval_of_a_median_holds_the_truth_as_often_as_it_says():
    dice = np.random.default_rng(9)
    pays = [dice.lognormal(np.log(70_000), 0.3, 25).tolist() for _ in range(400)]

    told = with_quantiles(pl.DataFrame({"pay": pays}), "pay", "pay", qs=(0.25, 0.5, 0.75))

    for name, share in (("p25_pay", 0.25), ("p50_pay", 0.5), ("p75_pay", 0.75)):
        truth = 70_000 * float(stats.lognorm.ppf(share, 0.3))
        held = (told[f"{name}_low"] <= truth) & (truth <= told[f"{name}_high"])
        assert 0.93 <= held.mean() <= 0.995


def test_currencies_and_periods_are_never_put_together_unasked(search):
    for number, (currency, period) in enumerate([("EUR", "year"), ("EUR", "month"), ("PLN", "month"), ("EUR", None)]):
        search.find(f"j{number}", pay=stated(4_000, 6_000, currency, period))

    bands = pay_bands(asked(search), by="all")

    assert sorted(bands.select("currency", "period", "n").rows()) == [
        ("EUR", "month", 1),
        ("EUR", "not said", 1),
        ("EUR", "year", 1),
        ("PLN", "month", 1),
    ]


def test_a_years_pay_follows_from_the_stated_period_alone(search):
    for period, pay in (
        ("year", 62_400),
        ("month", 5_200),
        ("week", 1_200),
        ("day", 240),
        ("hour", 30),
        (None, 62_400),
    ):
        search.find(f"j{period}", pay=stated(pay, pay, period=period))
    search.find("other", pay=stated(62_400, 62_400, "USD"))

    bands = pay_bands(asked(search), by="all", yearly=True)

    assert bands.select("currency", "period", "n", "p50_pay").rows() == [
        ("EUR", "year", 5, 62_400),
        ("USD", "year", 1, 62_400),
    ]


def test_a_posting_with_one_end_counts_for_that_end_alone(search):
    search.find("from", pay=stated(60_000, None))
    search.find("up to", pay=stated(None, 90_000))
    search.find("both", pay=stated(70_000, 80_000))
    db = asked(search)

    assert pay_bands(db, by="all", bound="middle").select("n", "p50_pay").rows() == [(1, 75_000)]
    assert pay_bands(db, by="all", bound="low").select("n", "p50_pay").rows() == [(2, 65_000)]
    assert pay_bands(db, by="all", bound="high").select("n", "p50_pay").rows() == [(2, 85_000)]


def test_below_six_postings_a_median_has_no_interval(search):
    plant(search, 5)

    row = pay_bands(asked(search)).row(0, named=True)

    assert row["n"] == 5
    assert row["p50_pay"] is not None
    assert (row["p50_pay_low"], row["p50_pay_high"]) == (None, None)


def test_what_is_not_stated_is_counted_by_group_and_never_filled_in(search):
    plant(search, 6)
    search.find("quiet", title="Data Engineer")
    search.find("odd", title="Data Engineer", pay={"state": "ambiguous"})
    search.find("broken", title="Data Engineer", pay={"state": "unparseable"})
    search.find("loose", title="Nurse", pay=stated(30, 40, period=None))
    db = asked(search)

    said = pay_stated(db)

    columns = ("group", "n", "stated", "not_stated", "ambiguous", "unparseable", "no_period")
    assert said.select(columns).rows() == [
        ("data engineering", 9, 6, 1, 1, 1, 0),
        ("healthcare", 1, 1, 0, 0, 0, 1),
    ]
    assert (said["low"] < said["rate"]).all()
    assert pay_bands(db)["n"].sum() == 7


def test_a_job_in_two_countries_counts_in_both_and_one_without_in_none(search):
    both = [{"city": "Kraków", "country": "PL"}, {"city": "Berlin", "country": "DE"}]
    search.find("both", places=both, pay=stated(60_000, 60_000))
    search.find("nowhere", places=[], pay=stated(50_000, 50_000))

    bands = pay_bands(asked(search), by="country")

    assert sorted(bands.select("group", "p50_pay").rows()) == [("DE", 60_000), ("PL", 60_000), ("not said", 50_000)]


def test_only_jobs_that_fit_are_kept_when_a_score_is_asked_for(search):
    good, bad = search.find("good", pay=stated(90_000, 90_000)), search.find("bad", pay=stated(40_000, 40_000))
    search.score(good, 8)
    search.score(bad, 3)
    db = asked(search)

    assert pay_bands(db, by="all", min_score=7)["p50_pay"].to_list() == [90_000]
    assert pay_stated(db, by="all", min_score=7)["n"].to_list() == [1]


def test_posted_pay_is_held_against_what_is_asked_in_the_same_currency_alone(search):
    for number, high in enumerate((60_000, 71_999, 72_000, 90_000)):
        search.find(f"j{number}", pay=stated(50_000, high))
    search.find("monthly", pay=stated(5_000, 6_000, period="month"))
    search.find("other", pay=stated(99_000, 99_000, "USD"))
    search.find("loose", pay=stated(99_000, 99_000, period=None))
    search.find("quiet")

    against = posted_against_asked(asked(search), asked=Decimal(6_000), currency="EUR", period="month", by="all").row(
        0, named=True
    )

    assert (against["jobs"], against["n"], against["reaches"]) == (8, 5, 3)
    assert (against["other_currency"], against["no_period"], against["not_stated"]) == (1, 1, 1)
    assert against["low"] < against["rate"] == 0.6 < against["high"]
    assert against["p50_times"] == 1.0


@pytest.mark.parametrize("says", [{}, {"asked": Decimal(0), "currency": "EUR"}, {"asked": Decimal(70_000)}])
def test_without_a_whole_ask_nothing_is_compared(search, says):
    search.find("a", pay=stated(60_000, 80_000))

    assert posted_against_asked(asked(search), **says).is_empty()


@pytest.mark.parametrize(
    ("period", "per", "is_worth"),
    [("month", "year", 72_000), ("month", "month", 6_000), ("year", "month", None), (None, "year", None)],
)
def test_an_ask_is_drawn_only_where_the_rule_says_what_it_is_worth(period, per, is_worth):
    assert asked_per(Decimal(6_000), period, per=per) == is_worth


def test_the_most_frequent_unit_comes_first(search):
    for number in range(3):
        search.find(f"p{number}", pay=stated(20_000, 25_000, "PLN", "month"))
    search.find("e", pay=stated(60_000, 80_000, period=None))

    assert list(units(pay_bands(asked(search)))) == ["PLN a month", "EUR, period not said"]


def test_without_jobs_every_answer_is_empty_and_typed(search):
    db = asked(search)

    for answer in (pay_bands(db), pay_stated(db), posted_against_asked(db)):
        assert answer.is_empty()
        assert answer.schema["n"] == pl.Int64
