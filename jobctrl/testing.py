"""Stand-ins for what lies outside: they answer from a table and keep a record of what they were asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from jobctrl.errors import NotFound, SourceUnavailable, TransientNetwork
from jobctrl.llm.model import Answer, Ask, Model
from jobctrl.network.model import Refused, Request, Response
from jobctrl.operator.dispatch import Started
from jobctrl.work import Pulse
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import DISCOVER, pipeline_id, preparation_id
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput

T = TypeVar("T")


@dataclass
class SteadyPulse:
    """A pulse that stops after *beats* beats; None never stops."""

    attempt: int = 1
    beats: int | None = None
    seen: list[tuple[Any, ...]] = field(default_factory=list)

    def beat(self, *details: Any) -> None:
        self.seen.append(details)

    def cancelled(self) -> bool:
        return self.beats is not None and len(self.seen) >= self.beats


@dataclass
class Inline:
    """Blocking work done at once, in the caller's own thread."""

    pulse: SteadyPulse = field(default_factory=SteadyPulse)

    async def __call__(self, work: Callable[[Pulse], T]) -> T:
        return work(self.pulse)


@dataclass
class AskedModel:
    """A model that keeps what it was asked, and fails as often as it is told to before it answers."""

    inner: Model
    failures: list[Exception] = field(default_factory=list)
    asked: list[Ask[Any]] = field(default_factory=list)

    @property
    def provider(self) -> str:
        return self.inner.provider

    @property
    def name(self) -> str:
        return self.inner.name

    def ask(self, ask: Ask[Any]) -> Answer[Any]:
        self.asked.append(ask)
        if self.failures:
            raise self.failures.pop(0)
        return self.inner.ask(ask)


@dataclass
class TableWeb:
    """A web that answers each address with a status and a page, a refusal or an error."""

    answers: Mapping[str, tuple[int, str] | Refused | Exception]
    asked: list[str] = field(default_factory=list)
    closed: int = 0

    def fetch(self, request: Request) -> Response | Refused:
        self.asked.append(request.url)
        answer = self.answers.get(request.url, SourceUnavailable(f"Nobody answers at {request.url}."))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Refused):
            return answer
        status, page = answer
        return Response(request.url, status, "text/html; charset=utf-8", page.encode())

    def render(self, url: str) -> Response | Refused:
        return self.fetch(Request(url))

    def close(self) -> None:
        self.closed += 1


@dataclass
class NotedDispatch:
    """Starts nothing: it notes what was to be started, and joins what has the same id."""

    discovered: list[DiscoverInput] = field(default_factory=list)
    prepared: dict[str, PreparationInput] = field(default_factory=dict)
    canceled: list[str] = field(default_factory=list)
    run: dict[str, PipelineInput] = field(default_factory=dict)
    is_ready: bool = True
    """Whether a worker serves the workspace."""

    def discover(self, input: DiscoverInput) -> Started:
        self.discovered.append(input)
        return Started(DISCOVER, "run-1")

    def prepare(self, inputs: list[PreparationInput]) -> list[Started]:
        self.prepared.update({preparation_id(each.key): each for each in inputs})
        return [Started(preparation_id(each.key), "run-1") for each in inputs]

    def pipeline(self, input: PipelineInput) -> Started:
        name = pipeline_id(asdict(input))
        self.run[name] = input
        return Started(name, "run-1")

    def check_ready(self) -> None:
        if not self.is_ready:
            raise TransientNetwork("No worker serves this workspace now.")

    def cancel(self, workflow_id: str) -> None:
        if workflow_id not in {**self.prepared, **self.run}:
            raise NotFound(f"There is no run {workflow_id}.")
        self.canceled.append(workflow_id)
