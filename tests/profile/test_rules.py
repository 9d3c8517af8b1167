"""What a profile must hold, and what changed between two versions."""

from __future__ import annotations

from typing import Any

import pytest

from jobctrl.profile.model import Profile
from jobctrl.profile.rules import changed_sections, read_profile


def document(**changes: Any) -> dict[str, Any]:
    return {
        "personal": {"full_name": "Ada Example", "country": "DE"},
        "resume": {
            "experience": [
                {
                    "id": "acme",
                    "title": "Engineer",
                    "company": "Acme",
                    "start": "2020-01",
                    "bullets": [{"id": "acme-1", "text": "Built a thing."}],
                }
            ]
        },
        **changes,
    }


def entry(**changes: Any) -> dict[str, Any]:
    return {"experience": [{**document()["resume"]["experience"][0], **changes}]}


def problems(raw: object) -> list[str]:
    return [f"{p.path}: {p.wrong}" for p in read_profile(raw)[1]]


def test_a_sound_profile_has_no_problems():
    profile, found = read_profile(document())

    assert profile is not None
    assert found == ()


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ([], "(top): this is not an object"),
        (document(personal={}), "personal.full_name: this field is missing"),
        (document(personal={"full_name": " "}), "personal.full_name: this is empty"),
        (document(resume={"experience": []}), "resume.experience: this list is empty"),
        (document(resume=entry(title="")), "resume.experience[0].title: this is empty"),
        (
            document(resume=entry(start="Jan 2020")),
            "resume.experience[0].start: we could not read 'Jan 2020' as a date",
        ),
        (document(resume=entry(end="2019-12")), "resume.experience[0].end: 2019-12 lies before the start, 2020-01"),
        (
            document(resume=entry(bullets=[{"id": "acme", "text": "x"}])),
            "resume.experience: the id 'acme' is used twice",
        ),
        (document(years_of_experience="many"), "years_of_experience: 'many' is not a number"),
        (document(years_of_experience=-1), "years_of_experience: -1 is out of range"),
        (document(target={"work_modes": "remote"}), "target.work_modes: 'remote' is not a list"),
        (document(target={"work_modes": ["office"]}), "target.work_modes[0]: 'office' is not one of its values"),
        (document(target={"countries": ["Germany"]}), "target.countries[0]: 'Germany' is no country code"),
        (document(target={"country": ["DE"]}), "target.country: this field is not known"),
        (document(compensation={"currency": "€"}), "compensation.currency: '€' is no currency code"),
        (
            document(resume={**document()["resume"], "tailoring": {"pinned_bullet_ids": ["acme-2"]}}),
            "resume.tailoring.pinned_bullet_ids: there is no 'acme-2'",
        ),
        (
            document(resume={**document()["resume"], "languages": [{"name": "English"}]}),
            "resume.languages[0].name: 'English' is no language code",
        ),
    ],
)
def test_a_problem_names_its_place_and_what_is_wrong(raw, problem):
    assert problem in problems(raw)


def test_all_problems_are_told_at_once_whatever_their_kind():
    raw = document(
        personal={"country": "Germany"}, target={"work_modes": ["office"]}, resume=entry(company="", start="soon")
    )

    assert len(problems(raw)) == 5


def test_every_problem_says_what_to_write():
    _, found = read_profile(document(personal={"fullname": "Ada"}, years_of_experience="x"))

    assert [problem.write for problem in found] == [
        "add it",
        "write a number",
        "write `full_name` if that is what you mean",
    ]


def test_an_unknown_key_that_resembles_none_is_kept():
    profile, _ = read_profile(document(hobbies=["chess"], personal={"full_name": "Ada", "pronouns": "she"}))

    assert profile is not None
    assert profile.model_dump()["hobbies"] == ["chess"]
    assert profile.model_dump()["personal"]["pronouns"] == "she"


def changed(**changes: Any) -> Profile:
    return Profile.model_validate(document(**changes))


def test_changed_sections_are_the_ones_that_differ():
    old = changed()

    assert changed_sections(old, changed()) == []
    assert changed_sections(old, changed(headline="x", target={"roles": ["y"]})) == ["headline", "target"]
    assert changed_sections(old, changed(resume=entry(title="Lead"))) == ["resume.experience"]
    assert changed_sections(old, changed(hobbies=["chess"])) == ["hobbies"]


def test_of_a_first_version_everything_that_says_something_is_new():
    assert changed_sections(None, changed()) == ["personal", "resume.experience", "resume.tailoring"]
