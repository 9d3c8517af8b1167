"""The one class behind every face: what a person can do, in one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobctrl.operator.dispatch import Dispatch
from jobctrl.operator.jobs import JobActions
from jobctrl.operator.reading import Reading
from jobctrl.operator.runs import RunActions
from jobctrl.operator.setup import SetupActions
from jobctrl.operator.sources import SourceActions
from jobctrl.profile.state import Profiles
from jobctrl.spend.ledger import Ledger


@dataclass
class Operator(Reading, SourceActions, JobActions, RunActions, SetupActions):
    """Made by `jobctrl.runtime.open_operator`; the CLI, the API and the notebooks call nothing else to act."""

    config: Path
    profiles: Profiles
    ledger: Ledger
    dispatch: Dispatch
    min_score: Callable[[], int]

    def rebuild(self) -> int:
        """Drop every read table and fold the log again; returns the number of facts."""
        return self.store.rebuild()
