"""The Model protocol: a prompt file, inputs and an output schema in; a validated value with its usage out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

T = TypeVar("T", bound=BaseModel)


class Lane(StrEnum):
    """What a call is paid for; each lane has its own daily token ceiling."""

    ENRICH = "enrich"
    SCORE = "score"
    TAILOR = "tailor"
    COVER = "cover"


@dataclass(frozen=True)
class Prompt:
    """The words sent to a model, kept in a `.md` file of the context that owns them."""

    name: str
    version: str
    text: str
    """Instructions alone. Inputs are fenced after it as data, by the provider adapter."""


@dataclass(frozen=True)
class Usage:
    """What the provider says a call used. None means that it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: Decimal | None = None


@dataclass(frozen=True)
class Ask(Generic[T]):
    """One question. `echo` is an id the answer must repeat in its field of that name, or it is dropped."""

    prompt: Prompt
    inputs: Mapping[str, str]
    answer: type[T]
    lane: Lane
    job_id: str | None = None
    echo: Mapping[str, str] = field(default_factory=dict)
    max_output_tokens: int = 4096


@dataclass(frozen=True)
class Answer(Generic[T]):
    value: T
    usage: Usage
    provider: str
    model: str
    request_id: str | None = None


class Model(Protocol):
    """Whatever answers. Raises LlmTransient, ModelRefused, AuthenticationError, BudgetExceeded or MissingInput."""

    @property
    def provider(self) -> str: ...

    @property
    def name(self) -> str: ...

    def ask(self, ask: Ask[T]) -> Answer[T]: ...
