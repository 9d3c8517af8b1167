"""`explain` answers with documents of a fixed shape."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import SAMPLE_WEB, Run

SHAPES = {
    "pay": ["state", "currency", "period", "low", "high", "component", "span", "warnings"],
    "place": ["places", "mode", "conflict", "span", "spans", "warnings"],
    "date": ["day", "at", "bound", "span", "warnings"],
    "identity": ["key", "ats", "native_id", "canonical_url", "dropped"],
}
PAGE = """<!DOCTYPE html><html lang="en"><head><title>Lock keeper</title>
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "JobPosting", "title": "Lock keeper",
"hiringOrganization": {"@type": "Organization", "name": "Canal Works"}, "datePosted": "2026-03-01",
"employmentType": "PART_TIME", "jobLocation": {"@type": "Place", "address": {"@type": "PostalAddress",
"addressLocality": "Utrecht", "addressCountry": "NL"}}, "description": "%s"}</script></head>
<body><main><h1>Lock keeper</h1><p>%s</p><a href="/apply/12">Apply now</a></main></body></html>"""
TEXT = "You open the lock in the morning and close it at night, and you keep the book of every boat that passes. " * 4


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("pay", "Salary: EUR 60.000 per year"),
        ("pay", "a competitive package"),
        ("pay", ""),
        ("place", "Remote within Spain"),
        ("place", "somewhere nice"),
        ("date", "2026-03-01"),
        ("date", "soon"),
        ("identity", "https://jobs.lever.co/acme/0b1c2d3e-0000-4000-8000-000000000001"),
        ("identity", "not an address"),
    ],
)
def test_each_kind_has_its_keys_whatever_the_words(jobctrl: Run, what: str, text: str) -> None:
    said = jobctrl("explain", what, text, "--json")

    assert (said.code, said.err) == (0, "")
    assert [key for key in said.json if key != "zones"] == SHAPES[what]


def test_canadian_dollars_a_year_are_read_with_their_span(jobctrl: Run) -> None:
    found = jobctrl("explain", "pay", "Salary: CA$90,000 - CA$110,000 per year", "--json").json

    assert (found["state"], found["currency"], found["period"]) == ("stated", "CAD", "year")
    assert (found["low"], found["high"]) == (90000, 110000)
    assert "CA$90,000 - CA$110,000" in found["span"]["text"]


def test_not_remote_is_on_site(jobctrl: Run) -> None:
    found = jobctrl("explain", "place", "On-site (not remote), Austin, TX", "--json").json

    assert found["mode"] == "on_site"
    assert found["places"] == [{"city": "Austin", "region": "TX", "country": "US"}]


def test_addresses_that_differ_only_in_gh_jid_are_two_postings(jobctrl: Run) -> None:
    one, other = (
        jobctrl("explain", "identity", f"https://careers.example.org/jobs?gh_jid=401{n}", "--json").json for n in (1, 2)
    )

    assert one["key"] != other["key"]
    assert (one["native_id"], other["native_id"]) == ("4011", "4012")


def test_an_ambiguous_sign_is_settled_by_the_country_alone(jobctrl: Run) -> None:
    bare = jobctrl("explain", "pay", "Pay: $45 per hour", "--json").json
    settled = jobctrl("explain", "pay", "Pay: $45 per hour", "--country", "ca", "--json").json

    assert (bare["currency"], "ambiguous_symbol" in bare["warnings"]) == (None, True)
    assert (settled["currency"], settled["period"]) == ("CAD", "hour")


def test_a_bound_is_not_a_date(jobctrl: Run) -> None:
    assert jobctrl("explain", "date", "Posted 30+ days ago", "--json").json["bound"] == "before"


def test_a_saved_page_is_read_field_by_field_with_tier_and_span(jobctrl: Run, tmp_path: Path) -> None:
    file = tmp_path / "saved.html"
    file.write_text(PAGE % (TEXT, TEXT), encoding="utf-8")

    found = jobctrl("explain", "page", file, "--url", "https://careers.example.org/jobs/12", "--json").json

    assert (found["title"], found["company"], found["published"]) == ("Lock keeper", "Canal Works", "2026-03-01")
    assert found["places"] == [{"city": "Utrecht", "region": None, "country": "NL"}]
    assert (found["employment_type"], found["language"], found["active_state"]) == ("part_time", "en", "open")
    assert (found["pay"]["state"], found["description_length"] > 300) == ("not_stated", True)
    assert found["apply_link"].startswith("https://careers.example.org/")
    assert found["sources"]["title"]["tier"] == "json_ld"
    assert set(found["sources"]["title"]["span"]) == {"start", "end", "text", "field"}


def test_an_address_that_nobody_gave_is_not_made_up(jobctrl: Run, tmp_path: Path) -> None:
    file = tmp_path / "saved.html"
    file.write_text(PAGE % (TEXT, TEXT), encoding="utf-8")

    said = jobctrl("explain", "page", file, "--json")

    assert said.json["url"] is None
    assert "example.invalid" not in said.out


def test_a_page_can_come_from_a_recorded_web(jobctrl: Run) -> None:
    index = Path(SAMPLE_WEB.removeprefix("recorded:")) / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    url = next(line["url"] for line in lines if line["file"].endswith("wrendijk-data-engineer-telemetry.html"))

    found = jobctrl("explain", "page", url, "--web", SAMPLE_WEB, "--json").json

    assert (found["url"], found["title"]) == (url, "Data Engineer, Telemetry")


def test_words_for_a_person_quote_what_was_read(jobctrl: Run) -> None:
    said = jobctrl("explain", "pay", "Salary: EUR 60,000 per year")

    assert re.search(r'^span: ".*EUR 60,000.*" \(text \d+-\d+\)$', said.out, re.MULTILINE)


def test_a_file_that_is_not_there_is_told(jobctrl: Run, tmp_path: Path) -> None:
    said = jobctrl("explain", "page", tmp_path / "none.html")

    assert said.code == 2
    assert said.err.startswith("error: ")
    assert "hint: " in said.err
