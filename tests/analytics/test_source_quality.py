"""Planted overlap, duplicates, drift and costs of sources are found again."""

from __future__ import annotations

import pytest

from jobctrl.analytics.source_quality import drift_alarms, field_gaps, source_overlap, source_quality, turned_away
from tests.analytics.conftest import asked

ACME, BETA, GAMMA = "greenhouse:acme", "lever:beta", "ashby:gamma"


@pytest.fixture
def boards(search):
    """Acme shows 12 jobs, 4 of them also on Beta, which has 6 of its own; Gamma was never read."""
    for source in (ACME, BETA, GAMMA):
        search.source(source)
    jobs = {}
    for number in range(12):
        jobs[f"a{number}"] = search.find(f"a{number}", ACME)
    for number in range(6):
        jobs[f"b{number}"] = search.find(f"b{number}", BETA)
    for number in range(4):
        search.also_shown(jobs[f"a{number}"], f"x{number}", BETA)
    search.reading(ACME, returned=30, admitted=12, filtered=18, reasons={"filtered:title_mismatch": 18})
    search.reading(BETA, returned=10, admitted=6, merged=4)
    return jobs


def by_source(answer):
    return {row["source_id"]: row for row in answer.iter_rows(named=True)}


def test_what_only_one_source_shows_and_what_two_share_is_told_apart(search, boards):
    db = asked(search)

    quality = by_source(source_quality(db))

    assert {source: (row["jobs"], row["unique_jobs"], row["first_found"]) for source, row in quality.items()} == {
        ACME: (12, 8, 12),
        BETA: (10, 6, 6),
        GAMMA: (0, 0, 0),
    }
    assert quality[BETA]["duplicate_rate"] == pytest.approx(0.4)
    assert quality[BETA]["duplicate_low"] < 0.4 < quality[BETA]["duplicate_high"]
    assert quality[BETA]["first_finder_rate"] == pytest.approx(0.6)
    assert quality[GAMMA]["duplicate_rate"] is None
    assert source_overlap(db).select("source_a", "source_b", "shared", "share").rows() == [(BETA, ACME, 4, 0.4)] or (
        source_overlap(db).select("source_a", "source_b", "shared", "share").rows() == [(ACME, BETA, 4, 0.4)]
    )


def test_rows_of_a_reading_add_up_and_their_reasons_are_counted(search, boards):
    db = asked(search)

    for row in source_quality(db).iter_rows(named=True):
        assert row["returned"] == row["admitted"] + row["merged"] + row["filtered"] + row["rejected"]
    assert turned_away(db).rows() == [(ACME, "filtered", "title_mismatch", 18)]


def test_detail_success_activity_costs_and_answers_go_to_the_source_that_found_the_job(search, boards):
    for number in range(10):
        job = boards[f"a{number}"]
        search.stage(job, "enrich", fails="source_unavailable" if number < 2 else None)
        search.active(job, "closed" if number < 5 else "active")
        search.score(job, 8 if number < 3 else 5)
    search.call("score", 250_000, job_id=boards["a0"])
    search.call("score", 100_000, job_id=boards["a9"], ends="held")
    search.apply(boards["a0"], 8, simulated=True)
    search.answer(boards["a0"], "interview", simulated=True)

    acme = by_source(source_quality(asked(search)))[ACME]

    assert (acme["detail_read"], acme["detail_tried"], acme["active"], acme["checked"]) == (8, 10, 5, 10)
    assert acme["usd"] == pytest.approx(0.35)
    assert (acme["good"], acme["good_lost_without"]) == (3, 0)
    assert (acme["applied"], acme["interviews"], acme["simulated"]) == (1, 1, True)
    assert acme["interview_low"] < 1 == acme["interview_high"]


def test_a_source_that_keeps_failing_is_recommended_off_with_its_evidence(search):
    search.source(GAMMA)
    for _ in range(5):
        search.reading_failed(GAMMA)

    row = by_source(source_quality(asked(search)))[GAMMA]

    assert row["recommended_state"] == "disabled"
    assert row["evidence"] == "failures in a row: 5, the last: source_unavailable"


def test_without_sources_every_answer_is_empty_with_its_columns(search):
    db = asked(search)

    for answer in (source_quality(db), source_overlap(db), turned_away(db), field_gaps(db), drift_alarms(db)):
        assert answer.is_empty()
        assert answer.columns
