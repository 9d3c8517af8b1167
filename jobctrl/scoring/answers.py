"""The shapes in which any model, paid or local, has to answer. Nothing in them is believed before it is checked.

No field has a default: a provider that is held to a schema has to be told every field it must fill.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from jobctrl.scoring.model import Confidence, Fit, Scope, Seniority, Strength, Tier

Weight = Annotated[float, Field(ge=0, le=1)]
TenPoints = Annotated[float, Field(ge=0, le=10)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")


class RequirementAnswer(_Answer):
    text: str
    tier: Tier
    weight: Weight
    evidence_span: str
    """The posting's own words, copied."""
    coverage_scope: Scope


class KeywordAnswer(_Answer):
    keyword: str
    evidence_span: str
    requirement_index: int | None
    """Position in `requirements`, or null for an orphan."""


class PostingAnalysisAnswer(_Answer):
    """What the posting asks for."""

    job_id: str
    requirements: list[RequirementAnswer]
    keywords: list[KeywordAnswer]
    inferred_seniority: Seniority | None
    role_framing: str


class RowAnswer(_Answer):
    requirement_id: str
    fit: Literal[Fit.MATCHED, Fit.TRANSFERABLE, Fit.MISSING, Fit.NOT_ASSESSED]
    strength: Strength | None
    evidence_ids: list[str]
    rationale: str


class FitAssessmentAnswer(_Answer):
    """How a person meets each requirement."""

    job_id: str
    rows: list[RowAnswer]
    score: Annotated[int, Field(ge=1, le=10)]
    technical_fit: TenPoints
    experience_fit: TenPoints
    role_fit: TenPoints
    confidence: Confidence
