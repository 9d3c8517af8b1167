from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jobctrl.scoring.sections import Section, statements


def read(text: str) -> list[tuple[str, str]]:
    return [(s.section.value, text[s.start : s.end]) for s in statements(text)]


def test_bullets_stand_under_the_heading_above_them():
    text = (
        "About us\nWe bake.\n\nWhat you’ll do\n- Bake bread\n\n**Requirements:**\n* Two years of baking\n"
        "• Clean hands\n\nNice to have\n1. French\n\nBenefits\n- Bread"
    )

    assert read(text) == [
        ("other", "We bake."),
        ("duties", "Bake bread"),
        ("must_have", "Two years of baking"),
        ("must_have", "Clean hands"),
        ("nice_to_have", "French"),
        ("other", "Bread"),
    ]


@pytest.mark.parametrize(
    ("heading", "section"),
    [
        ("Minimum qualifications", Section.MUST_HAVE),
        ("WHAT WE’RE LOOKING FOR", Section.MUST_HAVE),
        ("What you'll bring to the team:", Section.MUST_HAVE),
        ("Technical Qualifications", Section.MUST_HAVE),
        ("You'll be a great addition if you have:", Section.MUST_HAVE),
        ("Preferred qualifications", Section.NICE_TO_HAVE),
        ("It would be a plus if you know:", Section.NICE_TO_HAVE),
        ("Key Responsibilities", Section.DUTIES),
        ("As a baker, you will:", Section.DUTIES),
        ("Benefits (full-time only)", Section.OTHER),
        ("About Riverbank", Section.OTHER),
        ("Why Riverbank?", Section.OTHER),
        ("Das bringst du mit", Section.MUST_HAVE),
        ("Deine Aufgaben", Section.DUTIES),
        ("Wir bieten", Section.OTHER),
        ("Von Vorteil", Section.NICE_TO_HAVE),
        ("Profil recherché :", Section.MUST_HAVE),
        ("PROFIL RECHERCHE", Section.MUST_HAVE),
        ("Missions principales", Section.DUTIES),
        ("Requisitos", Section.MUST_HAVE),
        ("Se valorará", Section.NICE_TO_HAVE),
        ("Diferenciais", Section.NICE_TO_HAVE),
        ("O que oferecemos", Section.OTHER),
        ("Wymagania", Section.MUST_HAVE),
        ("Mile widziane", Section.NICE_TO_HAVE),
        ("Obowiązki", Section.DUTIES),
        ("Requisiti", Section.MUST_HAVE),
        ("Cosa offriamo", Section.OTHER),
        ("Functie-eisen", Section.MUST_HAVE),
        ("Wat bieden wij", Section.OTHER),
    ],
)
def test_headings_of_eight_languages(heading, section):
    assert read(f"{heading}\n- Something or other stands here") == [(section.value, "Something or other stands here")]


@pytest.mark.parametrize(
    "line",
    [
        "You have five years of experience with ovens.",
        "Experience with bread",
        "Must be punctual",
        "Skills matter here.",
    ],
)
def test_a_statement_that_begins_like_a_heading_is_none(line):
    assert [words for _, words in read(line)] == [line.rstrip(";,")]


def test_a_page_without_line_breaks_is_taken_apart():
    text = (
        "We are a bakery with three shops and a van that goes round the villages on Fridays. Key Responsibilities Bake "
        "bread every morning and keep the oven clean Develop new recipes Your Qualifications 3+ years of baking Strong "
        "knowledge of rye Nice to have Experience with cakes Benefits Free bread and a day off on your birthday."
    )

    found = read(text)

    assert ("must_have", "3+ years of baking") in found
    assert ("must_have", "Strong knowledge of rye") in found
    assert ("nice_to_have", "Experience with cakes") in found
    assert ("duties", "Develop new recipes") in found
    assert found[-1] == ("other", "Free bread and a day off on your birthday.")


def test_labels_inside_a_line_divide_it():
    text = "Hiring a baker. Required: rye, spelt. Preferred: cakes. Responsibilities: opening the shop."

    assert read(text) == [
        ("unheaded", "Hiring a baker."),
        ("must_have", "rye, spelt."),
        ("nice_to_have", "cakes."),
        ("duties", "opening the shop."),
    ]


def test_an_abbreviation_does_not_end_a_sentence():
    text = "Requirements\nKnows grains (e.g. Rye, spelt). Likes mornings."

    assert read(text) == [("must_have", "Knows grains (e.g. Rye, spelt)."), ("must_have", "Likes mornings.")]


def test_a_label_with_its_value_does_not_hide_what_follows():
    text = "Requirements\n- Rye\nLocation: Berlin\n- Spelt"

    assert [words for section, words in read(text) if section == "must_have"] == ["Rye", "Spelt"]


@given(st.text(max_size=400))
@example("=\x0c")
def test_any_text_is_read_without_overlap_and_in_order(text):
    found = statements(text)

    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
