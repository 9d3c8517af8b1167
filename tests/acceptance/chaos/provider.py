"""A paid model on this machine: it speaks the provider's wire format, answers well, and fails when it is told to."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from jobctrl.llm.prompts import load_prompt
from jobctrl.materials.local import ANSWERS
from jobctrl.scoring.local import LOCAL_SKILLS
from tests.llm.provider import Reply, failure, openai_completion, serving

PROMPTS = {
    "posting-analysis": "jobctrl.scoring",
    "fit-assessment": "jobctrl.scoring",
    "tailor-resume": "jobctrl.materials",
    "cover-letter": "jobctrl.materials",
}
_FENCED = re.compile(r"^<<<(\w+) begin (\w+)\n(.*?)\n<<<\1 end \2$", re.DOTALL | re.MULTILINE)
_IDS = re.compile(r"Repeat these ids in your answer exactly as they stand here: (.*)\.")


@dataclass
class Paid:
    """What the model was asked and how it answered. *bad* answers come first, in their order."""

    url: str = ""
    bad: list[Reply] = field(default_factory=list)
    answered: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Good answers, by prompt and job."""
    failed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, body: dict[str, Any]) -> Reply:
        with self._lock:
            if self.bad:
                self.failed += 1
                return self.bad.pop(0)
        system, user = (str(message["content"]) for message in body["messages"][:2])
        prompt = next(name for name, where in PROMPTS.items() if system.startswith(load_prompt(where, name).text))
        inputs = {name: text for _, name, text in _FENCED.findall(user)}
        ids = _IDS.search(user)
        echo = dict(pair.split(" = ") for pair in ids[1].split(", ")) if ids else {}
        answer = {**LOCAL_SKILLS, **ANSWERS}[prompt]({**inputs, **echo})
        with self._lock:
            self.answered[prompt, echo.get("job_id", "")] += 1
        return openai_completion(answer.model_dump_json())


@contextmanager
def paid_model(*bad: Reply) -> Iterator[Paid]:
    """The model on a free port, for as long as the block runs."""
    paid = Paid(bad=list(bad))
    with serving(paid.reply) as wire:
        paid.url = f"{wire.url}/v1"
        yield paid


def malformed() -> Reply:
    return openai_completion('{"job_id": "someone else\'s", "requirements": [')


def too_many(seconds: int) -> Reply:
    return failure(429, retry_after=str(seconds))
