"""Places and modes of location lines, and one reading out of everything a posting states."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.gazetteer import lookup, same_subdivision
from jobctrl.postings.model import Place, WorkMode
from jobctrl.postings.place import StatedPlace, combine, read_place
from tests.conformance.harness import CASES, Verdict
from tests.conformance.place_text import TABLE


def places(text: str, **known: str) -> set[tuple[str | None, str | None, str | None]]:
    return {(place.city, place.region, place.country) for place in read_place(text, **known).places}


def test_every_own_case_is_read_right():
    faults = [line for line in TABLE.lines(CASES, Path()) if line.verdict is not Verdict.RIGHT]

    assert faults == []


def test_the_recorded_location_strings_are_read_without_wrong_places(corpus):
    lines = [line for line in TABLE.lines(corpus / "truth", corpus) if line.sure]

    right = sum(line.verdict is Verdict.RIGHT for line in lines)
    wrong = sum(line.verdict is Verdict.WRONG for line in lines)

    assert right / len(lines) >= 0.95
    assert wrong / len(lines) <= 0.01


@pytest.mark.parametrize("code", ["CA", "CO", "IL", "DE", "GA", "IN", "AL", "MT"])
def test_a_code_with_two_meanings_is_not_guessed_alone(code):
    reading = read_place(code)

    assert reading.places == ()
    assert "ambiguous_code" in reading.warnings


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("San Diego, CA", ("San Diego", "CA", "US")),
        ("Toronto, CA", ("Toronto", None, "CA")),
        ("CA-Ottawa", ("Ottawa", None, "CA")),
        ("CA - Sacramento", ("Sacramento", "CA", "US")),
        ("Bloomington, IN", ("Bloomington", "IN", "US")),
        ("Pune, IN", ("Pune", None, "IN")),
        ("Wilmington, DE", ("Wilmington", "DE", "US")),
        ("Leipzig, DE", ("Leipzig", None, "DE")),
        ("Medellín, CO", ("Medellín", None, "CO")),
        ("Boulder, CO", ("Boulder", "CO", "US")),
    ],
)
def test_the_city_settles_what_a_code_means(text, meaning):
    assert places(text) == {meaning}


def test_a_known_country_settles_what_the_line_leaves_open():
    assert places("GA", country="US") == {(None, "GA", "US")}
    assert places("Georgia", country="GE") == {(None, None, "GE")}
    assert places("Valencia", country="VE") == {("Valencia", None, "VE")}


def test_a_denial_counts():
    reading = read_place("On-site (not remote), Austin, TX")

    assert reading.mode is WorkMode.ON_SITE
    assert not reading.conflict
    assert [(p.city, p.region, p.country) for p in reading.places] == [("Austin", "TX", "US")]


def test_remote_is_a_mode_and_never_a_place():
    reading = read_place("Remote")

    assert reading.places == ()
    assert reading.mode is WorkMode.REMOTE


def test_one_place_in_three_spellings_is_listed_once():
    assert places("Calgary, AB, CA / Calgary, Alberta, CA / Remote (Calgary, AB, CA)") == {("Calgary", "AB", "CA")}


def test_the_span_holds_the_words_that_were_read():
    text = "Remote or Denver, CO"
    reading = read_place(text)

    assert all(span.text == text[span.start : span.end] for span in reading.spans)
    assert "Denver, CO" in {span.text for span in reading.spans}


@given(st.text(max_size=120))
def test_any_text_is_read_without_an_error(text):
    reading = read_place(text)

    for span in reading.spans:
        assert 0 <= span.start <= span.end <= len(text)
    for place in reading.places:
        assert place.city or place.region or place.country
        assert place.country is None or (len(place.country) == 2 and place.country.isupper())


_PIECES = st.sampled_from(
    [
        "Remote",
        "Berlin",
        "Germany",
        "TX",
        "CA",
        "US",
        "New York",
        "or",
        ";",
        ", ",
        " - ",
        "/",
        "(",
        ")",
        "東京",
        "EMEA",
        "Hybrid",
    ]
)


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_no_arrangement_of_names_and_separators_is_an_error(text):
    assert read_place(text).mode in WorkMode


def test_all_stated_places_are_united():
    reading = combine(
        [StatedPlace("Berlin, Germany", "location"), StatedPlace("Paris, France", "secondaryLocations[0]")]
    )

    assert {place.city for place in reading.places} == {"Berlin", "Paris"}
    assert {span.field for span in reading.spans} == {"location", "secondaryLocations[0]"}


def test_parts_a_vendor_took_apart_are_read_as_one_place():
    reading = combine([StatedPlace(city="Austin", region="TX", country="US", field="address")])

    assert reading.places == (Place("Austin", "TX", "US"),)


def test_a_label_and_a_text_that_contradict_are_both_kept():
    reading = combine(
        [StatedPlace("US, TX, Remote", "locationsText")],
        body="This is a fully on-site role at our plant. Remote work is not available.",
    )

    assert reading.conflict
    assert {"locationsText", "body"} <= {span.field for span in reading.spans}


@pytest.mark.parametrize(
    ("label", "flag", "body", "mode", "conflict"),
    [
        ("hybrid", None, "", WorkMode.HYBRID, False),
        ("Remote", True, "", WorkMode.REMOTE, False),
        (None, False, "", WorkMode.UNKNOWN, False),
        (None, True, "", WorkMode.REMOTE, False),
        ("On-Site", None, "We expect you in our office 3 days a week.", WorkMode.HYBRID, True),
        ("onsite", None, "We allow you to work from home now and then.", WorkMode.ON_SITE, True),
        ("hybrid", None, "You may work from home on other days.", WorkMode.HYBRID, False),
        ("Remote", None, "We are a hybrid team.", WorkMode.REMOTE, True),
        (None, None, "Our headquarters are in Lyon. We build hybrid cloud software.", WorkMode.UNKNOWN, False),
        (None, None, "This is not a remote position.", WorkMode.ON_SITE, False),
    ],
)
def test_label_flag_and_text_are_weighed(label, flag, body, mode, conflict):
    reading = combine([StatedPlace("Lyon, France")], workplace_type=label, remote_flag=flag, body=body)

    assert (reading.mode, reading.conflict) == (mode, conflict)


def test_a_headquarter_in_the_text_is_no_place():
    reading = combine([StatedPlace("Remote")], body="Acme, headquartered in Tokyo, Japan, serves customers in Oslo.")

    assert reading.places == ()


def test_offices_and_home_as_alternatives_are_a_conflict():
    reading = combine([StatedPlace("Leeds, UK"), StatedPlace("Remote, UK")])

    assert reading.mode is WorkMode.REMOTE
    assert reading.conflict


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Telangana", "TS"),
        ("California", "CA"),
        ("Bavaria", "BY"),
        ("Nordrhein-Westfalen", "NW"),
        ("British Columbia", "BC"),
        ("New South Wales", "NSW"),
        ("Île-de-France", "IDF"),
        ("North Holland", "NH"),
    ],
)
def test_a_region_and_its_code_are_one(name, code):
    assert same_subdivision(None, name, code)


@pytest.mark.parametrize(
    ("country", "capital", "code"),
    [
        ("CA", "Winnipeg", "MB"),
        ("AU", "Hobart", "TAS"),
        ("DE", "Dresden", "SN"),
        ("BR", "Curitiba", "PR"),
        ("IN", "Kolkata", "WB"),
        ("IN", "Lucknow", "UP"),
        ("NL", "Zwolle", "OV"),
        ("US", "Boise", "ID"),
        ("CH", "Basel", "BS"),
    ],
)
def test_a_capital_lies_in_its_part_of_the_country(country, capital, code):
    entry = lookup(capital)

    assert entry
    assert code in {city.subdivision for city in entry.cities if city.country == country}
