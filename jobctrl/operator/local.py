"""Every action that starts no run: it needs no Temporal, so a command that does one is there at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jobctrl.operator.decisions import DecisionActions
from jobctrl.operator.filters import FilterActions
from jobctrl.operator.jobs import JobActions
from jobctrl.operator.profile import ProfileActions
from jobctrl.operator.reading import Reading
from jobctrl.operator.setup import SetupActions
from jobctrl.operator.sources import SourceActions
from jobctrl.profile.state import Profiles
from jobctrl.spend.ledger import Ledger


@dataclass
class LocalOperator(Reading, SourceActions, JobActions, DecisionActions, FilterActions, ProfileActions, SetupActions):
    """Made by `jobctrl.runtime.house.local_operator`."""

    config: Path
    profiles: Profiles
    ledger: Ledger
    min_score: Callable[[], int]

    def rebuild(self) -> int:
        """Drop every read table and fold the log again; returns the number of facts."""
        return self.store.rebuild()
