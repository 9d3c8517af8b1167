"""A workspace with 50,000 jobs, made once a session: `from tests.large import large_workspace` gives the fixture."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.runtime.made_up import made_up_search

JOBS = 50_000
_WORKED = 0.08
"""The share of them that went on after they were found: enough of each state, and ready within half a minute."""


@pytest.fixture(scope="session")
def large_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared by the session: look at it, and copy it before anything is written to it."""
    return made_up_search(tmp_path_factory.mktemp("large") / "workspace", jobs=JOBS, worked=_WORKED).folder
