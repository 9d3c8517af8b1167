"""What a posting states as pay, and what only looks like it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jobctrl.postings.model import PayComponent, PayPeriod, PayState
from jobctrl.postings.pay import AMBIGUOUS_SYMBOL, IMPLAUSIBLE, SWAPPED, read_pay


@pytest.mark.parametrize(
    ("text", "currency", "period", "low", "high"),
    [
        ("Salary: CA$90,000 - CA$110,000 per year", "CAD", PayPeriod.YEAR, 90_000, 110_000),
        ("Gehalt: 60.000,00 € bis 72.000,00 € brutto/Jahr", "EUR", PayPeriod.YEAR, 60_000, 72_000),
        ("Lohn: CHF 95'000 p.a.", "CHF", PayPeriod.YEAR, 95_000, 95_000),
        ("CTC ₹12,00,000 - ₹15,50,000 per annum", "INR", PayPeriod.YEAR, 1_200_000, 1_550_000),
        ("年薪30万-45万元人民币", "CNY", PayPeriod.YEAR, 300_000, 450_000),
        ("Lương 25 - 30 triệu / tháng", "VND", PayPeriod.MONTH, 25_000_000, 30_000_000),
        ("Salaire : 2 300 € à 2 700 € par mois", "EUR", PayPeriod.MONTH, 2_300, 2_700),
        ("Pay: €18,50 per hour", "EUR", PayPeriod.HOUR, "18.5", "18.5"),
        ("wynagrodzenie 14-18k PLN", "PLN", None, 14_000, 18_000),
    ],
)
def test_amounts_of_many_locales_are_read_as_they_are_meant(text, currency, period, low, high):
    reading = read_pay(text)

    assert reading.state is PayState.STATED
    assert (reading.currency, reading.period) == (currency, period)
    assert (reading.low, reading.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Salary from £40,000", 40_000, None),
        ("Gehalt ab 48.000 €", 48_000, None),
        ("Salary: £110k+", 110_000, None),
        ("Salary up to £60,000", None, 60_000),
        ("Gehalt bis zu 60.000 €", None, 60_000),
        ("Salary: £60,000 + bonus", 60_000, 60_000),
    ],
)
def test_a_one_sided_range_leaves_the_other_side_null(text, low, high):
    reading = read_pay(text)

    assert (reading.low, reading.high) == (low, high)


@pytest.mark.parametrize(
    ("country", "currency"),
    [("US", "USD"), ("CA", "CAD"), ("AU", "AUD"), ("ca", "CAD"), ("GB", None), (None, None)],
)
def test_a_bare_dollar_is_settled_by_the_country_and_never_guessed(country, currency):
    reading = read_pay("Salary: $90,000 - $110,000", country=country)

    assert reading.currency == currency
    assert (AMBIGUOUS_SYMBOL in reading.warnings) is (currency is None)


@pytest.mark.parametrize(
    ("text", "country", "currency"),
    [
        ("Lön: 45 000 kr/månad", "SE", "SEK"),
        ("Løn: 45.000 kr. pr. måned", "DK", "DKK"),
        ("Lønn 45 000 kr", None, None),
        ("Salary ¥6,000,000", "JP", "JPY"),
        ("Salary ¥6,000,000", None, None),
        ("Salary Rs. 90,000 monthly", "PK", "PKR"),
    ],
)
def test_shared_signs_need_a_country(text, country, currency):
    assert read_pay(text, country=country).currency == currency


def test_a_sum_too_small_for_the_countrys_own_pesos_leaves_the_currency_open():
    reading = read_pay("Salary: $1,400 - $1,600/month", country="MX")

    assert reading.currency is None
    assert AMBIGUOUS_SYMBOL in reading.warnings


def test_an_unstated_period_is_not_defaulted():
    assert read_pay("Salary: £45,000 - £52,000").period is None


@pytest.mark.parametrize(
    ("text", "component"),
    [
        ("Base salary £50,000 - £60,000", PayComponent.BASE),
        ("£50,000 - £60,000 base", PayComponent.BASE),
        ("$110,000 - $135,000 per year, plus a 10% annual bonus", PayComponent.BASE),
        ("OTE £95k", PayComponent.TOTAL),
        ("$200,000 to $250,000 (inclusive of a base and a variable part)", PayComponent.TOTAL),
        ("Salary £50,000 - £60,000", PayComponent.UNKNOWN),
    ],
)
def test_the_component_is_the_one_that_is_named(text, component):
    assert read_pay(text).component is component


@pytest.mark.parametrize(
    "text",
    [
        "We raised $42 million in our Series B",
        "A market worth $90 billion",
        "Annual learning budget of €1,500",
        "$2,000 sign-on bonus",
        "Referral bonus of £1,000 per hire",
        "Meal vouchers of €8 per day",
        "$1,200 home office stipend",
        "Relocation package of up to $10,000",
        "401k with company match",
        "You carry a quota of $1.2M",
        "5-7 years of experience, founded in 1998",
        "Call 555-010-2030, requisition 2026-104233",
        "At least 16 paid days of leave and 10 annual sick days",
        "Commission of $50 per sale",
        "We employ 12,000 people in 40 countries",
    ],
)
def test_prose_and_benefits_are_not_pay(text):
    reading = read_pay(text, country="US")

    assert reading.state is not PayState.STATED
    assert reading.low is None
    assert reading.high is None


@pytest.mark.parametrize(
    "text", ["Hourly pay: $2,850 per hour", "Salary: $75.00 - $95.00 a year", "Salary: $900,000 per month"]
)
def test_an_amount_no_job_pays_is_ambiguous_and_gives_no_number(text):
    reading = read_pay(text, country="US")

    assert reading.state is PayState.AMBIGUOUS
    assert IMPLAUSIBLE in reading.warnings
    assert reading.low is None
    assert reading.span is not None


@pytest.mark.parametrize("text", ["Salary: 45", "Pay rate: 7.5.3"])
def test_a_labelled_figure_that_cannot_be_placed_is_unparseable_not_unstated(text):
    reading = read_pay(text)

    assert reading.state is PayState.UNPARSEABLE
    assert reading.low is None


def test_swapped_bounds_are_put_in_order_and_said():
    reading = read_pay("Salary: £60,000 - £50,000")

    assert (reading.low, reading.high) == (50_000, 60_000)
    assert SWAPPED in reading.warnings


def test_several_ranges_give_one_reading_and_the_others_as_zones():
    reading = read_pay(
        "The pay range is $100,000 - $120,000 per year.\nIn Texas the pay range is $110,000 - $130,000 per year."
    )

    assert reading.low == 100_000
    assert [zone.low for zone in reading.zones] == [110_000]


def test_alternatives_in_two_currencies_share_the_period():
    reading = read_pay("45-70 USD or 180-280 PLN per hour")

    assert reading.period is PayPeriod.HOUR
    assert [zone.currency for zone in reading.zones] == ["PLN"]


def test_a_heading_on_the_line_above_counts():
    assert read_pay("Annual salary\n\n$120,000 - $150,000").period is PayPeriod.YEAR


@pytest.mark.parametrize(
    "text",
    [
        "Wages <b>$20</b> &ndash; <b>$24</b> an hour and more",
        "Salaris: €3\\.500 \\- €4\\.500 per maand",
        "Salary Â£41,000 â\x80\x93 Â£47,500 a year",
    ],
)
def test_markup_escapes_and_mojibake_are_read_through_and_the_span_stays_true(text):
    reading = read_pay(text)

    assert reading.state is PayState.STATED
    assert reading.high is not None
    assert reading.high > reading.low
    assert text[reading.span.start : reading.span.end] == reading.span.text


@pytest.mark.parametrize("text", ["", " ", "Negotiable", "Salary: competitive", "DOE", "-1", "0", "NaN"])
def test_what_states_no_number_is_not_stated_and_no_error(text):
    assert read_pay(text).state is PayState.NOT_STATED


_MARKS = (
    "$ £ € k - – / + ( ) % , . \\ 万 salary R$ kr USD 12 45,000 60.000,00 1'000 to per year hour from ** <p> &nbsp;"
)
_PIECES = st.sampled_from([*_MARKS.split(), " ", "\n", "up to "])


@given(st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=30).map("".join)))
@example("0.000,0K")
def test_no_text_makes_the_reader_fail_and_every_reading_keeps_its_promises(text):
    reading = read_pay(text, country="US")

    for each in (reading, *reading.zones):
        if each.low is not None and each.high is not None:
            assert each.low <= each.high
        if each.state is PayState.STATED:
            assert each.low is not None or each.high is not None
        else:
            assert each.low is None
            assert each.high is None
        if each.span is not None:
            assert text[each.span.start : each.span.end] == each.span.text


def test_the_labelled_lines_of_the_corpus_are_read_right(corpus):
    from tests.conformance.harness import Verdict, score
    from tests.conformance.pay_text import TABLE

    reached = score(line for line in TABLE.lines(corpus / "truth", corpus) if line.sure)

    assert reached.share(Verdict.RIGHT) >= 0.92
    assert reached.share(Verdict.WRONG) <= 0.02


def test_the_projects_own_cases_are_all_read_right():
    from tests.conformance.harness import CASES, Verdict
    from tests.conformance.pay_text import TABLE

    assert [line.where for line in TABLE.lines(CASES, CASES) if line.verdict is not Verdict.RIGHT] == []
