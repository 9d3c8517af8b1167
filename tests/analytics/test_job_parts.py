"""What a job's page shows stands on what was recorded, and nothing from a posting becomes markup."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import msgspec
import pytest
from msgspec.structs import replace

from jobctrl.analytics.job_parts import (
    availability,
    decided,
    facts_frame,
    heading,
    history_frame,
    ledger_frame,
    letter_text,
    lines_frame,
    observations_frame,
    own_words,
    stages_frame,
)
from jobctrl.materials.model import Letter, Line, Section
from jobctrl.operations.board import job_view
from jobctrl.operations.jobs import JOBS
from jobctrl.postings.model import (
    DateReading,
    LanguageReading,
    PayPeriod,
    PayReading,
    PayState,
    Place,
    PlaceReading,
    PostingFacts,
    Span,
    WorkMode,
)


class Own(NamedTuple):
    id: str
    kind: str
    text: str


def stored(value: object) -> object:
    return msgspec.json.decode(msgspec.json.encode(value))


def test_every_fact_is_shown_with_the_words_it_was_read_from():
    pay = PayReading(
        PayState.STATED,
        "CAD",
        PayPeriod.YEAR,
        Decimal(90_000),
        Decimal(110_000),
        span=Span(8, 40, "CA$90,000 - CA$110,000"),
    )
    place = PlaceReading((Place("Toronto", None, "CA"),), WorkMode.HYBRID, conflict=True)
    facts = PostingFacts(place, pay, DateReading(date(2026, 2, 1)), language=LanguageReading("en", 0.9))

    shown = {row["fact"]: row for row in facts_frame(stored(asdict(facts))).iter_rows(named=True)}

    assert shown["pay"]["value"] == "90000 to 110000 CAD per year"
    assert shown["pay"]["words"] == "CA$90,000 - CA$110,000"
    assert shown["places"]["value"] == "Toronto, CA"
    assert shown["work mode"]["value"] == "hybrid (label and text differ)"
    assert shown["published"]["value"] == "2026-02-01"
    assert shown["closes"]["value"] == "unknown"
    assert shown["employment type"]["value"] == "unknown"


def test_pay_that_is_not_stated_is_said_in_words():
    shown = facts_frame(stored(asdict(PostingFacts())))

    assert dict(shown.select("fact", "value").rows())["pay"] == "not stated"


@pytest.mark.parametrize("nothing", [{}, None])
def test_a_job_of_which_nothing_is_known_gives_empty_tables(nothing):
    assert facts_frame(nothing).is_empty()
    assert ledger_frame([]).is_empty()
    assert lines_frame(nothing).is_empty()
    assert letter_text(nothing) == ""
    assert observations_frame([]).is_empty()


def test_the_ledger_lists_the_heaviest_requirement_first_with_its_evidence():
    items = [
        {"text": "SQL", "tier": "nice_to_have", "weight": 0.3, "fit": "missing", "awarded": 0, "max_points": 1.5},
        {
            "text": "Python",
            "tier": "must_have",
            "weight": 1.0,
            "fit": "matched",
            "awarded": 5,
            "max_points": 5,
            "evidence_ids": ["b1", "b2"],
        },
    ]

    frame = ledger_frame(items)

    assert frame["requirement"].to_list() == ["Python", "SQL"]
    assert frame.row(0, named=True)["evidence"] == "b1; b2"


def test_a_letter_is_read_back_as_it_was_written():
    lines = ((Line(Section.LETTER, "s1", "I build pipelines."), Line(Section.LETTER, "s2", "They run.")),)
    letter = Letter("1 March 2026", "Data Engineer", "Dear team,", lines, "Kind regards,", "A Person")

    assert letter_text({"letter": stored(letter)}) == letter.text


@pytest.mark.parametrize(("url", "linked"), [("https://a.example.org/1?a=1&b=2", True), ("javascript:alert(1)", False)])
def test_a_heading_cannot_carry_markup_or_a_script(search, url, linked):
    job_id = search.find("a", title="<img src=x onerror=alert(1)>", url=url)
    search.tell()
    with search.store.reader() as connection:
        job = JOBS.get(connection, job_id)

    shown = heading(job)

    assert "<img" not in shown
    assert "javascript" not in shown
    assert ("<a href" in shown) is linked


def test_a_ledger_and_a_resume_show_the_persons_own_words_where_they_are_known():
    own = own_words([Own("b1", "bullet", "Built pipelines."), Own("b1", "achievement", "Won a prize.")])
    items = [{"text": "Python", "evidence_ids": ["bullet:b1", "role:gone"]}]
    resume = {"provenance": [{"source_id": "achievement:b1", "generated_text": "Prize"}, {"source_id": "zz"}]}

    assert ledger_frame(items, own)["evidence"].to_list() == ["Built pipelines.; role:gone"]
    assert lines_frame(resume, own)["from_line"].to_list() == ["Won a prize.", "zz"]


def test_what_is_known_of_a_job_is_said_in_words(search):
    with search.store.writer() as tx:
        facts = tx.put("{}", "application/json")
    job_id = search.find("a", facts_hash=facts)
    search.stage(job_id, "enrich", fails="source_unavailable")
    search.active(job_id, "active")
    search.tell()

    view = job_view(search.store, job_id)

    assert availability(None).startswith("Nobody has looked")
    assert availability(view.enrichment).startswith("The posting is **active**, by board listing")
    assert stages_frame(view.stages).select("stage", "state", "error").rows() == [
        ("enrich", "failed", "source_unavailable")
    ]
    assert history_frame(view.history)["what"].to_list() == [
        "Availability: unknown became active, by board listing.",
        "enrich failed: source unavailable (worth another try).",
        "enrich began, attempt 1.",
        "Seen at greenhouse:acme.",
        "Found at greenhouse:acme.",
    ]


@pytest.mark.parametrize(
    ("says", "word"),
    [
        ({}, "undecided"),
        ({"feedback": "saved"}, "kept"),
        ({"feedback": "saved", "applied_at": "2026-03-01T00:00:00Z"}, "applied"),
        ({"snoozed_until": "2026-04-01T00:00:00Z"}, "later, 2026-04-01"),
        ({"hidden": 1, "feedback": "dismissed"}, "dismissed"),
    ],
)
def test_what_a_person_decided_is_a_word(search, says, word):
    job_id = search.find("a")
    search.tell()

    with search.store.reader() as connection:
        job = JOBS.get(connection, job_id)

    assert decided(replace(job, **says)) == word
