"""An action at a desk says what it will do and cost, what came of it, and can be taken back."""

from __future__ import annotations

from decimal import Decimal
from types import SimpleNamespace

import pytest

from jobctrl.analytics.deciding import Decided, correct, cost_of_work, decide, means, retried, undo
from jobctrl.errors import InvalidRequest
from jobctrl.operations.decisions import UNDECIDED, Change, Decision, Standing
from jobctrl.settings.model import Settings
from jobctrl.spend.model import DaySpend

KEPT = Decision("kept", "Kept: A baker.", (Change("a", UNDECIDED, Standing(feedback="saved")),))
NOTHING = Decision("kept", "Kept: A baker.", (Change("a", UNDECIDED, UNDECIDED),))
SPENT = DaySpend("2026-03-01", Decimal("1.25"), Decimal("0.25"), Decimal(0), {})


class Noting:
    """Notes what is taken back."""

    def __init__(self) -> None:
        self.back: list[object] = []

    def take_back(self, decision: Decision) -> Decision:
        self.back.append(decision)
        return Decision("put back", "Took back: 1 job as before.", ())

    def take_back_correction(self, key: str) -> str:
        self.back.append(key)
        return "3 became 8 again."


def test_a_decision_names_what_its_undoing_would_undo():
    done = decide(lambda ids: KEPT, ["a"])

    assert (done.ok, done.keys, done.undo_label) == (True, ("a",), "Undo: Kept: A baker.")


def test_what_changed_nothing_or_failed_cannot_be_undone():
    def refuse(ids):
        raise InvalidRequest("A job sleeps for 1 to 365 days.")

    assert decide(lambda ids: NOTHING, ["a"]).undo_label == ""
    failed = decide(refuse, ["a"])
    assert (failed.ok, failed.undo_label, failed.says) == (False, "", "A job sleeps for 1 to 365 days.")


@pytest.mark.parametrize("back", [KEPT, "a"])
def test_undoing_is_one_call_and_cannot_be_undone_again(back):
    operator = Noting()

    done = undo(operator, Decided("Done.", back=back))

    assert operator.back == [back]
    assert (done.ok, done.undo_label) == (True, "")


def test_a_correction_is_taken_back_by_its_job_and_a_refused_one_is_not():
    def refuse(job_id, score):
        raise InvalidRequest("A correction needs its reason.")

    assert correct(lambda job_id, score: "8 became 3.", "a", 3).back == "a"
    assert correct(refuse, "a", 3).back is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(), "costs nothing, since the local model"),
        (Settings(provider="openai", daily_budget_usd=Decimal(5)), "paid to openai, within the $3.50 that are left"),
        (Settings(provider="openai", daily_budget_usd=Decimal(1)), "within the $0.00 that are left"),
        (Settings(automatic_preparation=False), "waits until you ask"),
        (Settings(min_fit_score=9), "to 9 or more"),
    ],
)
def test_what_a_press_means_and_costs_is_said_before(settings, words):
    assert words in means(2, settings, SPENT)
    assert means(1, settings, SPENT).startswith("1 job is picked.")


def test_what_work_may_cost_is_said_before():
    assert cost_of_work(Settings(), SPENT) == "It costs nothing: the local model does it."
    assert "up to the $3.50" in cost_of_work(Settings(provider="anthropic", daily_budget_usd=Decimal(5)), SPENT)


@pytest.mark.parametrize(
    ("opened", "runs", "words"),
    [
        ([], [], "Nothing was opened"),
        (["a"], [], "1 stage was opened again; nothing was started."),
        (["a", "b"], [SimpleNamespace(workflow_id="w")], "2 stages were opened again, taken up by `w`."),
    ],
)
def test_what_came_of_a_retry_is_said_in_words(opened, runs, words):
    assert retried(SimpleNamespace(reset=opened, runs=runs)).startswith(words)
