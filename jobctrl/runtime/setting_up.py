"""Making a workspace ready: its folder, its profile, its list of boards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from jobctrl.errors import InvalidRequest, MissingInput
from jobctrl.profile.document import load_profile, read_document
from jobctrl.profile.model import Profile
from jobctrl.profile.state import Profiles
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import named_workspace


@dataclass(frozen=True)
class SetUp:
    workspace: Path
    profile_version: int | None = None
    name: str | None = None


def set_up(profile: Path | None) -> SetUp:
    """Make the named workspace, and put the profile of a file in force."""
    read = read_profile(profile) if profile else None
    workspace = named_workspace()
    store = open_store(workspace, create=True)
    try:
        profiles = Profiles(store)
        current = profiles.save(read[0], source=read[1]) if read else profiles.current()
    finally:
        store.close()
    if current is None:
        return SetUp(workspace.path)
    return SetUp(workspace.path, current.version, current.profile.personal.full_name)


def read_profile(file: Path) -> tuple[Profile, str]:
    """A profile from JSON, TOML, JSON Resume or a resume PDF, and which of them it is. Raises what is wrong with it."""
    if file.suffix.lower() != ".pdf":
        profile = load_profile(file)
        return profile, read_document(file.read_bytes(), file.name)[1]
    from jobctrl.profile.import_pdf import read_resume_pdf

    try:
        draft = read_resume_pdf(file.read_bytes())
    except OSError as error:
        raise MissingInput(f"{file} cannot be read: {error.strerror}.") from error
    if draft.profile is None:
        raise InvalidRequest(
            f"{file} was read, but not enough of it for a profile: {'; '.join(draft.notes)}",
            hint="Write the profile as JSON (see data/sample_profile.json), or export the resume as a text PDF.",
        )
    return draft.profile, "pdf"


def boards_in(file: Path) -> list[str]:
    """The boards a file lists, one a line; lines of a recorded web's index count by their address."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MissingInput(f"{file} cannot be read: {error.strerror}.") from error
    boards = []
    for line in lines:
        text = line.strip()
        if text.startswith("{"):
            text = str(json.loads(text).get("url", ""))
        if text and not text.startswith("#"):
            boards.append(text)
    return boards
