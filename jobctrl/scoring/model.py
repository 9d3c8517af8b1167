"""What a score is: a posting's requirements, how a person meets each, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from jobctrl.postings.model import Span

FORMULA_VERSION = "requirement-fit-v1"


class Tier(StrEnum):
    MUST_HAVE = "must_have"
    NICE_TO_HAVE = "nice_to_have"


class Scope(StrEnum):
    """What can answer a requirement."""

    RESUME = "resume"
    ELIGIBILITY = "eligibility"
    """Work authorisation and language: decided by rules, never argued."""
    LOGISTICS = "logistics"
    EMPLOYER_CONDITION = "employer_condition"
    """Checks the employer makes: background, drugs, references."""


class Fit(StrEnum):
    MATCHED = "matched"
    TRANSFERABLE = "transferable"
    MISSING = "missing"
    BLOCKED = "blocked"
    NOT_ASSESSED = "not_assessed"


class Strength(StrEnum):
    DIRECT = "direct"
    STRONG = "strong"


class FitBand(StrEnum):
    EXCELLENT = "excellent"
    STRONG = "strong"
    PLAUSIBLE = "plausible"
    STRETCH = "stretch"
    POOR = "poor"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Seniority(StrEnum):
    INTERN = "intern"
    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"
    LEAD = "lead"
    STAFF = "staff"
    PRINCIPAL = "principal"
    DIRECTOR = "director"
    VP = "vp"
    C_LEVEL = "c_level"


class EligibilityStatus(StrEnum):
    ELIGIBLE = "eligible"
    WARNING = "warning"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class EligibilityCategory(StrEnum):
    WORK_AUTHORIZATION = "work_authorization"
    APPLICATION_LANGUAGE = "application_language"
    SENIORITY = "seniority"
    EXPLICIT_EXCLUSION = "explicit_exclusion"
    COMPENSATION_PREFERENCE = "compensation_preference"
    LOCATION = "location"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Requirement:
    """Something the posting asks of a person, in the posting's own words."""

    id: str
    text: str
    tier: Tier
    weight: float
    span: Span
    """An exact slice of the title or of the text."""
    coverage_scope: Scope = Scope.RESUME


@dataclass(frozen=True)
class Keyword:
    keyword: str
    span: Span
    requirement_id: str | None = None
    """None for an orphan: the posting names it outside every requirement."""


@dataclass(frozen=True)
class PostingAnalysis:
    requirements: tuple[Requirement, ...]
    keywords: tuple[Keyword, ...]
    inferred_seniority: Seniority | None
    language: str | None
    role_framing: str
    generation: int
    inputs_hash: str
    """Over the title, the text and the version of the prompt: equal inputs need no second reading."""
    dropped_ungrounded: int = 0
    dropped_by_fairness: int = 0


@dataclass(frozen=True)
class RequirementFit:
    """One row of the ledger."""

    requirement_id: str
    fit: Fit
    strength: Strength | None
    evidence_ids: tuple[str, ...]
    max_points: float
    awarded: float
    weight: float
    tier: Tier
    rationale: str = ""


@dataclass(frozen=True)
class FitLedger:
    items: tuple[RequirementFit, ...]
    weighted_fit: float
    must_have_coverage: float
    score: int
    band: FitBand
    missing_high_weight_count: int
    formula_version: str = FORMULA_VERSION


@dataclass(frozen=True)
class Finding:
    """A reason for or against applying at all."""

    category: EligibilityCategory
    code: str
    message: str
    span: Span | None = None


@dataclass(frozen=True)
class Eligibility:
    status: EligibilityStatus
    blockers: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class CorrectionAnchor:
    """What a person's correction says about scores like it. No words of theirs or of the posting."""

    id: str
    original_score: int
    corrected_score: int
    band: FitBand
    must_have_coverage: float
    seniority: Seniority | None
    language: str | None


@dataclass(frozen=True)
class ScoringPolicy:
    """How scores are turned into decisions. A change is a new version."""

    version: int = 1
    min_fit_score: int = 7
    """Below it the later stages are skipped."""
    material_floor: int = 6
    """Materials are never prepared in bulk below it, whatever the threshold says."""
    anchors: tuple[CorrectionAnchor, ...] = ()

    @property
    def id(self) -> str:
        return f"local:scoring-policy-v{self.version}"


class Dimensions(NamedTuple):
    """Each 0 to 10."""

    technical: float
    experience: float
    role: float


@dataclass(frozen=True)
class ScoreCard:
    """Everything one scoring of one posting came to."""

    job_id: str
    score: int
    band: FitBand
    confidence: Confidence
    ledger: FitLedger
    eligibility: Eligibility
    analysis: PostingAnalysis
    dimensions: Dimensions
    policy_version: int
    formula_version: str
    provider: str
    model: str
    scored_at: str
    """UTC, ISO 8601."""
    model_score: int
    """What the model itself would have given: evidence, never the score."""
    prompt_versions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = field(default=())
    """Faults of the model's answer that were repaired."""
