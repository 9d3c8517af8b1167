"""A profile taken apart into fields and put together again."""

from __future__ import annotations

import pytest

from jobctrl.profile.document import load_profile
from jobctrl.profile.editing import MORE, PARTS, edited, entries, fields, merged
from jobctrl.profile.model import Profile
from jobctrl.profile.reach import evidence, reach
from jobctrl.profile.rules import SECTIONS, changed_sections, read_profile
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def person() -> Profile:
    raw = load_profile(ROOT / "data" / "sample_profile.json").model_dump(mode="json")
    raw["resume"]["hobbies"] = ["rowing"]
    raw["resume"]["experience"][0]["achievement_evidence"] = [
        {"id": "a1", "source_text": "Saved a winter of nights.", "claim_confidence": 0.8, "user_confirmed": True}
    ]
    return Profile.model_validate(raw)


def test_what_is_left_as_it_is_gives_the_same_document(person):
    typed = {field.path: field.value for part in PARTS for field in fields(person, part)}

    assert edited(person, typed) == person.model_dump(mode="json")


@pytest.mark.parametrize(
    ("path", "value", "section"),
    [
        ("personal.city", "Gdynia", "personal"),
        ("headline", "Platform engineer", "headline"),
        ("years_of_experience", 9.5, "years_of_experience"),
        ("target.countries", "PL\n\n  PT ", "target"),
        ("target.seniority_floor", "", "target"),
        ("target.work_modes", ["remote"], "target"),
        ("compensation.minimum", 21000.0, "compensation"),
        ("work_authorization.require_sponsorship", "yes", "work_authorization"),
        ("resume.experience[0].bullets[1].text", "Moved the warehouse.", "resume.experience"),
        ("resume.experience[0].bullets[7].confirmed", True, "resume.experience"),
        ("resume.experience[0].achievement_evidence[0].evidence_strength", "verified", "resume.experience"),
        ("resume.experience[0].achievement_evidence[0].claim_confidence", 0.5, "resume.experience"),
        ("resume.experience[1]" + MORE, "Wrote the runbook.\nTaught it.", "resume.experience"),
        ("resume.tailoring.max_experience_bullets", 3.0, "resume.tailoring"),
    ],
)
def test_a_change_of_one_field_changes_its_section_alone(person, path, value, section):
    wanted, problems = read_profile(edited(person, {path: value}))

    assert problems == ()
    assert changed_sections(person, wanted) == [section]


def test_a_value_that_is_none_of_its_kind_is_named_by_its_path(person):
    document = edited(person, {"target.countries": "Poland", "resume.experience[0].start": "spring"})

    wanted, problems = read_profile(document)

    assert wanted is None
    assert {problem.path for problem in problems} == {"target.countries[0]", "resume.experience[0].start"}


def test_an_emptied_bullet_is_taken_out_and_new_lines_get_ids_of_their_own(person):
    path = "resume.experience[0].bullets"
    old = [bullet.id for bullet in person.resume.experience[0].bullets]

    document = edited(person, {f"{path}[7].text": "  ", "resume.experience[0]" + MORE: "One line.\nOne line."})

    ids = [bullet["id"] for bullet in document["resume"]["experience"][0]["bullets"]]
    assert ids == [*old[:7], "one-line", "one-line-2"]


def test_the_entries_of_a_part_stand_in_the_order_of_the_profile(person):
    assert entries(person, "experience")[0] == "Senior Data Platform Engineer, Wiatrowid Analytics"
    assert entries(person, "you") == []


def test_an_imported_resume_keeps_what_it_does_not_speak_of(person):
    resume = {
        "personal": {"full_name": "Ida Invented"},
        "resume": {"experience": [{"id": "e1", "title": "Analyst", "company": "Reedmace"}]},
    }

    wanted, problems = read_profile(merged(person, resume))

    assert problems == ()
    assert wanted.target == person.target
    assert wanted.resume.letter_sentences == person.resume.letter_sentences
    assert wanted.resume.tailoring.pinned_bullet_ids == []
    assert merged(None, resume) == resume


def test_evidence_says_which_version_it_came_with(person):
    later = Profile.model_validate(edited(person, {"resume.experience[0].bullets[0].text": "Rebuilt the ingestion."}))

    found = {item.id: item for item in evidence(later, [(2, later), (1, person)])}

    assert (found["w1"].since_version, found["w2"].since_version) == (2, 1)
    assert (found["a1"].kind, found["a1"].confidence, found["a1"].confirmed) == ("achievement", 0.8, True)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_bears_upon_something(section):
    assert reach([section])


def test_what_the_profile_only_keeps_bears_upon_nothing():
    assert reach(["hobbies"]) == ()
