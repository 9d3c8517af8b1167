"""The local judge: how a person meets each requirement, by skills, dates, degrees, kinds of work and shared words.

This is the local answer to the prompt `fit-assessment`. It is asked with the same material as a paid model.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pydantic import BaseModel

from jobctrl.scoring.analysis import analyse
from jobctrl.scoring.answers import FitAssessmentAnswer, RowAnswer
from jobctrl.scoring.evidence import EvidenceItem, EvidenceKind, years_covered
from jobctrl.scoring.lexicon import implied, is_umbrella, related, skills
from jobctrl.scoring.model import Confidence, Fit, Seniority, Strength
from jobctrl.scoring.needs import Needs, read_needs
from jobctrl.scoring.retrieval import EvidenceSearch, tokens_of
from jobctrl.scoring.roles import families_of, nearness, seniority_of

SHOWN = 0.75
"""From this share of what is asked on, a requirement is matched."""
NEAR = 0.4
"""From this share on, what the person has carries over."""
WORDS_SHOWN, WORDS_NEAR = 0.55, 0.33
"""The same for prose, as the share of its weighty words that one item of evidence says."""
YEARS_NEAR = 0.6
MOST_EVIDENCE = 4
_RUNGS = ((5.0, Seniority.SENIOR), (2.0, Seniority.MID))


@dataclass(frozen=True)
class Verdict:
    fit: Fit
    strength: Strength | None = None
    evidence: tuple[str, ...] = ()
    rationale: str = ""


class Person:
    """The evidence of one profile, indexed by skill, kind of work and words."""

    def __init__(self, items: list[EvidenceItem], years: float | None) -> None:
        self.items = items
        self.years = years
        self.search = EvidenceSearch([item.text for item in items])
        self.in_use: dict[str, list[EvidenceItem]] = defaultdict(list)
        """Skill to the items that show it at work, under every name that knowing it implies."""
        self.listed: dict[str, list[EvidenceItem]] = defaultdict(list)
        """Skill to the items that only list it."""
        for item in items:
            shelf = self.listed if item.kind in (EvidenceKind.SKILLS, EvidenceKind.EDUCATION) else self.in_use
            for name in dict.fromkeys(other for skill in skills(item.text) for other in sorted(implied(skill))):
                shelf[name].append(item)

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(self.in_use) | frozenset(self.listed)

    @cached_property
    def roles(self) -> list[tuple[EvidenceItem, frozenset[str]]]:
        return [(i, families_of(i.text.partition(",")[0])) for i in self.items if i.kind is EvidenceKind.ROLE]

    @cached_property
    def degree(self) -> tuple[int, tuple[str, ...]]:
        """The highest degree, and the item that shows it."""
        ranked = [(read_needs(i.text).degree, i.id) for i in self.items if i.kind is EvidenceKind.EDUCATION]
        best = max(ranked, default=(0, ""))
        return best[0], (best[1],) if best[1] else ()

    def years_with(self, skill: str) -> float | None:
        """Years of the jobs that show it at work; all years when it is only listed, None when nothing is dated."""
        shown = self.in_use.get(skill)
        if shown:
            return years_covered([(i.start, i.end) for i in shown])
        return self.years if skill in self.listed else 0.0

    def years_in(self, kinds: frozenset[str]) -> float | None:
        """Years of work of these kinds or near them; all years when the kinds are not known."""
        if not kinds or not self.roles:
            return self.years
        near = [item for item, held in self.roles if nearness(kinds, held) > 0]
        if len(near) == len(self.roles):
            return self.years
        counted = years_covered([(item.start, item.end) for item in near]) if near else 0.0
        return counted if counted is None or self.years is None else min(counted, self.years)


def assess(inputs: Mapping[str, str]) -> FitAssessmentAnswer:
    """A row for each requirement in *inputs* (`requirements`, `evidence`, `person`, `job_id`)."""
    person = _person(inputs["evidence"], inputs["person"])
    asked = json.loads(inputs["requirements"])
    rows: list[RowAnswer] = []
    values: dict[str, list[float]] = defaultdict(list)
    kinds = frozenset[str]().union(*(families_of(r["words"]) for r in asked if r["is_role"]))
    for requirement in asked:
        verdict = judge(requirement["words"], person, is_role=requirement["is_role"], kinds=kinds)
        rows.append(
            RowAnswer(
                requirement_id=requirement["id"],
                fit=verdict.fit,
                strength=verdict.strength,
                evidence_ids=list(verdict.evidence[:MOST_EVIDENCE]),
                rationale=verdict.rationale,
            )
        )
        kind = _dimension(requirement)
        values[kind].append(_value(verdict))
    role = max(values["role"], default=0.0)
    overall = sum(v for vs in values.values() for v in vs) / max(1, len(asked))
    return FitAssessmentAnswer(
        job_id=inputs["job_id"],
        rows=rows,
        score=round(1 + 9 * overall),
        technical_fit=_ten(values["technical"], role),
        experience_fit=_ten(values["experience"], role),
        role_fit=_ten(values["role"], role),
        confidence=Confidence.HIGH if len(rows) >= 6 else Confidence.MEDIUM if len(rows) >= 3 else Confidence.LOW,
    )


LOCAL_SKILLS: Mapping[str, Callable[[Mapping[str, str]], BaseModel]] = {
    "posting-analysis": analyse,
    "fit-assessment": assess,
}
"""What the local model can do for scoring, by the name of the prompt."""


def judge(words: str, person: Person, *, is_role: bool = False, kinds: frozenset[str] = frozenset()) -> Verdict:
    """How *person* meets one requirement in the posting's own *words*; *kinds* are those of the posting's title."""
    if is_role:
        return _role(words, person)
    needs = read_needs(words)
    verdicts = [
        v for v in (_skills(needs, person), _years(needs, person, kinds), _degree(needs, person)) if v is not None
    ]
    if not verdicts or (needs.years is None and not needs.degree and all(is_umbrella(s) for s in needs.skills)):
        return _prose(words, needs, person)
    weakest = min(verdicts, key=_value)
    evidence = tuple(dict.fromkeys(e for v in verdicts for e in v.evidence))
    return Verdict(
        weakest.fit, weakest.strength, evidence if weakest.evidence else (), "; ".join(v.rationale for v in verdicts)
    )


def _skills(needs: Needs, person: Person) -> Verdict | None:
    """One skill of several is enough when the posting says so, else their mean."""
    if not needs.skills:
        return None
    values: list[float] = []
    evidence: list[str] = []
    shown: list[str] = []
    enough = needs.alternatives and any(skill in person.known for skill in needs.skills)
    for skill in needs.skills:
        used, listed = person.in_use.get(skill, []), person.listed.get(skill, [])
        if used or listed:
            values.append(1.0 if used else 0.9)
            evidence += [i.id for i in (*_latest(used)[:2], *listed[:1])]
            shown.append(skill)
            continue
        near = () if enough else related(skill, sorted(person.known))
        if near:
            values.append(0.5)
            evidence += [i.id for i in (person.in_use.get(near[0]) or person.listed[near[0]])[:1]]
            shown.append(f"{near[0]} for {skill}")
        else:
            values.append(0.0)
    share = _alternatives_share(values) if needs.alternatives else sum(values) / len(values)
    found = tuple(dict.fromkeys(evidence))
    rationale = f"shows {', '.join(shown)}" if shown else f"nothing shows {', '.join(needs.skills)}"
    if share >= SHOWN:
        direct = any(v == 1.0 for v in values) and share > 0.92
        return Verdict(Fit.MATCHED, Strength.DIRECT if direct else Strength.STRONG, found, rationale)
    if share >= NEAR:
        return Verdict(Fit.TRANSFERABLE, None, found, rationale)
    return Verdict(Fit.MISSING, None, (), rationale)


def _alternatives_share(values: list[float]) -> float:
    """The best of the alternatives, a little less when most of a long list is foreign."""
    share = sum(v > 0 for v in values) / len(values)
    return max(values) * (1.0 if share >= 0.3 else 0.8)


def _years(needs: Needs, person: Person, kinds: frozenset[str]) -> Verdict | None:
    """By the years with what is named, else by those of the same kind of work."""
    if needs.years is None:
        return None
    with_it = [y for y in (person.years_with(s) for s in needs.skills if s in person.known) if y is not None]
    years = max(with_it) if with_it else person.years_in(kinds)
    if years is None:
        return Verdict(Fit.NOT_ASSESSED, None, (), "the profile has no dates to count years from")
    held = tuple(item.id for item, _ in person.roles)[:2]
    rationale = f"{years:g} of {needs.years:g} years"
    if years >= needs.years:
        return Verdict(Fit.MATCHED, Strength.DIRECT, held, rationale)
    if years >= YEARS_NEAR * needs.years:
        return Verdict(Fit.TRANSFERABLE, None, held, rationale)
    return Verdict(Fit.MISSING, None, (), rationale)


def _degree(needs: Needs, person: Person) -> Verdict | None:
    if not needs.degree:
        return None
    held, evidence = person.degree
    if held >= needs.degree:
        return Verdict(Fit.MATCHED, Strength.DIRECT, evidence, "holds the degree")
    if needs.degree_or_experience and person.roles and (person.years or 0) >= 3:
        return Verdict(Fit.MATCHED, Strength.STRONG, (person.roles[0][0].id,), "experience in place of the degree")
    if held and held == needs.degree - 1:
        return Verdict(Fit.TRANSFERABLE, None, evidence, "holds the degree below")
    if needs.skills or needs.years:
        return None  # the degree is one of several things in the sentence, and the others decide
    return Verdict(Fit.MISSING, None, (), "the profile lists no such degree")


def _role(title: str, person: Person) -> Verdict:
    """The kind of work, against the titles the person has held."""
    wanted = families_of(title)
    if not wanted:
        return _prose(title, Needs(), person)
    best = max(((nearness(wanted, have), item) for item, have in person.roles), key=lambda p: p[0], default=None)
    if best is None or best[0] == 0:
        return Verdict(Fit.MISSING, None, (), "no job of this kind")
    if best[0] < SHOWN:
        return Verdict(Fit.TRANSFERABLE, None, (best[1].id,), "has done work near to this kind")
    steps = _steps_from(seniority_of(title), person)
    if steps <= -2:
        return Verdict(Fit.TRANSFERABLE, None, (best[1].id,), "has done this kind of work, well above this level")
    strength = Strength.DIRECT if best[0] == 1 and abs(steps) < 2 else Strength.STRONG
    return Verdict(Fit.MATCHED, strength, (best[1].id,), "has done this kind of work")


def _steps_from(level: Seniority | None, person: Person) -> int:
    """How far a stated level is above (or, negative, below) what the person has reached by title or by years."""
    if level is None:
        return 0
    ladder = list(Seniority)
    by_years = next((rung for least, rung in _RUNGS if (person.years or 0) >= least), Seniority.JUNIOR)
    held = [rung for item, _ in person.roles if (rung := seniority_of(item.text.partition(",")[0])) is not None]
    reached = max([by_years, *held], key=ladder.index)
    return ladder.index(level) - ladder.index(reached)


def _prose(words: str, needs: Needs, person: Person) -> Verdict:
    """By the words that one item shares with the requirement; general qualities no resume shows are not assessed."""
    query = tokens_of(words)
    best = person.search.best(query, 3)
    covered = max(((person.search.coverage(query, i), i) for i, _ in best), default=(0.0, -1))
    if len(set(query)) >= 2:
        evidence = tuple(person.items[i].id for i, _ in best[:1])
        if covered[0] >= WORDS_SHOWN:
            return Verdict(Fit.MATCHED, Strength.STRONG, (person.items[covered[1]].id,), "said in other words")
        if covered[0] >= WORDS_NEAR:
            return Verdict(Fit.TRANSFERABLE, None, evidence, "something near is said")
    if needs.soft or not query:
        return Verdict(Fit.NOT_ASSESSED, None, (), "a quality that a resume does not show")
    return Verdict(Fit.MISSING, None, (), "nothing in the profile speaks of it")


@lru_cache(maxsize=64)
def _person(evidence: str, person: str) -> Person:
    items = [
        EvidenceItem(e["id"], EvidenceKind(e["kind"]), e["text"], e["start"], e["end"]) for e in json.loads(evidence)
    ]
    return Person(items, json.loads(person)["years_of_experience"])


def _latest(items: list[EvidenceItem]) -> list[EvidenceItem]:
    return sorted(items, key=lambda i: i.end, reverse=True)


def _dimension(requirement: Mapping[str, object]) -> str:
    if requirement["is_role"]:
        return "role"
    needs = read_needs(str(requirement["words"]))
    return "experience" if needs.years or not needs.skills else "technical"


def _value(verdict: Verdict) -> float:
    if verdict.fit is Fit.MATCHED:
        return 1.0 if verdict.strength is Strength.DIRECT else 0.85
    return 0.6 if verdict.fit is Fit.TRANSFERABLE else 0.0


def _ten(values: list[float], role: float) -> float:
    """The mean on a scale of ten; half of what the kind of work promises when there is nothing to go by."""
    return round(10 * (sum(values) / len(values) if values else role / 2), 1)
