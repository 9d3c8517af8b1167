"""From a reply's text to a validated answer: the schema decides, then the ids that had to be repeated."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from jobctrl.llm.failures import UnusableAnswer
from jobctrl.llm.model import Ask, Usage

T = TypeVar("T", bound=BaseModel)


def read_answer(ask: Ask[T], reply: str, *, usage: Usage, request_id: str | None) -> T:
    """The answer in *reply*. Raises UnusableAnswer when it is not JSON of the schema or belongs to another id."""
    try:
        value = ask.answer.model_validate_json(_json_of(reply))
    except ValidationError as wrong:
        places = sorted({".".join(str(p) for p in e["loc"]) or "the whole" for e in wrong.errors(include_input=False)})
        kind = "not JSON" if any(e["type"] == "json_invalid" for e in wrong.errors(include_input=False)) else "wrong"
        raise UnusableAnswer(
            f"the answer to {ask.prompt.name} is {kind} at {', '.join(places[:5])}", usage=usage, request_id=request_id
        ) from None
    check_echo(ask, value, usage=usage, request_id=request_id)
    return value


def check_echo(ask: Ask[Any], value: BaseModel, *, usage: Usage, request_id: str | None) -> None:
    """An answer without the id it was asked for is somebody else's: it is dropped."""
    for field, expected in ask.echo.items():
        if getattr(value, field, None) != expected:
            raise UnusableAnswer(
                f"the model answered for another job: {field} is missing or differs", usage=usage, request_id=request_id
            )


def schema_in_words(answer: type[BaseModel]) -> str:
    """What is said to a server that cannot be held to a schema."""
    schema = json.dumps(answer.model_json_schema(), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must match this JSON schema:\n{schema}"


def _json_of(reply: str) -> str:
    """The outermost object: some servers wrap it in a code block or a sentence."""
    start, end = reply.find("{"), reply.rfind("}")
    return reply[start : end + 1] if 0 <= start < end else reply
