from __future__ import annotations

import json

import pytest

from jobctrl.scoring.evidence import MOST_ITEMS, index_profile, years_covered
from tests.scoring.conftest import NOW, profile


def test_evidence_is_what_the_person_confirmed(index):
    assert [item.id for item in index.items] == [
        "role:e1", "bullet:b1", "bullet:b2", "achievement:a1", "role:e2", "bullet:b4", "skills:s1", "education:d1",
        "language:en", "language:de",
    ]  # fmt: skip


def test_an_open_job_lasts_until_today(index):
    assert (index.items[0].start, index.items[0].end) == ("2021-07", "2026-06")


def test_years_are_counted_once_from_the_dates_unless_the_person_states_them(index):
    assert index.years == 8.0
    assert index_profile(profile(years_of_experience=6.5), now=NOW).years == 6.5


@pytest.mark.parametrize(
    ("ranges", "years"),
    [
        ([("2020-01", "2020-12")], 1.0),
        ([("2020-01", "2021-12"), ("2021-01", "2022-12")], 3.0),
        ([("2020-01", "")], None),
        ([], None),
        ([("2022-01", "2020-01")], 0.0),
    ],
)
def test_overlapping_jobs_count_once(ranges, years):
    assert years_covered(ranges) == years


def test_no_assessment_is_given_more_than_32_items_and_the_nearest_are_kept():
    many = profile()
    first = many.resume.experience[0]
    first.bullets = [
        first.bullets[0].model_copy(update={"id": f"x{i}", "text": f"Did thing number {i} with spoons"})
        for i in range(60)
    ] + [first.bullets[1].model_copy(update={"id": "rare", "text": "Kept zeppelins afloat"})]

    chosen = json.loads(index_profile(many, now=NOW).evidence_json("zeppelins wanted"))

    ids = [item["id"] for item in chosen]
    assert len(ids) == len(set(ids)) == MOST_ITEMS
    assert {"bullet:rare", "role:e1", "skills:s1", "education:d1"} <= set(ids)


def test_evidence_never_holds_the_persons_name(index):
    assert "Mira" not in index.evidence_json("anything") + index.person_json
