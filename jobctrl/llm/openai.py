"""The Chat Completions API, of OpenAI and of every server that speaks it (`base_url`)."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

from pydantic import BaseModel

from jobctrl.llm.failures import Refused, UnusableAnswer, translated, unreadable
from jobctrl.llm.fence import instructions, material
from jobctrl.llm.model import Answer, Ask, Usage
from jobctrl.llm.reading import read_answer, schema_in_words

T = TypeVar("T", bound=BaseModel)


class Strictness(IntEnum):
    """How a server can be held to a schema. The answer is validated in each case."""

    JSON_SCHEMA = 2
    JSON_OBJECT = 1
    WORDS = 0


class OpenAIModel:
    """A model behind the Chat Completions protocol. A compatible server that refuses to be held to a schema is asked
    again with less, and the model remembers what worked."""

    provider = "openai"

    def __init__(
        self, name: str, api_key: str, base_url: str | None = None, timeout: float = 180.0, http_client: Any = None
    ) -> None:
        self._name = name
        self._compatible = base_url is not None
        self._arguments: dict[str, Any] = {
            "api_key": api_key,
            "base_url": base_url,
            "timeout": timeout,
            "max_retries": 0,
            "http_client": http_client,
        }
        self._client: Any = None
        self._strictness = Strictness.JSON_SCHEMA

    @property
    def name(self) -> str:
        return self._name

    def ask(self, ask: Ask[T]) -> Answer[T]:
        """A validated answer. Raises LlmTransient, ModelRefused, AuthenticationError or InvalidRequest."""
        import openai

        if self._client is None:
            self._client = openai.OpenAI(**self._arguments)
        completion = self._complete(ask, openai)
        usage, request_id = _usage(completion), getattr(completion, "_request_id", None)
        if not completion.choices or not completion.choices[0].message:
            raise UnusableAnswer(f"{self._name} sent no choice", usage=usage, request_id=request_id)
        choice = completion.choices[0]
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise Refused(f"{self._name} declined {ask.prompt.name}", usage=usage, request_id=request_id)
        if choice.finish_reason == "length":
            raise UnusableAnswer(
                f"the answer to {ask.prompt.name} was cut short at {ask.max_output_tokens} tokens",
                usage=usage,
                request_id=request_id,
            )
        value = read_answer(ask, choice.message.content or "", usage=usage, request_id=request_id)
        return Answer(value, usage, self.provider, self._name, request_id)

    def _complete(self, ask: Ask[Any], sdk: Any) -> Any:
        """The completion, held to the schema as strictly as the server allows."""
        strictness = self._strictness
        while True:
            try:
                completion = self._client.chat.completions.create(**self._request(ask, strictness, sdk))
            except (sdk.OpenAIError, ValueError) as error:
                if strictness is Strictness.WORDS or not self._refuses_the_format(error, sdk):
                    # `from None`: the SDK's error holds the request and the response body.
                    raise translated(error, sdk, self.provider) from None
                strictness = Strictness(strictness - 1)
            else:
                if not isinstance(completion, sdk.types.chat.ChatCompletion):
                    raise unreadable(self.provider)
                self._strictness = strictness
                return completion

    def _refuses_the_format(self, error: Exception, sdk: Any) -> bool:
        """Compatible servers answer an unknown response format with 400, 422, 501 or even 500."""
        if not isinstance(error, sdk.APIStatusError) or not self._compatible:
            return False
        return error.status_code in (400, 422, 500, 501)

    def _request(self, ask: Ask[Any], strictness: Strictness, sdk: Any) -> dict[str, Any]:
        user = material(ask)
        request: dict[str, Any] = {"model": self._name}
        if strictness is Strictness.JSON_SCHEMA:
            schema = sdk.pydantic_function_tool(ask.answer)["function"]["parameters"]
            name = ask.answer.__name__
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": schema, "strict": True},
            }
        else:
            user = f"{user}\n\n{schema_in_words(ask.answer)}"
            if strictness is Strictness.JSON_OBJECT:
                request["response_format"] = {"type": "json_object"}
        # Compatible servers know only the older name of the limit; OpenAI's reasoning models only the newer one.
        request["max_tokens" if self._compatible else "max_completion_tokens"] = ask.max_output_tokens
        request["messages"] = [{"role": "system", "content": instructions(ask)}, {"role": "user", "content": user}]
        return request


def _usage(completion: Any) -> Usage:
    stated = completion.usage
    if stated is None or stated.prompt_tokens is None or stated.completion_tokens is None:
        return Usage()
    return Usage(stated.prompt_tokens, stated.completion_tokens)
