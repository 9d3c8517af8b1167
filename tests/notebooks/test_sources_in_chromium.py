"""The desks of sources and of spending, used in a real browser: they look again and keep what was picked and typed."""

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
    for source in ("greenhouse:alder", "ashby:cedar"):
        search.source(source)
        search.reading(source, returned=12)
        search.call("score", 250_000, job_id=search.find("a", source))
    search.tell()
    return search


def test_a_board_is_added_and_one_picked_before_looking_again_is_paused(chromium, search):
    before, _ = recorded(search.folder)
    with served("sources", search.folder) as address, opened(chromium, address) as page:
        page.get_by_role("heading", name="What would be lost without a board").wait_for()
        assert recorded(search.folder)[0] == before

        page.get_by_placeholder("https://boards.greenhouse.io").fill("lever:willow")
        page.get_by_placeholder("https://boards.greenhouse.io").press("Tab")
        page.get_by_role("button", name="Add").click()
        page.get_by_text(f"As of fact {before + 1}").wait_for()

        page.get_by_text("Select...").first.click()
        page.get_by_role("option", name="ashby:cedar").click()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Pause 1 board").wait_for()
        search.find("b", "ashby:cedar")
        search.close()
        page.locator("marimo-refresh button").first.click()
        page.get_by_text(f"As of fact {before + 3}").wait_for()
        page.get_by_role("button", name="Pause 1 board").click()
        page.get_by_text("ashby:cedar is paused.").wait_for()

    assert recorded(search.folder)[0] == before + 4


def test_a_ceiling_typed_before_looking_again_is_still_there_and_is_set(chromium, search):
    before, _ = recorded(search.folder)
    with served("spend", search.folder) as address, opened(chromium, address) as page:
        page.get_by_text("Cannot say").first.wait_for()
        ceiling = page.locator("marimo-number input").first
        ceiling.fill("7.5")
        ceiling.press("Enter")
        search.call("score", 100_000)
        search.close()
        page.locator("marimo-refresh button").first.click()
        page.get_by_text(f"As of fact {before + 2}").wait_for()
        assert ceiling.input_value() == "7.5"

        page.get_by_role("button", name="Change it").click()
        page.get_by_text("$7.50").first.wait_for()
