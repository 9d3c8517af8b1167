from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from jobctrl.enrichment.json_ld import base_salary, job_postings, main_posting, parse_block, stated
from jobctrl.postings.model import PayPeriod

JOB = {"@type": "JobPosting", "title": "Grower", "description": "Warm greenhouses."}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(JOB),
        json.dumps([JOB]),
        json.dumps({"@graph": [{"@type": "WebPage"}, JOB]}),
        json.dumps({"@type": "WebPage", "mainEntity": JOB}),
        json.dumps(json.dumps(JOB)),
        json.dumps(JOB)[:-1] + ",}",
        "<!--" + json.dumps(JOB) + "-->",
        "//<![CDATA[\n" + json.dumps(JOB) + "\n//]]>",
        json.dumps(JOB) + ";",
        json.dumps({"@type": "Organization"}) + json.dumps(JOB),
        json.dumps(JOB).replace('"', "&quot;"),
        json.dumps(JOB).replace("Warm ", "Warm\n\t"),
        json.dumps(JOB).replace("Warm ", "Warm \\o/ "),
        json.dumps(JOB).replace("@type", "\\u0040type"),
        json.dumps(JOB).replace("JobPosting", "http://schema.org/JobPosting"),
        "\ufeff" + json.dumps(JOB),
    ],
)
def test_a_posting_is_found_however_its_block_is_written(text):
    tree = LexborHTMLParser(f"<html><head><script type='application/LD+JSON'>{text}</script></head></html>")

    assert [p["title"] for p in job_postings(tree)] == ["Grower"]


def test_commas_inside_of_words_survive_mending():
    assert parse_block('{"a": "x, } y", "b": [1, 2,],}') == [{"a": "x, } y", "b": [1, 2]}]


@given(st.text(max_size=200))
def test_any_block_is_read_without_an_error(text):
    parse_block(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=5), inner),
    ),
    st.sampled_from(
        [
            "title",
            "hiringOrganization",
            "jobLocation",
            "baseSalary",
            "employmentType",
            "description",
            "url",
            "directApply",
        ]
    ),
)
def test_a_field_of_any_shape_is_read_without_an_error(value, name):
    stated({**JOB, name: value}, url="https://x.example/1")


def test_of_several_postings_the_one_at_this_address_or_under_this_heading_is_meant():
    two = [{**JOB, "title": t, "url": f"https://x.example/{t}"} for t in ("Grower", "Baker")]

    assert main_posting(two, url="https://x.example/Baker", heading=None) == two[1]
    assert main_posting(two, url="https://x.example/jobs", heading="grower") == two[0]
    assert main_posting(two, url="https://x.example/jobs", heading="Jobs") is None


@pytest.mark.parametrize(
    ("location", "want"),
    [
        ({"address": {"addressLocality": "Denver", "addressRegion": "CO", "addressCountry": "US"}}, ["Denver, CO, US"]),
        ({"address": "Denver, CO"}, ["Denver, CO"]),
        ("Denver, CO", ["Denver, CO"]),
        ({"name": "Denver office, CO"}, ["Denver office, CO"]),
        ([{"address": {"addressLocality": c}} for c in ("Lyon", "Nice")], ["Lyon", "Nice"]),
        ({"address": [{"addressLocality": c} for c in ("Lyon", "Nice")]}, ["Lyon", "Nice"]),
        (
            {"address": {"addressLocality": ["Lyon", "Nice"], "addressCountry": {"name": "France"}}},
            ["Lyon, Nice, France"],
        ),
        ({"address": {"addressLocality": "UNAVAILABLE", "addressRegion": "N/A", "addressCountry": "HK"}}, ["HK"]),
        (
            {"address": {"addressLocality": "Paris", "addressRegion": "France", "addressCountry": "france"}},
            ["Paris, france"],
        ),
        ({"address": {"addressLocality": "Remote", "addressCountry": "US"}}, ["US"]),
        ({}, []),
        (None, []),
        (7, []),
    ],
)
def test_places_are_taken_from_every_shape_of_location(location, want):
    said = stated({**JOB, "jobLocation": location}, url="https://x.example/1")

    assert [place.text for place in said.places] == want


def test_where_applicants_must_live_is_the_place_of_remote_work_alone():
    node = {**JOB, "applicantLocationRequirements": {"@type": "Country", "name": "Canada"}}

    assert stated(node, url="u").places == ()
    assert [p.text for p in stated({**node, "jobLocationType": "TELECOMMUTE"}, url="u").places] == ["Canada"]


@pytest.mark.parametrize(
    ("salary", "want"),
    [
        (
            {"currency": "USD", "value": {"minValue": 90000, "maxValue": 110000, "unitText": "YEAR"}},
            ("USD", PayPeriod.YEAR, "90000", "110000"),
        ),
        (
            {"currency": "eur", "value": {"minValue": "1.500,50", "maxValue": "1.800,00", "unitText": "Monthly"}},
            ("EUR", PayPeriod.MONTH, "1500.50", "1800.00"),
        ),
        ({"currency": "GBP", "value": {"value": 21.5, "unitText": "HOUR"}}, ("GBP", PayPeriod.HOUR, "21.5", "21.5")),
        ({"currency": "USD", "value": "90,000", "unitText": "year"}, ("USD", PayPeriod.YEAR, "90000", "90000")),
        (
            {"currency": "VND", "value": {"minValue": 0, "maxValue": 80000000, "unitText": "MONTH"}},
            ("VND", PayPeriod.MONTH, None, "80000000"),
        ),
        ({"value": {"minValue": 90000}}, (None, None, "90000", None)),
        ({"currency": "$", "value": {"minValue": 9, "maxValue": 7}}, (None, None, "7", "9")),
        (52000, (None, None, "52000", "52000")),
        ({"currency": "EUR", "value": "YTES"}, None),
        ({"currency": "EUR", "value": {"minValue": -1}}, None),
        ("negotiable", None),
        ({"currency": "EUR", "value": {"value": True}}, None),
        (None, None),
    ],
)
def test_pay_fields_are_taken_as_they_are_and_nothing_is_added(salary, want):
    pay = base_salary({"baseSalary": salary}, "json_ld.baseSalary")

    if want is None:
        assert pay is None
    else:
        low, high = (Decimal(x) if x else None for x in want[2:])
        assert pay is not None
        assert (pay.currency, pay.period, pay.low, pay.high) == (*want[:2], low, high)


@pytest.mark.parametrize(
    ("node", "want"),
    [
        ({"directApply": True}, "https://x.example/1"),
        ({"applicationContact": {"url": "/apply"}, "url": "/job"}, "https://x.example/apply"),
        ({"url": "/job"}, "https://x.example/job"),
        ({"url": "javascript:void(0)"}, None),
        ({"url": "http://[bad"}, None),
        ({}, None),
    ],
)
def test_the_apply_link_is_direct_then_the_contacts_then_the_postings(node, want):
    said = stated({**JOB, **node}, url="https://x.example/1").apply_url

    assert (said.text if said else None) == want
