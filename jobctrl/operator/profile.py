"""What a person does with the profile: look, try a change, save it, read a resume. None of it schedules anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jobctrl.operations.profile_use import made_with_profiles
from jobctrl.profile.document import parse_profile, read_document
from jobctrl.profile.editing import PARTS, edited, entries, fields, merged
from jobctrl.profile.reach import EvidenceItem, evidence, in_words, reach
from jobctrl.profile.rules import Problem, changed_sections, read_profile
from jobctrl.profile.state import CurrentProfile, Profiles, Version
from jobctrl.store import Store

__all__ = ["PARTS", "ProfileActions", "ProfileDraft", "ReadResume", "edited", "entries", "fields"]


@dataclass(frozen=True)
class ProfileDraft:
    """A profile that is not saved: what keeps it from being used, or what saving it would change and bear upon."""

    problems: tuple[Problem, ...]
    sections: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    """In sentences; empty when nothing would change."""


@dataclass(frozen=True)
class ReadResume:
    """What a file gave: a document to look over, what could not be read, and how it begins."""

    document: dict[str, Any]
    notes: tuple[str, ...]
    preview: str
    source: str
    """The kind of file: pdf, json_resume or profile."""


class ProfileActions:
    store: Store
    profiles: Profiles

    def profile(self) -> CurrentProfile | None:
        """The profile in force; None before the first was saved."""
        return self.profiles.current()

    def profile_versions(self) -> list[Version]:
        """Every version that was in force, the newest first."""
        return self.profiles.versions()

    def evidence(self) -> list[EvidenceItem]:
        """What claims can rest on, each with the version of the profile that it came with."""
        current = self.profiles.current()
        if current is None:
            return []
        return evidence(current.profile, [(each.version, self.profiles.of(each)) for each in self.profiles.versions()])

    def try_profile(self, document: Mapping[str, Any]) -> ProfileDraft:
        """What saving *document* would do. Nothing is saved."""
        wanted, problems = read_profile(document)
        if wanted is None:
            return ProfileDraft(problems)
        current = self.profiles.current()
        sections = changed_sections(current.profile if current else None, wanted)
        return ProfileDraft((), tuple(sections), tuple(self._touches(sections)))

    def save_profile(self, document: Mapping[str, Any], expected: int, source: str | None = None) -> str:
        """Put *document* in force if version *expected* (0: none) still is. Nothing is scheduled for it.

        Raises ConfigurationError naming each fault, Conflict when the profile was changed meanwhile.
        """
        before = self.profiles.current()
        saved = self.profiles.save(parse_profile(document), expected=expected, source=source)
        if before is not None and before.version == saved.version:
            return f"Nothing has changed: version {saved.version} stays in force."
        sections = changed_sections(before.profile if before else None, saved.profile)
        return f"Version {saved.version} is in force; changed: {in_words(sections)}. Nothing was scheduled."

    def read_resume(self, content: bytes, name: str) -> ReadResume:
        """Read a resume PDF, JSON Resume or a profile's own file into a document. Nothing is saved.

        What a resume does not speak of is taken from the profile in force. Raises InvalidRequest or ConfigurationError,
        saying what could not be read.
        """
        if name.lower().endswith(".pdf") or content.startswith(b"%PDF"):
            from jobctrl.profile.import_pdf import read_resume_pdf

            draft = read_resume_pdf(content)
            return ReadResume(self._filled(draft.document), draft.notes, draft.preview, "pdf")
        document, source = read_document(content, name)
        filled = self._filled(document) if source == "json_resume" else document
        _, problems = read_profile(filled)
        return ReadResume(filled, tuple(map(str, problems)), "", source)

    def _filled(self, document: Mapping[str, Any]) -> dict[str, Any]:
        current = self.profiles.current()
        return merged(current.profile if current else None, document)

    def _touches(self, sections: list[str]) -> list[str]:
        if not sections:
            return []
        with self.store.reader() as connection:
            made = made_with_profiles(connection)
        words = {
            "search": "The next reading of the boards goes by the new targets; jobs that are in the list stay there.",
            "scores": f"The scores of {_many(made.scores, 'job')} stay; new ones are scored by the new profile. "
            "`jobctrl run score --rescore` scores again, which may cost money.",
            "materials": f"The resumes of {_many(made.materials, 'job')} stay as they were made. "
            "`jobctrl run tailor cover --retailor` makes them again, which may cost money.",
        }
        return [words[each] for each in reach(sections)] or ["Nothing reads these parts yet; they are kept."]


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
