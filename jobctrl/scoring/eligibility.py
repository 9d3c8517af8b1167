"""Whether applying makes sense at all. Blockers are few and certain, the rest are warnings, unknown stays unknown."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from jobctrl.postings.model import PayPeriod, PayReading, PostingFacts, Span, WorkMode
from jobctrl.profile.model import Profile
from jobctrl.scoring.model import (
    Eligibility,
    EligibilityCategory,
    EligibilityStatus,
    Finding,
    PostingAnalysis,
    Requirement,
    Seniority,
    Tier,
)
from jobctrl.scoring.needs import LanguageNeed, Needs, language_code, offers_sponsorship, rank_of, read_needs

PERIODS_A_YEAR = {
    PayPeriod.YEAR: 1,
    PayPeriod.MONTH: 12,
    PayPeriod.WEEK: 52,
    PayPeriod.DAY: 260,
    PayPeriod.HOUR: 2080,
}
LEAST_WITHOUT_PERIOD = Decimal(12_000)
"""An amount without a period is taken for a year's only from here on."""

EU = frozenset("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split())  # noqa: SIM905
_ORDER = list(Seniority)
_SENTENCE = re.compile(r"[^.!?\n]+")


def eligibility(
    *, title: str, text: str, company: str, facts: PostingFacts, analysis: PostingAnalysis, profile: Profile
) -> Eligibility:
    """The reasons against applying. `unknown` when the posting asks for something the profile does not answer."""
    needs = [(r, read_needs(r.span.text)) for r in analysis.requirements]
    blockers: list[Finding] = []
    warnings: list[Finding] = []
    unknown = _authorisation(text, facts, needs, profile, blockers, warnings)
    unknown = _languages(needs, analysis, profile, blockers, warnings) or unknown
    _exclusions(title, text, company, profile, blockers)
    _seniority(analysis, profile, warnings)
    _place(facts, profile, warnings)
    _pay(facts.pay, profile, warnings)
    return decided(blockers, warnings, unknown=unknown)


def decided(blockers: list[Finding], warnings: list[Finding], *, unknown: bool) -> Eligibility:
    """The status that follows. Pay alone never blocks: such a blocker is a warning."""
    hard = tuple(b for b in blockers if b.category is not EligibilityCategory.COMPENSATION_PREFERENCE)
    soft = (*(b for b in blockers if b not in hard), *warnings)
    if hard:
        status = EligibilityStatus.BLOCKED
    elif soft:
        status = EligibilityStatus.WARNING
    else:
        status = EligibilityStatus.UNKNOWN if unknown else EligibilityStatus.ELIGIBLE
    return Eligibility(status, hard, soft)


def unspoken(needs: Needs, profile: Profile) -> list[LanguageNeed]:
    """The languages a statement asks for that the person does not speak at all; none when they list no languages."""
    spoken = _spoken(profile)
    return [need for need in needs.languages if need.code not in spoken] if spoken else []


def is_hard_conflict(requirement: Requirement, profile: Profile) -> bool:
    """Whether a must-have asks for a language the person does not speak or a citizenship they cannot have."""
    if requirement.tier is not Tier.MUST_HAVE:
        return False
    needs = read_needs(requirement.span.text)
    absent = unspoken(needs, profile)
    if absent and not (_one_of_several(requirement.span.text, needs) and len(absent) < len(needs.languages)):
        return True
    known = bool(profile.work_authorization.authorized_countries)
    return bool(known and needs.citizen_of and not may_work_in(needs.citizen_of, profile))


def may_work_in(place: str, profile: Profile) -> bool:
    """Whether the profile says that the person may work there without sponsorship."""
    allowed = {code.upper() for code in profile.work_authorization.authorized_countries}
    if place == "EU":
        return bool(allowed & (EU | {"EU"}))
    return place in allowed or ("EU" in allowed and place in EU)


def annual(amount: Decimal, period: PayPeriod | None) -> Decimal | None:
    """A year's pay, or None when the period is unknown and the amount too small to be one."""
    if period is not None:
        return amount * PERIODS_A_YEAR[period]
    return amount if amount >= LEAST_WITHOUT_PERIOD else None


def _authorisation(
    text: str,
    facts: PostingFacts,
    needs: list[tuple[Requirement, Needs]],
    profile: Profile,
    blockers: list[Finding],
    warnings: list[Finding],
) -> bool:
    """Returns whether the posting asks for something the profile does not answer."""
    category = EligibilityCategory.WORK_AUTHORIZATION
    countries = {p.country for p in facts.place.places if p.country}
    for sentence in _SENTENCE.finditer(text):
        said = read_needs(sentence.group().strip()) if _speaks_of_permission(sentence.group()) else None
        if said and said.no_sponsorship:
            return _no_sponsorship(sentence, said, countries, profile, blockers)
    unknown = False
    for requirement, need in needs:
        place = need.citizen_of or need.authorised_in
        if place is None or requirement.tier is not Tier.MUST_HAVE:
            continue
        places = {place} if place else countries
        if not profile.work_authorization.authorized_countries:
            unknown = True
        elif places and not any(may_work_in(p, profile) for p in places):
            named = ", ".join(sorted(places))
            if need.citizen_of:
                message = f"the posting is for citizens ({named}), and the profile names no right to work there"
                blockers.append(Finding(category, "citizenship_required", message, requirement.span))
            else:
                message = f"the posting asks for permission to work in {named}, which the profile does not name"
                finding = Finding(category, "authorization_missing", message, requirement.span)
                (
                    blockers
                    if profile.work_authorization.require_sponsorship and not offers_sponsorship(text)
                    else warnings
                ).append(finding)
    warnings += [
        Finding(category, "clearance_required", "the posting asks for a security clearance", r.span)
        for r, need in needs
        if need.clearance
    ]
    return unknown


def _speaks_of_permission(sentence: str) -> bool:
    lowered = sentence.lower()
    return "sponsor" in lowered or "visum" in lowered


def _no_sponsorship(
    sentence: re.Match[str], said: Needs, countries: set[str], profile: Profile, blockers: list[Finding]
) -> bool:
    """The posting sponsors nobody: a conflict for whoever needs it where the job is."""
    needs_it = profile.work_authorization.require_sponsorship
    places = {said.authorised_in} if said.authorised_in else countries
    if places and all(may_work_in(place, profile) for place in places):
        return False
    if needs_it:
        start = sentence.start() + len(sentence.group()) - len(sentence.group().lstrip())
        words = sentence.group().strip()
        blockers.append(
            Finding(
                EligibilityCategory.WORK_AUTHORIZATION,
                "sponsorship_conflict",
                "the posting sponsors no visa, and the profile needs one",
                Span(start, start + len(words), words),
            )
        )
        return False
    return needs_it is None


def _languages(
    needs: list[tuple[Requirement, Needs]],
    analysis: PostingAnalysis,
    profile: Profile,
    blockers: list[Finding],
    warnings: list[Finding],
) -> bool:
    category = EligibilityCategory.APPLICATION_LANGUAGE
    spoken = _spoken(profile)
    asked = [(requirement, n, need) for requirement, n in needs for need in n.languages]
    if not spoken:
        return bool(asked)
    named: set[str] = set()
    for requirement, needed, need in asked:
        if need.code in named:
            continue
        named.add(need.code)
        rank = spoken.get(need.code)
        if rank is None:
            message = f"the posting asks for {need.code}, which the profile does not list among its languages"
            finding = Finding(category, "language_not_spoken", message, requirement.span)
            spared = _one_of_several(requirement.span.text, needed) and any(n.code in spoken for n in needed.languages)
            (blockers if requirement.tier is Tier.MUST_HAVE and not spared else warnings).append(finding)
        elif 0 < rank < min(need.rank, 6):
            message = f"the posting asks for more {need.code} than the profile states"
            warnings.append(Finding(category, "language_level", message, requirement.span))
    if analysis.language and analysis.language not in spoken:
        message = f"the posting is written in {analysis.language}, which the profile does not list"
        warnings.append(Finding(category, "posting_language", message))
    return False


def _one_of_several(words: str, needs: Needs) -> bool:
    """Of "English or German" one is enough."""
    return len(needs.languages) > 1 and re.search(r"\b(?:or|oder|ou|lub)\b|/", words) is not None


def _spoken(profile: Profile) -> dict[str, int]:
    return {language_code(language.name): rank_of(language.level) for language in profile.resume.languages}


def _exclusions(title: str, text: str, company: str, profile: Profile, blockers: list[Finding]) -> None:
    """What the person said they do not want, on word boundaries."""
    category = EligibilityCategory.EXPLICIT_EXCLUSION
    target = profile.target
    for words, where, field, code in (
        (target.exclude_titles, title, "title", "excluded_title"),
        (target.exclude_companies, company, "company", "excluded_company"),
        (target.exclude_terms, title, "title", "excluded_term"),
        (target.exclude_terms, text, "text", "excluded_term"),
    ):
        for word in words:
            match = _whole_word(word).search(where) if word.strip() else None
            if match:
                span = Span(match.start(), match.end(), match.group(), field)
                blockers.append(Finding(category, code, f"the profile excludes “{word.strip()}”", span))


@lru_cache(maxsize=512)
def _whole_word(word: str) -> re.Pattern[str]:
    parts = r"\s+".join(re.escape(part) for part in word.split())
    return re.compile(rf"(?<!\w){parts}(?!\w)", re.IGNORECASE)


def _seniority(analysis: PostingAnalysis, profile: Profile, warnings: list[Finding]) -> None:
    floor = (profile.target.seniority_floor or "").strip().lower()
    if analysis.inferred_seniority is None or floor not in set(Seniority):
        return
    if _ORDER.index(analysis.inferred_seniority) < _ORDER.index(Seniority(floor)):
        message = f"the posting is for {analysis.inferred_seniority}, below the profile's {floor}"
        warnings.append(Finding(EligibilityCategory.SENIORITY, "below_seniority_floor", message))


def _place(facts: PostingFacts, profile: Profile, warnings: list[Finding]) -> None:
    """Place and mode never block: what postings say of them is too often wrong."""
    category = EligibilityCategory.LOCATION
    target = profile.target
    mode = facts.place.mode
    if target.work_modes and mode is not WorkMode.UNKNOWN and mode.value not in target.work_modes:
        message = f"the posting is {mode.value}, and the profile looks for {', '.join(target.work_modes)}"
        warnings.append(Finding(category, "work_mode", message))
    wanted = {code.upper() for code in target.countries}
    if "EU" in wanted:
        wanted |= EU
    countries = {place.country for place in facts.place.places if place.country}
    if wanted and countries and not wanted & countries:
        message = f"the posting is in {', '.join(sorted(countries))}, outside the countries the profile names"
        warnings.append(Finding(category, "country", message))
    cities = {place.city.casefold() for place in facts.place.places if place.city}
    hoped = {city.casefold() for city in target.cities}
    if hoped and cities and mode is not WorkMode.REMOTE and not hoped & cities:
        warnings.append(Finding(category, "city", "the posting is in none of the cities the profile names"))


def _pay(pay: PayReading, profile: Profile, warnings: list[Finding]) -> None:
    """A warning when the most that is offered is less than the least that is wanted, in the same currency."""
    wanted = profile.compensation
    most = pay.high if pay.high is not None else pay.low
    if most is None or wanted.minimum is None or pay.currency is None or pay.currency != wanted.currency:
        return
    offered = annual(most, pay.period)
    least = annual(wanted.minimum, PayPeriod(wanted.period) if wanted.period in set(PayPeriod) else None)
    if offered is not None and least is not None and offered < least:
        code = "pay_below_minimum" if pay.period else "pay_below_minimum_if_yearly"
        message = f"the posting pays at most {offered:,.0f} {pay.currency} a year, below the profile's {least:,.0f}"
        warnings.append(Finding(EligibilityCategory.COMPENSATION_PREFERENCE, code, message, pay.span))
