"""Sanity on real postings and labels: how far the rules get, so that a change that loses ground is seen."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path

import pytest

from jobctrl.postings.model import PostingFacts
from jobctrl.profile.model import Profile
from jobctrl.scoring.evidence import index_profile
from jobctrl.scoring.lexicon import skills
from jobctrl.scoring.model import Fit, ScoringPolicy
from jobctrl.scoring.roles import families_of
from jobctrl.scoring.score import score_posting
from tests.scoring.conftest import NOW


def _person(stated: dict) -> Profile:
    """The one profile of the graded set, which lists titles and skills but no history."""
    keywords = stated["domains_keywords"]
    job = {"id": "e1", "title": stated["target_titles"][0], "company": "-", "start": "2020-06"}
    return Profile.model_validate(
        {
            "personal": {"full_name": "-"},
            "headline": stated["target_titles"][0],
            "years_of_experience": stated["years_experience"],
            "resume": {
                "experience": [job],
                "skills": [
                    {"id": "s1", "label": "Skills", "items": keywords["tech_stack"]},
                    {"id": "s2", "label": "Domains", "items": keywords["domains"]},
                ],
                "languages": [{"name": "en", "level": "C1"}, {"name": "pt", "level": "native"}],
            },
        }
    )


@pytest.fixture(scope="module")
def graded(corpus: Path):
    folder = corpus / "labels" / "graded_relevance"
    fixture = json.loads((folder / "fixture.json").read_text())
    grades = {q["job_id"]: q["grade"] for q in json.loads((folder / "qrels.json").read_text())["labels"]}
    return _person(fixture["profile"]), fixture["jobs"], grades


def test_scores_follow_the_grades_a_person_gave(graded, local):
    person, jobs, grades = graded
    index = index_profile(person, now=NOW)

    ranked = []
    for job in jobs:
        card = score_posting(
            job_id=job["id"],
            title=job["title"],
            text=job["description"],
            facts=PostingFacts(),
            profile=person,
            policy=ScoringPolicy(),
            model=local,
            now=NOW,
            index=index,
        )
        blocked = any(row.fit is Fit.BLOCKED for row in card.ledger.items)
        ranked.append((card.score, 0.0 if blocked else card.ledger.weighted_fit, grades[job["id"]]))

    means = [_mean([score for score, _, grade in ranked if grade == g]) for g in range(4)]
    assert means == sorted(means)
    assert means[3] - means[0] >= 2.0
    assert _ndcg([grade for _, _, grade in sorted(ranked, key=lambda r: (-r[0], -r[1]))], 10) >= 0.55


def test_skills_are_found_in_real_descriptions(corpus):
    named = {"LLM": "LLMs", "Machine Learning": "Machine learning"}
    rows = [json.loads(line) for line in (corpus / "labels" / "skills_eval.jsonl").read_text().splitlines()]
    labelled = [({named.get(s, s) for s in row["expected"]}, row["text"]) for row in rows]
    vocabulary = set().union(*(expected for expected, _ in labelled))

    right = missed = extra = 0
    for expected, text in labelled:
        found = set(skills(text)) & vocabulary
        right += len(expected & found)
        missed += len(expected - found)
        extra += len(found - expected)

    assert right / (right + missed) >= 0.9
    assert right / (right + extra) >= 0.75


def test_made_up_resumes_are_ranked_as_their_labels_say(corpus, local):
    folder = corpus / "labels" / "synthetic_pairs"
    jobs = {row["job_id"]: row for row in _rows(folder / "jobs.csv")}
    resumes = {row["candidate_id"]: row["cv_text"] for row in _rows(folder / "candidates.csv")}
    labels = ["no_fit", "weak", "medium", "strong"]

    scores: dict[str, list[int]] = {label: [] for label in labels}
    for pair in _rows(folder / "gold_eval_pairs_reduced.csv"):
        job = jobs[pair["job_id"]]
        card = score_posting(
            job_id=pair["job_id"],
            title=job["job_title"],
            text=job["job_description"],
            facts=PostingFacts(),
            profile=_from_lines(resumes[pair["candidate_id"]]),
            policy=ScoringPolicy(),
            model=local,
            now=NOW,
        )
        scores[pair["expected_label"]].append(card.score)

    means = [_mean(scores[label]) for label in labels]
    assert means == sorted(means)
    assert means[3] - means[0] >= 5


def _from_lines(text: str) -> Profile:
    """A profile whose bullets are the lines of a short text, under the first line that names a kind of work."""
    lines = [line.strip("-•* \t\r") for line in text.splitlines()]
    lines = [line for line in lines if len(line) > 3]
    years = re.search(r"(\d+)\s*\+?\s*(?:y|yrs|years)", text)
    job = {
        "id": "e1",
        "title": next((line for line in lines if families_of(line)), "-"),
        "company": "-",
        "bullets": [{"id": f"b{i}", "text": line} for i, line in enumerate(lines)],
    }
    return Profile.model_validate(
        {
            "personal": {"full_name": "-"},
            "years_of_experience": float(years[1]) if years else 3.0,
            "resume": {"experience": [job]},
        }
    )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _mean(values: list[int]) -> float:
    return sum(values) / len(values)


def _ndcg(grades: list[int], depth: int) -> float:
    def gain(order: list[int]) -> float:
        return sum((2**grade - 1) / math.log2(i + 2) for i, grade in enumerate(order[:depth]))

    return gain(grades) / gain(sorted(grades, reverse=True))
