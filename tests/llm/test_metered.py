from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

import pytest
from pydantic import BaseModel

from jobctrl.errors import AuthenticationError, BudgetExceeded, InvalidRequest
from jobctrl.llm.failures import OutcomeUnknown, RateLimited, Refused, Unsent, UnusableAnswer
from jobctrl.llm.metered import MeteredModel
from jobctrl.llm.model import Answer, Ask, Lane, Prompt, Usage


class Word(BaseModel):
    word: str


ASK = Ask(Prompt("p", "1", "Say a word."), {"text": "x" * 3000}, Word, Lane.SCORE, max_output_tokens=100)
USED = Usage(10, 5)


@dataclass
class Ledger:
    """Keeps what it was told."""

    ceiling: Decimal = Decimal(100)
    told: list[tuple] = field(default_factory=list)

    def reserve(self, ask, *, model, provider, estimate):
        if estimate.usd > self.ceiling:
            raise BudgetExceeded("no money left today")
        self.told.append(("reserve", estimate))
        return "r1"

    def settle(self, reservation, usage, request_id):
        self.told.append(("settle", reservation, usage, request_id))

    def hold(self, reservation, reason):
        self.told.append(("hold", reservation, reason))

    def release(self, reservation, reason):
        self.told.append(("release", reservation, reason))


@dataclass
class Scripted:
    outcome: Answer | BaseException
    provider: str = "anthropic"
    name: str = "claude-test"
    asked: int = 0

    def ask(self, ask):
        self.asked += 1
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


def price(model: str, input_tokens: int, output_tokens: int) -> Decimal:
    return Decimal(input_tokens + 10 * output_tokens) / 1000


def answered(usage: Usage) -> Answer:
    return Answer(Word(word="yes"), usage, "anthropic", "claude-test", "req_1")


def test_a_call_is_reserved_before_and_settled_from_what_the_provider_says():
    ledger = Ledger()

    answer = MeteredModel(Scripted(answered(USED)), ledger, price).ask(ASK)

    assert answer.usage == Usage(10, 5, Decimal("0.06"))
    assert [t[0] for t in ledger.told] == ["reserve", "settle"]
    assert ledger.told[1] == ("settle", "r1", answer.usage, "req_1")
    estimate = ledger.told[0][1]
    assert estimate.input_tokens >= 1000
    assert estimate.output_tokens == 100
    assert estimate.usd > answer.usage.usd


def test_a_cost_that_the_provider_states_overrides_the_table():
    ledger = Ledger()

    answer = MeteredModel(Scripted(answered(Usage(10, 5, Decimal("0.5")))), ledger, price).ask(ASK)

    assert answer.usage.usd == Decimal("0.5")


def test_over_the_ceiling_nothing_is_asked():
    inner = Scripted(answered(USED))

    with pytest.raises(BudgetExceeded):
        MeteredModel(inner, Ledger(ceiling=Decimal(0)), price).ask(ASK)

    assert inner.asked == 0


@pytest.mark.parametrize(
    ("failure", "fate"),
    [
        (Unsent(), "release"),
        (RateLimited(retry_after=3), "release"),
        (AuthenticationError(), "release"),
        (InvalidRequest(), "release"),
        (OutcomeUnknown(), "hold"),
        (KeyboardInterrupt(), "hold"),
        (RuntimeError("the client broke"), "hold"),
        (UnusableAnswer("bad", usage=USED, request_id="req_1"), "settle"),
        (UnusableAnswer("bad", usage=Usage(), request_id="req_1"), "hold"),
        (Refused("no", usage=USED, request_id=None), "settle"),
    ],
)
def test_what_becomes_of_the_money_when_a_call_fails(failure, fate):
    ledger = Ledger()

    with pytest.raises(type(failure)):
        MeteredModel(Scripted(failure), ledger, price).ask(ASK)

    assert [t[0] for t in ledger.told] == ["reserve", fate]


def test_an_answer_without_usage_is_given_back_and_its_money_held():
    ledger = Ledger()

    answer = MeteredModel(Scripted(answered(Usage())), ledger, price).ask(ASK)

    assert answer.value.word == "yes"
    assert ledger.told[-1] == ("hold", "r1", "usage_missing")
