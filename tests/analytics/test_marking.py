"""Marks stand on the exact words they were read from, and nothing from a posting becomes markup."""

from __future__ import annotations

import re
from dataclasses import asdict
from html import unescape

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.analytics.marking import marked_text
from jobctrl.postings.model import Place, PlaceReading, PostingFacts, Span, WorkMode

TEXT = "Know <b>Python</b> & SQL.\nBe kind in Kraków."


def met(words: str, fit: str = "matched") -> dict[str, object]:
    start = TEXT.index(words)
    return {"fit": fit, "tier": "must_have", "span": {"start": start, "end": start + len(words), "text": words}}


def test_a_requirement_is_marked_by_how_well_it_is_met_and_a_posting_cannot_bring_markup():
    shown = marked_text(
        TEXT, [met("<b>Python</b> & SQL"), {"fit": "missing", "span": {"start": 0, "end": 4, "text": "E"}}]
    )

    assert shown == (
        'Know <mark class="matched" title="must have: matched">&lt;b&gt;Python&lt;/b&gt; &amp; SQL</mark>.'
        "<br>Be kind in Kraków."
    )


def test_a_fact_is_marked_by_what_was_read_from_it():
    at = TEXT.index("Kraków")
    place = PlaceReading((Place("Kraków", None, "PL"),), WorkMode.UNKNOWN, spans=(Span(at, at + 6, "Kraków"),))
    facts = msgspec.json.decode(msgspec.json.encode(asdict(PostingFacts(place))))

    shown = marked_text(TEXT, [], facts)

    assert '<mark class="fact" title="places: Kraków, PL; work mode: unknown">Kraków</mark>' in shown


def test_a_fact_inside_a_requirement_has_both_marks_and_no_word_is_lost():
    shown = marked_text(TEXT, [met("Be kind in Kraków"), met("kind", "missing")])

    assert 'class="matched missing"' in shown
    assert unescape(re.sub("<[^>]*>", "", shown.replace("<br>", "\n"))) == TEXT


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(-5, 70), st.integers(-5, 70)), max_size=6))
def test_no_span_whatever_loses_or_doubles_a_character(text, spans):
    items = [{"fit": "matched", "span": {"start": a, "end": b, "text": text[a:b]}} for a, b in spans]

    shown = marked_text(text, items)

    assert unescape(re.sub("<[^>]*>", "", shown.replace("<br>", "\n"))) == text.replace("\r", "\r")
