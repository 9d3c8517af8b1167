"""What a text states about where the work is done."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.mode import mode_of_label, read_line_mode, read_mode
from jobctrl.postings.model import WorkMode


def modes(text: str) -> set[tuple[str, bool]]:
    return {(statement.mode.value, statement.positive) for statement in read_mode(text)}


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("This is a fully remote position within Canada.", "remote"),
        ("You can work remotely from anywhere in Spain.", "remote"),
        ("#LI-Remote", "remote"),
        ("Location: Remote", "remote"),
        ("Die Stelle ist 100% remote.", "remote"),
        ("Poste en full remote.", "remote"),
        ("Vaga remota para todo o Brasil.", "remote"),
        ("Praca zdalna, pełny etat.", "remote"),
        ("可以远程办公。", "remote"),
        ("This role follows a hybrid schedule.", "hybrid"),
        ("We ask everybody to be in the office three days a week.", "hybrid"),
        ("You will spend 2 days per week in our Leeds office.", "hybrid"),
        ("Wir bieten hybrides Arbeiten.", "hybrid"),
        ("2 jours de télétravail par semaine", "hybrid"),
        ("Modelo de trabalho híbrido.", "hybrid"),
        ("Hybride werken is mogelijk.", "hybrid"),
        ("50% remote work is permitted.", "hybrid"),
        ("This is an on-site role.", "on_site"),
        ("The position is fully onsite.", "on_site"),
        ("Modalidad presencial.", "on_site"),
    ],
)
def test_statements_of_many_languages_are_found(text, mode):
    assert (mode, True) in modes(text)


@pytest.mark.parametrize(
    "text",
    [
        "You will build hybrid search over millions of documents.",
        "Experience with hybrid cloud and remote servers.",
        "Background in remote sensing or hybrid vehicles.",
        "Our process ends with an onsite interview.",
        "We meet twice a year for in-person events.",
        "Perks: onsite gym, onsite parking, onsite clinic.",
        "You have led remote teams before.",
        "Inside and outside hybrid sales.",
        "Familiar with remote procedure calls and remote debugging.",
    ],
)
def test_techniques_events_and_perks_are_no_statement(text):
    assert modes(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "This is not a remote position.",
        "Remote work is not available.",
        "We do not offer remote work.",
        "Kein Remote-Job.",
    ],
)
def test_a_denial_is_no_offer(text):
    assert ("remote", True) not in modes(text)


def test_a_heading_only_asks():
    assert modes("Telecommuting options:\nOnsite") == {("on_site", True)}


@pytest.mark.parametrize(
    ("label", "mode"),
    [
        ("ON_SITE", WorkMode.ON_SITE),
        ("OnSite", WorkMode.ON_SITE),
        ("Hybrid", WorkMode.HYBRID),
        ("remote", WorkMode.REMOTE),
        ("TELECOMMUTE", WorkMode.REMOTE),
        ("Flex", WorkMode.UNKNOWN),
        ("unspecified", WorkMode.UNKNOWN),
        ("", WorkMode.UNKNOWN),
        (None, WorkMode.UNKNOWN),
    ],
)
def test_a_vendors_label_has_four_values(label, mode):
    assert mode_of_label(label) is mode


@given(st.text(max_size=300))
def test_any_text_is_read_and_spans_fit(text):
    for statement in (*read_mode(text), *read_line_mode(text)):
        assert text[statement.span.start : statement.span.end] == statement.span.text
