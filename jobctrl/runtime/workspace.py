"""Where everything of a workspace lies, and who runs it."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from jobctrl.errors import WorkspaceBusy, WorkspaceError


@dataclass(frozen=True)
class Workspace:
    """A folder: the log, Temporal's history, the artifacts and the settings of one person's search."""

    path: Path

    @property
    def database(self) -> Path:
        return self.path / "jobctrl.db"

    @property
    def temporal_database(self) -> Path:
        return self.path / "temporal.db"

    @property
    def config(self) -> Path:
        return self.path / "config.json"

    @property
    def artifacts(self) -> Path:
        return self.path / "artifacts"

    @property
    def reports(self) -> Path:
        return self.path / "reports"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def token(self) -> Path:
        return self.path / "api-token"

    @property
    def server_record(self) -> Path:
        """Where the embedded Temporal server of this workspace listens."""
        return self.path / "temporal.json"

    @property
    def exists(self) -> bool:
        return self.database.exists()

    def create(self) -> None:
        """Make the folder. Raises WorkspaceError when it cannot be written."""
        try:
            for folder in (self.path, self.artifacts, self.logs):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            probe = self.path / ".writable"
            probe.touch()
            # Another process that opens the workspace at this moment may have removed it already.
            probe.unlink(missing_ok=True)
        except OSError as error:
            raise WorkspaceError(
                f"The workspace {self.path} cannot be written: {error.strerror}.",
                hint="Choose another folder with --workspace, or give yourself write access.",
            ) from error

    def server_address(self) -> str | None:
        """The address the server's record names, or None."""
        record = _read_json(self.server_record)
        return str(record["address"]) if record else None


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(path.read_text()))
    except (FileNotFoundError, json.JSONDecodeError, ValueError):
        return None


def lock(path: Path) -> IO[str] | None:
    """Hold *path* until the file is closed; None when somebody else holds it."""
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


@contextmanager
def hosting(workspace: Workspace) -> Iterator[None]:
    """Be the one process that runs this workspace's server and worker. Raises WorkspaceBusy when another one does."""
    held = lock(workspace.path / ".up.lock")
    if held is None:
        raise WorkspaceBusy(
            f"Another `jobctrl up` runs the workspace {workspace.path}.",
            hint="Use it (every command finds it by itself), or stop it first.",
        )
    try:
        held.seek(0)
        held.truncate()
        held.write(str(os.getpid()))
        held.flush()
        yield
    finally:
        held.close()


def is_hosted(workspace: Workspace) -> bool:
    """Whether some process runs this workspace's server and worker now."""
    if not workspace.path.exists():
        return False
    held = lock(workspace.path / ".up.lock")
    if held is None:
        return True
    held.close()
    return False


def workspace_at(path: Path) -> Workspace:
    return Workspace(path.expanduser().resolve())


def named_workspace() -> Workspace:
    """The workspace that JOBCTRL_DIR names, else the one in the home folder."""
    return workspace_at(Path(os.environ.get("JOBCTRL_DIR") or "~/.jobctrl"))
