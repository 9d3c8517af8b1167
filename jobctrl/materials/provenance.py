"""Where each shipped line comes from, which needs it answers, and what the page leaves unanswered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from jobctrl.materials.model import (
    Coverage,
    CoverageState,
    Letter,
    Line,
    Need,
    NeedCoverage,
    TailoredEducation,
    TailoredEntry,
    TailoredResume,
    TailoredSkills,
)
from jobctrl.materials.rules import content_words, disposition, matched_keywords, material_score, must_have_coverage
from jobctrl.profile.model import Experience, Profile

SAME_CLAIM = 0.7
"""Evidence that shares this much of its words with a bullet speaks of the same thing."""


@dataclass(frozen=True)
class Shown:
    """The parts of a resume that can answer something."""

    summary: tuple[Line, ...]
    experience: tuple[TailoredEntry, ...]
    education: tuple[TailoredEducation, ...]
    skills: tuple[TailoredSkills, ...]


@dataclass(frozen=True)
class Provenance:
    """One shipped line as it is recorded."""

    position: int
    section: str
    source_id: str
    evidence_ids: tuple[str, ...]
    requirement_ids: tuple[str, ...]
    matched_keywords: tuple[str, ...]
    transform_type: str
    rationale: str
    generated_text: str


def provenance(document: TailoredResume | Letter) -> tuple[Provenance, ...]:
    """Every line of a resume or letter with its origin, in reading order."""
    return tuple(
        Provenance(
            position=position,
            section=line.section.value,
            source_id=line.source_id,
            evidence_ids=line.evidence_ids,
            requirement_ids=line.requirement_ids,
            matched_keywords=line.matched_keywords,
            transform_type=line.transform.value,
            rationale=line.rationale,
            generated_text=line.text,
        )
        for position, line in enumerate(document.lines)
    )


def evidence_of(entry: Experience, bullet_id: str, text: str) -> tuple[str, ...]:
    """The achievement evidence of *entry* that speaks of the same thing as a bullet."""
    words = set(content_words(text))
    found = []
    for evidence in entry.achievement_evidence:
        theirs = set(content_words(evidence.source_text))
        shared = len(words & theirs)
        if evidence.id == bullet_id or (theirs and shared / min(len(theirs), len(words) or 1) >= SAME_CLAIM):
            found.append(evidence.id)
    return tuple(found)


def answered(
    needs: Iterable[Need], source_id: str, evidence_ids: Sequence[str], text: str
) -> dict[str, tuple[str, ...]]:
    """Per answered requirement, the words of *text* that answer it (none when the score itself named this line)."""
    found: dict[str, tuple[str, ...]] = {}
    for need in needs:
        words = matched_keywords(need, text)
        cited = {key.removeprefix("bullet:").removeprefix("achievement:") for key in need.evidence_ids}
        if words or source_id in cited or not cited.isdisjoint(evidence_ids):
            found[need.requirement_id] = words
    return found


def bind(line: Line, needs: Sequence[Need]) -> Line:
    """*line* with the needs that its shipped text answers."""
    found = answered(needs, line.source_id, line.evidence_ids, line.text)
    words = tuple(dict.fromkeys(word for answer in found.values() for word in answer))
    return replace(line, requirement_ids=tuple(found), matched_keywords=words)


def coverage(needs: Sequence[Need], resume: Shown, profile: Profile) -> Coverage:
    """How far the shipped text answers *needs*, and what the profile could still say."""
    listed = [(f"role:{entry.experience_id}", f"{entry.title}, {entry.company}") for entry in resume.experience]
    listed += [(f"education:{item.education_id}", f"{item.degree}, {item.institution}") for item in resume.education]
    listed += [(f"language:{language.name}", language.name) for language in profile.resume.languages]
    listed += [(f"skills:{group.category_id}", ", ".join(group.items)) for group in resume.skills]
    rows = tuple(_need_coverage(need, resume, listed, profile) for need in needs)
    score, must_haves = material_score(rows), must_have_coverage(rows)
    return Coverage(rows, score, must_haves, disposition(score, must_haves))


def _need_coverage(need: Need, resume: Shown, listed: Sequence[tuple[str, str]], profile: Profile) -> NeedCoverage:
    lines = [*resume.summary, *(line for entry in resume.experience for line in entry.lines)]
    told = tuple(line.source_id for line in lines if need.requirement_id in line.requirement_ids)
    named = tuple(key for key, text in listed if key in need.evidence_ids or matched_keywords(need, text))
    unshown = () if told or named else tuple(_could_answer(need, profile))
    if told or named:
        state = CoverageState.COVERED
    else:
        state = CoverageState.MISSING_FROM_RESUME if unshown else CoverageState.MISSING_FROM_PROFILE
    return NeedCoverage(
        requirement_id=need.requirement_id,
        tier=need.tier,
        weight=need.weight,
        state=state,
        source_ids=told or named or unshown,
        declared_only=not told and bool(named) and all(key.startswith("skills:") for key in named),
    )


def _could_answer(need: Need, profile: Profile) -> Iterable[str]:
    """Everything of the profile, unconfirmed bullets included, that would answer *need*."""
    for entry in profile.resume.experience:
        for bullet in entry.bullets:
            if answered([need], bullet.id, (), bullet.text):
                yield bullet.id
        for evidence in entry.achievement_evidence:
            if answered([need], evidence.id, (), " ".join([evidence.source_text, *evidence.tools])):
                yield evidence.id
    for position, sentence in enumerate(profile.resume.summary_sentences):
        if matched_keywords(need, sentence):
            yield f"summary:{position}"
