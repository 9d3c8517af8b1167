"""Scores that were given twice, and scores that a person corrected: planted differences come back."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from temporalio.testing import ActivityEnvironment

from jobctrl.analytics.calibration import agreement, correction_bias, corrections, score_changes, stability
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.scoring.activities import ScoreInput
from jobctrl.store import acting_for
from tests.analytics.conftest import asked
from tests.runtime.searching import RUN, job_with_text, new_house, operator_in, scoring_of

TEXT, OTHER = "a" * 64, "b" * 64


def again(search, name: str, *versions: tuple[int, dict]) -> str:
    job = search.find(name)
    for number, (score, says) in enumerate(versions, start=1):
        search.score(job, score, version=number, **{"snapshot_hash": TEXT, **says})
    return job


def correct(search, name: str, ours: int, persons: int) -> str:
    return again(search, name, (ours, {}), (persons, {"corrected_from": ours, "provider": "person"}))


def test_only_scores_of_ours_on_the_same_text_are_compared(search):
    again(search, "moved", (5, {}), (6, {}), (9, {"snapshot_hash": OTHER}), (9, {"snapshot_hash": OTHER}))
    correct(search, "corrected", 4, 9)
    again(search, "once", (7, {}))

    changes = score_changes(asked(search))

    assert changes.select("before", "after", "difference").rows() == [(5, 6, 1), (9, 9, 0)]


@pytest.mark.parametrize(
    ("says", "changed"),
    [
        ({}, "nothing"),
        ({"profile_version": 2}, "profile"),
        ({"policy_version": 2}, "policy"),
        ({"model": "another"}, "model"),
        ({"provider": "anthropic"}, "model"),
        ({"provider": "anthropic", "profile_version": 2}, "several"),
    ],
)
def test_what_had_changed_between_two_scores_is_told_where_the_log_knows_it(search, says, changed):
    again(search, "a", (5, {}), (7, says))

    assert score_changes(asked(search))["changed"].to_list() == [changed]


def test_the_share_that_held_within_a_point_counts_each_job_once(search):
    for number in range(40):
        again(search, f"steady{number}", (5, {}), (5 + number % 2, {}))
    for number in range(10):
        again(search, f"jumpy{number}", (5, {}), (8, {"profile_version": 2}))
    again(search, "often", *[(5 + 4 * (turn % 2), {}) for turn in range(30)])

    told = {row["changed"]: row for row in stability(asked(search)).iter_rows(named=True)}

    assert list(told) == ["anything", "nothing", "profile"]
    assert told["nothing"]["n"] == 41
    assert told["nothing"]["repeats"] == 69
    assert told["nothing"]["within_one_rate"] == pytest.approx(40 / 41)
    assert told["nothing"]["within_one_low"] < 40 / 41 < told["nothing"]["within_one_high"]
    assert told["profile"]["within_one_rate"] == 0
    assert told["profile"]["mean_difference"] == told["profile"]["largest"] == 3
    assert told["anything"]["n"] == 51


def test_planted_corrections_come_back_as_bias_kappa_and_rank_correlation(search):
    dice = np.random.default_rng(4)
    pairs = []
    for number in range(60):
        ours = int(dice.integers(1, 11))
        persons = int(np.clip(ours - (2 if ours >= 9 else 0) + dice.integers(-1, 2), 1, 10))
        pairs.append((ours, persons))
        correct(search, f"j{number}", ours, persons)
    db = asked(search)

    told = {row["measure"]: row for row in agreement(db).iter_rows(named=True)}
    bias = {row["band"]: row for row in correction_bias(db).iter_rows(named=True)}

    ours, persons = map(np.array, zip(*pairs, strict=True))
    truth = {
        "difference": np.mean(persons - ours),
        "absolute": np.mean(abs(persons - ours)),
        # Against pairs of scores that have nothing to do with one another.
        "kappa": 1 - np.mean((ours - persons) ** 2) / np.mean(np.subtract.outer(ours, persons) ** 2),
        "spearman": stats.spearmanr(ours, persons).statistic,
    }
    for measure, value in truth.items():
        assert told[measure]["value"] == pytest.approx(value)
        assert told[measure]["value_low"] < value < told[measure]["value_high"]
        assert told[measure]["n"] == 60
    assert bias["excellent"]["mean_difference_high"] < 0
    assert bias["plausible"]["mean_difference_low"] < 0 < bias["plausible"]["mean_difference_high"]
    assert list(bias) == ["poor", "stretch", "plausible", "strong", "excellent"]


def test_a_person_s_last_word_counts_against_the_score_of_ours(search):
    again(search, "a", (4, {}), (6, {"corrected_from": 4}), (7, {"corrected_from": 4}))

    told = corrections(asked(search))

    assert told.select("ours", "persons", "difference", "band").rows() == [(4, 7, 3, "stretch")]


def test_a_few_corrections_say_how_many_are_missing_and_claim_nothing(search):
    for number in range(3):
        correct(search, f"j{number}", 6, 8)
    db = asked(search)

    told = agreement(db)

    assert told["need_more"].to_list() == [7] * 4
    assert told["value"].null_count() == 4
    assert correction_bias(db).select("n", "mean_difference", "mean_difference_low").rows() == [(3, 2.0, None)]


def test_corrections_that_are_all_alike_leave_kappa_unknown_and_still_have_an_interval_of_their_mean(search):
    for number in range(12):
        correct(search, f"j{number}", 6, 6)
    db = asked(search)

    told = {row["measure"]: row for row in agreement(db).iter_rows(named=True)}

    assert told["kappa"]["value"] is None
    assert told["spearman"]["value"] is None
    assert told["difference"]["value"] == 0
    [row] = correction_bias(db).iter_rows(named=True)
    assert row["mean_difference_low"] < 0 < row["mean_difference_high"]


def test_nobody_corrected_and_nothing_was_scored_twice(search):
    again(search, "a", (5, {}))
    db = asked(search)

    for answer in (score_changes(db), stability(db), corrections(db), agreement(db), correction_bias(db)):
        assert answer.is_empty()
        assert answer.columns


async def test_a_correction_that_was_taken_back_is_neither_a_word_nor_a_second_score(tmp_path):
    house = new_house(tmp_path / "ws")
    job_id = await job_with_text(house)
    with acting_for(RUN):
        await ActivityEnvironment().run(scoring_of(house).score_job, ScoreInput("w", job_id))
    operator = operator_in(house)
    operator.correct_score(job_id, 2, "it is too far away")
    warehouse = Warehouse(house.workspace.path)
    warehouse.refresh()
    corrected = len(corrections(warehouse.connect()))

    operator.take_back_correction(job_id)
    warehouse.refresh()

    assert corrected == 1
    assert corrections(warehouse.connect()).is_empty()
    assert score_changes(warehouse.connect()).is_empty()
    house.close()
