"""How an action reaches Temporal: start a run, or ask one to stop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput


@dataclass(frozen=True)
class Started:
    """A run that Temporal accepted; its outcome comes later, in the log."""

    workflow_id: str
    run_id: str


class Dispatch(Protocol):
    """Starting twice joins the run that has the same id. Raises TransientNetwork when no server answers."""

    def discover(self, input: DiscoverInput) -> Started: ...

    def prepare(self, inputs: list[PreparationInput]) -> list[Started]: ...

    def pipeline(self, input: PipelineInput) -> Started: ...

    def cancel(self, workflow_id: str) -> None: ...

    def check_ready(self) -> None:
        """Raises TransientNetwork unless a worker serves the workspace now."""
        ...
