from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.scoring.needs import LanguageNeed, language_code, offers_sponsorship, rank_of, read_needs


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("5+ years of experience", 5),
        ("3-5 years with SQL", 3),
        ("3 to 5 years with SQL", 3),
        ("at least two years in sales", 2),
        ("five (5) years of experience", 5),
        ("mindestens 3 Jahre Erfahrung", 3),
        ("4 anos de experiência", 4),
        ("2 años de experiencia", 2),
        ("3 ans d'expérience", 3),
        ("minimum 3 lata doświadczenia", 3),
        ("1.5 years", 1.5),
        ("18 years old or older", None),
        ("over the last 10 years we grew", None),
        ("founded 20 years ago", None),
        ("a 401(k) and 20 days of leave", None),
        ("experience with SQL", None),
    ],
)
def test_years_are_the_least_that_is_asked(text, years):
    assert read_needs(text).years == years


@pytest.mark.parametrize(
    ("text", "degree", "or_experience"),
    [
        ("Bachelor’s degree in Computer Science", 3, False),
        ("BSc or equivalent practical experience", 3, True),
        ("Master's degree required", 4, False),
        ("PhD in physics", 5, False),
        ("High school diploma", 1, False),
        ("Abgeschlossenes Hochschulstudium", 3, False),
        ("Scrum Master", 0, False),
        ("knows bread", 0, False),
    ],
)
def test_degrees(text, degree, or_experience):
    needs = read_needs(text)

    assert (needs.degree, needs.degree_or_experience) == (degree, or_experience)


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("Fluent German", [("de", 5)]),
        ("English (B2) and Polish as a native speaker", [("en", 4), ("pl", 7)]),
        ("Fließend Deutsch in Wort und Schrift", [("de", 5)]),
        ("Inglês avançado", [("en", 5)]),
        ("Maîtrise de l'anglais courant", [("en", 5)]),
        ("English: C1", [("en", 5)]),
        ("Our German office opened in May", []),
    ],
)
def test_human_languages_and_their_levels(text, languages):
    found = {need.code: need.rank for need in read_needs(text).languages}

    assert set(found) == {code for code, _ in languages}
    assert all(found[code] >= 1 for code, _ in languages)


def test_a_language_without_a_level_has_rank_nought():
    assert read_needs("Spoken Dutch").languages == (LanguageNeed("nl", 0),)


@pytest.mark.parametrize(
    ("text", "place", "citizen", "refused"),
    [
        ("You must be authorized to work in the United States", "US", None, False),
        ("Right to work in the UK", "GB", None, False),
        ("Valid work permit", "", None, False),
        ("Must be a US citizen", None, "US", False),
        ("U.S. citizenship required", None, "US", False),
        ("We are unable to sponsor visas at this time", None, None, True),
        ("Sponsorship is not available", None, None, True),
        ("We sponsor visas", None, None, False),
        ("Our sponsors are local shops", None, None, False),
        ("Canadian bacon", None, None, False),
    ],
)
def test_permission_to_work(text, place, citizen, refused):
    needs = read_needs(text)

    assert (needs.authorised_in, needs.citizen_of, needs.no_sponsorship) == (place, citizen, refused)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We sponsor visas for this role", True),
        ("Visa sponsorship is available", True),
        ("We do not sponsor visas", False),
        ("nothing said", False),
    ],
)
def test_an_offer_of_sponsorship_is_told_from_a_refusal(text, expected):
    assert offers_sponsorship(text) is expected


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("Python, Java or Go", True),
        ("one of PostgreSQL, MySQL", True),
        ("clouds such as AWS, Azure", True),
        ("Python/Java", True),
        ("Python and SQL", False),
        ("Python, SQL", False),
    ],
)
def test_alternatives_are_told_from_lists(text, enough):
    assert read_needs(text).alternatives is enough


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        ("Excellent team player", "soft"),
        ("Willing to travel up to 20%", "logistics"),
        ("A background check is made", "employer_condition"),
        ("Active security clearance", "clearance"),
    ],
)
def test_what_no_resume_argues_about_is_told_apart(text, flag):
    assert getattr(read_needs(text), flag)


@pytest.mark.parametrize(
    ("level", "rank"), [("C1", 5), ("native", 7), ("A2", 2), ("fluent", 5), ("B1", 3), ("", 0), ("some", 0)]
)
def test_levels_have_ranks(level, rank):
    assert rank_of(level) == rank


@pytest.mark.parametrize(
    ("name", "code"), [("de", "de"), ("German", "de"), (" Deutsch ", "de"), ("Klingon", "klingon")]
)
def test_a_language_is_known_by_code_or_by_name(name, code):
    assert language_code(name) == code


@given(st.text(max_size=300))
def test_any_text_can_be_asked_what_it_needs(text):
    needs = read_needs(text)

    assert needs.years is None or 0 < needs.years <= 25
    assert 0 <= needs.degree <= 5
