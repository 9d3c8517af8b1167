"""How far a stage of a run has come: its items by how they ended, and the first failure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jobctrl.errors import AuthenticationError, BudgetExceeded, ConfigurationError, RuntimeMismatch, WorkspaceError

FOR_ALL = tuple(
    error.code for error in (BudgetExceeded, AuthenticationError, ConfigurationError, WorkspaceError, RuntimeMismatch)
)
"""What would fail every further job alike: no other one is begun."""


@dataclass(frozen=True)
class StageCount:
    """What became of the items of one stage: jobs, except in discover, where they are postings."""

    done: int = 0
    skipped: int = 0
    failed: int = 0
    error_code: str | None = None
    failure: str | None = None
    """The first failure."""

    @property
    def nothing_went(self) -> bool:
        return self.failure is not None and (not self.done or self.error_code in FOR_ALL)

    def with_end(self, end: str, error_code: str | None = None, failure: str | None = None) -> StageCount:
        """With one more job that ended so: done, skipped or failed."""
        counted = replace(self, **{end: getattr(self, end) + 1})
        return counted.failing(error_code, failure)

    def plus(self, other: StageCount) -> StageCount:
        counted = replace(
            self, done=self.done + other.done, skipped=self.skipped + other.skipped, failed=self.failed + other.failed
        )
        return counted.failing(other.error_code, other.failure)

    def failing(self, error_code: str | None, failure: str | None) -> StageCount:
        """With this failure as its own unless it has one already; one that concerns every job is told first."""
        if failure is None or (self.failure is not None and error_code not in FOR_ALL):
            return self
        return replace(self, error_code=error_code, failure=failure)
