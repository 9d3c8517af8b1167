"""Money around a model: reserved before the call, settled from what the provider says, held when nobody can say."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from jobctrl.errors import AuthenticationError, ConfigurationError, InvalidRequest, MissingInput
from jobctrl.llm.failures import RateLimited, Refused, Unsent, UnusableAnswer
from jobctrl.llm.fence import instructions, material
from jobctrl.llm.model import Answer, Ask, Model, Usage

T = TypeVar("T", bound=BaseModel)

Price = Callable[[str, int, int], Decimal]
"""US dollars for a model's name, input tokens and output tokens."""

_CHARACTERS_A_TOKEN = 3
"""On the low side, so that an estimate is not less than what is charged."""
_UNSPENT = (Unsent, RateLimited, AuthenticationError, InvalidRequest, ConfigurationError, MissingInput)


class Meter(Protocol):
    """Whatever keeps the ledger. `reserve` raises BudgetExceeded, and then no call is made."""

    def reserve(self, ask: Ask[Any], *, model: str, provider: str, estimate: Usage) -> str: ...

    def settle(self, reservation: str, usage: Usage, request_id: str | None) -> None: ...

    def hold(self, reservation: str, reason: str) -> None: ...

    def release(self, reservation: str, reason: str) -> None: ...


class MeteredModel:
    """A model whose every call is paid for. It answers, and fails, exactly as the one inside does."""

    def __init__(self, inner: Model, meter: Meter, price: Price) -> None:
        self._inner = inner
        self._meter = meter
        self._price = price

    @property
    def provider(self) -> str:
        return self._inner.provider

    @property
    def name(self) -> str:
        return self._inner.name

    def ask(self, ask: Ask[T]) -> Answer[T]:
        reservation = self._meter.reserve(
            ask, model=self.name, provider=self.provider, estimate=self._priced(estimated_usage(ask))
        )
        try:
            answer = self._inner.ask(ask)
        except _UNSPENT as unspent:
            self._meter.release(reservation, unspent.code)
            raise
        except (UnusableAnswer, Refused) as paid:
            self._settle(reservation, paid.usage, paid.request_id)
            raise
        except BaseException as unknown:
            # Also for a cancelled call or a stopped process: the request may have been on its way.
            self._meter.hold(reservation, getattr(unknown, "code", type(unknown).__name__))
            raise
        usage = self._settle(reservation, answer.usage, answer.request_id)
        return replace(answer, usage=usage)

    def _settle(self, reservation: str, usage: Usage, request_id: str | None) -> Usage:
        priced = self._priced(usage)
        if priced.usd is None:
            self._meter.hold(reservation, "usage_missing")
        else:
            self._meter.settle(reservation, priced, request_id)
        return priced

    def _priced(self, usage: Usage) -> Usage:
        """With its price: the provider's own when it states one, else by the table. No usage has no price."""
        if usage.usd is not None or usage.input_tokens is None or usage.output_tokens is None:
            return usage
        return replace(usage, usd=self._price(self.name, usage.input_tokens, usage.output_tokens))


def estimated_usage(ask: Ask[Any]) -> Usage:
    """The most that a call can reasonably use: all its characters as tokens, and an answer of full length."""
    schema = json.dumps(ask.answer.model_json_schema())
    characters = len(instructions(ask)) + len(material(ask)) + len(schema)
    return Usage(characters // _CHARACTERS_A_TOKEN + 1, ask.max_output_tokens)
