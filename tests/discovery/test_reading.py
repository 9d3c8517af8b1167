"""A listing's own fields and its text give the facts together; what they leave open stays unknown."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from jobctrl.discovery.model import BoardKind, Listing, LocationText, Source, StatedPay
from jobctrl.discovery.reading import description_of, read_listing
from jobctrl.discovery.sources import adapter_for
from jobctrl.discovery.stated_pay import DIFFERS
from jobctrl.postings.model import PayComponent, PayPeriod, PayState, Place, WorkMode
from tests.discovery.sources.board_web import page

NOW = datetime(2026, 8, 25, 12, tzinfo=UTC)
GREENHOUSE = Source(BoardKind.GREENHOUSE, "tidewell")
LEVER = Source(BoardKind.LEVER, "greenrow")
ASHBY = Source(BoardKind.ASHBY, "claywork")
SMART = Source(BoardKind.SMARTRECRUITERS, "Railhof")
PLAIN = Listing("1", "Welder", "https://jobs.example/1")


def read(listing: Listing, source: Source = LEVER):
    return read_listing(listing, source, now=NOW)


def first(source: Source, name: str) -> Listing:
    return adapter_for(source.kind).parse(page(name), source).listings[0]


def test_offices_are_read_when_a_work_model_stands_where_the_place_should_be():
    facts = read(first(GREENHOUSE, "greenhouse.json"), GREENHOUSE)

    assert {(place.city, place.country) for place in facts.place.places} == {("Rotterdam", "NL"), ("Hamburg", "DE")}
    assert facts.place.mode is WorkMode.HYBRID


def test_offices_add_no_place_to_a_posting_that_names_its_own():
    listing = replace(
        PLAIN, locations=(LocationText("Porto, Portugal", "location.name"), LocationText("Spain", "offices[0].name"))
    )

    assert [place.city for place in read(listing, GREENHOUSE).place.places] == ["Porto"]


def test_the_name_of_an_office_states_the_mode_when_no_field_does():
    office = LocationText("Porto - Hybrid", "offices[0].name")
    own = LocationText("Porto, Portugal", "location.name")

    assert read(replace(PLAIN, locations=(own, office)), GREENHOUSE).place.mode is WorkMode.HYBRID
    labelled = replace(PLAIN, locations=(own, office), workplace_type="On-site")
    assert read(labelled, GREENHOUSE).place.mode is WorkMode.ON_SITE


def test_remote_alone_falls_back_to_the_country_of_the_posting():
    listing = replace(PLAIN, locations=(LocationText("Remote", "categories.location"),), country="NZ")

    assert read(listing).place.places == (Place(country="NZ"),)
    assert read(listing).place.mode is WorkMode.REMOTE


def test_a_region_in_a_field_of_its_own_completes_just_its_city():
    facts = read(first(ASHBY, "ashby.json"), ASHBY)

    assert Place("Toronto", "Ontario", "CA") in facts.place.places
    assert Place(None, None, "US") in facts.place.places


def test_a_city_that_no_list_knows_is_kept_as_its_field_states_it():
    parts = LocationText("St. Ulrich am Obernix, BS, Switzerland", "location", "CH", "St. Ulrich am Obernix", "BS")

    place = read(replace(PLAIN, locations=(parts,)), SMART).place

    assert place.places == (Place("St. Ulrich am Obernix", "BS", "CH"),)
    assert {span.field for span in place.spans} == {"location"}


@pytest.mark.parametrize(
    ("title", "mode"),
    [
        ("Welder (Hybrid)", WorkMode.HYBRID),
        ("Welder - US Remote", WorkMode.REMOTE),
        ("Welder (100% Remote)", WorkMode.REMOTE),
        ("Welder (Inside/Outside Hybrid Sales)", WorkMode.UNKNOWN),
        ("Remote Sensing Engineer", WorkMode.UNKNOWN),
        ("Engineer - Hybrid Cloud", WorkMode.UNKNOWN),
    ],
)
def test_only_an_aside_of_the_title_that_is_a_mode_counts_as_one(title, mode):
    assert read(replace(PLAIN, title=title)).place.mode is mode


def test_a_commitment_that_names_another_mode_than_the_label_is_a_conflict():
    listing = replace(
        PLAIN,
        locations=(LocationText("Leeds, UK", "categories.location"),),
        workplace_type="onsite",
        employment_type="Full-time: Remote",
    )

    facts = read(listing)

    assert facts.place.conflict
    assert facts.employment_type == "full_time"
    assert [place.city for place in facts.place.places] == ["Leeds"]


def test_a_flag_for_remote_work_never_turns_hybrid_into_remote():
    facts = read(first(ASHBY, "ashby.json"), ASHBY)

    assert facts.place.conflict
    toronto = replace(
        PLAIN, workplace_type="Hybrid", remote_flag=True, locations=(LocationText("Toronto", "location"),)
    )
    assert read(toronto, ASHBY).place.mode is WorkMode.HYBRID


def test_pay_fields_lead_and_words_that_agree_complete_them():
    facts = read(first(LEVER, "lever.json"))

    assert (facts.pay.low, facts.pay.high, facts.pay.currency, facts.pay.period) == (38, 44, "NZD", PayPeriod.HOUR)
    assert facts.pay.component is PayComponent.BASE
    assert (facts.pay.span.field, facts.pay.span.text) == ("salaryRange", "38 - 44 NZD per hour")
    assert facts.pay.warnings == ()


def test_words_that_state_another_pay_than_the_field_are_kept_beside_it_with_a_warning():
    listing = replace(
        PLAIN,
        pay=(StatedPay(Decimal(50000), Decimal(60000), "EUR", "year", field="salaryRange"),),
        description_text="Salary: €72,000 - €80,000 per year.",
    )

    pay = read(listing).pay

    assert (pay.low, pay.high) == (50000, 60000)
    assert [(zone.low, zone.high, zone.span.field) for zone in pay.zones] == [(72000, 80000, "text")]
    assert pay.warnings == (DIFFERS,)


def test_tiers_within_the_summary_range_are_zones_without_a_warning():
    pay = read(first(ASHBY, "ashby.json"), ASHBY).pay

    assert (pay.low, pay.high, pay.currency) == (70000, 95000, "CAD")
    assert [(zone.low, zone.high) for zone in pay.zones] == [(80000, 95000), (70000, 85000)]
    assert pay.warnings == ()


@pytest.mark.parametrize(
    ("stated", "state", "low", "high"),
    [
        (StatedPay(Decimal(75), Decimal(95), "USD", "year", field="salary"), PayState.AMBIGUOUS, None, None),
        (StatedPay(Decimal(60000), Decimal(50000), "EUR", "year", field="salary"), PayState.STATED, 50000, 60000),
        (StatedPay(Decimal(50000), None, "EUR", "year", field="salary"), PayState.STATED, 50000, None),
        (StatedPay(None, Decimal(50000), "EUR", "year", field="salary"), PayState.STATED, None, 50000),
        (StatedPay(text="by agreement", field="salary"), PayState.NOT_STATED, None, None),
        (StatedPay(text="Salary Range: 62,000.00-74,000.00", field="customField[0]"), PayState.STATED, 62000, 74000),
    ],
)
def test_a_pay_field_is_judged_as_strictly_as_text(stated, state, low, high):
    pay = read(replace(PLAIN, pay=(stated,))).pay

    assert (pay.state, pay.low, pay.high) == (state, low, high)


def test_currency_and_period_that_a_field_leaves_out_stay_open():
    pay = read(replace(PLAIN, pay=(StatedPay(Decimal(62000), Decimal(74000), "points", None, field="salary"),))).pay

    assert (pay.currency, pay.period) == (None, None)


def test_a_shared_sign_is_settled_by_the_one_country_of_the_posting():
    text = "Base salary: $90,000 - $110,000 per year"
    toronto = LocationText("Toronto, Canada", "location")
    austin = LocationText("Austin, TX, United States", "location")

    assert read(replace(PLAIN, locations=(toronto,), description_text=text)).pay.currency == "CAD"
    assert read(replace(PLAIN, locations=(toronto, austin), description_text=text)).pay.currency is None


def test_dates_keep_the_day_of_the_offset_they_state_and_their_field():
    facts = read(first(GREENHOUSE, "greenhouse.json"), GREENHOUSE)

    assert (facts.published.day, facts.updated.day) == (date(2026, 3, 2), date(2026, 3, 9))
    assert facts.valid_through.day == date(2026, 5, 1)
    assert (facts.published.span.field, facts.updated.span.field) == ("published", "updated")


def test_milliseconds_are_a_date_and_thirty_days_or_more_only_a_bound():
    assert read(replace(PLAIN, published="1767225600000")).published.day == date(2026, 1, 1)
    assert read(replace(PLAIN, published="Posted 30+ Days Ago")).published.bound == "before"


def test_the_language_is_that_of_the_text_and_the_vendors_word_only_without_one():
    german = "Wir suchen für unsere ruhige Werkstatt jemanden, der alte Uhren mit Geduld und Freude repariert."

    assert read(replace(PLAIN, language="en", description_text=german)).language.language == "de"
    assert read(replace(PLAIN, language="pt-BR")).language.language == "pt"
    assert read(replace(PLAIN, language="english")).language.language is None


def test_the_description_is_words_in_the_order_of_the_page():
    lines = description_of(first(LEVER, "lever.json")).splitlines()

    assert lines[0].startswith("We grow apples")
    assert lines[1:4] == ["You will", "- Walk the rows", "- Read soil samples"]
    assert lines[-1] == "We answer within a week."


def test_a_listing_that_says_nothing_gives_facts_that_say_nothing():
    facts = read(PLAIN)

    assert facts.place.places == ()
    assert facts.place.mode is WorkMode.UNKNOWN
    assert facts.pay.state is PayState.NOT_STATED
    assert (facts.published.day, facts.language.language, facts.employment_type) == (None, None, None)


def test_every_board_of_the_corpus_is_read_row_by_row_without_an_error(corpus):
    rows = 0
    for kind in BoardKind:
        for path in sorted((corpus / kind.value).rglob("*.*")):
            tenant, _, site = path.parent.name.partition("__")
            source = Source(kind, f"{tenant}.wd5.myworkdayjobs.com/{tenant}/{site}" if site else path.stem)
            adapter, body = adapter_for(kind), path.read_bytes()
            if "detail" in path.as_posix():
                read_listing(adapter.parse_detail(body, source), source, now=NOW)
                continue
            board = adapter.parse(body, source)
            rows += board.returned
            assert {problem.reason for problem in board.problems} <= {"unlisted"}
            assert not any(listing.unread for listing in board.listings)
            # A few of each are enough: the whole corpus is measured by the conformance tables.
            for listing in board.listings[:5]:
                read_listing(listing, source, now=NOW)
    assert rows > 2_000
