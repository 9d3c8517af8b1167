"""An empty workspace with the read tables that exist, and a small one of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jobctrl.store import Store
from tests.store.workspace import open_workspace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = open_workspace(path)
    yield store
    store.close()
