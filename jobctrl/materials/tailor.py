"""A resume for one posting: the person's own confirmed bullets, selected and ordered.

A selection is a `ResumeProposal`, whether rules made it or a model. `assemble` decides what of it is printed: titles,
employers, dates and education are the profile's, and a line that fails a gate is printed in the person's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from jobctrl.materials.grounding import Ground, check_rewording, ground_of, leftover_tokens, summarize
from jobctrl.materials.model import (
    Finding,
    Line,
    Need,
    ProposedLine,
    Rejection,
    ResumeProposal,
    Section,
    TailoredEducation,
    TailoredEntry,
    TailoredResume,
    TailoredSkills,
    Transform,
)
from jobctrl.materials.provenance import Shown, bind, coverage, evidence_of
from jobctrl.materials.rules import SUMMARY_SENTENCES, bullet_limit
from jobctrl.materials.selection import printable, select
from jobctrl.profile.model import Experience, Profile, TailoringRules


def tailor(
    profile: Profile, needs: Sequence[Need], *, rules: TailoringRules | None = None, now: datetime
) -> TailoredResume:
    """The resume that rules alone make. The same input gives the same resume.

    Raises MissingInput when the profile has no confirmed bullet.
    """
    return assemble(profile, needs, select(profile.resume, needs, rules=rules, now=now), rules=rules, now=now)


def assemble(
    profile: Profile,
    needs: Sequence[Need],
    proposal: ResumeProposal,
    *,
    rules: TailoringRules | None = None,
    now: datetime,
) -> TailoredResume:
    """*proposal* as far as the profile supports it; what it leaves out or gets wrong is taken from the profile."""
    rules = rules or profile.resume.tailoring
    ground = ground_of(profile, avoid=rules.avoid_words)
    rejections: list[Rejection] = []
    rejections += _leftovers(profile)
    sentences = {
        f"summary:{at}": text for at, text in enumerate(profile.resume.summary_sentences) if not leftover_tokens(text)
    }
    summary = accept(proposal.summary, sentences, Section.SUMMARY, lambda _: ground, rejections)[:SUMMARY_SENTENCES]
    experience = tuple(
        _entry(entry, proposal, profile, needs, rules, now, rejections)
        for entry in _shown_entries(profile, proposal, rules, rejections)
    )
    education = tuple(
        TailoredEducation(item.id, item.degree, item.institution, item.location, item.date)
        for item in profile.resume.education
    )
    skills = _skills(profile, proposal, rejections)
    shown = Shown(tuple(bind(line, needs) for line in summary), experience, education, skills)
    return TailoredResume(
        headline=profile.headline,
        summary=shown.summary,
        experience=experience,
        education=education,
        skills=skills,
        coverage=coverage(needs, shown, profile),
        rejections=tuple(rejections),
    )


def _shown_entries(
    profile: Profile, proposal: ResumeProposal, rules: TailoringRules, rejections: list[Rejection]
) -> list[Experience]:
    """The positions to print, in the profile's order: the required ones, and those that were proposed."""
    own = {entry.id for entry in profile.resume.experience}
    for entry in proposal.experience:
        if entry.experience_id not in own:
            finding = _about("unknown_entry", entry.experience_id, "the profile has no such position")
            rejections.append(Rejection(entry.experience_id, entry.title, (finding,), ""))
    required = set(rules.required_experience_ids) or own
    proposed = {entry.experience_id for entry in proposal.experience}
    return [entry for entry in profile.resume.experience if entry.id in required | proposed]


def _entry(
    entry: Experience,
    proposal: ResumeProposal,
    profile: Profile,
    needs: Sequence[Need],
    rules: TailoringRules,
    now: datetime,
    rejections: list[Rejection],
) -> TailoredEntry:
    own = {bullet.id: bullet.text for bullet in entry.bullets if printable(bullet)}
    proposed = next((p for p in proposal.experience if p.experience_id == entry.id), None)
    if proposed and proposed.title not in ("", entry.title):
        finding = _about("title_changed", proposed.title, f"the title is {entry.title!r}")
        rejections.append(Rejection(entry.id, proposed.title, (finding,), entry.title))
    evidence = {key: evidence_of(entry, key, text) for key, text in own.items()}
    names = tuple(name for other in profile.resume.experience for name in (other.title, other.company))

    def ground_for(source_id: str) -> Ground:
        # A number belongs to the achievement it was earned with: another bullet's is no ground for this one.
        facts = (
            fact
            for item in entry.achievement_evidence
            if item.user_confirmed and item.id in evidence[source_id]
            for fact in (item.source_text, *item.metrics, *item.tools)
        )
        return Ground(tuple(facts), names, tuple(rules.avoid_words))

    accepted = accept(proposed.lines if proposed else (), own, Section.EXPERIENCE, ground_for, rejections)
    if not accepted:
        accepted = [Line(Section.EXPERIENCE, key, text) for key, text in own.items()]
    lines = (
        bind(replace(line, evidence_ids=evidence[line.source_id]), needs)
        for line in _within_limit(accepted, own, entry, rules, now)
    )
    return TailoredEntry(entry.id, entry.title, entry.company, entry.start, entry.end, entry.location, tuple(lines))


