from __future__ import annotations

import pytest

from jobctrl.scoring.model import Seniority
from jobctrl.scoring.roles import families_of, nearness, seniority_of


@pytest.mark.parametrize(
    ("title", "families"),
    [
        ("Senior Backend Engineer (m/w/d)", {"backend"}),
        ("Desenvolvedora Full Stack", {"fullstack"}),
        ("Frontend Developer", {"frontend"}),
        ("Softwareentwickler", {"software"}),
        ("Data Engineer", {"data engineering"}),
        ("Engineering Manager", {"engineering management"}),
        ("Registered Nurse", {"healthcare"}),
        ("Account Executive", {"sales"}),
        ("Chief Happiness Wizard", set()),
        ("", set()),
    ],
)
def test_a_title_names_its_kind_of_work(title, families):
    assert families_of(title) == families


@pytest.mark.parametrize(
    ("wanted", "have", "value"),
    [
        ("Data Engineer", "Data Engineer", 1.0),
        ("Backend Engineer", "Software Developer", 0.85),
        ("Data Engineer", "Backend Developer", 0.6),
        ("Nurse", "Software Developer", 0.0),
        ("Chief Happiness Wizard", "Software Developer", 0.0),
    ],
)
def test_kinds_of_work_are_near_or_far(wanted, have, value):
    assert nearness(families_of(wanted), families_of(have)) == value
    assert nearness(families_of(have), families_of(wanted)) == value


@pytest.mark.parametrize(
    ("title", "level"),
    [
        ("Sr. Data Engineer", Seniority.SENIOR),
        ("Junior Developer", Seniority.JUNIOR),
        ("Software Engineer II", Seniority.MID),
        ("Staff Engineer", Seniority.STAFF),
        ("Werkstudent Marketing", Seniority.INTERN),
        ("VP of Sales", Seniority.VP),
        ("Head of Data", Seniority.DIRECTOR),
        ("Desenvolvedor Pleno", Seniority.MID),
        ("Engineering Manager", Seniority.LEAD),
        ("Account Manager", None),
        ("Data Engineer", None),
    ],
)
def test_the_level_is_the_one_the_title_states(title, level):
    assert seniority_of(title) is level
