"""Where the words of libraries go: a file of the workspace, so that the terminal belongs to the person."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WORKER_LOG = "worker.log"
API_LOG = "api.log"
DESK_LOG = "desk.log"


@contextmanager
def logging_to(file: Path) -> Iterator[None]:
    """While this lasts, warnings and errors that anything logs are written to *file*, and not to stderr."""
    # With a handler at the root, Python's handler of last resort, which writes to stderr, stays silent.
    handler = logging.FileHandler(file, encoding="utf-8", delay=True)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
