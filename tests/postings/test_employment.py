"""Employment types in the words of vendors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.postings.employment import read_employment_type

KINDS = {"full_time", "part_time", "contract", "temporary", "internship", "freelance", "volunteer", "other"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("FULL_TIME", "full_time"),
        ("Full-time: Remote", "full_time"),
        ("Fulltime", "full_time"),
        ("Perm - Full-time", "full_time"),
        ("Vollzeit, unbefristet", "full_time"),
        ("Temps plein", "full_time"),
        ("正社員", "full_time"),
        ("Part-time", "part_time"),
        ("Teilzeit", "part_time"),
        ("Werkstudent (m/w/d)", "part_time"),
        ("Contractor", "contract"),
        ("Freelancer (Hourly Rate)", "contract"),
        ("12 Month Fixed Term Contract", "contract"),
        ("Temporary", "temporary"),
        ("CDD", "temporary"),
        ("Full-time Internship", "internship"),
        ("Stage de fin d’études", "internship"),
        ("Praktikum", "internship"),
        ("Volunteer", "volunteer"),
        ("Ausbildung", "other"),
    ],
)
def test_vendor_words_map_onto_one_list(text, kind):
    assert read_employment_type(text) == kind


@pytest.mark.parametrize("text", ["", "Permanent", "CDI", "Regular", "Internal", "Contrat à durée indéterminée"])
def test_a_label_that_names_no_kind_states_none(text):
    assert read_employment_type(text) is None


def test_a_choice_of_hours_is_left_open():
    assert read_employment_type("Full-time or part-time") is None


@given(st.text(max_size=60))
def test_no_label_makes_the_reader_fail(text):
    assert read_employment_type(text) in KINDS | {None}
