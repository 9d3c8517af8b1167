"""What is recorded of reading a posting's needs and measuring a person against them."""

from __future__ import annotations

from jobctrl.events import Event


class EmployerAnalyzed(Event):
    """The posting was read into requirements. The analysis itself is kept by hash."""

    job_id: str
    generation: int
    snapshot_hash: str
    analysis_ref: str
    requirement_count: int
    must_have_count: int
    provider: str
    model: str
    prompt_version: str
    cached: bool = False


class JobScored(Event):
    """The posting was measured against the profile that was current at the time."""

    job_id: str
    version: int
    fit_score: int
    """1 to 10."""
    fit_band: str
    confidence: str
    weighted_fit: float
    must_have_coverage: float
    eligibility: str
    blockers: list[str] = []
    warnings: list[str] = []
    profile_version: int
    policy_version: int
    formula_version: str
    analysis_ref: str
    ledger_ref: str
    """The requirement-fit ledger, row by row with its evidence, kept by hash."""
    snapshot_hash: str | None = None
    """The text that was read."""
    language: str | None = None
    provider: str
    model: str
    corrected_from: int | None = None
    """The score a person put this one in place of; None for a score of ours."""
    reason_ref: str | None = None


class ScoreCorrected(Event):
    """A person says what the score should be."""

    job_id: str
    version: int
    original_score: int
    corrected_score: int
    reason_ref: str
    """The person's words, kept by hash."""


class ScoreCorrectionWithdrawn(Event):
    """A person took a correction back: our own score stands again, as a new version."""

    job_id: str
    version: int
    corrected_score: int
    restored_score: int


class ExplorationChosen(Event):
    """A job below the threshold is prepared all the same, by chance: what comes of such jobs shows what is missed."""

    job_id: str
    score: int
    score_version: int
    threshold: int
    """The score from which materials were prepared without this."""
    propensity: float
    """How likely a job like it was to be chosen, 0 to 1."""
    policy_version: int


class ScoringPolicyAdopted(Event):
    """How scores are turned into decisions from now on. Versions count from 1; the first needs no fact."""

    version: int
    min_fit_score: int
    material_floor: int
    reason: str
    """threshold_changed, score_corrected or correction_taken_back."""
    anchors_ref: str
    """What corrections have taught, without a person's words; kept by hash."""
