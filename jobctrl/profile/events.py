"""What is recorded of the person's profile. The profile itself is kept by hash."""

from __future__ import annotations

from jobctrl.events import Event


class ProfileUpdated(Event):
    profile_version: int
    profile_ref: str
    changed_sections: list[str]


class ProfileImported(Event):
    """A file was read into a profile."""

    source: str
    imported_sections: list[str]
    profile_version: int
