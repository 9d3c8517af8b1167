"""The person: who they are, what they have done, and what they look for."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Part(BaseModel):
    """A part of the profile. Unknown keys survive a round trip."""

    model_config = ConfigDict(extra="allow", str_strip_whitespace=True, validate_assignment=True, defer_build=True)


class Personal(Part):
    full_name: str = Field(min_length=1)
    preferred_name: str = ""
    email: str = ""
    phone: str = ""
    city: str = ""
    region: str = ""
    country: str = ""
    """ISO 3166 alpha-2."""
    linkedin_url: str = ""
    github_url: str = ""
    portfolio_url: str = ""
    website_url: str = ""


class WorkAuthorization(Part):
    authorized_countries: list[str] = []
    """ISO alpha-2 codes the person may work in without sponsorship; EU means all its members."""
    require_sponsorship: bool | None = None


class Compensation(Part):
    currency: str | None = None
    minimum: Decimal | None = None
    period: str | None = None


class EvidenceStrength(StrEnum):
    VERIFIED = "verified"
    SUPPORTED = "supported"
    INFERRED = "inferred"
    DRAFT = "draft"


class Evidence(Part):
    """An achievement, with the person's own words."""

    id: str = Field(min_length=1)
    source_text: str = Field(min_length=1)
    tools: list[str] = []
    metrics: list[str] = []
    evidence_strength: EvidenceStrength = EvidenceStrength.SUPPORTED
    claim_confidence: float = Field(0.0, ge=0, le=1)
    user_confirmed: bool = False
    tags: list[str] = []


class Bullet(Part):
    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    confirmed: bool = True
    """Only a confirmed bullet may be printed."""


class Experience(Part):
    id: str = Field(min_length=1)
    title: str = Field(min_length=1)
    company: str = Field(min_length=1)
    start: str = ""
    """`YYYY-MM` or `YYYY`."""
    end: str = ""
    """`YYYY-MM`, `YYYY`, or empty for the present."""
    location: str = ""
    bullets: list[Bullet] = []
    achievement_evidence: list[Evidence] = []


class Education(Part):
    id: str = Field(min_length=1)
    degree: str = Field(min_length=1)
    institution: str = Field(min_length=1)
    location: str = ""
    date: str = ""


class SkillCategory(Part):
    id: str = Field(min_length=1)
    label: str = Field(min_length=1)
    items: list[str] = []


class Language(Part):
    name: str
    """ISO 639-1."""
    level: str = ""
    """CEFR (A1 … C2) or `native`."""


class LetterSentence(Part):
    """A sentence the person wrote for letters. `about` names skills or themes it speaks to."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    role: str = "body"
    """opening, body or closing."""
    about: list[str] = []


class TailoringRules(Part):
    required_experience_ids: list[str] = []
    """Empty means all."""
    pinned_bullet_ids: list[str] = []
    max_experience_bullets: int = Field(4, ge=1, le=12)
    avoid_words: list[str] = []
    """Words that a reworded line may not use."""


class Resume(Part):
    summary_sentences: list[str] = []
    """The person's own sentences; a resume's summary selects from them."""
    experience: list[Experience] = Field(min_length=1)
    education: list[Education] = []
    skills: list[SkillCategory] = []
    languages: list[Language] = []
    letter_sentences: list[LetterSentence] = []
    tailoring: TailoringRules = TailoringRules()


class TargetSearch(Part):
    """What the person looks for. Empty lists do not filter."""

    roles: list[str] = []
    """Titles, e.g. `Data Engineer`."""
    exclude_titles: list[str] = []
    seniority_floor: str | None = None
    """intern, junior, mid, senior, lead, staff, principal, director, vp, c_level."""
    countries: list[str] = []
    """ISO alpha-2."""
    cities: list[str] = []
    work_modes: list[str] = []
    """remote, hybrid, on_site; empty accepts all."""
    exclude_companies: list[str] = []
    exclude_terms: list[str] = []
    """Words the person does not want to see in a posting (`defense`, `gambling`)."""


class Profile(Part):
    personal: Personal
    headline: str = ""
    years_of_experience: float | None = Field(None, ge=0, le=80)
    work_authorization: WorkAuthorization = WorkAuthorization()
    compensation: Compensation = Compensation()
    target: TargetSearch = TargetSearch()
    resume: Resume

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Profile:
        ids = [b.id for e in self.resume.experience for b in e.bullets] + [e.id for e in self.resume.experience]
        doubled = sorted({i for i in ids if ids.count(i) > 1})
        if doubled:
            raise ValueError(f"ids are used twice: {', '.join(doubled)}")
        return self
