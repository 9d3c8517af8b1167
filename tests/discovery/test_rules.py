"""Which postings are wanted: a reason for each that is not, and never a guess against one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.discovery.model import SearchPolicy
from jobctrl.discovery.rules import RANKS, rank, refusal, title_matches
from jobctrl.postings.model import DateReading, Place, PlaceReading, PostingFacts, WorkMode

TODAY = date(2026, 3, 9)
KRAKOW, LISBON = Place("Kraków", None, "PL"), Place("Lisbon", None, "PT")


def facts(*places: Place, mode: WorkMode = WorkMode.UNKNOWN, conflict: bool = False, **days: date) -> PostingFacts:
    return PostingFacts(
        place=PlaceReading(places=places, mode=mode, conflict=conflict),
        **{name: DateReading(day=day) for name, day in days.items()},  # type: ignore[arg-type]
    )


def reason(
    policy: SearchPolicy, title: str = "Data Engineer", what: PostingFacts | None = None, company: str | None = "Mill"
) -> str | None:
    refused = refusal(title, company, what or facts(), policy, TODAY)
    return refused[0] if refused else None


@pytest.mark.parametrize(
    ("title", "wanted", "matches"),
    [
        ("Data Engineer", "Data Engineer", True),
        ("Senior Data Engineer (Kafka)", "data engineer", True),
        ("Data Platform Engineer", "Data Engineer", True),
        ("Engineer, Data", "Data Engineer", True),
        ("Software Engineering Lead", "Software Engineer", True),
        ("C++ Developer", "C Developer", False),
        ("Data Analyst working beside an Engineer", "Data Engineer", False),
        ("Database Engineer", "Data Engineer", False),
        ("DÉVELOPPEUR PYTHON", "développeur python", True),
        ("データエンジニア", "データエンジニア", True),
        ("Anything", "", True),
        ("", "Engineer", False),
    ],
)
def test_a_title_matches_when_the_wanted_words_stand_together(title: str, wanted: str, matches: bool) -> None:
    assert title_matches(title, wanted) is matches


@given(st.text(max_size=40), st.text(max_size=20))
def test_any_two_titles_can_be_compared(title: str, wanted: str) -> None:
    assert title_matches(title, wanted) in (True, False)
    assert title_matches(title, title)


@pytest.mark.parametrize(
    ("title", "level"),
    [("Engineer", None), ("Junior Engineer", 1), ("Sr. Engineer", 3), ("Staff Data Engineer", 5), ("Head of Data", 6),
     ("Senior Manager", 4), ("Trainee", 0)],
)  # fmt: skip
def test_the_highest_level_word_ranks_a_title(title: str, level: int | None) -> None:
    assert rank(title) == level


@pytest.mark.parametrize(
    ("title", "floor", "refused"),
    [
        ("Junior Data Engineer", "senior", True),
        ("Data Engineer", "senior", True),
        ("Data Engineer", "junior", False),
        ("Senior Data Engineer", "senior", False),
        ("Principal Data Engineer", "senior", False),
    ],
)
def test_a_level_below_the_floor_is_refused(title: str, floor: str, refused: bool) -> None:
    assert (reason(SearchPolicy(seniority_floor=floor), title) == "seniority_below_floor") is refused
    assert floor in RANKS


def test_a_title_that_is_wanted_word_for_word_is_below_no_floor() -> None:
    policy = SearchPolicy(titles=("Data Engineer",), seniority_floor="senior")

    assert reason(policy, "Data Engineer") is None
    assert reason(policy, "Junior Data Engineer") == "seniority_below_floor"


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (facts(KRAKOW), None),
        (facts(LISBON), "location_mismatch"),
        (facts(LISBON, KRAKOW), None),
        (facts(), None),
        (facts(Place(country=None, region="Europe", city=None)), None),
    ],
)
def test_one_place_that_fits_is_enough_and_unknown_is_no_mismatch(what: PostingFacts, expected: str | None) -> None:
    assert reason(SearchPolicy(countries=frozenset({"PL"})), what=what) == expected


def test_a_wanted_city_admits_where_its_country_is_not_wanted() -> None:
    policy = SearchPolicy(countries=frozenset({"PL"}), cities=frozenset({"lisbon"}))

    assert reason(policy, what=facts(LISBON)) is None


@pytest.mark.parametrize(
    ("mode", "conflict", "expected"),
    [
        (WorkMode.REMOTE, False, None),
        (WorkMode.ON_SITE, False, "work_mode_mismatch"),
        (WorkMode.HYBRID, False, "work_mode_mismatch"),
        (WorkMode.UNKNOWN, False, None),
        # Two statements that disagree never pass or fail a posting by one of them alone.
        (WorkMode.ON_SITE, True, None),
    ],
)
def test_the_way_of_working_counts_when_it_is_told(mode: WorkMode, conflict: bool, expected: str | None) -> None:
    assert reason(SearchPolicy(work_modes=frozenset({"remote"})), what=facts(mode=mode, conflict=conflict)) == expected


@pytest.mark.parametrize(
    ("days", "limit", "expected"),
    [(364, 365, None), (366, 365, "posting_too_old"), (4000, None, None), (-1, 365, None)],
)
def test_old_postings_are_ghosts(days: int, limit: int | None, expected: str | None) -> None:
    what = facts(published=TODAY - timedelta(days=days))

    assert reason(SearchPolicy(max_age_days=limit), what=what) == expected


@pytest.mark.parametrize(("closes", "expected"), [(TODAY, None), (TODAY - timedelta(days=1), "posting_expired")])
def test_a_posting_is_open_on_its_last_day(closes: date, expected: str | None) -> None:
    assert reason(SearchPolicy(), what=facts(valid_through=closes)) == expected


def test_an_excluded_employer_is_refused_under_every_way_of_writing_it() -> None:
    policy = SearchPolicy(exclude_companies=("Mill GmbH",))

    assert reason(policy, company="MILL") == "employer_excluded"
    assert reason(policy, company="Windmill") is None
    assert reason(policy, company=None) is None


def test_an_empty_search_wants_everything() -> None:
    assert reason(SearchPolicy(), "", facts(LISBON, mode=WorkMode.ON_SITE), None) is None
