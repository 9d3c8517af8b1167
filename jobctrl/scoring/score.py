"""One posting against one person: analysis, assessment, ledger, eligibility. Pure but for the model that it asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel

from jobctrl.errors import MissingInput
from jobctrl.llm.model import Answer, Ask, Lane, Model, Prompt
from jobctrl.llm.prompts import load_prompt
from jobctrl.postings.model import PostingFacts
from jobctrl.profile.model import Profile
from jobctrl.scoring.answers import FitAssessmentAnswer, PostingAnalysisAnswer, RowAnswer
from jobctrl.scoring.eligibility import eligibility, is_hard_conflict, unspoken
from jobctrl.scoring.evidence import ProfileIndex, index_profile
from jobctrl.scoring.grounding import ground
from jobctrl.scoring.model import (
    Dimensions,
    Fit,
    PostingAnalysis,
    Requirement,
    RequirementFit,
    Scope,
    ScoreCard,
    ScoringPolicy,
)
from jobctrl.scoring.needs import language_code, read_needs
from jobctrl.scoring.rules import RUBRIC_VERSION, band, confidence, fit_ledger, row, rubric_score

LEAST_WORDS = 15
"""Below it there is nothing to read, and no model is asked."""

T = TypeVar("T", bound=BaseModel)


def analyse_posting(
    *, job_id: str, title: str, text: str, language: str | None, model: Model, generation: int = 1
) -> PostingAnalysis:
    """What the posting asks for, grounded in its words. Raises MissingInput when there is too little text."""
    words = len(text.split())
    # Scripts without spaces are counted by character.
    if words < LEAST_WORDS and len(text.strip()) < 4 * LEAST_WORDS * (1 if text.isascii() else 0.5):
        raise MissingInput(
            f"the posting has {words} words, too few to read requirements from",
            hint="Fetch its description again, or capture it by hand.",
        )
    prompt = load_prompt("jobctrl.scoring", "posting-analysis")
    answer = _ask(model, prompt, {"title": title, "posting": text}, PostingAnalysisAnswer, job_id, 8192)
    return ground(
        answer.value, title=title, text=text, language=language, prompt_version=prompt.version, generation=generation
    )


def score_posting(
    *,
    job_id: str,
    title: str,
    text: str,
    facts: PostingFacts,
    profile: Profile,
    policy: ScoringPolicy,
    model: Model,
    now: datetime,
    company: str = "",
    index: ProfileIndex | None = None,
    analysis: PostingAnalysis | None = None,
) -> ScoreCard:
    """The score of one posting. A prepared *index* and an earlier *analysis* are used when they are given.

    Raises MissingInput for too little text, and whatever the model raises: a failed call is never a score.
    """
    index = index or index_profile(profile, now=now)
    analysis = analysis or analyse_posting(
        job_id=job_id, title=title, text=text, language=facts.language.language, model=model
    )
    prompt = load_prompt("jobctrl.scoring", "fit-assessment")
    answerable = [r for r in analysis.requirements if r.coverage_scope is Scope.RESUME]
    asked = json.dumps([_asked(r) for r in answerable], ensure_ascii=False)
    inputs = {
        "requirements": asked,
        "evidence": index.evidence_json(" ".join(r.span.text for r in answerable)),
        "person": index.person_json,
    }
    answer = _ask(model, prompt, inputs, FitAssessmentAnswer, job_id, 8192)
    assessed = answer.value
    rows, faults = _resolved(answerable, assessed.rows, {item.id for item in index.items}, profile)
    rows += _eligibility_rows(analysis.requirements, profile)
    ledger = fit_ledger(rows)
    dimensions = Dimensions(assessed.technical_fit, assessed.experience_fit, assessed.role_fit)
    # A title alone is no reading: whoever held it once would meet everything.
    read = analysis.generation > 0 and any(r.span.field == "text" for r in answerable)
    blocked = any(r.fit is Fit.BLOCKED for r in rows)
    score = ledger.score if read or blocked else rubric_score(dimensions)
    return ScoreCard(
        job_id=job_id,
        score=score,
        band=band(score),
        confidence=confidence(rows, assessed.confidence),
        ledger=ledger,
        eligibility=eligibility(
            title=title, text=text, company=company, facts=facts, analysis=analysis, profile=profile
        ),
        analysis=analysis,
        dimensions=dimensions,
        policy_version=policy.version,
        formula_version=ledger.formula_version if read or blocked else RUBRIC_VERSION,
        provider=answer.provider,
        model=answer.model,
        scored_at=now.isoformat(),
        model_score=assessed.score,
        prompt_versions=(prompt.version,),
        warnings=tuple(faults),
    )


def _ask(
    model: Model, prompt: Prompt, inputs: dict[str, str], answer: type[T], job_id: str, most_tokens: int
) -> Answer[T]:
    return model.ask(
        Ask(
            prompt=prompt,
            inputs=inputs,
            answer=answer,
            lane=Lane.SCORE,
            job_id=job_id,
            echo={"job_id": job_id},
            max_output_tokens=most_tokens,
        )
    )


def _asked(requirement: Requirement) -> dict[str, object]:
    return {
        "id": requirement.id,
        "text": requirement.text,
        "words": requirement.span.text,
        "tier": requirement.tier.value,
        "is_role": requirement.span.field == "title",
    }


def _resolved(
    requirements: Sequence[Requirement], proposed: Sequence[RowAnswer], known_evidence: set[str], profile: Profile
) -> tuple[list[RequirementFit], list[str]]:
    """The rows that stand once claims without evidence are taken back, and what was taken back."""
    faults: list[str] = []
    answers: dict[str, RowAnswer] = {}
    for answer in proposed:
        if answer.requirement_id in answers:
            faults.append(f"duplicate_requirement_assessment:{answer.requirement_id}")
        else:
            answers[answer.requirement_id] = answer
    known = {r.id for r in requirements}
    faults += [f"invalid_requirement_assessment:{i}" for i in answers if i not in known]
    rows: list[RequirementFit] = []
    for requirement in requirements:
        answer_ = answers.get(requirement.id)
        if answer_ is None:
            rows.append(row(requirement, Fit.NOT_ASSESSED))
            faults.append(f"missing_requirement_assessment:{requirement.id}")
            continue
        evidence = [e for e in dict.fromkeys(answer_.evidence_ids) if e in known_evidence]
        fit = Fit(answer_.fit)
        if is_hard_conflict(requirement, profile):
            rows.append(row(requirement, Fit.BLOCKED, None, (), "a condition that the profile does not meet"))
            continue
        if fit is Fit.MATCHED and not evidence:
            fit = Fit.NOT_ASSESSED
            faults.append("requirement_fit_matched_without_evidence")
        elif fit is Fit.TRANSFERABLE and not evidence:
            fit = Fit.MISSING
            faults.append("requirement_fit_transferable_without_evidence")
        rows.append(row(requirement, fit, answer_.strength, evidence, answer_.rationale))
    return rows, list(dict.fromkeys(faults))


def _eligibility_rows(requirements: Sequence[Requirement], profile: Profile) -> list[RequirementFit]:
    """Rows for what a resume does not argue about. Those that the profile does not answer stay out of the sum."""
    rows = []
    for requirement in requirements:
        if requirement.coverage_scope is not Scope.ELIGIBILITY:
            continue
        needs = read_needs(requirement.span.text)
        if is_hard_conflict(requirement, profile):
            rows.append(row(requirement, Fit.BLOCKED, None, (), "a condition that the profile does not meet"))
        elif needs.languages and profile.resume.languages and not unspoken(needs, profile):
            asked = {need.code for need in needs.languages}
            spoken = [lang.name for lang in profile.resume.languages if language_code(lang.name) in asked]
            rows.append(row(requirement, Fit.MATCHED, None, [f"language:{name}" for name in spoken], "speaks it"))
    return rows
