"""What would be lost without a source, what it costs and how soon it shows what is new, as it was planted."""

from __future__ import annotations

import numpy as np
import pytest

from jobctrl.analytics.source_quality import source_overlap, source_quality
from jobctrl.analytics.source_worth import first_sight, lost_without, source_costs
from tests.analytics.conftest import asked

ACME, BETA, GAMMA = "greenhouse:acme", "lever:beta", "ashby:gamma"


def by_source(answer):
    return {row["source_id"]: row for row in answer.iter_rows(named=True)}


def plant_overlap(search, seed):
    """Random jobs on random boards; returns which boards show each job and the job's score."""
    dice = np.random.default_rng(seed)
    boards = (ACME, BETA, GAMMA)
    for board in boards:
        search.source(board)
    shown: dict[str, set[str]] = {}
    scores: dict[str, int] = {}
    for number in range(60):
        where = [board for board, share in zip(boards, (0.7, 0.5, 0.3), strict=True) if dice.random() < share]
        if not where:
            continue
        job = search.find(f"j{number}", where[0])
        for other in where[1:]:
            search.also_shown(job, f"x{number}", other)
        shown[job], scores[job] = set(where), int(dice.integers(1, 11))
        search.score(job, scores[job])
    return shown, scores


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_leaving_one_source_out_loses_exactly_what_only_it_shows(search, seed):
    shown, scores = plant_overlap(search, seed)
    db = asked(search)

    lost, quality = by_source(lost_without(db, min_score=7)), by_source(source_quality(db, min_score=7))

    for board in (ACME, BETA, GAMMA):
        left = {job for job, where in shown.items() if where - {board}}
        gone = set(shown) - left
        assert lost[board]["jobs"] == quality[board]["unique_jobs"] == len(gone)
        assert lost[board]["n"] == len(shown)
        assert lost[board]["good_jobs"] == sum(scores[job] >= 7 for job in gone)
        assert lost[board]["low"] < lost[board]["rate"] < lost[board]["high"]
        assert lost[board]["expected_interviews"] is None
        assert quality[board]["jobs"] == sum(board in where for where in shown.values())


@pytest.mark.parametrize("seed", [1, 2])
def test_planted_overlap_is_recovered(search, seed):
    shown, _ = plant_overlap(search, seed)

    pairs = {
        frozenset((row["source_a"], row["source_b"])): row
        for row in source_overlap(asked(search)).iter_rows(named=True)
    }

    for one, other in ((ACME, BETA), (ACME, GAMMA), (BETA, GAMMA)):
        both = sum({one, other} <= where for where in shown.values())
        smaller = min(sum(board in where for where in shown.values()) for board in (one, other))
        assert pairs[frozenset((one, other))]["shared"] == both
        assert pairs[frozenset((one, other))]["share"] == pytest.approx(both / smaller)


def test_the_interviews_that_would_be_lost_come_of_what_a_score_means(search):
    search.source(ACME)
    search.source(BETA)
    for number in range(80):
        job = search.find(f"old{number}", ACME)
        search.score(job, 9 if number % 2 else 7)
        search.apply(job, 9 if number % 2 else 7, days_ago=30)
        if number % 4 == 1:
            search.answer(job, "interview")
    for number in range(10):
        search.score(search.find(f"new{number}", BETA), 9)

    lost = by_source(lost_without(asked(search)))

    assert lost[BETA]["good_jobs"] == 10
    assert lost[BETA]["interviews"] == 0
    assert lost[BETA]["expected_low"] < 5 < lost[BETA]["expected_high"]
    assert lost[BETA]["expected_low"] <= lost[BETA]["expected_interviews"] <= lost[BETA]["expected_high"]
    assert lost[ACME]["interviews"] == 20


