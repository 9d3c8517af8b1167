"""What is near what, by BM25: postings for a profile before any model is paid, evidence for a requirement."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from rank_bm25 import BM25

from jobctrl.profile.model import Profile
from jobctrl.scoring.lexicon import skills
from jobctrl.scoring.roles import every_family, families_of, nearness
from jobctrl.scoring.sections import Section, statements
from jobctrl.scoring.terms import stems

K1, B = 1.2, 0.75
FIELD_WEIGHTS: Mapping[str, float] = {
    "title": 4.0,
    "skills": 3.0,
    "requirements": 2.2,
    "responsibilities": 1.6,
    "location": 1.2,
    "description": 1.0,
    "company": 0.8,
    "source_metadata": 0.5,
}
RECENCY_SHARE = TRUST_SHARE = 0.05


class FieldWeightedBM25(BM25):  # type: ignore[misc]
    """rank-bm25 with weights by field and an idf that is never negative: ln(1 + (N − df + 0.5) / (df + 0.5)).

    A term's frequency is its sum over the fields, each times its weight; length is counted without weights.
    """

    def __init__(self, documents: Sequence[Mapping[str, Sequence[str]]], weights: Mapping[str, float]) -> None:
        super().__init__([[token for tokens in d.values() for token in tokens] for d in documents])
        self._average = max(1.0, sum(self.doc_len) / len(documents))
        self.doc_freqs = [_weighted(d, weights) for d in documents]
        self._lengths = np.array(self.doc_len, dtype=float)

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        self.idf = {word: math.log(1 + (self.corpus_size - df + 0.5) / (df + 0.5)) for word, df in nd.items()}

    def get_scores(self, query: Sequence[str]) -> np.ndarray:
        """The score of every document; a term of the query counts once."""
        scores = np.zeros(self.corpus_size)
        norm = K1 * (1 - B + B * self._lengths / self._average)
        for term in dict.fromkeys(query):
            idf = self.idf.get(term)
            if idf:
                t = np.array([d.get(term, 0.0) for d in self.doc_freqs])
                scores += idf * t * (K1 + 1) / (t + norm)
        return scores


class EvidenceSearch:
    """The items of a profile by how near they are to a requirement."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._tokens = [tokens_of(text) for text in texts]
        self._index = (
            FieldWeightedBM25([{"text": t} for t in self._tokens], {"text": 1.0}) if any(self._tokens) else None
        )

    def best(self, query: Sequence[str], limit: int) -> list[tuple[int, float]]:
        """Positions and scores of the nearest items, best first; none that share no word."""
        if self._index is None or not query:
            return []
        scores = self._index.get_scores(query)
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:limit]
        return [(i, float(scores[i])) for i in order if scores[i] > 0]

    def coverage(self, query: Sequence[str], position: int) -> float:
        """The share of the query that the item says; rare words count more, those the profile lacks most."""
        if self._index is None or not query:
            return 0.0
        unseen = math.log(1 + (self._index.corpus_size + 0.5) / 0.5)
        weights = {term: self._index.idf.get(term, unseen) for term in query}
        has = self._index.doc_freqs[position]
        return sum(w for term, w in weights.items() if term in has) / sum(weights.values())


@dataclass(frozen=True)
class Preselectable:
    """A posting as it is ranked before anything is paid for it."""

    job_id: str
    title: str
    text: str
    company: str = ""
    location: str = ""
    source_metadata: str = ""
    seen_at: datetime | None = None
    """When it was published, else first seen."""
    identity_confidence: str = ""
    has_link: bool = False


@dataclass(frozen=True)
class Ranked:
    job_id: str
    rank: float
    lexical: float
    recency: float
    trust: float


def preselect(profile: Profile, postings: Sequence[Preselectable], limit: int, *, now: datetime) -> tuple[Ranked, ...]:
    """The postings nearest to *profile*, best first, at most *limit* (0 keeps all)."""
    if not postings:
        return ()
    scores = FieldWeightedBM25([_fields(p) for p in postings], FIELD_WEIGHTS).get_scores(profile_terms(profile))
    highest = float(scores.max()) or 1.0
    ranked = []
    for posting, score in zip(postings, scores, strict=True):
        lexical, recent, trusted = float(score) / highest, recency(posting.seen_at, now=now), trust(posting)
        rank = lexical + RECENCY_SHARE * recent + TRUST_SHARE * trusted
        ranked.append(Ranked(posting.job_id, rank, lexical, recent, trusted))
    ranked.sort(key=lambda r: (-r.rank, -r.lexical, -r.recency, -r.trust, r.job_id))
    return tuple(ranked[:limit] if limit else ranked)


def profile_terms(profile: Profile) -> tuple[str, ...]:
    """The words a profile is looked for with: what the person did, knows and wants, never who they are."""
    resume = profile.resume
    parts = [profile.headline, *profile.target.roles, *resume.summary_sentences]
    for job in resume.experience:
        parts += [job.title, *(b.text for b in job.bullets if b.confirmed)]
        parts += [e.source_text for e in job.achievement_evidence]
    parts += [", ".join(category.items) for category in resume.skills]
    parts += [school.degree for school in resume.education]
    titles = [*profile.target.roles, *(job.title for job in resume.experience)]
    kinds = [kind for title in titles for kind in _kinds(title)]
    return tuple(dict.fromkeys([*kinds, *(token for part in parts for token in tokens_of(part))]))


def recency(seen_at: datetime | None, *, now: datetime) -> float:
    """1 for today, a half after thirty days; 0 when nobody knows."""
    if seen_at is None:
        return 0.0
    return 1 / (1 + max(0.0, (now - seen_at).total_seconds() / 86_400) / 30)


def trust(posting: Preselectable) -> float:
    """How far the posting's identity is to be believed."""
    match posting.identity_confidence.lower():
        case "verified" | "high" | "canonical" | "trusted":
            return 1.0
        case "medium" | "probable":
            return 0.65
        case "low" | "unknown" | "unverified":
            return 0.25
    return 0.55 if posting.has_link else 0.35


def tokens_of(text: str) -> tuple[str, ...]:
    """Stems, and the skills that are named under whatever spelling."""
    return (*stems(text), *(f"={name}" for name in skills(text)))


def _kinds(title: str) -> list[str]:
    """The kinds of work a title names, so that a Backend Developer is found by a Software Engineer."""
    kinds = families_of(title)
    near = [family for family in every_family() if family not in kinds and nearness(kinds, frozenset({family})) > 0.6]
    return [f"@{family}" for family in (*sorted(kinds), *near)]


def _fields(posting: Preselectable) -> dict[str, list[str]]:
    requirements: list[str] = []
    duties: list[str] = []
    for part in statements(posting.text):
        words = stems(posting.text[part.start : part.end])
        if part.section in (Section.MUST_HAVE, Section.NICE_TO_HAVE):
            requirements += words
        elif part.section is Section.DUTIES:
            duties += words
    return {
        "title": [*tokens_of(posting.title), *_kinds(posting.title)],
        "skills": [f"={name}" for name in skills(posting.text)],
        "requirements": requirements,
        "responsibilities": duties,
        "location": list(stems(posting.location)),
        "description": list(stems(posting.text)),
        "company": list(stems(posting.company)),
        "source_metadata": list(stems(posting.source_metadata)),
    }


def _weighted(document: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> dict[str, float]:
    frequencies: dict[str, float] = defaultdict(float)
    for field, tokens in document.items():
        for token in tokens:
            frequencies[token] += weights[field]
    return dict(frequencies)
