"""What is sent to an employer: a tailored resume, a letter, their lines with provenance, and their PDFs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

RULES_VERSION = "materials-v1"
"""Changes whenever the same inputs would give another resume or letter."""


class Tier(StrEnum):
    MUST_HAVE = "must_have"
    NICE_TO_HAVE = "nice_to_have"


@dataclass(frozen=True)
class Need:
    """One requirement of the posting, as far as a resume or a letter can answer it."""

    requirement_id: str
    text: str
    tier: Tier = Tier.NICE_TO_HAVE
    weight: float = 0.5
    """0 to 1."""
    keywords: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    """The evidence that the score found for it: `bullet:b7`, `achievement:e2`, `role:r1`, `skills:s1` …"""


class Section(StrEnum):
    SUMMARY = "summary"
    EXPERIENCE = "experience"
    SKILLS = "skills"
    LETTER = "letter"


class Transform(StrEnum):
    VERBATIM = "verbatim"
    REPHRASE = "rephrase"


@dataclass(frozen=True)
class Line:
    """A line that is shipped, and where it comes from."""

    section: Section
    source_id: str
    """The id of the person's own bullet or sentence; `summary:2` is the second summary sentence."""
    text: str
    transform: Transform = Transform.VERBATIM
    requirement_ids: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    matched_keywords: tuple[str, ...] = ()
    rationale: str = ""
    """Why it was chosen."""


@dataclass(frozen=True)
class TailoredEntry:
    """A position. Everything but the choice and order of its lines is the profile's, letter for letter."""

    experience_id: str
    title: str
    company: str
    start: str
    end: str
    location: str
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class TailoredEducation:
    education_id: str
    degree: str
    institution: str
    location: str
    date: str


@dataclass(frozen=True)
class TailoredSkills:
    category_id: str
    label: str
    items: tuple[str, ...]


class CoverageState(StrEnum):
    COVERED = "covered"
    MISSING_FROM_RESUME = "missing_from_resume"
    """The profile has something to say, but it is not on the page."""
    MISSING_FROM_PROFILE = "missing_from_profile"


@dataclass(frozen=True)
class NeedCoverage:
    requirement_id: str
    tier: Tier
    weight: float
    state: CoverageState
    source_ids: tuple[str, ...] = ()
    """Shipped lines that answer it; for `missing_from_resume`, what the profile has."""
    declared_only: bool = False
    """Only the skills list names it: nothing done is shown for it."""


@dataclass(frozen=True)
class Coverage:
    """How far the shipped text answers the posting."""

    needs: tuple[NeedCoverage, ...]
    score: int
    """1 to 10: the covered share of all weight. 1 when the posting lists no needs."""
    must_have_coverage: float
    """0 to 1; 1 when there is no must-have."""
    disposition: str
    """`passed`, or `accept_with_residual_gap` when the page answers less than it should."""


@dataclass(frozen=True)
class Finding:
    """Something in a text that the profile does not support."""

    code: str
    text: str
    """The words in question."""
    start: int
    end: int
    message: str


@dataclass(frozen=True)
class Rejection:
    """A proposed line that did not pass its gates, and what was printed in its place."""

    source_id: str
    proposed: str
    findings: tuple[Finding, ...]
    fallback: str
    """The person's own text; empty when the line was dropped."""


@dataclass(frozen=True)
class TailoredResume:
    headline: str
    summary: tuple[Line, ...]
    experience: tuple[TailoredEntry, ...]
    education: tuple[TailoredEducation, ...]
    skills: tuple[TailoredSkills, ...]
    coverage: Coverage
    rejections: tuple[Rejection, ...] = ()
    rules_version: str = RULES_VERSION

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every line with provenance, in the order of the page."""
        return self.summary + tuple(line for entry in self.experience for line in entry.lines)


@dataclass(frozen=True)
class Letter:
    date: str
    """As printed."""
    subject: str
    salutation: str
    paragraphs: tuple[tuple[Line, ...], ...]
    sign_off: str
    signature: str
    rejections: tuple[Rejection, ...] = ()
    warnings: tuple[str, ...] = ()
    rules_version: str = RULES_VERSION

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(line for paragraph in self.paragraphs for line in paragraph)

    @property
    def text(self) -> str:
        """The letter as plain text, from salutation to signature."""
        body = [" ".join(line.text for line in paragraph) for paragraph in self.paragraphs]
        return "\n\n".join([self.salutation, *body, f"{self.sign_off}\n{self.signature}"])


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "us-letter"


@dataclass(frozen=True)
class Style:
    paper: Paper = Paper.A4
    language: str = "en"
    """ISO 639-1, of the text."""
    sizes: tuple[float, ...] = (10.5, 10.0, 9.5, 9.0, 8.5)
    """Type sizes in points, tried from the first on."""
    one_page_from: float = 9.5
    """A single page is not forced with type smaller than this."""
    max_pages: int = 2


@dataclass(frozen=True)
class Pdf:
    content: bytes
    pages: int
    text: str
    """As read back from the file."""
    sha256: str
    size: float
    """The type size it took."""


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProposedLine(_Answer):
    """A line of the person's, by its id, as it is or reworded."""

    source_id: str
    text: str
    why: str = ""


class ProposedEntry(_Answer):
    experience_id: str
    title: str = ""
    """Empty, or exactly the profile's."""
    lines: list[ProposedLine]


class ProposedSkills(_Answer):
    category_id: str
    items: list[str]


class ResumeProposal(_Answer):
    """The answer to prompt `tailor-resume`."""

    job_id: str
    summary: list[ProposedLine]
    experience: list[ProposedEntry]
    skills: list[ProposedSkills]


class LetterProposal(_Answer):
    """The answer to prompt `cover-letter`."""

    job_id: str
    opening: list[ProposedLine]
    body: list[ProposedLine]
    closing: list[ProposedLine]
