"""The token that says a caller may read this person's files: who can read it, may use the API."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from jobctrl.errors import WorkspaceError

BYTES = 32


def api_token(path: Path) -> str:
    """The token kept at *path*, made once. Raises WorkspaceError when it cannot be kept there or is damaged."""
    try:
        if not path.exists():
            _make(path)
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise WorkspaceError(
            f"The API's token {path} cannot be used: {error}.", hint="Move the file away; a new one is made."
        ) from error
    if len(token) < BYTES:
        raise WorkspaceError(f"The API's token {path} is too short.", hint="Move the file away; a new one is made.")
    return token


def _make(path: Path) -> None:
    # Written aside and linked into place: of two processes that start at once both use the first one's token.
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(BYTES))
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
