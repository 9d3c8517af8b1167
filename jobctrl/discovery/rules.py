"""Which postings are admitted, and the reason for each that is not. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from jobctrl.discovery.model import SearchPolicy
from jobctrl.postings.model import Place, PlaceReading, PostingFacts, WorkMode
from jobctrl.postings.naming import employer_key
from jobctrl.postings.text import fold

RANKS: dict[str, int] = {
    "intern": 0,
    "junior": 1,
    "mid": 2,
    "senior": 3,
    "lead": 4,
    "staff": 5,
    "principal": 6,
    "director": 6,
    "vp": 7,
    "c_level": 9,
}
_RANK_WORDS: dict[str, int] = {
    **dict.fromkeys(("intern", "internship", "trainee", "praktikant", "stagiaire", "werkstudent", "apprentice"), 0),
    **dict.fromkeys(("junior", "jr", "entry", "associate", "graduate", "débutant"), 1),
    **dict.fromkeys(("mid", "intermediate"), 2),
    **dict.fromkeys(("senior", "sr", "confirmé", "sénior"), 3),
    **dict.fromkeys(("lead", "manager"), 4),
    "staff": 5,
    **dict.fromkeys(("principal", "architect", "director", "head"), 6),
    "vp": 7,
    **dict.fromkeys(("svp", "evp"), 8),
    **dict.fromkeys(("cto", "ceo", "cio", "chief"), 9),
}
_SAME_WORD = {"engineering": "engineer", "engineers": "engineer", "development": "developer", "dev": "developer"}
_WORD = re.compile(r"[^\W_]+(?:[+#]+)?")
UNRANKED = 2
"""A title without a level word is taken as mid: neither junior nor senior."""


def refusal(
    title: str, company: str | None, facts: PostingFacts, policy: SearchPolicy, today: date
) -> tuple[str, str] | None:
    """The reason a posting is not wanted and the detail of it, or None when it is."""
    return (
        refusal_by_name(title, company, policy)
        or _place_refusal(facts.place, policy)
        or _age_refusal(facts, policy, today)
    )


def refusal_by_name(title: str, company: str | None, policy: SearchPolicy) -> tuple[str, str] | None:
    """The reason that title and employer alone give, before anything else of the posting is read."""
    if company and employer_key(company) in {employer_key(name) for name in policy.exclude_companies}:
        return "employer_excluded", company
    return _title_refusal(title, policy)


def rank(title: str) -> int | None:
    """The highest level word of a title as a rank from 0 (intern) to 9 (chief), or None without one."""
    ranks = [_RANK_WORDS[word] for word in words(title) if word in _RANK_WORDS]
    return max(ranks, default=None)


def words(text: str) -> list[str]:
    return [_SAME_WORD.get(word, word) for word in _WORD.findall(fold(text))]


def title_matches(title: str, wanted: str) -> bool:
    """All words of *wanted* stand in *title* within a window that has at most one word more."""
    need, have = words(wanted), words(title)
    if not need:
        return True
    window = len(need) + 1
    return any(not set(need) - set(have[start : start + window]) for start in range(max(1, len(have) - len(need) + 1)))


def _title_refusal(title: str, policy: SearchPolicy) -> tuple[str, str] | None:
    for excluded in policy.exclude_titles:
        if title_matches(title, excluded):
            return "title_excluded", excluded
    if policy.titles and not any(title_matches(title, wanted) for wanted in policy.titles):
        return "title_mismatch", title
    exact = any(words(title) == words(wanted) for wanted in policy.titles)
    if policy.seniority_floor and not exact:
        level = rank(title)
        if (UNRANKED if level is None else level) < RANKS[policy.seniority_floor]:
            return "seniority_below_floor", policy.seniority_floor
    return None


def _place_refusal(place: PlaceReading, policy: SearchPolicy) -> tuple[str, str] | None:
    # Two statements that disagree never pass or fail a posting by one of them alone.
    told = place.mode is not WorkMode.UNKNOWN and not place.conflict
    if policy.work_modes and told and place.mode.value not in policy.work_modes:
        return "work_mode_mismatch", place.mode.value
    if not (policy.countries or policy.cities) or not place.places:
        return None
    if any(_fits(each, policy) for each in place.places):
        return None
    return "location_mismatch", shown(place.places)


def _fits(place: Place, policy: SearchPolicy) -> bool:
    if place.city and fold(place.city) in {fold(city) for city in policy.cities}:
        return True
    if place.country:
        return place.country in policy.countries
    # An area above the country, or a place whose country is not said: unknown is no mismatch.
    return True


def _age_refusal(facts: PostingFacts, policy: SearchPolicy, today: date) -> tuple[str, str] | None:
    closes, published = facts.valid_through.day, facts.published.day
    if closes and closes < today:
        return "posting_expired", closes.isoformat()
    if policy.max_age_days and published and (today - published).days > policy.max_age_days:
        return "posting_too_old", published.isoformat()
    return None


def shown(places: Iterable[Place]) -> str:
    """Places as a person writes them."""
    return "; ".join(", ".join(filter(None, (each.city, each.region, each.country))) for each in places)
