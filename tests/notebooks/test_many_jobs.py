"""Every desk over a search of 50,000 jobs: they open, list the first of them, and record nothing.

How long each takes is printed, never held against a bound: `pytest tests/notebooks/test_many_jobs.py -rP`.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from jobctrl.analytics.desk import open_desk
from tests.large import JOBS, large_workspace
from tests.notebooks.browser import opened, served
from tests.notebooks.conftest import DESKS, desk, reads
from tests.notebooks.test_desks import recorded

__all__ = ["large_workspace"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def large(large_workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with a warehouse of its own, which is built here: a desk that opens finds it, as it mostly does."""
    folder = Path(shutil.copytree(large_workspace, tmp_path_factory.mktemp("large") / "workspace"))
    began = time.perf_counter()
    assert open_desk(folder).db is not None
    print(f"the first look, which builds the warehouse: {time.perf_counter() - began:.1f} s")
    return folder


@pytest.mark.parametrize("name", DESKS)
def test_a_desk_opens_over_many_jobs_and_records_nothing(name, large, monkeypatch):
    monkeypatch.setenv("JOBCTRL_DIR", str(large))
    before = recorded(large)
    notebook = desk(name)
    began = time.perf_counter()

    outputs, defined = notebook.app.run()

    print(f"{name}: {time.perf_counter() - began:.1f} s")
    assert reads(defined)
    assert any(output is not None for output in outputs)
    if name == "jobs":
        assert defined["how_many"]["of_all"] > 0.9 * JOBS
        assert len(defined["found"]) == 2000
    assert recorded(large) == before


@pytest.mark.browser
def test_typing_finds_few_among_many(chromium, large):
    with served("jobs", large) as address, opened(chromium, address) as page:
        page.get_by_text("The first 2,000 are listed").wait_for()
        find = page.get_by_placeholder("title, employer, place, board, what it asks for …")

        for letter in "engineer":
            find.press_sequentially(letter)
        page.get_by_text("jobs. Pick one to open it below.").wait_for()
        assert find.input_value() == "engineer"
        find.fill("no such words")

        page.get_by_text("jobs is like that.").wait_for()
