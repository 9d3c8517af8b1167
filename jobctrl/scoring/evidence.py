"""What a person can show: their profile as items of evidence, each with its id, its words and its dates."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from jobctrl.profile.model import EvidenceStrength, Experience, Profile
from jobctrl.scoring.retrieval import EvidenceSearch, tokens_of

MOST_ITEMS = 32
"""Items of evidence that one assessment is given."""
_MONTH = re.compile(r"^\s*(?P<year>(?:19|20)\d\d)(?:-(?P<month>0?[1-9]|1[0-2]))?")


class EvidenceKind(StrEnum):
    ROLE = "role"
    BULLET = "bullet"
    ACHIEVEMENT = "achievement"
    SKILLS = "skills"
    EDUCATION = "education"
    LANGUAGE = "language"


@dataclass(frozen=True)
class EvidenceItem:
    """One thing the profile says. The id is the kind and the profile's own id, as in `bullet:b7`."""

    id: str
    kind: EvidenceKind
    text: str
    start: str = ""
    """`YYYY-MM`, empty when it has no dates."""
    end: str = ""


@dataclass(frozen=True)
class ProfileIndex:
    """A profile made ready to be measured against many postings."""

    items: tuple[EvidenceItem, ...]
    years: float | None
    """Years of experience: as stated, else counted from the dates; None when there are none."""
    headline: str

    @cached_property
    def search(self) -> EvidenceSearch:
        return EvidenceSearch([item.text for item in self.items])

    @cached_property
    def person_json(self) -> str:
        return json.dumps({"years_of_experience": self.years, "headline": self.headline}, ensure_ascii=False)

    @cached_property
    def _all_json(self) -> str:
        return _as_json(self.items)

    def evidence_json(self, about: str) -> str:
        """At most 32 items as JSON: all of a short profile, else its frame and what is nearest to *about*."""
        if len(self.items) <= MOST_ITEMS:
            return self._all_json
        frame = [
            i for i, item in enumerate(self.items) if item.kind not in (EvidenceKind.BULLET, EvidenceKind.ACHIEVEMENT)
        ]
        chosen = set(frame[: MOST_ITEMS // 2])
        for position, _ in self.search.best(tokens_of(about), len(self.items)):
            if len(chosen) == MOST_ITEMS:
                break
            chosen.add(position)
        for position in range(len(self.items)):
            if len(chosen) == MOST_ITEMS:
                break
            chosen.add(position)
        return _as_json(tuple(self.items[i] for i in sorted(chosen)))


def index_profile(profile: Profile, *, now: datetime) -> ProfileIndex:
    """The evidence of *profile*. Bullets that are not confirmed and drafts that are not confirmed are none."""
    items: list[EvidenceItem] = []
    for job in profile.resume.experience:
        start, end = _month(job.start), _month(job.end) or (now.strftime("%Y-%m") if job.start and not job.end else "")
        items.append(EvidenceItem(f"role:{job.id}", EvidenceKind.ROLE, f"{job.title}, {job.company}", start, end))
        items += [
            EvidenceItem(f"bullet:{b.id}", EvidenceKind.BULLET, b.text, start, end) for b in job.bullets if b.confirmed
        ]
        items += _achievements(job, start, end)
    for category in profile.resume.skills:
        if category.items:
            text = f"{category.label}: {', '.join(category.items)}"
            items.append(EvidenceItem(f"skills:{category.id}", EvidenceKind.SKILLS, text))
    for school in profile.resume.education:
        text = f"{school.degree}, {school.institution}"
        items.append(EvidenceItem(f"education:{school.id}", EvidenceKind.EDUCATION, text, end=_month(school.date)))
    for language in profile.resume.languages:
        text = f"{language.name} {language.level}".strip()
        items.append(EvidenceItem(f"language:{language.name}", EvidenceKind.LANGUAGE, text))
    years = profile.years_of_experience
    if years is None:
        years = years_covered([(i.start, i.end) for i in items if i.kind is EvidenceKind.ROLE])
    return ProfileIndex(tuple(items), years, profile.headline)


def years_covered(ranges: list[tuple[str, str]]) -> float | None:
    """Years inside any of these ranges of months, overlaps counted once; None when no range has both ends."""
    months: set[int] = set()
    known = False
    for start, end in ranges:
        if start and end:
            known = True
            months.update(range(_count(start), _count(end) + 1))
    return round(len(months) / 12, 1) if known else None


def _achievements(job: Experience, start: str, end: str) -> list[EvidenceItem]:
    """The achievements the person stands behind, with the tools they name."""
    items = []
    for evidence in job.achievement_evidence:
        if evidence.evidence_strength is EvidenceStrength.DRAFT and not evidence.user_confirmed:
            continue
        tools = f" ({', '.join(evidence.tools)})" if evidence.tools else ""
        text = f"{evidence.source_text}{tools}"
        items.append(EvidenceItem(f"achievement:{evidence.id}", EvidenceKind.ACHIEVEMENT, text, start, end))
    return items


def _as_json(items: tuple[EvidenceItem, ...]) -> str:
    rows = [{"id": i.id, "kind": i.kind.value, "text": i.text, "start": i.start, "end": i.end} for i in items]
    return json.dumps(rows, ensure_ascii=False)


def _month(text: str) -> str:
    """`YYYY-MM` for a month or a year, empty for anything else."""
    match = _MONTH.match(text)
    return f"{match['year']}-{int(match['month'] or 1):02d}" if match else ""


def _count(month: str) -> int:
    year, _, number = month.partition("-")
    return int(year) * 12 + int(number) - 1
