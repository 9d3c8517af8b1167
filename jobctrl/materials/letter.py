"""A cover letter from the person's own sentences. The posting gives it a subject and a salutation, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from babel.dates import format_date

from jobctrl.errors import MaterialRejected, MissingInput
from jobctrl.materials.glyphs import can_draw
from jobctrl.materials.grounding import check_text, ground_of, leftover_tokens, summarize
from jobctrl.materials.layout import plain
from jobctrl.materials.model import (
    Finding,
    Letter,
    LetterProposal,
    Need,
    ProposedLine,
    Rejection,
    Section,
    Tier,
)
from jobctrl.materials.provenance import bind
from jobctrl.materials.ranking import relevance
from jobctrl.materials.rules import LETTER_WORDS, matched_keywords, mentions, worth
from jobctrl.materials.tailor import accept
from jobctrl.profile.model import LetterSentence, Profile, Resume

ROLES = ("opening", "body", "closing")
FEWEST = {"opening": 1, "body": 2, "closing": 1}
MOST = {"opening": 2, "body": 4, "closing": 2}
NAME_LENGTH = 120
SIGN_OFF = "Kind regards,"


def write_letter(profile: Profile, needs: Sequence[Need], *, title: str, company: str, now: datetime) -> Letter:
    """The letter that rules alone make: the sentences that answer the posting best, in the person's words.

    Raises MissingInput when the person has too few sentences, and MaterialRejected when they make no letter.
    """
    return assemble_letter(
        profile, needs, choose_sentences(profile.resume, needs), title=title, company=company, now=now
    )


def choose_sentences(resume: Resume, needs: Sequence[Need], *, job_id: str = "") -> LetterProposal:
    """Which sentences to use for each part, most telling first, within the length of a letter."""
    usable = _usable(resume)
    _require_enough(resume, usable)
    ranked = {role: _ranked([s for s in usable if s.role == role], needs) for role in ROLES}
    picked = {role: ranked[role][: FEWEST[role]] for role in ROLES}
    # What does not answer the posting is left out beyond the fewest a letter needs.
    for role in ("body", "opening", "closing"):
        for sentence in ranked[role][FEWEST[role] : MOST[role]]:
            words = sum(len(s.text.split()) for chosen in picked.values() for s in chosen)
            if _value(sentence, needs) > 0 and words + len(sentence.text.split()) <= LETTER_WORDS - 20:
                picked[role].append(sentence)
    lines = {
        role: [ProposedLine(source_id=s.id, text=s.text, why=_why(s, needs)) for s in chosen]
        for role, chosen in picked.items()
    }
    return LetterProposal(job_id=job_id, opening=lines["opening"], body=lines["body"], closing=lines["closing"])


def assemble_letter(
    profile: Profile, needs: Sequence[Need], proposal: LetterProposal, *, title: str, company: str, now: datetime
) -> Letter:
    """*proposal* as far as the profile supports it, with date, subject, salutation and signature."""
    usable = _usable(profile.resume)
    _require_enough(profile.resume, usable)
    title, company = _drawable(title), _drawable(company)
    ground = ground_of(profile, title=title, company=company, avoid=profile.resume.tailoring.avoid_words)
    rejections: list[Rejection] = []
    paragraphs = []
    fallback = choose_sentences(profile.resume, needs)
    for role in ROLES:
        own = {sentence.id: sentence.text for sentence in usable if sentence.role == role}
        proposed = [_without_dashes(item, own, rejections) for item in getattr(proposal, role)]
        lines = accept(proposed, own, Section.LETTER, lambda _: ground, rejections)
        if len(lines) < FEWEST[role]:
            known = {line.source_id for line in lines}
            more = [item for item in getattr(fallback, role) if item.source_id not in known]
            lines += accept(more[: FEWEST[role] - len(lines)], own, Section.LETTER, lambda _: ground, rejections)
        paragraphs.append(tuple(bind(line, needs) for line in lines[: MOST[role]]))
    letter = Letter(
        date=format_date(now, "d MMMM y", locale="en"),
        subject=f"Application: {title}" if title else "Application",
        salutation=f"Dear {company} team," if company else "Dear hiring team,",
        paragraphs=tuple(paragraphs),
        sign_off=SIGN_OFF,
        signature=profile.personal.full_name,
        rejections=tuple(rejections),
        warnings=tuple(_unusable_reasons(profile.resume)),
    )
    _require_fit(letter, profile, title=title, company=company)
    return letter


def _drawable(name: str) -> str:
    """A name from the posting without what no font can draw; emoji in a title must not cost the person a letter."""
    shown = "".join(c for c in plain(name) if c.isspace() or can_draw(c))
    return " ".join(shown.split())[:NAME_LENGTH].strip(" -–—|,")


def _usable(resume: Resume) -> list[LetterSentence]:
    return [s for s in resume.letter_sentences if s.role in ROLES and _unusable(s) is None]


def _unusable(sentence: LetterSentence) -> str | None:
    """Why a sentence of the person's cannot stand in a letter to just any employer."""
    if tokens := leftover_tokens(sentence.text):
        return f"{sentence.id} still holds {tokens[0].text!r}"
    if _DASH.search(sentence.text):
        return f"{sentence.id} holds a long dash; use a comma or two sentences"
    return None


