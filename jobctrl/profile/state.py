"""The profile that is current; the profile itself is kept as a content by hash."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jobctrl.errors import Conflict, MissingInput
from jobctrl.events import Event, Recorded
from jobctrl.profile.events import ProfileImported, ProfileUpdated
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


@dataclass(frozen=True)
class Version:
    """A profile that was in force: since when, what it changed, and the kind of file it was read from, if it was."""

    version: int
    ref: str
    at: str
    sections: tuple[str, ...]
    source: str | None = None


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

    def save(self, profile: Profile, *, expected: int | None = None, source: str | None = None) -> CurrentProfile:
        """Make *profile* the one in force; saving what is in force already changes nothing.

        *expected* is the version it was made from (0: there was none), *source* the kind of file it was read from.
        Raises Conflict when another version has come into force since.
        """
        with self._store.writer() as tx:
            row = PROFILES.get(tx.connection, DEFAULT)
            ref = tx.put(profile.model_dump_json(), "application/json")
            if row is None or row.profile_ref != ref:
                standing = 0 if row is None else row.version
                if expected is not None and expected != standing:
                    raise Conflict(
                        f"The profile was changed meanwhile: version {standing} is in force, not {expected}.",
                        hint="Nothing was saved. Look at what is in force now, and make the change again.",
                    )
                before = None if row is None else Profile.model_validate_json(tx.content(row.profile_ref))
                sections = changed_sections(before, profile)
                facts: list[Event] = [
                    ProfileUpdated(profile_version=standing + 1, profile_ref=ref, changed_sections=sections)
                ]
                if source is not None:
                    facts.append(
                        ProfileImported(source=source, imported_sections=sections, profile_version=standing + 1)
                    )
                tx.append("profile/default", *facts)
        current = self.current()
        assert current is not None
        return current

    def versions(self) -> list[Version]:
        """Every version, the newest first."""
        found: dict[int, Version] = {}
        for fact in self._store.stream("profile/default"):
            match fact.event:
                case ProfileUpdated() as e:
                    sections = tuple(e.changed_sections)
                    found[e.profile_version] = Version(e.profile_version, e.profile_ref, fact.occurred_at, sections)
                case ProfileImported() as e if e.profile_version in found:
                    found[e.profile_version] = replace(found[e.profile_version], source=e.source)
        return list(found.values())[::-1]

    def of(self, version: Version) -> Profile:
        """The profile as it was then."""
        return Profile.model_validate_json(self._store.content(version.ref))
