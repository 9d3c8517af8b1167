"""The stages of a run in their order, and what is refused before one starts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.errors import InvalidRequest
from jobctrl.pipeline.order import PIPELINE, continuation, in_order


@given(st.lists(st.sampled_from(PIPELINE), min_size=1))
def test_stages_come_once_each_in_the_order_in_which_they_run(stages: list[str]) -> None:
    ordered = in_order(stages)

    assert set(ordered) == set(stages)
    assert ordered == sorted(ordered, key=PIPELINE.index)
    assert len(ordered) == len(set(ordered))


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        (["apply"], "approval"),
        (["score", "apply"], "approval"),
        (["polish"], "polish"),
        (["pdf"], "pdf"),
        ([], "asked"),
    ],
)
def test_what_cannot_be_run_is_refused_with_its_reason(stages: list[str], words: str) -> None:
    with pytest.raises(InvalidRequest, match=words):
        in_order(stages)


def test_a_stage_goes_on_to_all_that_follow_it_but_applying() -> None:
    assert continuation("score") == ["score", "tailor", "cover"]
    assert continuation("cover") == ["cover"]
