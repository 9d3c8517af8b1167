"""Scores with a ledger that says exactly what is met and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import msgspec

from jobctrl.postings.model import Span
from jobctrl.scoring.model import Fit, FitLedger, Keyword, PostingAnalysis, Requirement, Scope, Tier
from jobctrl.scoring.rules import fit_ledger, row
from tests.analytics.searches import Search


class Asked(NamedTuple):
    """One requirement of a posting, the skills that it names, and how the person meets it."""

    words: str
    skills: tuple[str, ...] = ()
    fit: Fit = Fit.MATCHED
    weight: float = 1.0
    tier: Tier = Tier.MUST_HAVE


def ledger_of(asked: Sequence[Asked]) -> FitLedger:
    return fit_ledger([row(_requirement(number, each), each.fit) for number, each in enumerate(asked)])


def score_by(search: Search, job_id: str, asked: Sequence[Asked], **says: Any) -> int:
    """Give *job_id* the score that its ledger comes to, keep the ledger as scoring keeps it, and return the score."""
    requirements = tuple(_requirement(number, each) for number, each in enumerate(asked))
    keywords = tuple(
        Keyword(skill, Span(0, len(skill), skill), requirement.id)
        for requirement, each in zip(requirements, asked, strict=True)
        for skill in each.skills
    )
    analysis = PostingAnalysis(requirements, keywords, None, "en", "", 1, "0" * 64)
    ledger = ledger_of(asked)
    with search.store.writer() as tx:
        refs = {
            "analysis_ref": tx.put(msgspec.json.encode(asdict(analysis)), "application/json"),
            "ledger_ref": tx.put(msgspec.json.encode({"ledger": asdict(ledger)}), "application/json"),
        }
    search.score(job_id, ledger.score, **{**refs, **says})
    return ledger.score


def _requirement(number: int, asked: Asked) -> Requirement:
    span = Span(0, len(asked.words), asked.words)
    return Requirement(f"r{number}", asked.words, asked.tier, asked.weight, span, Scope.RESUME)
