"""A posting read by rules: which of its statements are requirements, how much they weigh, and what it names.

This is the local answer to the prompt `posting-analysis`. What it says is checked afterwards like any model's answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from jobctrl.scoring.answers import KeywordAnswer, PostingAnalysisAnswer, RequirementAnswer
from jobctrl.scoring.cues import opening, speaks_of
from jobctrl.scoring.lexicon import is_umbrella, mentions
from jobctrl.scoring.model import Scope, Seniority, Tier
from jobctrl.scoring.needs import Needs, read_needs, speaks_of_eligibility
from jobctrl.scoring.roles import families_of, seniority_of
from jobctrl.scoring.screens import is_addressed_to_a_machine
from jobctrl.scoring.sections import Section, Statement, statements
from jobctrl.scoring.terms import stems

MOST_REQUIREMENTS = 40
MOST_KEYWORDS = 60
_LONGEST = 400
"""A longer statement is prose that was not taken apart; its first part is what counts."""

_MONEY_OR_QUESTION = re.compile(r"[$€£]\s?\d|\?\s*$")
_INTRODUCES = re.compile(r":\s*$|^\W*(?:we(?:'re| are) looking for|you will|you'll)\b.{0,40}$", re.IGNORECASE)
_NAMED_SUBJECT = re.compile(
    r"^\W*(?:[A-Z][\w&.-]+\s){1,3}(?:is|are|was|has|helps|provides|enables|delivers|powers|offers|serves|makes|builds)\s"
)
_LISTS = frozenset({Section.MUST_HAVE, Section.NICE_TO_HAVE})
_ELIGIBILITY_SECTIONS = frozenset({Section.UNHEADED, Section.OTHER, Section.DUTIES})


@dataclass(frozen=True)
class _Candidate:
    statement: Statement
    text: str
    needs: Needs
    tier: Tier
    weight: float
    scope: Scope


def analyse(inputs: Mapping[str, str]) -> PostingAnalysisAnswer:
    """The requirements and keywords of the posting in *inputs* (`title`, `posting`, `job_id`)."""
    title, posting = inputs["title"], inputs["posting"]
    parts = statements(posting)
    candidates = _candidates(posting, parts)
    requirements = [_role(title)] if title.strip() else []
    requirements += [
        RequirementAnswer(text=c.text, tier=c.tier, weight=c.weight, evidence_span=c.text, coverage_scope=c.scope)
        for c in candidates
    ]
    return PostingAnalysisAnswer(
        job_id=inputs["job_id"],
        requirements=requirements,
        keywords=_keywords(title, posting, parts, candidates, offset=len(requirements) - len(candidates)),
        inferred_seniority=seniority_of(title) or _seniority_by_years(candidates),
        role_framing=_framing(title),
    )


def _role(title: str) -> RequirementAnswer:
    """The kind of work is what a posting asks for first of all."""
    return RequirementAnswer(
        text=title.strip(), tier=Tier.MUST_HAVE, weight=1.0, evidence_span=title.strip(), coverage_scope=Scope.RESUME
    )


def _candidates(posting: str, parts: tuple[Statement, ...]) -> list[_Candidate]:
    """The statements that ask something of a person, in order, at most so many."""
    listed = any(p.section in _LISTS for p in parts)
    found: list[_Candidate] = []
    seen: set[tuple[str, ...]] = set()
    closed: Section | None = None
    for part in parts:
        text = _shortened(posting[part.start : part.end])
        if speaks_of("closes", text):
            if part.section not in _LISTS:
                continue
            closed = part.section
        elif part.section is not closed:
            closed = None
        if closed is not None and not speaks_of_eligibility(text):
            continue
        if part.section is Section.OTHER and not speaks_of_eligibility(text):
            continue
        if is_addressed_to_a_machine(text):
            continue
        needs = read_needs(text)
        tier = _tier(text, needs, Section.OTHER if closed is not None else part.section, listed)
        words = stems(text)
        if tier is None or words in seen:
            continue
        seen.add(words)
        found.append(_Candidate(part, text, needs, tier, 0.0, _scope(needs)))
    return [_weighed(c, index / max(1, len(found))) for index, c in enumerate(found)][:MOST_REQUIREMENTS]


def _tier(text: str, needs: Needs, section: Section, listed: bool) -> Tier | None:
    """How much the statement is asked for, or None when it asks nothing."""
    if (
        section in _ELIGIBILITY_SECTIONS
        and _is_eligibility(needs)
        and (speaks_of("must", text) or speaks_of("asks", text))
    ):
        return Tier.NICE_TO_HAVE if speaks_of("nice", text) else Tier.MUST_HAVE
    if section is Section.OTHER or _INTRODUCES.search(text) or _is_of_the_employer(text):
        return None
    says_something = bool(
        _is_eligibility(needs)
        or needs.soft
        or needs.skills
        or needs.years
        or needs.degree
        or needs.languages
        or len(stems(text)) >= 2
    )
    if section in _LISTS:
        if not says_something:
            return None
        return Tier.NICE_TO_HAVE if section is Section.NICE_TO_HAVE or speaks_of("nice", text) else Tier.MUST_HAVE
    if not says_something:
        return None
    if speaks_of("nice", text) and (needs.skills or speaks_of("asks", text)):
        return Tier.NICE_TO_HAVE
    asks = speaks_of("asks", text) or (speaks_of("must", text) and (needs.skills or needs.years or needs.degree))
    if section is Section.UNHEADED and asks and (needs.skills or needs.years or needs.degree or not listed):
        return Tier.MUST_HAVE
    if section is Section.DUTIES and not listed and (needs.skills or asks):
        return Tier.MUST_HAVE
    return None


def _is_of_the_employer(text: str) -> bool:
    """Whether the statement speaks of the employer, the pay or the process, and asks nothing."""
    if speaks_of("asks", text):
        return False
    if opening("employer begins").search(text) or _MONEY_OR_QUESTION.search(text) or speaks_of("employer", text):
        return True
    return _NAMED_SUBJECT.search(text) is not None and not (speaks_of("must", text) or speaks_of("nice", text))


def _is_eligibility(needs: Needs) -> bool:
    return bool(needs.languages or needs.citizen_of or needs.authorised_in is not None or needs.no_sponsorship)


def _scope(needs: Needs) -> Scope:
    if needs.employer_condition:
        return Scope.EMPLOYER_CONDITION
    if needs.citizen_of or needs.authorised_in is not None or needs.no_sponsorship or needs.clearance:
        return Scope.ELIGIBILITY
    if needs.languages and not needs.skills and needs.years is None:
        return Scope.ELIGIBILITY
    if needs.logistics and not needs.skills and needs.years is None and not needs.degree:
        return Scope.LOGISTICS
    return Scope.RESUME


def _weighed(candidate: _Candidate, position: float) -> _Candidate:
    """With its weight: what it asks for, how early it stands, and how hard it is stressed."""
    needs, text = candidate.needs, candidate.text
    named = any(not is_umbrella(skill) for skill in needs.skills)
    if needs.years and named:
        weight = 0.9
    elif needs.years or named:
        weight = 0.8
    elif needs.degree:
        weight = 0.4 if needs.degree_or_experience else 0.5
    elif needs.soft or not speaks_of("asks", text):
        weight = 0.15
    else:
        weight = 0.4
    if candidate.statement.section in (Section.DUTIES, Section.UNHEADED):
        weight *= 0.75
    weight *= 1.0 - 0.25 * position
    if candidate.tier is Tier.NICE_TO_HAVE:
        weight *= 0.5
    elif speaks_of("stressed", text) and not needs.soft:
        weight += 0.1
    return _Candidate(
        candidate.statement, text, needs, candidate.tier, round(min(1.0, max(0.05, weight)), 2), candidate.scope
    )


def _keywords(
    title: str, posting: str, parts: tuple[Statement, ...], candidates: list[_Candidate], offset: int
) -> list[KeywordAnswer]:
    """The skills that the posting names, requirements first, none from what the employer says of itself."""
    found: dict[str, KeywordAnswer] = {}
    for index, candidate in enumerate(candidates):
        for mention in mentions(candidate.text):
            found.setdefault(
                mention.term, _keyword(mention.term, candidate.text, mention.start, mention.end, index + offset)
            )
    for text in [title, *(posting[p.start : p.end] for p in parts if p.section in (Section.DUTIES, Section.UNHEADED))]:
        for mention in mentions(text):
            found.setdefault(mention.term, _keyword(mention.term, text, mention.start, mention.end, None))
    return list(found.values())[:MOST_KEYWORDS]


def _keyword(term: str, text: str, start: int, end: int, requirement: int | None) -> KeywordAnswer:
    return KeywordAnswer(keyword=term, evidence_span=text[start:end], requirement_index=requirement)


def _seniority_by_years(candidates: list[_Candidate]) -> Seniority | None:
    years = max((c.needs.years or 0.0 for c in candidates if c.tier is Tier.MUST_HAVE), default=0.0)
    if years >= 5:
        return Seniority.SENIOR
    return Seniority.MID if years >= 2 else None


def _framing(title: str) -> str:
    kinds = ", ".join(sorted(families_of(title)))
    return f"{title.strip()} ({kinds})" if kinds else title.strip()


def _shortened(text: str) -> str:
    """The statement, or as much of a very long one as ends with a word."""
    return text if len(text) <= _LONGEST else text[: text.rfind(" ", 0, _LONGEST)]
