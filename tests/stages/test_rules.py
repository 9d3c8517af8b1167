"""The table of legal moves, pair by pair."""

from __future__ import annotations

import itertools

import pytest

from jobctrl.errors import InvalidRequest
from jobctrl.stages.model import MAX_ATTEMPTS, ORDER, Stage, StageState
from jobctrl.stages.rules import DRY_RUN, FRESH_START, LEGAL, attempts_left, check_move, check_skip

MOVES = {
    "pending": "queued running blocked skipped",
    "queued": "running canceled pending",
    "running": "succeeded failed canceled blocked skipped needs_verification",
    "failed": "pending exhausted blocked",
    "blocked": "pending skipped",
    "exhausted": "pending",
    "canceled": "pending",
    "succeeded": "stale",
    "stale": "pending",
    "needs_verification": "pending succeeded failed",
    "skipped": "pending blocked",
}


@pytest.mark.parametrize(("old", "new"), itertools.product(StageState, StageState))
def test_each_move_is_legal_or_refused_as_the_table_says(old: StageState, new: StageState) -> None:
    if new is old or new.value in MOVES[old.value].split():
        check_move(Stage.SCORE, old, new)
    else:
        with pytest.raises(InvalidRequest, match=f"score is {old.value}; it cannot become {new.value}"):
            check_move(Stage.SCORE, old, new)


def test_the_table_of_moves_names_every_pair_once() -> None:
    named = {StageState(old): {StageState(new) for new in news.split()} for old, news in MOVES.items()}

    assert named == LEGAL
    assert set(LEGAL) == set(StageState)


@pytest.mark.parametrize("old", StageState)
def test_a_running_stage_is_skipped_for_a_rehearsal_alone(old: StageState) -> None:
    if "skipped" not in (*MOVES[old.value].split(), old.value):
        with pytest.raises(InvalidRequest, match="cannot become skipped"):
            check_skip(Stage.APPLY, old, DRY_RUN)
        return
    check_skip(Stage.APPLY, old, DRY_RUN)
    if old is StageState.RUNNING:
        with pytest.raises(InvalidRequest, match="for DRY_RUN only, not for MIN_SCORE"):
            check_skip(Stage.APPLY, old, "MIN_SCORE")
    else:
        check_skip(Stage.APPLY, old, "MIN_SCORE")


@pytest.mark.parametrize("state", [state for state in StageState if state is not StageState.RUNNING])
def test_only_what_runs_can_end_unverified(state: StageState) -> None:
    assert StageState.NEEDS_VERIFICATION not in LEGAL[state]


def reachable(start: StageState) -> set[StageState]:
    found, edge = {start}, [start]
    while edge:
        new = LEGAL[edge.pop()] - found
        found |= new
        edge += new
    return found


@pytest.mark.parametrize("state", StageState)
def test_no_state_is_out_of_reach_and_none_is_a_dead_end(state: StageState) -> None:
    assert state in reachable(StageState.PENDING)
    assert StageState.PENDING in reachable(state)


def test_a_failed_stage_is_not_run_without_being_made_ready() -> None:
    assert StageState.RUNNING not in LEGAL[StageState.FAILED]


@pytest.mark.parametrize(("stage", "ceiling"), MAX_ATTEMPTS.items())
def test_attempts_end_at_the_ceiling_of_the_stage(stage: Stage, ceiling: int | None) -> None:
    if ceiling is None:
        assert attempts_left(stage, 10**6)
    else:
        assert [attempts_left(stage, made) for made in (0, ceiling - 1, ceiling, ceiling + 1)] == [
            True,
            True,
            False,
            False,
        ]


def test_every_stage_has_its_place_and_its_ceiling() -> None:
    assert tuple(Stage) == ORDER
    assert set(MAX_ATTEMPTS) == set(Stage)
    assert all(StageState.PENDING in LEGAL[state] for state in FRESH_START)
