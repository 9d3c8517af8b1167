"""What a change of the profile can bear upon, and where its evidence comes from. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from jobctrl.profile.model import Profile

Reach = Literal["search", "scores", "materials"]
_REACH: dict[str, tuple[Reach, ...]] = {
    "personal": ("materials",),
    "headline": ("scores", "materials"),
    "years_of_experience": ("scores", "materials"),
    "work_authorization": ("scores",),
    "compensation": ("scores",),
    "target": ("search", "scores", "materials"),
    "resume.summary_sentences": ("materials",),
    "resume.experience": ("scores", "materials"),
    "resume.education": ("scores", "materials"),
    "resume.skills": ("scores", "materials"),
    "resume.languages": ("scores", "materials"),
    "resume.letter_sentences": ("materials",),
    "resume.tailoring": ("materials",),
}


@dataclass(frozen=True)
class EvidenceItem:
    """Something a claim can rest on: a bullet, or an achievement in the person's own words."""

    kind: Literal["bullet", "achievement"]
    id: str
    of: str
    """The position it belongs to."""
    text: str
    strength: str | None
    """verified, supported, inferred or draft; None of a bullet, which is confirmed or not."""
    confidence: float | None
    """0 to 1; None of a bullet."""
    confirmed: bool
    tools: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    since_version: int | None = None
    """The first version of the profile that has it."""


def reach(sections: Iterable[str]) -> tuple[Reach, ...]:
    """What reads one of these sections; nothing reads a section that the profile only keeps."""
    found = {each for section in sections for each in _REACH.get(section, ())}
    return tuple(each for each in ("search", "scores", "materials") if each in found)


def in_words(sections: Iterable[str]) -> str:
    """Sections of the profile as a person calls them."""
    return ", ".join(section.removeprefix("resume.").replace("_", " ") for section in sections)


def evidence(profile: Profile, earlier: Sequence[tuple[int, Profile]]) -> list[EvidenceItem]:
    """What the profile has to show, each with the oldest of the versions *earlier* that has it in these words."""
    first: dict[tuple[str, str], int] = {}
    for version, past in sorted(earlier, key=lambda each: each[0]):
        for item in _items(past, {}):
            first.setdefault((item.id, item.text), version)
    return list(_items(profile, first))


def _items(profile: Profile, first: dict[tuple[str, str], int]) -> Iterator[EvidenceItem]:
    for entry in profile.resume.experience:
        of = f"{entry.title}, {entry.company}"
        for bullet in entry.bullets:
            since = first.get((bullet.id, bullet.text))
            yield EvidenceItem("bullet", bullet.id, of, bullet.text, None, None, bullet.confirmed, since_version=since)
        for item in entry.achievement_evidence:
            yield EvidenceItem(
                "achievement",
                item.id,
                of,
                item.source_text,
                item.evidence_strength.value,
                item.claim_confidence,
                item.user_confirmed,
                tuple(item.tools),
                tuple(item.metrics),
                first.get((item.id, item.source_text)),
            )
