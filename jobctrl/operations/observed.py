"""All that the operations snapshot is made of, read at one moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from jobctrl.operations.active_items import JobOfRun, Naming
from jobctrl.operations.capacity import Runtime
from jobctrl.operations.groups import JobGroup, Scope
from jobctrl.operations.phases import membership_closed, withheld
from jobctrl.operations.views import ActiveItem, CoverageView
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step

MEMBERS: tuple[Scope, ...] = ("current_execution", "execution_sweep")
"""The scopes of the selected execution's own jobs."""


@dataclass(frozen=True)
class Observed:
    at: str
    runtime: Runtime
    execution: Run | None
    coverage: CoverageView | None
    """None without an execution."""
    steps: Sequence[Step]
    """Of the execution, without the renderings of its members."""
    groups: Sequence[JobGroup]
    """Every visible job, once."""
    unpriced_runs: int
    """Open runs, besides the execution, whose jobs nobody knows."""
    budget_used_up: bool
    samples: Mapping[str, Sequence[int]]
    jobs: Mapping[tuple[str, str], JobOfRun]
    """The jobs of the active details, by workflow id and run id."""
    abandoned_threads: int

    @property
    def is_open(self) -> bool:
        return self.execution is not None and self.execution.status == "in_progress"

    @property
    def ended(self) -> bool:
        return self.execution is not None and not self.is_open

    @property
    def is_closed(self) -> bool:
        """Whether no job can join what is looked at."""
        return self.execution is None or membership_closed(self.steps)

    @property
    def is_proven(self) -> bool:
        """Whether what is recorded of the execution is all there is."""
        return self.coverage is None or self.coverage.state == "ready"

    @property
    def withheld(self) -> str | None:
        return withheld(self.coverage)

    def of(self, *scopes: Scope) -> list[JobGroup]:
        return [group for group in self.groups if group.scope in scopes]

    def steps_of(self, *kinds: str) -> list[Step]:
        return [step for step in self.steps if step.step_kind in kinds]

    @cached_property
    def items(self) -> tuple[ActiveItem, ...]:
        naming = Naming(self.execution, self.steps, self.jobs)
        return tuple(naming.item(detail) for detail in self.runtime.details)
