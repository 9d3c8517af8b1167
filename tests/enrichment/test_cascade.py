from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.model import Confidence, ExtractionTier, PageKind, Quarantine
from jobctrl.enrichment.stated_place import places_of
from jobctrl.network.model import Response
from jobctrl.postings.model import Place, WorkMode
from jobctrl.postings.place import StatedPlace
from tests.conformance.harness import CASES, Verdict
from tests.conformance.pages import TABLE

NOW = datetime(2026, 8, 25, 12, tzinfo=UTC)
URL = "https://jobs.example.com/jobs/77"
PAGES = Path(__file__).parent / "pages"
TEXT = "We keep four hundred greenhouses warm and want a person who reads their meters well. " * 4


def test_every_page_of_the_projects_own_cases_is_read_as_labelled():
    lines = list(TABLE.lines(CASES, CASES))

    wrong = [line for line in lines if line.verdict is Verdict.WRONG]
    missed = [line for line in lines if line.verdict is Verdict.MISSED]
    assert wrong == []
    assert len(missed) <= 0.02 * len(lines), missed


def test_the_corpus_is_read_well_enough(corpus):
    lines = [line for line in TABLE.lines(corpus / "truth", corpus) if line.sure]
    right = sum(line.verdict is Verdict.RIGHT for line in lines)
    wrong = [line for line in lines if line.verdict is Verdict.WRONG]

    assert right >= 0.94 * len(lines)
    assert len(wrong) <= 0.03 * len(lines), wrong


def test_each_field_says_where_it_was_read():
    reading = read_page((PAGES / "visible_over_hidden.html").read_text(), url=URL, now=NOW)

    assert {
        name: (source.tier.value, source.span.field) for name, source in reading.sources.items() if source.span
    } == {
        "title": ("json_ld", "json_ld.title"),
        "company": ("json_ld", "json_ld.hiringOrganization"),
        "apply_url": ("css_selectors", "a[href]"),
        "description": ("json_ld", "json_ld.description"),
        "places": ("json_ld", "json_ld.jobLocation"),
        "pay": ("css_selectors", "label:pay"),
        "published": ("json_ld", "json_ld.datePosted"),
        "employment_type": ("json_ld", "json_ld.employmentType"),
    }


def test_what_the_page_shows_wins_over_what_it_hides_and_the_conflict_is_kept():
    reading = read_page((PAGES / "visible_over_hidden.html").read_text(), url=URL, now=NOW)

    assert (reading.facts.place.mode, reading.facts.place.conflict) == (WorkMode.HYBRID, True)
    assert any("work_mode" in warning for warning in reading.warnings)


def test_a_relative_date_is_kept_as_a_bound_and_no_date():
    reading = read_page((PAGES / "similar_jobs_closed.html").read_text(), url=URL, now=NOW)

    assert reading.facts.published.bound == "before"
    assert reading.facts.published.day == date(2026, 8, 4)


def test_a_teaser_gives_way_to_the_whole_text():
    job = {
        "@type": "JobPosting",
        "title": "Grower",
        "description": "We keep four hundred greenhouses warm and want a …",
    }
    block = f"<script type='application/ld+json'>{json.dumps(job)}</script>"
    html = f"{block}<h1>Grower</h1><div class=job-description><p>{TEXT}</p></div>"

    reading = read_page(html, url=URL, now=NOW)

    assert reading.tier is ExtractionTier.CSS_SELECTORS
    assert len(reading.description) > 300


def test_unmarked_text_is_read_when_a_title_and_an_apply_button_vouch_for_it():
    tasks = ("water the young plants", "mend the roof vents", "read the meters at night", "teach the new people")
    text = "".join(
        f"<div><div><p>Day by day you will {t}, and you tell us how it went. {TEXT}</p></div></div>" for t in tasks
    )
    html = f"<title>Grower</title><div><h1>Grower</h1></div>{text}<div><a href='/apply'>Apply now</a></div>"

    vouched = read_page(html, url=URL, now=NOW)
    silent = read_page(html.replace("Apply now", "Contact"), url=URL, now=NOW)

    assert (vouched.kind, len(vouched.description) > 600) == (PageKind.POSTING, True)
    assert silent.kind is PageKind.SHELL


def test_a_usable_reading_is_not_quarantined_and_an_unknown_state_always_is():
    good = read_page((PAGES / "lever.html").read_text(), url=URL, now=NOW)
    wall = read_page((PAGES / "wall.html").read_text(), url=URL, now=NOW)

    assert (good.confidence, good.quarantine) == (Confidence.HIGH, Quarantine.NONE)
    assert wall.quarantine is Quarantine.UNKNOWN_ACTIVE_STATE


def test_the_text_is_also_kept_with_its_structure():
    reading = read_page((PAGES / "microdata.html").read_text(), url=URL, now=NOW)

    assert "- Patience with hardware that misbehaves" in reading.description_markdown
    assert "### What you bring" in reading.description_markdown


@pytest.mark.parametrize(
    ("stated", "want"),
    [
        (StatedPlace("", "f", city="Denver", region="CO", country="US"), Place("Denver", "CO", "US")),
        (
            StatedPlace("", "f", city="Little Unheardof", region="VIC", country="AU"),
            Place("Little Unheardof", "VIC", "AU"),
        ),
        (StatedPlace("", "f", city="USA-MN Mounds View South", country="US"), Place("Mounds View", "MN", "US")),
        (StatedPlace("", "f", city="Hub 4711", country="NL"), Place(None, None, "NL")),
        (StatedPlace("", "f", country="Portugal"), Place(None, None, "PT")),
    ],
)
def test_fields_that_part_a_place_are_believed_where_the_gazetteer_is_silent(stated, want):
    found = places_of(stated)

    assert [(p.city, p.country) for p in found] == [(want.city, want.country)]


@pytest.mark.parametrize(
    "body", [b"", b"%PDF-1.7 \xff\xfe", b"{}", b"\x00" * 50, b"<html>", b"<" * 5000, "日本".encode("shift_jis")]
)
def test_whatever_comes_is_read_without_an_error(body):
    reading = read_page(Response(URL, 200, "text/html", body), url=URL, now=NOW)

    assert (reading.title, reading.description) == (None, "")


PIECES = st.sampled_from(
    [
        "<h1>",
        "</h1>",
        "<div class='job-title'>",
        "</div>",
        "<p>Location: Denver, CO</p>",
        "<dl><dt>Salary</dt><dd>$90,000",
        "<script type='application/ld+json'>",
        '{"@type":"JobPosting","title":"x","jobLocation":',
        "</script>",
        "<a href='/x'>Apply now",
        "\x00",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES | st.text(max_size=20), max_size=25).map("".join))
def test_any_markup_is_read_without_an_error(html):
    read_page(html, url=URL, now=NOW)
