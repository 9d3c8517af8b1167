from __future__ import annotations

from decimal import Decimal

import pytest

from jobctrl.postings.model import PayPeriod, PayReading, PayState, Place, PlaceReading, PostingFacts, WorkMode
from jobctrl.scoring.eligibility import annual, decided, eligibility, may_work_in
from jobctrl.scoring.model import EligibilityCategory, EligibilityStatus, Finding
from jobctrl.scoring.score import analyse_posting
from tests.scoring.conftest import profile

FILLER = "We carry freight on rivers, on canals and now and then along the coast, and we like it."


def judged(local, *lines: str, facts: PostingFacts = PostingFacts(), title="Data Engineer", company="Acme", **changes):
    text = FILLER + "\n\nRequirements\n" + "\n".join(f"- {line}" for line in lines)
    analysis = analyse_posting(job_id="j", title=title, text=text, language="en", model=local)
    return eligibility(
        title=title, text=text, company=company, facts=facts, analysis=analysis, profile=profile(**changes)
    )


def codes(found) -> tuple[list[str], list[str]]:
    return [b.code for b in found.blockers], [w.code for w in found.warnings]


def at(country: str, mode: WorkMode = WorkMode.UNKNOWN) -> PostingFacts:
    return PostingFacts(place=PlaceReading((Place(country=country),), mode))


def test_nothing_against_it_is_eligible(local):
    found = judged(local, "Experience with Python", "Fluent English", facts=at("DE", WorkMode.REMOTE))

    assert found.status is EligibilityStatus.ELIGIBLE
    assert codes(found) == ([], [])


@pytest.mark.parametrize(
    ("line", "country", "needs_it", "blockers", "status"),
    [
        ("We do not sponsor visas", "US", True, ["sponsorship_conflict"], "blocked"),
        ("We do not sponsor visas", "FR", True, [], "eligible"),
        ("We do not sponsor visas", "US", False, [], "eligible"),
        ("We do not sponsor visas", "US", None, [], "unknown"),
        ("We gladly sponsor visas", "US", True, [], "eligible"),
    ],
)
def test_a_posting_that_sponsors_nobody_blocks_whoever_needs_it_there(line, country, needs_it, blockers, status, local):
    found = judged(
        local,
        line,
        facts=at(country),
        target={},
        work_authorization={"authorized_countries": ["EU"], "require_sponsorship": needs_it},
    )

    assert [b.code for b in found.blockers] == blockers
    assert found.status == status


def test_a_citizenship_that_cannot_be_had_blocks(local):
    assert codes(judged(local, "Must be a US citizen"))[0] == ["citizenship_required"]
    assert codes(judged(local, "Must be a German citizen"))[0] == []


def test_permission_that_the_profile_does_not_speak_of_stays_unknown(local):
    found = judged(local, "You must be authorized to work in the US", work_authorization={})

    assert found.status is EligibilityStatus.UNKNOWN


@pytest.mark.parametrize(
    ("line", "blockers", "warnings"),
    [
        ("Fluent Polish is required", ["language_not_spoken"], []),
        ("Polish is a plus, spoken or written", [], ["language_not_spoken"]),
        ("Fluent Polish or English", [], ["language_not_spoken"]),
        ("German at C1 level", [], ["language_level"]),
        ("German at B2 level", [], []),
    ],
)
def test_languages_that_are_asked_for(line, blockers, warnings, local):
    assert codes(judged(local, line)) == (blockers, warnings)


def test_a_profile_without_languages_leaves_the_question_open(local):
    parts = profile().resume.model_dump()

    found = judged(local, "Fluent Polish is required", resume={**parts, "languages": []})

    assert found.status is EligibilityStatus.UNKNOWN


@pytest.mark.parametrize(
    ("target", "blockers"),
    [
        ({"exclude_terms": ["freight"]}, ["excluded_term"]),
        ({"exclude_terms": ["fre"]}, []),
        ({"exclude_terms": ["  "]}, []),
        ({"exclude_titles": ["data  engineer"]}, ["excluded_title"]),
        ({"exclude_companies": ["acme"]}, ["excluded_company"]),
        ({"exclude_companies": ["ac"]}, []),
    ],
)
def test_what_the_person_excludes_blocks_on_whole_words(target, blockers, local):
    assert codes(judged(local, "Python", target=target))[0] == blockers


def test_an_exclusion_says_where_it_was_found(local):
    (blocker,) = judged(local, "Python", target={"exclude_terms": ["rivers"]}).blockers

    assert (FILLER[blocker.span.start : blocker.span.end], blocker.span.field) == ("rivers", "text")


@pytest.mark.parametrize(
    ("facts", "warnings"),
    [
        (at("US", WorkMode.REMOTE), ["country"]),
        (at("DE", WorkMode.ON_SITE), ["work_mode"]),
        (at("DE", WorkMode.UNKNOWN), []),
        (PostingFacts(), []),
    ],
)
def test_place_and_mode_only_warn(facts, warnings, local):
    assert codes(judged(local, "Python", facts=facts)) == ([], warnings)


def test_a_level_below_the_floor_only_warns(local):
    found = judged(local, "Python", title="Junior Data Engineer", target={"seniority_floor": "senior"})

    assert codes(found) == ([], ["below_seniority_floor"])


@pytest.mark.parametrize(
    ("amount", "period", "currency", "warnings"),
    [
        ("60000", PayPeriod.YEAR, "EUR", ["pay_below_minimum"]),
        ("5000", PayPeriod.MONTH, "EUR", ["pay_below_minimum"]),
        ("7000", PayPeriod.MONTH, "EUR", []),
        ("20", PayPeriod.HOUR, "EUR", ["pay_below_minimum"]),
        ("60000", None, "EUR", ["pay_below_minimum_if_yearly"]),
        ("5000", None, "EUR", []),
        ("60000", PayPeriod.YEAR, "USD", []),
        ("60000", PayPeriod.YEAR, None, []),
    ],
)
def test_pay_below_the_minimum_only_warns_and_only_when_it_is_known(amount, period, currency, warnings, local):
    pay = PayReading(PayState.STATED, currency, period, None, Decimal(amount))

    assert codes(judged(local, "Python", facts=PostingFacts(pay=pay))) == ([], warnings)


@pytest.mark.parametrize(
    ("amount", "period", "a_year"),
    [
        (1, PayPeriod.YEAR, 1),
        (1, PayPeriod.MONTH, 12),
        (1, PayPeriod.WEEK, 52),
        (1, PayPeriod.DAY, 260),
        (1, PayPeriod.HOUR, 2080),
        (12_000, None, 12_000),
        (11_999, None, None),
    ],
)
def test_a_years_pay(amount, period, a_year):
    assert annual(Decimal(amount), period) == (None if a_year is None else Decimal(a_year))


def test_a_blocker_of_pay_alone_is_a_warning():
    pay = Finding(EligibilityCategory.COMPENSATION_PREFERENCE, "x", "x")

    assert decided([pay], [], unknown=False).status is EligibilityStatus.WARNING
    assert decided([pay], [], unknown=False).warnings == (pay,)


def test_the_union_means_all_its_members():
    assert may_work_in("FR", profile())
    assert may_work_in("EU", profile())
    assert not may_work_in("GB", profile())


def test_a_clearance_only_warns(local):
    assert codes(judged(local, "Active security clearance is required")) == ([], ["clearance_required"])