def test_what_a_source_costs_has_its_thrown_away_work_in_it(search):
    for source, price, interviews in ((ACME, 10_000, 10), (BETA, 40_000, 5)):
        search.source(source)
        for number in range(50):
            job = search.find(f"{number}", source)
            search.score(job, 8 if number < 25 else 3)
            search.call("score", price, job_id=job, ends="settled" if number % 3 else "held")
            if number < 20:
                search.apply(job, 8, days_ago=20)
            if number < interviews:
                search.answer(job, "interview")
    search.call("score", 5_000_000)

    costs = {(row["source_id"], row["unit"]): row for row in source_costs(asked(search)).iter_rows(named=True)}

    assert costs[ACME, "interview"]["usd_each"] == pytest.approx(0.05)
    assert costs[BETA, "interview"]["usd_each"] == pytest.approx(0.4)
    assert costs[BETA, "interview"]["usd_low"] < 0.4 < costs[BETA, "interview"]["usd_high"]
    assert costs[BETA, "good job"]["usd_each"] == pytest.approx(0.08)
    assert costs[ACME, "interview"]["usd_high"] < costs[BETA, "interview"]["usd_low"]
    assert costs[ACME, "application"]["n"] == 20


def test_made_up_answers_are_left_out_once_there_is_a_real_one(search):
    search.source(ACME)
    for number in range(6):
        job = search.find(f"m{number}", ACME)
        search.apply(job, 8, days_ago=20, simulated=True)
        search.answer(job, "interview", simulated=True)
    row = by_source(source_quality(asked(search)))[ACME]
    assert (row["applied"], row["interviews"], row["simulated"]) == (6, 6, True)

    search.apply(search.find("real", ACME), 8, days_ago=20)
    db = asked(search)

    row = by_source(source_quality(db))[ACME]
    assert (row["applied"], row["interviews"], row["simulated"]) == (1, 0, False)
    assert by_source(source_quality(db, simulated=True))[ACME]["applied"] == 6
    interview = source_costs(db).filter(source_costs(db)["unit"] == "interview").row(0, named=True)
    assert (interview["n"], interview["simulated"]) == (0, False)


def test_the_time_to_first_sight_is_recovered_without_the_stock_a_board_began_with(search):
    for source in (ACME, BETA):
        search.source(source)
        for number in range(20):
            search.find(f"stock{number}", source, published="2025-10-01")
        search.reading(source, returned=20)
    search.later(days=1)
    for day in range(1, 31):
        published = search.now.date()
        search.later(days=2 + day % 3)
        job = search.find(f"new{day}", ACME, published=published.isoformat())
        if day % 2:
            search.later(hours=6).also_shown(job, f"late{day}", BETA)
        search.find(f"unsaid{day}", ACME)
    db = asked(search)

    sight = by_source(first_sight(db))

    acme, beta = sight[ACME], sight[BETA]
    assert (acme["seen"], acme["new"], acme["n"]) == (80, 60, 30)
    assert (acme["p50_days"], acme["p90_days"]) == (3.0, 4.0)
    assert acme["p50_days_low"] <= 3 <= acme["p50_days_high"]
    assert (acme["shared"], acme["ahead"], acme["p50_hours"]) == (15, 15, 6.0)
    assert (beta["shared"], beta["ahead"], beta["p50_hours"]) == (15, 0, -6.0)
    assert acme["low"] < 1 == acme["high"]


def test_a_board_whose_jobs_are_gone_or_unreadable_is_recommended_off_with_the_rate_it_rests_on(search):
    for source in (ACME, BETA, GAMMA):
        search.source(source)
        search.reading(source, returned=20)
    for number in range(20):
        search.active(search.find(f"{number}", ACME), "closed" if number < 18 else "active", ACME)
        search.stage(search.find(f"{number}", BETA), "enrich", fails="source_unavailable" if number < 17 else None)
        if number < 9:
            search.active(search.find(f"{number}", GAMMA), "closed", GAMMA)

    quality = by_source(source_quality(asked(search)))

    assert quality[ACME]["recommended_state"] == "quarantined"
    assert quality[ACME]["evidence"] == "10% of 20 are still open (95%: 2 to 28%)"
    assert quality[BETA]["recommended_state"] == "quarantined"
    assert quality[BETA]["evidence"].startswith("15% of 20 could be read in full")
    assert (quality[GAMMA]["recommended_state"], quality[GAMMA]["expired"]) == ("keep", 9)


def test_without_sources_every_answer_is_empty_with_its_columns(search):
    db = asked(search)

    for answer in (lost_without(db), source_costs(db), first_sight(db)):
        assert answer.is_empty()
        assert answer.columns
