"""What is picked stays picked while lists and controls are made anew."""

from __future__ import annotations

import polars as pl
import pytest

from jobctrl.analytics.picking import FACETS, Filtering, Once, Picked, counted, headed, labels_of, options
from jobctrl.operations.saved_filters import BoardFilter, SavedFilter


def listed(ids: str) -> pl.DataFrame:
    return pl.DataFrame({"job_id": list(ids)}, schema={"job_id": pl.String})


def test_before_anything_is_picked_the_first_row_is():
    assert Picked().rows(listed("abc")) == [0]
    assert Picked().rows(listed("")) == []


def test_a_job_stays_picked_wherever_it_moves_and_comes_back_after_a_filter_without_it():
    picked = Picked()
    picked.keep(listed("abc"), ["b"])

    assert picked.rows(listed("xyzb")) == [3]
    assert picked.rows(listed("xyz")) == []
    picked.keep(listed("xyz"), [])
    assert picked.rows(listed("ab")) == [1]


def test_nothing_stays_nothing_when_a_person_chose_it():
    picked = Picked()
    picked.keep(listed("abc"), [])

    assert picked.rows(listed("abc")) == []
    assert picked.rows_or_next(listed("abc")) == []


@pytest.mark.parametrize(("left", "rows"), [("acd", [1]), ("ac", [1]), ("a", [0]), ("", [])])
def test_after_a_decision_the_next_one_is_picked(left, rows):
    picked = Picked()
    picked.keep(listed("abcd"), ["b"])

    assert picked.rows_or_next(listed(left)) == rows


def test_skipping_goes_round():
    picked, frame = Picked(), listed("ab")
    picked.keep(frame, ["a"])

    picked.skip(frame)
    assert picked.rows(frame) == [1]
    picked.skip(frame)
    assert picked.rows(frame) == [0]


def test_a_saved_filter_is_begun_with_once_and_typing_goes_on_from_there():
    filtering, saved = Filtering(), [SavedFilter("near", BoardFilter(words="kraków"))]
    filtering.filter = BoardFilter(words="typed")

    assert filtering.choose(None, saved).words == "typed"
    assert filtering.choose("near", saved).words == "kraków"
    filtering.filter = BoardFilter(words="kraków data")
    assert filtering.choose("near", saved).words == "kraków data"
    assert filtering.choose(None, saved) == BoardFilter()


COUNTS = pl.DataFrame(
    [("country", "PL", 3), ("country", "unknown", 1), ("mode", "on_site", 4)],
    schema={"facet": pl.String, "value": pl.String, "jobs": pl.Int64},
    orient="row",
)


def test_values_are_offered_in_words_with_their_counts_and_what_is_chosen_is_never_left_out():
    offered = options(COUNTS, "countries", ("DE",))

    assert offered == {"Poland (3)": "PL", "unknown (1)": "unknown", "Germany (0)": "DE"}
    assert labels_of(offered, ("DE",)) == ["Germany (0)"]


def test_every_facet_is_told_with_its_counts():
    told = dict(counted(COUNTS, most=1))

    assert told["Place"] == "Poland 3 · 1 more"
    assert told["Mode"] == "on site 4"
    assert len(told) == len(FACETS)


def test_a_head_is_a_word_and_the_job_keeps_its_id():
    assert headed(pl.DataFrame({"job_id": ["a"], "fit_score": [1], "pay": [""]})).columns == ["job_id", "score", "pay"]


def test_what_is_opened_once_is_kept_and_a_failure_is_tried_again():
    answers = iter([OSError("no room"), "house", "another"])

    def opens() -> object:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    once = Once(opens)

    with pytest.raises(OSError):
        once()
    assert once() == "house"
    assert once() == "house"
