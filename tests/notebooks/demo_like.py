"""A workspace like the demo: boards, jobs, scores with their ledgers, materials, answers and money."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from jobctrl.materials.files import ArtifactFiles
from jobctrl.pipeline.coverage import Coverage, CoverageState, Mode, digest, member_keys, publish, step_keys
from jobctrl.pipeline.events import ExecutionRef, PipelineStepCompleted, PipelineStepStarted
from jobctrl.pipeline.membership import Cohort, link, plan_nothing, plan_preparation
from jobctrl.pipeline.targets import STEPS
from jobctrl.postings.model import PostingFacts, Span
from jobctrl.profile.document import load_profile
from jobctrl.profile.state import Profiles
from jobctrl.scoring.model import (
    Eligibility,
    EligibilityStatus,
    Fit,
    FitBand,
    FitLedger,
    PostingAnalysis,
    Requirement,
    RequirementFit,
    Strength,
    Tier,
)
from jobctrl.store import Execution
from tests.analytics.searches import Search
from tests.conftest import ROOT

BOARDS = ("greenhouse:alder", "lever:birch", "ashby:cedar", "workable:dogwood", "personio:elm")
TITLES = ("Data Engineer", "Senior Data Engineer", "Analytics Engineer", "Platform Engineer", "Backend Engineer")
TOWNS = (("Kraków", "PL"), ("Lisboa", "PT"), ("Berlin", "DE"), ("Austin", "US"))
TEXT = "We build data products. You know Python and SQL. You have run pipelines in production."
CURVE = (0.02, 0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.36, 0.48, 0.6)


def tell_demo(folder: Path, *, jobs: int = 240) -> Search:
    """A search of some weeks by the sample person; the applications and their answers are marked as simulated."""
    dice = np.random.default_rng(11)
    search = Search(folder)
    for board in BOARDS:
        search.source(board)
    told = []
    per_day = max(1, jobs // 6)
    for day in range(6):
        search.run(f"discover-{day}", ends="failed" if day == 2 else "succeeded")
        for number in range(per_day):
            told.append(_job(search, dice, f"{day}-{number}"))
        for board in BOARDS:
            if board.endswith("elm") and day == 5:
                search.reading_failed(board)
                continue
            gone = 40 if board.endswith("birch") and day == 5 else 3
            search.reading(
                board,
                returned=44,
                admitted=10,
                merged=4,
                filtered=29,
                rejected=1,
                reasons={"filtered:title_mismatch": 20, "filtered:place_mismatch": 9, "rejected:no_title": 1},
                field_nulls={"published": gone, "pay": 30, "text": 0},
            )
        search.later(days=1)
    _apply(search, dice, told)
    search.tell()
    _belong(search, [job for job, _ in told])
    Profiles(search.store).save(load_profile(ROOT / "data" / "sample_profile.json"))
    return search


NEWEST = Execution("discover-5", "run-1")
"""The run that the operations desk shows."""


def _belong(search: Search, told: list[str]) -> None:
    """The newest run saw the last jobs and took some older ones along; its history proves it."""
    per_day = len(told) // 6
    seen, swept = told[-per_day:], told[:per_day:3]
    said: dict[str, Any] = {
        "execution": ExecutionRef(workflow_id=NEWEST.workflow_id, temporal_run_id=NEWEST.run_id),
        "attempt": 1,
    }
    with search.store.writer() as tx:
        for kind, item in (
            ("source_planning", "plan"),
            ("enrichment_pass", "terminal"),
            ("preparation_fanout", "terminal"),
        ):
            for mark in (PipelineStepStarted, PipelineStepCompleted):
                tx.append(f"run/{NEWEST.workflow_id}/{NEWEST.run_id}", mark(**said, step_kind=kind, item_key=item))
        link(tx, NEWEST, seen, Cohort.OBSERVED)
        link(tx, NEWEST, swept, Cohort.BACKLOG)
        for number, job_id in enumerate(seen + swept):
            if number % 5 == 4:
                plan_nothing(tx, NEWEST, job_id, "score_below_threshold")
            else:
                plan_preparation(tx, NEWEST, job_id, steps=STEPS, preparation_workflow_id=f"prep-{job_id}")
        members, steps = member_keys(tx.connection, NEWEST), step_keys(tx.connection, NEWEST)
        counts = (len(members), len(members), len(steps), len(steps))
        proof = Coverage(CoverageState.READY, Mode.NATIVE, 3, 60, *counts, digest(members, steps), None, tx.moment)
        publish(tx, NEWEST, proof)


def _job(search: Search, dice: np.random.Generator, name: str) -> tuple[str, int]:
    town, country = TOWNS[dice.integers(len(TOWNS))]
    board = BOARDS[dice.integers(len(BOARDS))]
    with search.store.writer() as tx:
        description = tx.put(TEXT)
        facts = tx.put(msgspec.json.encode(asdict(PostingFacts())), "application/json")
    job = search.find(
        name,
        board,
        title=TITLES[dice.integers(len(TITLES))],
        employer=board.split(":")[1].title(),
        places=[{"city": town, "country": country}],
        mode=("remote", "hybrid", "on_site", "unknown")[dice.integers(4)],
        pay={"state": "stated", "currency": "EUR", "period": "year", "low": 60_000, "high": 80_000},
        description_hash=description,
        facts_hash=facts,
        published="2026-03-01",
    )
    if dice.random() < 0.25:
        search.also_shown(job, f"{name}-again", BOARDS[dice.integers(len(BOARDS))])
    if dice.random() < 0.06:
        search.stage(job, "enrich", fails="source_unavailable")
        return job, 0
    search.stage(job, "enrich")
    search.active(job, "closed" if dice.random() < 0.08 else "active")
    search.stage(job, "score")
    score = int(np.clip(round(dice.normal(6, 2)), 1, 10))
    search.score(job, score, **_ledger(search, score))
    search.call("score", int(dice.integers(2_000, 9_000)), job_id=job)
    if score >= 7:
        search.stage(job, "tailor")
        search.prepare(job, **_documents(search))
        search.call("tailor", int(dice.integers(9_000, 40_000)), job_id=job, ends=("held", "settled")[score > 7])
    return job, score


LINES = (
    ("experience", "Built the pipelines that feed the pricing model, in Python and SQL.", "bullet-1"),
    ("experience", "Moved 40 nightly jobs to a scheduler that tells when it fails.", "bullet-2"),
)
PAGE = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)


def _documents(search: Search) -> dict[str, str]:
    """A resume's lines with their provenance, a letter, and a page; their hashes."""
    provenance = [
        {
            "section": section,
            "generated_text": text,
            "source_id": source,
            "requirement_ids": ["r1"],
            "matched_keywords": ["Python"],
            "rationale": "It answers a must-have.",
        }
        for section, text, source in LINES
    ]
    letter = {
        "salutation": "Dear Alder team,",
        "paragraphs": [[{"text": "I build data pipelines."}, {"text": "They tell when they fail."}]],
        "sign_off": "Kind regards,",
        "signature": "An Invented Person",
    }
    with search.store.writer() as tx:
        return {
            "resume": tx.put(json.dumps(provenance), "application/json"),
            "letter": tx.put(json.dumps(letter), "application/json"),
            "pdf": ArtifactFiles(search.folder / "artifacts").keep(PAGE),
        }


