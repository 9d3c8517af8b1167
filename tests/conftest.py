"""What every test may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The recorded web of real captured responses; tests that need it say so when it is absent."""
    path = ROOT.parent / "shared" / "corpus"
    if not (path / "index.jsonl").exists():
        pytest.skip("recorded corpus not present at ../shared/corpus")
    return path
