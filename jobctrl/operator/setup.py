"""What a person does with the profile, the settings and the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jobctrl.profile.state import Profiles
from jobctrl.settings.config import change_settings, load_settings
from jobctrl.settings.credentials import VARIABLES, Credential, describe, forget_secret, store_secret
from jobctrl.settings.model import Settings
from jobctrl.settings.views import SettingView, changes, setting_views
from jobctrl.spend.ledger import Ledger
from jobctrl.spend.model import DaySpend

__all__ = ["SetupActions", "changes"]


class SetupActions:
    config: Path
    profiles: Profiles
    ledger: Ledger
    min_score: Callable[[], int]

    def settings(self) -> Settings:
        return load_settings(self.config)

    def setting_views(self) -> list[SettingView]:
        """Every setting as a person is asked for it: value, limits, default, and when a change counts."""
        return setting_views(self.settings())

    def change_settings(self, changes: Mapping[str, Any]) -> Settings:
        """Change settings by name; None takes one back to its default. Raises ConfigurationError naming each fault."""
        return change_settings(self.config, changes)

    def change_setting(self, name: str, value: Any) -> Settings:
        return self.change_settings({name: value})

    def credentials(self) -> list[Credential]:
        """Each provider's key: where it comes from, masked."""
        return [describe(provider) for provider in VARIABLES]

    def set_credential(self, provider: str, value: str) -> Credential:
        store_secret(provider, value)
        return describe(provider)

    def forget_credential(self, provider: str) -> Credential:
        forget_secret(provider)
        return describe(provider)

    def spent_today(self) -> DaySpend:
        return self.ledger.today()
