"""Prepared documents on disk, each under its hash: written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from jobctrl.errors import NotFound, WorkspaceError
from jobctrl.ids import ContentHash, sha256


class ArtifactFiles:
    """The `artifacts/` folder of a workspace."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / f"{digest}.pdf"

    def keep(self, content: bytes) -> ContentHash:
        """Write *content* under its hash; a file that stands there already is left alone."""
        digest = sha256(content)
        target = self.path(digest)
        if target.exists():
            return digest
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as draft:
                draft.write(content)
                draft.flush()
                os.fsync(draft.fileno())
            os.replace(draft.name, target)
        except OSError as error:
            raise WorkspaceError(
                f"{target.parent} could not be written: {error.strerror}.", hint="Free space, or check the folder."
            ) from error
        return digest

    def read(self, digest: str) -> bytes:
        """Raises NotFound when the file is gone."""
        try:
            return self.path(digest).read_bytes()
        except FileNotFoundError as error:
            raise NotFound(
                f"The document {digest[:12]}… is not in {self._folder}.", hint="Prepare the job again."
            ) from error
