"""Anthropic's Messages API. The SDK is imported on the first call: it takes a second or two."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

from jobctrl.llm.failures import Refused, UnusableAnswer, translated, unreadable
from jobctrl.llm.fence import instructions, material
from jobctrl.llm.model import Answer, Ask, Usage
from jobctrl.llm.reading import read_answer

T = TypeVar("T", bound=BaseModel)

_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicModel:
    """A Claude model. One request a call and no retry of its own: whoever called decides about that."""

    provider = "anthropic"

    def __init__(
        self, name: str, api_key: str, base_url: str | None = None, timeout: float = 180.0, http_client: Any = None
    ) -> None:
        self._name = name
        self._arguments: dict[str, Any] = {
            "api_key": api_key,
            "base_url": base_url,
            "timeout": timeout,
            "max_retries": 0,
            "http_client": http_client,
        }
        self._client: Any = None

    @property
    def name(self) -> str:
        return self._name

    def ask(self, ask: Ask[T]) -> Answer[T]:
        """A validated answer. Raises LlmTransient, ModelRefused, AuthenticationError or InvalidRequest."""
        import anthropic

        if self._client is None:
            self._client = anthropic.Anthropic(**self._arguments)
        try:
            message = self._client.messages.create(
                model=self._name,
                max_tokens=ask.max_output_tokens,
                system=instructions(ask),
                messages=[{"role": "user", "content": material(ask)}],
                output_config={"format": {"type": "json_schema", "schema": anthropic.transform_schema(ask.answer)}},
            )
        except (anthropic.AnthropicError, ValueError) as error:
            # `from None`: the SDK's error holds the request and the response body.
            raise translated(error, anthropic, self.provider) from None
        if not isinstance(message, anthropic.types.Message):
            raise unreadable(self.provider)
        usage, request_id = _usage(message), getattr(message, "_request_id", None)
        if message.stop_reason == "refusal":
            raise Refused(f"{self._name} declined {ask.prompt.name}", usage=usage, request_id=request_id)
        if message.stop_reason in _CUT_SHORT:
            raise UnusableAnswer(
                f"the answer to {ask.prompt.name} was cut short at {ask.max_output_tokens} tokens",
                usage=usage,
                request_id=request_id,
            )
        reply = "".join(block.text or "" for block in message.content or [] if block.type == "text")
        value = read_answer(ask, reply, usage=usage, request_id=request_id)
        return Answer(value, usage, self.provider, self._name, request_id)


def _usage(message: Any) -> Usage:
    """What was used; tokens written to or read from a cache are input too."""
    stated = message.usage
    if stated is None or stated.input_tokens is None or stated.output_tokens is None:
        return Usage()
    cached = (stated.cache_creation_input_tokens or 0) + (stated.cache_read_input_tokens or 0)
    return Usage(stated.input_tokens + cached, stated.output_tokens)
