"""What a person does with the profile: tried first, saved against the version it was made from, never scheduling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from jobctrl.errors import ConfigurationError, Conflict, InvalidRequest
from jobctrl.operator import Operator
from jobctrl.runtime.house import House
from jobctrl.scoring.activities import ScoreInput
from jobctrl.store import acting_for
from jobctrl.testing import NotedDispatch
from tests.runtime.searching import RUN, job_with_text, new_house, operator_in, scoring_of

RESUME = {
    "basics": {"name": "Ida Invented"},
    "work": [{"name": "Reedmace", "position": "Analyst", "startDate": "2020-01", "highlights": ["Counted reeds."]}],
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


@pytest.fixture
def dispatch() -> NotedDispatch:
    return NotedDispatch()


@pytest.fixture
def operator(house: House, dispatch: NotedDispatch) -> Operator:
    return operator_in(house, dispatch)


def document(operator: Operator, **changes: object) -> dict[str, object]:
    current = operator.profile()
    assert current is not None
    return {**current.profile.model_dump(mode="json"), **changes}


def test_trying_a_change_says_what_it_touches_and_records_nothing(house: House, operator: Operator) -> None:
    before = house.store.position()

    draft = operator.try_profile(document(operator, headline="Analyst"))

    assert (draft.problems, draft.sections) == ((), ("headline",))
    assert len(draft.touches) == 2
    assert all("0 jobs" in words for words in draft.touches)
    assert house.store.position() == before


def test_saving_schedules_nothing_and_says_so(house: House, operator: Operator, dispatch: NotedDispatch) -> None:
    said = operator.save_profile(document(operator, headline="Analyst"), 1)

    assert said == "Version 2 is in force; changed: headline. Nothing was scheduled."
    assert [fact.event_type for fact in house.store.stream("profile/default")] == ["ProfileUpdated", "ProfileUpdated"]
    assert (dispatch.discovered, dispatch.prepared, dispatch.run) == ([], {}, {})


def test_saving_twice_saves_once(house: House, operator: Operator) -> None:
    wanted = document(operator, headline="Analyst")
    operator.save_profile(wanted, 1)
    position = house.store.position()

    said = operator.save_profile(wanted, 1)

    assert said == "Nothing has changed: version 2 stays in force."
    assert house.store.position() == position


def test_a_change_made_from_an_older_version_is_refused(house: House, operator: Operator) -> None:
    mine, theirs = document(operator, headline="Mine"), document(operator, headline="Theirs")
    operator.save_profile(theirs, 1)

    with pytest.raises(Conflict, match="version 2 is in force, not 1"):
        operator.save_profile(mine, 1)

    current = operator.profile()
    assert current is not None
    assert current.profile.headline == "Theirs"


def test_every_problem_of_a_draft_is_told_and_none_is_saved(house: House, operator: Operator) -> None:
    wrong = document(operator, years_of_experience=-1, target={"countries": ["Poland"]})

    assert {problem.path for problem in operator.try_profile(wrong).problems} == {
        "years_of_experience",
        "target.countries[0]",
    }
    with pytest.raises(ConfigurationError, match="2 problems"):
        operator.save_profile(wrong, 1)


def test_an_imported_resume_is_saved_with_the_kind_of_its_file(house: House, operator: Operator) -> None:
    read = operator.read_resume(json.dumps(RESUME).encode(), "resume.json")
    assert (read.notes, read.source) == ((), "json_resume")

    operator.save_profile(read.document, 1, read.source)

    newest, oldest = operator.profile_versions()
    assert (newest.version, newest.source, oldest.source) == (2, "json_resume", None)
    assert {item.since_version for item in operator.evidence()} == {2}
    # Neither the name of the file nor anything of the resume is in the payload.
    assert "Ida" not in str(house.store.stream("profile/default")[-1].event)


@pytest.mark.parametrize(
    ("content", "name", "error"),
    [
        (b"%PDF-1.4 nothing", "resume.pdf", InvalidRequest),
        (b"{", "resume.json", ConfigurationError),
        (b"[]", "resume.json", ConfigurationError),
        (b'{"skills": []}', "resume.json", ConfigurationError),
        (b"\xff\xfe", "profile.toml", ConfigurationError),
    ],
)
def test_a_file_that_is_no_resume_is_refused_with_what_helps(
    operator: Operator, content: bytes, name: str, error: type[Exception]
) -> None:
    with pytest.raises(error) as refused:
        operator.read_resume(content, name)

    assert refused.value.hint  # type: ignore[attr-defined]


async def test_scores_that_stand_are_counted(house: House, operator: Operator) -> None:
    job_id = await job_with_text(house, 1)
    with acting_for(RUN):
        await ActivityEnvironment().run(scoring_of(house).score_job, ScoreInput("w", job_id))

    assert (
        operator.try_profile(document(operator, headline="Analyst")).touches[0].startswith("The scores of 1 job stay")
    )