def _ledger(search: Search, score: int) -> dict[str, str]:
    """The analysis and the ledger of a score, kept as scoring keeps them; their hashes."""
    asked = tuple(
        Requirement(key, words, Tier.MUST_HAVE, 1.0, Span(TEXT.index(words), TEXT.index(words) + len(words), words))
        for key, words in (("r1", "You know Python and SQL."), ("r2", "You have run pipelines in production."))
    )
    met = {"r1": Fit.MATCHED, "r2": Fit.MATCHED if score >= 6 else Fit.MISSING}
    items = tuple(
        RequirementFit(
            each.id,
            met[each.id],
            Strength.DIRECT,
            ("bullet-1",),
            5.0,
            5.0 if met[each.id] is Fit.MATCHED else 0.0,
            1.0,
            each.tier,
            "The profile says so.",
        )
        for each in asked
    )
    analysis = PostingAnalysis(asked, (), None, "en", "data engineer", 1, "0" * 64)
    ledger = FitLedger(items, score / 10, 0.5, score, FitBand.STRONG, 0)
    with search.store.writer() as tx:
        return {
            "analysis_ref": tx.put(msgspec.json.encode(asdict(analysis)), "application/json"),
            "ledger_ref": tx.put(
                msgspec.json.encode(
                    {"ledger": asdict(ledger), "eligibility": asdict(Eligibility(EligibilityStatus.ELIGIBLE))}
                ),
                "application/json",
            ),
        }


def _apply(search: Search, dice: np.random.Generator, told: list[tuple[str, int]]) -> None:
    for number, (job, score) in enumerate(told):
        if score >= 4 and number % 5 != 4:
            search.apply(job, score, days_ago=20 + number % 15, simulated=True)
            if dice.random() < CURVE[score - 1]:
                search.answer(job, "interview", simulated=True)
            elif dice.random() < 0.3:
                search.answer(job, "rejection", simulated=True)
