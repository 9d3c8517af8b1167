"""No model: deterministic functions that answer the same prompts with the same schemas, without key or cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TypeVar

from pydantic import BaseModel

from jobctrl.errors import ConfigurationError
from jobctrl.llm.model import Answer, Ask, Usage
from jobctrl.llm.reading import check_echo

T = TypeVar("T", bound=BaseModel)

Skill = Callable[[Mapping[str, str]], BaseModel]
"""From a prompt's inputs, and the ids to repeat, to its answer."""

FREE = Usage(0, 0, Decimal(0))


class LocalModel:
    """The default provider. What it can do is handed to it, by the name of the prompt it answers."""

    provider = "local"
    name = "local-1"

    def __init__(self, skills: Mapping[str, Skill]) -> None:
        self._skills = dict(skills)

    def ask(self, ask: Ask[T]) -> Answer[T]:
        """The answer of the function that knows this prompt. Raises ConfigurationError when none does."""
        skill = self._skills.get(ask.prompt.name)
        if skill is None:
            known = ", ".join(sorted(self._skills)) or "none"
            raise ConfigurationError(
                f"the local model does not know the prompt {ask.prompt.name!r} (it knows: {known})",
                hint="Choose a provider with a key for this step, or leave the step to the local rules.",
            )
        value = skill({**ask.inputs, **ask.echo})
        if not isinstance(value, ask.answer):
            raise ConfigurationError(
                f"the local answer to {ask.prompt.name!r} is a {type(value).__name__}, not a {ask.answer.__name__}"
            )
        check_echo(ask, value, usage=FREE, request_id=None)
        return Answer(value, FREE, self.provider, self.name)
