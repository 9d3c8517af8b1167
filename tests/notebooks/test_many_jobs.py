"""The desks over a search of 50,000 jobs: they open, list the first of them, and record nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.runtime.made_up import made_up_search
from tests.notebooks.browser import opened, served
from tests.notebooks.conftest import desk
from tests.notebooks.test_desks import recorded

pytestmark = pytest.mark.slow
JOBS = 50_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Most of its jobs were found and no more, as in a search that reads many boards and scores few of them."""
    folder = tmp_path_factory.mktemp("large") / "workspace"
    made_up_search(folder, jobs=JOBS, worked=0.02)
    return folder


@pytest.mark.parametrize("name", ["jobs", "inbox", "runs"])
def test_a_desk_opens_over_many_jobs_and_records_nothing(name, large, monkeypatch):
    monkeypatch.setenv("JOBCTRL_DIR", str(large))
    before = recorded(large)

    outputs, defined = desk(name).app.run()

    assert defined["desk"].db is not None
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