def _within_limit(
    lines: list[Line], own: dict[str, str], entry: Experience, rules: TailoringRules, now: datetime
) -> list[Line]:
    """At most as many lines as the rules allow; a pinned one is never the one to go."""
    pinned = [key for key in own if key in rules.pinned_bullet_ids]
    there = {line.source_id for line in lines}
    lines = lines + [
        Line(Section.EXPERIENCE, key, own[key], rationale="pinned in the profile") for key in pinned if key not in there
    ]
    limit = bullet_limit(entry.end, rules.max_experience_bullets, now)
    spare = max(0, limit - len(pinned))
    kept = []
    for line in lines:
        if line.source_id in pinned:
            kept.append(line)
        elif spare > 0:
            kept.append(line)
            spare -= 1
    return kept


def accept(
    proposed: Sequence[ProposedLine],
    own: Mapping[str, str],
    section: Section,
    ground_for: Callable[[str], Ground],
    rejections: list[Rejection],
) -> list[Line]:
    """The proposed lines that may be printed; a rewording that fails a gate gives way to the person's own words."""
    lines: dict[str, Line] = {}
    for item in proposed:
        source, text = own.get(item.source_id), item.text.strip()
        if source is None:
            finding = _about("unknown_source", item.source_id, "the profile has no such confirmed line here")
            rejections.append(Rejection(item.source_id, text, (finding,), ""))
        elif item.source_id not in lines:
            lines[item.source_id] = _accept_line(item, text, source, section, ground_for, rejections)
    return list(lines.values())


def _accept_line(
    item: ProposedLine,
    text: str,
    source: str,
    section: Section,
    ground_for: Callable[[str], Ground],
    rejections: list[Rejection],
) -> Line:
    if text in ("", source):
        return Line(section, item.source_id, source, rationale=item.why)
    findings = check_rewording(text, source, ground_for(item.source_id))
    if not findings:
        return Line(section, item.source_id, text, Transform.REPHRASE, rationale=item.why)
    rejections.append(Rejection(item.source_id, text, findings, source))
    return Line(section, item.source_id, source, rationale=f"own words kept: {summarize(findings)}")


def _leftovers(profile: Profile) -> list[Rejection]:
    """The person's own lines that still hold a template's token: they are not printed, and they are named."""
    own = [(f"summary:{at}", text) for at, text in enumerate(profile.resume.summary_sentences)]
    own += [(bullet.id, bullet.text) for entry in profile.resume.experience for bullet in entry.bullets]
    return [Rejection(key, text, found, "") for key, text in own if (found := leftover_tokens(text))]


def _skills(profile: Profile, proposal: ResumeProposal, rejections: list[Rejection]) -> tuple[TailoredSkills, ...]:
    """The proposed order, every item of the profile's, and none that it does not list."""
    own = {group.id: group for group in profile.resume.skills}
    proposed = {group.category_id: group.items for group in proposal.skills}
    shown = []
    for key in dict.fromkeys([*(k for k in proposed if k in own), *own]):
        items = []
        for item in dict.fromkeys(proposed.get(key, [])):
            if item in own[key].items:
                items.append(item)
            else:
                finding = _about("unknown_skill", item, f"the profile does not list it under {own[key].label}")
                rejections.append(Rejection(key, item, (finding,), ""))
        items += [item for item in dict.fromkeys(own[key].items) if item not in items]
        shown.append(TailoredSkills(key, own[key].label, tuple(items)))
    return tuple(shown)


def _about(code: str, text: str, message: str) -> Finding:
    return Finding(code, text, 0, len(text), message)