_DASH = re.compile(r"\u2014|\s\u2013\s")


def _unusable_reasons(resume: Resume) -> list[str]:
    return [reason for sentence in resume.letter_sentences if (reason := _unusable(sentence))]


def _require_enough(resume: Resume, usable: Sequence[LetterSentence]) -> None:
    short = [
        f"{FEWEST[role] - have} more {role} sentence{'s' if FEWEST[role] - have > 1 else ''}"
        for role in ROLES
        if (have := sum(s.role == role for s in usable)) < FEWEST[role]
    ]
    if short:
        reasons = _unusable_reasons(resume)
        unused = f" ({'; '.join(reasons)})" if reasons else ""
        raise MissingInput(
            f"a letter needs {', '.join(short)} in resume.letter_sentences{unused}",
            hint="write them in your own words, each with an id, a role (opening, body, closing) and what it is about",
        )


def _ranked(sentences: Sequence[LetterSentence], needs: Sequence[Need]) -> list[LetterSentence]:
    scores = relevance([need.text for need in needs], [f"{s.text} {' '.join(s.about)}" for s in sentences])
    order = sorted(range(len(sentences)), key=lambda at: (-_value(sentences[at], needs), -scores[at], at))
    return [sentences[at] for at in order]


def _answers(sentence: LetterSentence, need: Need) -> bool:
    if matched_keywords(need, sentence.text):
        return True
    return any(
        mentions(theme, word) or mentions(need.text, theme) for theme in sentence.about for word in need.keywords
    )


def _value(sentence: LetterSentence, needs: Sequence[Need]) -> float:
    return sum(worth(need) * (2 if need.tier is Tier.MUST_HAVE else 1) for need in needs if _answers(sentence, need))


def _why(sentence: LetterSentence, needs: Sequence[Need]) -> str:
    names = [need.requirement_id for need in needs if _answers(sentence, need)]
    return f"answers {', '.join(names)}" if names else f"the nearest {sentence.role} sentence"


def _without_dashes(item: ProposedLine, own: dict[str, str], rejections: list[Rejection]) -> ProposedLine:
    """*item*, or the person's own words for it when the rewording holds a long dash."""
    match = re.search("[\u2013\u2014]", item.text)
    source = own.get(item.source_id)
    if match is None or source is None or item.text.strip() == source:
        return item
    finding = Finding("long_dash", match[0], match.start(), match.end(), "a letter has no long dashes")
    rejections.append(Rejection(item.source_id, item.text, (finding,), source))
    return ProposedLine(source_id=item.source_id, text=source, why="own words kept: a letter has no long dashes")


def _require_fit(letter: Letter, profile: Profile, *, title: str, company: str) -> None:
    words = sum(len(line.text.split()) for line in letter.lines)
    if words > LETTER_WORDS:
        raise MaterialRejected(
            f"the letter has {words} words; {LETTER_WORDS} are allowed", hint="shorten the sentences it was made of"
        )
    ground = ground_of(profile, title=title, company=company)
    findings = [finding for line in letter.lines for finding in check_text(line.text, ground)]
    if findings:
        raise MaterialRejected(f"the letter did not pass its gates: {summarize(findings)}")
