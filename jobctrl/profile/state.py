"""The profile that is current; the profile itself is kept as a content by hash."""

from __future__ import annotations

from dataclasses import dataclass

from jobctrl.errors import MissingInput
from jobctrl.events import Recorded
from jobctrl.profile.events import ProfileUpdated
from jobctrl.profile.model import Profile
from jobctrl.profile.rules import changed_sections
from jobctrl.store import ReadTable, Row, Store, script

DEFAULT = "default"


class ProfileRow(Row, frozen=True):
    name: str
    version: int
    profile_ref: str
    updated_at: str


def fold(row: ProfileRow | None, fact: Recorded) -> ProfileRow | None:
    match fact.event:
        case ProfileUpdated() as e if row is None or e.profile_version > row.version:
            return ProfileRow(DEFAULT, e.profile_version, e.profile_ref, fact.occurred_at)
        case _:
            return row


PROFILES = ReadTable(
    name="profiles",
    version=1,
    sql=script("jobctrl.profile", "state.sql"),
    row=ProfileRow,
    key=("name",),
    handles=(ProfileUpdated,),
    keys=lambda fact: [(DEFAULT,)],
    fold=fold,
)


@dataclass(frozen=True)
class CurrentProfile:
    version: int
    ref: str
    profile: Profile


class Profiles:
    """Saving and reading the person's profile."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: CurrentProfile | None = None

    def current(self) -> CurrentProfile | None:
        """The profile in force, or None before the first was saved."""
        with self._store.reader() as connection:
            row = PROFILES.get(connection, DEFAULT)
        if row is None:
            return None
        if self._read is None or self._read.ref != row.profile_ref or self._read.version != row.version:
            profile = Profile.model_validate_json(self._store.content(row.profile_ref))
            self._read = CurrentProfile(row.version, row.profile_ref, profile)
        return self._read

    def required(self) -> CurrentProfile:
        """The profile in force. Raises MissingInput, saying how to add one."""
        current = self.current()
        if current is None:
            raise MissingInput("There is no profile yet.", hint="Add one with `jobctrl init --profile FILE`.")
        return current

    def save(self, profile: Profile) -> CurrentProfile:
        """Make *profile* the one in force; saving what is in force already changes nothing."""
        with self._store.writer() as tx:
            row = PROFILES.get(tx.connection, DEFAULT)
            ref = tx.put(profile.model_dump_json(), "application/json")
            if row is None or row.profile_ref != ref:
                before = None if row is None else Profile.model_validate_json(tx.content(row.profile_ref))
                version = 1 if row is None else row.version + 1
                tx.append(
                    "profile/default",
                    ProfileUpdated(
                        profile_version=version, profile_ref=ref, changed_sections=changed_sections(before, profile)
                    ),
                )
        current = self.current()
        assert current is not None
        return current
