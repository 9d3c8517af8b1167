"""The desk of runs, used in a real browser: it looks again by itself, stops only after a second yes, tries again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analytics.searches import Search
from tests.notebooks.browser import opened, served
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def search(tmp_path: Path) -> Search:
    search = Search(tmp_path / "workspace")
    for name in "ab":
        search.stage(search.find(name), "enrich", fails="source_unavailable")
    search.run("discover-1")
    search.later(minutes=5).run("discover-2", ends=None)
    search.tell()
    return search


def test_a_run_that_began_meanwhile_appears_and_the_picked_one_stays_picked(chromium, search):
    with served("runs", search.folder) as address, opened(chromium, address) as page:
        page.get_by_text("2 runs, the newest first").wait_for()
        page.get_by_role("checkbox", name="Select row").nth(1).click()
        page.get_by_role("heading", name="Steps of discover-1").wait_for()
        page.get_by_role("combobox").first.select_option(label="5s")

        search.later(minutes=5).run("discover-3")
        search.close()

        page.get_by_text("3 runs, the newest first").wait_for()
        page.get_by_role("heading", name="Steps of discover-1").wait_for()


def test_a_run_is_asked_to_stop_after_a_second_yes_and_a_missing_server_is_said_in_words(chromium, search):
    search.close()
    with served("runs", search.folder) as address, opened(chromium, address) as page:
        page.get_by_role("heading", name="Steps of discover-2").wait_for()
        stop = page.get_by_role("button", name="Ask it to stop")
        assert stop.is_disabled()
        page.get_by_text("may still be charged").wait_for()

        page.get_by_role("checkbox", name="Yes, stop").click()
        page.locator("button:not([disabled])", has_text="Ask it to stop").click()

        page.get_by_text("jobctrl up").last.wait_for()


def test_failed_stages_are_opened_again_and_nothing_is_started(chromium, search):
    search.close()
    before = recorded(search.folder)[0]
    with served("runs", search.folder) as address, opened(chromium, address) as page:
        page.get_by_text("It costs nothing: the local model does it.").wait_for()
        assert recorded(search.folder)[0] == before
        page.get_by_role("button", name="Open it again").click()
        page.get_by_text("2 stages were opened again; nothing was started.").wait_for()
        page.get_by_text("No stage of any job has failed or is blocked.").wait_for()

    assert recorded(search.folder)[0] > before
