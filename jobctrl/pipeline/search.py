"""From what a person looks for to which postings are admitted."""

from __future__ import annotations

from jobctrl.discovery.model import SearchPolicy
from jobctrl.profile.model import TargetSearch


def search_policy(target: TargetSearch | None, *, max_age_days: int) -> SearchPolicy:
    """The policy that follows from a profile's target; without a profile only the age decides."""
    age = max_age_days or None
    if target is None:
        return SearchPolicy(max_age_days=age)
    return SearchPolicy(
        titles=tuple(target.roles),
        exclude_titles=tuple(target.exclude_titles),
        seniority_floor=target.seniority_floor,
        countries=frozenset(target.countries),
        cities=frozenset(target.cities),
        work_modes=frozenset(target.work_modes),
        exclude_companies=tuple(target.exclude_companies),
        max_age_days=age,
    )
