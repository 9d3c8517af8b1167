"""How one stage's end moves the stages after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobctrl.pipeline.rules import AFTER_SCORE, Judged, Standing, materials_threshold, moves
from jobctrl.scoring.model import EligibilityStatus
from jobctrl.stages.model import Stage, StageState
from jobctrl.stages.rules import LEGAL

S = StageState
FINE, HELD = EligibilityStatus.ELIGIBLE, EligibilityStatus.BLOCKED
GOOD, LOW, BLOCKED = Judged(9, FINE), Judged(3, FINE), Judged(9, HELD)
SKIPPED_FOR_SCORE = Standing(S.SKIPPED, "MIN_SCORE")
BLOCKED_BY_SCORE = Standing(S.BLOCKED, "SCORE_ELIGIBILITY_BLOCKED")


def standings(**given: Standing | StageState) -> dict[Stage, Standing]:
    found = {stage: Standing() for stage in Stage}
    found[Stage.SCORE] = Standing(S.SUCCEEDED)
    for name, standing in given.items():
        found[Stage(name)] = standing if isinstance(standing, Standing) else Standing(standing)
    return found


def moved(judged: Judged | None, /, **given: Standing | StageState) -> dict[str, tuple[str, str]]:
    return {move.stage.value: (move.to.value, move.code) for move in moves(standings(**given), judged, min_score=7)}


def test_a_good_score_leaves_what_waits_waiting() -> None:
    assert moved(GOOD) == {}


def test_a_low_score_passes_over_what_comes_after() -> None:
    assert moved(LOW) == dict.fromkeys(("tailor", "cover", "apply"), ("skipped", "MIN_SCORE"))


def test_a_blocked_score_blocks_what_comes_after() -> None:
    assert moved(BLOCKED) == dict.fromkeys(("tailor", "cover", "apply"), ("blocked", "SCORE_ELIGIBILITY_BLOCKED"))


def test_a_score_that_rises_opens_what_it_had_closed() -> None:
    closed = dict.fromkeys(("tailor", "cover", "apply"), SKIPPED_FOR_SCORE)

    assert set(moved(GOOD, **closed).values()) == {("pending", "score_allows")}
    assert set(moved(GOOD, **dict.fromkeys(closed, BLOCKED_BY_SCORE))) == {"tailor", "cover", "apply"}


@pytest.mark.parametrize(
    ("state", "code"), [(S.FAILED, "UPSTREAM_TAILOR_FAILED"), (S.EXHAUSTED, "UPSTREAM_TAILOR_EXHAUSTED")]
)
def test_a_resume_that_failed_blocks_its_letter_and_the_application(state: StageState, code: str) -> None:
    assert moved(GOOD, tailor=state) == {"cover": ("blocked", code), "apply": ("blocked", code)}
    again = Standing(S.BLOCKED, code)
    assert moved(GOOD, tailor=state, cover=again, apply=again) == {}
    assert moved(GOOD, tailor=S.SUCCEEDED, cover=again, apply=again) == {
        "cover": ("pending", "tailor_succeeded"), "apply": ("pending", "tailor_succeeded"),
    }  # fmt: skip


@pytest.mark.parametrize("done", [S.SUCCEEDED, S.RUNNING, S.CANCELED])
def test_what_is_done_or_under_way_is_left_alone(done: StageState) -> None:
    for score in (GOOD, LOW, BLOCKED):
        assert not {"tailor", "cover"} & set(moved(score, tailor=done, cover=done, apply=done))


def test_without_a_score_that_stands_nothing_moves() -> None:
    assert moved(None) == {}
    assert moved(LOW, score=S.RUNNING) == {}
    assert moved(LOW, score=S.FAILED) == {}


any_standing = st.builds(
    Standing,
    st.sampled_from(StageState),
    st.sampled_from([None, "MIN_SCORE", "SCORE_ELIGIBILITY_BLOCKED", "BLOCKED", "UPSTREAM_TAILOR_FAILED", "OTHER"]),
    st.booleans(),
)


@given(
    st.fixed_dictionaries(dict.fromkeys(Stage, any_standing)),
    st.one_of(st.none(), st.builds(Judged, st.integers(1, 10), st.sampled_from(EligibilityStatus))),
    st.integers(0, 10),
)
def test_every_move_is_legal_and_touches_only_what_comes_after_the_score(
    stages: dict[Stage, Standing], score: Judged | None, min_score: int
) -> None:
    for move in moves(stages, score, min_score=min_score):
        assert move.stage in AFTER_SCORE
        old = stages[move.stage].state
        assert move.to is old or move.to in LEGAL[old], (old, move)


@pytest.mark.parametrize(("wanted", "threshold"), [(0, 6), (5, 6), (6, 6), (7, 7), (10, 10)])
def test_materials_have_a_floor(wanted: int, threshold: int) -> None:
    assert materials_threshold(wanted) == threshold
