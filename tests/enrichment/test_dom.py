from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from selectolax.lexbor import LexborHTMLParser

from jobctrl.enrichment import dom, embedded
from jobctrl.enrichment.cascade import read_page
from jobctrl.enrichment.labels import Fact, heads_other_jobs, is_apply, label_of
from jobctrl.enrichment.main_part import main_part, words
from jobctrl.enrichment.model import PageKind

LONG = "You keep four hundred greenhouses warm, day by day, and you like it. " * 4


def main(html: str):
    found = main_part(LexborHTMLParser(f"<html><body>{html}</body></html>"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>Location</dt><dd>Denver</dd></dl>",
        "<table><tr><th>Location:</th><td>Denver</td></tr></table>",
        "<p><b>Location:</b> Denver</p>",
        "<p><strong>Location</strong>: Denver</p>",
        "<p>Location: Denver</p>",
        "<li><span>Location</span><span>Denver</span></li>",
        "<div><div><h3>Location</h3></div><div>Denver</div></div>",
        "<x-item title='Location'>Denver</x-item>",
        "<p>Lieu de travail : Denver</p>",
        "<p>Arbeitsort: <a href=/d>Denver</a></p>",
    ],
)
def test_a_value_is_found_behind_its_label(html):
    assert dom.labelled_facts(main(html))[Fact.LOCATION].text == "Denver"


@pytest.mark.parametrize(
    "html",
    [
        "<a>Location</a><a>Department</a>",
        "<p>Location</p>",
        f"<p>Location</p><p>{LONG}</p>",
        "<p>The location is fine</p>",
        "<dl><dt>Location</dt><dt>Salary</dt><dd>90</dd></dl>",
        "<select><option>Location</option><option>Denver</option></select>",
        "<div><label>Location</label><input> <span>Country</span></div>",
    ],
)
def test_a_word_without_a_value_of_its_own_is_no_label(html):
    assert Fact.LOCATION not in dom.labelled_facts(main(html))


@pytest.mark.parametrize(
    ("label", "fact"),
    [
        ("Salaire", Fact.PAY),
        ("  CLOSING DATE: ", Fact.DEADLINE),
        ("雇用形態", Fact.EMPLOYMENT_TYPE),
        ("Etätyö:", Fact.WORK_MODE),
        ("Nachricht", None),
        ("", None),
    ],
)
def test_labels_are_known_in_many_languages(label, fact):
    assert label_of(label) is fact


@pytest.mark.parametrize(
    "text", ["Apply now", "Easy Apply", "Jetzt bewerben", "Postuler", "応募する", "Candidatar-me", "I'm interested"]
)
def test_an_offer_to_apply_is_recognised(text):
    assert is_apply(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Apply filters",
        "Applied yesterday",
        "Save",
        "How to apply the paint evenly on all of your walls at home today",
    ],
)
def test_other_buttons_are_none(text):
    assert not is_apply(text)


@pytest.mark.parametrize(
    "text",
    [
        "Similar jobs",
        "Weitere Stellenangebote",
        "Offres similaires",
        "12 similar positions",
        "Vagas semelhantes",
        "この求人に似た求人",
    ],
)
def test_headings_over_other_jobs_are_recognised(text):
    assert heads_other_jobs(text)


@pytest.mark.parametrize("text", ["What you will do", "More about the job", "Your other tasks", "Similar experience"])
def test_headings_of_the_posting_are_not_cut(text):
    assert not heads_other_jobs(text)


def test_all_after_a_heading_over_other_jobs_is_cut_and_nothing_before():
    body = main(
        f"<h1>Grower</h1><div><p>{LONG}</p></div><div><div><h2>Similar jobs</h2></div><p>Baker</p></div><p>Miller</p>"
    )

    assert words(body) == f"Grower {LONG.strip()}"


def test_several_titles_that_lead_elsewhere_are_a_list():
    cards = "".join(f"<div><h3 class='job-title'><a href='/{i}'>Grower {i}</a></h3></div>" for i in range(3))

    assert dom.lists_titles(main(cards))
    assert not dom.lists_titles(
        main("<h1 class='job-title'>Grower</h1><h2 class='job-title'><a href='/1'>Grower</a></h2>")
    )


@pytest.mark.parametrize(
    "state",
    [
        "<script id='__NEXT_DATA__' type='application/json'>{}</script>",
        "<script>window.__STATE__ = {};</script>",
        "<script>var a = 1; window.x = JSON.parse({!r});</script>",
        "<input type=hidden value='{}'>",
        "<div id=app data-page='{}'></div>",
    ],
)
def test_a_posting_is_found_in_the_pages_own_data(state):
    data = json.dumps(
        {
            "props": [
                {"job": {"jobTitle": "Grower", "description": LONG, "location": {"city": "Denver"}, "isExpired": False}}
            ]
        }
    )
    shown = state.replace("{!r}", json.dumps(data)).replace("{}", data)

    (found,) = embedded.job_objects(LexborHTMLParser(f"<html><body>{shown}</body></html>"))
    said = embedded.stated(found)

    assert (said.title.text, said.places[0].text, said.open_flag.text) == ("Grower", "Denver", "isexpired: false")


@pytest.mark.parametrize(
    ("fields", "closed"),
    [
        ({"isExpired": True}, True),
        ({"status": "CLOSED"}, True),
        ({"postingAvailable": False}, True),
        ({"status": "published"}, False),
        ({"isActive": True}, False),
        ({"status": "new"}, None),
        ({}, None),
    ],
)
def test_a_status_in_the_data_opens_or_closes(fields, closed):
    said = embedded.stated({"title": "Grower", "description": LONG, **fields})

    assert (said.open_flag is not None, said.closed_flag is not None) == (closed is False, closed is True)


def test_the_object_of_another_posting_is_not_taken():
    data = [{"title": t, "description": t + LONG} for t in ("Grower", "Baker")]

    assert embedded.job_for(data, "baker") == data[1]
    assert embedded.job_for(data, "Miller") is None
    assert embedded.job_for(data, None) is None


@pytest.mark.parametrize(
    "heading", ["Careers", "Open positions", "Sign in", "Stellenangebote", "Oops! Something went wrong", "求人情報"]
)
def test_the_name_of_a_page_is_no_job_title(heading):
    html = f"<html><head><title>{heading} at Acme</title></head><body><h1>{heading}</h1><p>{LONG}</p></body></html>"
    tree = LexborHTMLParser(html)
    body = main_part(tree)
    assert body is not None

    assert dom.stated(tree, body, url="https://x.example").title is None


def test_an_employer_is_known_by_the_link_to_its_page():
    links = "<a href='/a'>Jobs</a><a href='/empresa/3/old-orchard-lda/'>Old Orchard, Lda.</a><a href='/cmp/x'>News</a>"
    tree = LexborHTMLParser(f"<body><h1>Grower</h1>{links}</body>")
    body = main_part(tree)
    assert body is not None

    assert dom.stated(tree, body, url="https://x.example").company.text == "Old Orchard, Lda."


def test_a_posting_with_a_list_beside_it_is_still_one_posting():
    cards = "".join(f"<div><h3 class='job-title'><a href='/{i}'>Baker {i}</a></h3></div>" for i in range(3))
    html = f"<title>Head Grower - Acme</title><h1>Head  Grower</h1><div class='job-description'>{LONG * 2}</div>{cards}"

    reading = read_page(html, url="https://x.example/1", now=datetime(2026, 8, 25, tzinfo=UTC))

    assert (reading.kind, reading.title) == (PageKind.POSTING, "Head Grower")
