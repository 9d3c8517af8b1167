"""What one process has of a workspace: its log, its profile, its money, its files and its settings. No Temporal."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.materials.files import ArtifactFiles
from jobctrl.operator.local import LocalOperator
from jobctrl.profile.state import Profiles
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import Workspace, named_workspace
from jobctrl.settings.config import load_settings
from jobctrl.settings.model import Settings
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import Ceilings
from jobctrl.store import Store


@dataclass
class House:
    """All that one process needs to serve one workspace."""

    workspace: Workspace
    store: Store
    profiles: Profiles
    ledger: Ledger
    files: ArtifactFiles

    @property
    def settings(self) -> Settings:
        """As they stand now: a change needs no restart where the setting says so."""
        return load_settings(self.workspace.config)

    def min_score(self) -> int:
        return self.settings.min_fit_score

    def exploration_share(self) -> float:
        return self.settings.exploration_share

    def close(self) -> None:
        self.store.close()


def open_house(workspace: Workspace, *, create: bool = False) -> House:
    """Open a workspace. Raises WorkspaceError when there is none, or none that can be used."""
    store = open_store(workspace, create=create)
    ledger = Ledger(store, lambda: _ceilings(load_settings(workspace.config)))
    return House(workspace, store, Profiles(store), ledger, ArtifactFiles(workspace.artifacts))


def local_operator() -> LocalOperator:
    """Every action that starts no run, on the workspace the environment names. Raises WorkspaceError without one."""
    house = open_house(named_workspace())
    return LocalOperator(
        store=house.store,
        files=house.files,
        config=house.workspace.config,
        profiles=house.profiles,
        ledger=house.ledger,
        min_score=house.min_score,
    )


def _ceilings(settings: Settings) -> Ceilings:
    return Ceilings(settings.daily_budget_usd, {str(lane): limit for lane, limit in settings.lane_token_limits.items()})
