"""`config.json` of a workspace: read whole, checked whole, replaced whole."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from jobctrl.errors import ConfigurationError, WorkspaceError
from jobctrl.settings.model import Settings


def load_settings(path: Path) -> Settings:
    """The settings in *path*; all defaults when there is no such file. ConfigurationError names each bad key."""
    return _checked(_read(path), path)


def change_settings(path: Path, changes: Mapping[str, Any]) -> Settings:
    """Write *changes* over what stands in *path*; a None takes the setting back to its default."""
    with _file_errors(path), (path.parent / ".config.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        raw = _read(path)
        for name, value in changes.items():
            if value is None:
                raw.pop(name, None)
            else:
                raw[name] = value
        settings = _checked(raw, path)
        draft = path.with_suffix(".tmp")
        # A draft that a killed process left behind may have other modes.
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(settings.model_dump(mode="json", exclude_unset=True), file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    return settings


@contextmanager
def _file_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorkspaceError(
            f"{path} cannot be used: {error.strerror}.", hint="Does the folder exist, has it room, and is it yours?"
        ) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        with _file_errors(path):
            if not path.exists():
                return {}
            raw = json.loads(path.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is not JSON: {error}.", hint="Mend the file or move it away.") from error
    if not isinstance(raw, dict):
        raise ConfigurationError(f"{path} holds no JSON object.", hint="Mend the file or move it away.")
    return raw


def _checked(raw: Mapping[str, Any], path: Path) -> Settings:
    try:
        return Settings.model_validate(raw)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise ConfigurationError(
            f"{path}: {faults}.", hint="`jobctrl settings` lists every setting with its limits."
        ) from error
