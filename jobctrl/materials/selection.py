"""Which of the person's lines answer a posting best: pinned ones, then must-haves, then what is most relevant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from jobctrl.errors import MissingInput
from jobctrl.materials.grounding import leftover_tokens
from jobctrl.materials.model import Need, ProposedEntry, ProposedLine, ProposedSkills, ResumeProposal, Tier
from jobctrl.materials.provenance import answered, evidence_of
from jobctrl.materials.ranking import relevance
from jobctrl.materials.rules import SUMMARY_SENTENCES, bullet_limit, matched_keywords, worth
from jobctrl.profile.model import Bullet, Resume, TailoringRules


@dataclass(frozen=True)
class _Candidate:
    entry: int
    source_id: str
    text: str
    answers: frozenset[str]
    relevance: float
    order: int
    pinned: bool = False


def select(
    resume: Resume,
    needs: Sequence[Need],
    *,
    rules: TailoringRules | None = None,
    now: datetime,
    job_id: str = "",
) -> ResumeProposal:
    """Which bullets and sentences to print, and in which order, must-haves first. Their words stay as they are."""
    rules = rules or resume.tailoring
    candidates = _candidates(resume, needs, rules)
    if not candidates:
        raise MissingInput(
            "the profile has no confirmed bullet to put on a resume",
            hint="add bullets under resume.experience[].bullets, or set confirmed to true on those that are right",
        )
    limits = [bullet_limit(entry.end, rules.max_experience_bullets, now) for entry in resume.experience]
    chosen = _choose(candidates, needs, limits)
    required = set(rules.required_experience_ids)
    entries = []
    for at, entry in enumerate(resume.experience):
        own = [c for c in chosen if c.entry == at]
        if required and entry.id not in required and not any(c.answers or c.pinned for c in own):
            continue
        ordered = sorted(own, key=lambda c: (-_value(c.answers, needs)[0], -sum(_value(c.answers, needs)), c.order))
        entries.append(
            ProposedEntry(
                experience_id=entry.id,
                title=entry.title,
                lines=[ProposedLine(source_id=c.source_id, text=c.text, why=_why(c, needs)) for c in ordered],
            )
        )
    return ResumeProposal(
        job_id=job_id,
        summary=_summary(resume, needs),
        experience=entries,
        skills=_ordered_skills(resume, needs),
    )


def _candidates(resume: Resume, needs: Sequence[Need], rules: TailoringRules) -> list[_Candidate]:
    bullets = [
        (at, entry, bullet)
        for at, entry in enumerate(resume.experience)
        for bullet in entry.bullets
        if printable(bullet)
    ]
    scores = relevance([need.text for need in needs], [bullet.text for _, _, bullet in bullets])
    return [
        _Candidate(
            entry=at,
            source_id=bullet.id,
            text=bullet.text,
            answers=frozenset(answered(needs, bullet.id, evidence_of(entry, bullet.id, bullet.text), bullet.text)),
            relevance=score,
            order=order,
            pinned=bullet.id in rules.pinned_bullet_ids,
        )
        for order, ((at, entry, bullet), score) in enumerate(zip(bullets, scores, strict=True))
    ]


def _choose(candidates: Sequence[_Candidate], needs: Sequence[Need], limits: Sequence[int]) -> list[_Candidate]:
    """Pinned bullets; then greedily whatever answers most that is still unanswered; then the most relevant."""
    chosen = [candidate for candidate in candidates if candidate.pinned]
    room = [limit - sum(c.entry == at for c in chosen) for at, limit in enumerate(limits)]
    open_needs = {need.requirement_id for need in needs} - {need for c in chosen for need in c.answers}
    rest = [candidate for candidate in candidates if not candidate.pinned]
    while fitting := [candidate for candidate in rest if room[candidate.entry] > 0]:
        best = max(fitting, key=lambda c: (*_value(c.answers & open_needs, needs), c.relevance, -c.order))
        chosen.append(best)
        rest.remove(best)
        room[best.entry] -= 1
        open_needs -= best.answers
    return chosen


def _value(answers: frozenset[str], needs: Sequence[Need]) -> tuple[float, float]:
    """What the answered needs are worth: must-haves, then the rest."""
    must = sum(worth(n) for n in needs if n.requirement_id in answers and n.tier is Tier.MUST_HAVE)
    nice = sum(worth(n) for n in needs if n.requirement_id in answers and n.tier is not Tier.MUST_HAVE)
    return must, nice


def _why(candidate: _Candidate, needs: Sequence[Need]) -> str:
    if candidate.pinned:
        return "pinned in the profile"
    names = [need.requirement_id for need in needs if need.requirement_id in candidate.answers]
    return f"answers {', '.join(names)}" if names else "the most relevant of what is left"


def _summary(resume: Resume, needs: Sequence[Need]) -> list[ProposedLine]:
    sentences = [(at, s) for at, s in enumerate(resume.summary_sentences) if not leftover_tokens(s)]
    open_needs = {need.requirement_id for need in needs}
    picked: list[tuple[int, str]] = []
    while sentences and len(picked) < SUMMARY_SENTENCES:
        answers = {at: frozenset(answered(needs, f"summary:{at}", (), text)) for at, text in sentences}
        best = max(sentences, key=lambda item: (*_value(answers[item[0]] & open_needs, needs), -item[0]))
        picked.append(best)
        sentences.remove(best)
        open_needs -= answers[best[0]]
    return [ProposedLine(source_id=f"summary:{at}", text=text) for at, text in sorted(picked)]


def _ordered_skills(resume: Resume, needs: Sequence[Need]) -> list[ProposedSkills]:
    """Every category and item of the profile, those the posting asks for first."""

    def asked(item: str) -> float:
        return sum(worth(need) for need in needs if matched_keywords(need, item))

    groups = [
        ProposedSkills(category_id=group.id, items=sorted(group.items, key=lambda item: -asked(item)))
        for group in resume.skills
    ]
    return sorted(groups, key=lambda group: -max((asked(item) for item in group.items), default=0.0))


def printable(bullet: Bullet) -> bool:
    """Confirmed by the person, and free of what a template left behind."""
    return bullet.confirmed and not leftover_tokens(bullet.text)
