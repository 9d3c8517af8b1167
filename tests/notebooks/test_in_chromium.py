"""The calibration and the operations desk, used in a real browser: picking, looking again, and no errors."""

from __future__ import annotations

import pytest

from tests.notebooks.browser import opened, served
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_person_asks_what_a_score_is_worth(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("calibration", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("made up for a demonstration").first.wait_for()
        page.locator("canvas").nth(1).wait_for()
        interviews = page.get_by_text(" with success.").inner_text()

        page.get_by_role("combobox").first.select_option(label="reply")
        page.get_by_text(" with success.").filter(has_not_text=interviews).wait_for()
        page.get_by_role("tab", name="Forecasts").click()
        page.get_by_role("heading", name="How good are the forecasts?").wait_for()
        page.screenshot(path=tmp_path / "calibration.png", full_page=True)
        page.get_by_role("combobox").nth(1).select_option(label="real")
        page.get_by_role("tab", name="Scores").click()
        page.get_by_text("No application is old enough to count").wait_for()

    assert recorded(demo_like) == before


def test_the_operations_desk_reads_itself_again_and_keeps_what_was_picked(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("operations", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("Render PDFs").first.wait_for()
        page.get_by_text("14 older taken along").first.wait_for()
        page.get_by_text("Hand jobs on").first.wait_for()
        page.get_by_label("Work of").select_option(label="the backlog it took along")
        # What belongs to the run itself is no work of its backlog.
        page.get_by_text("Hand jobs on").first.wait_for(state="detached")
        looked = page.get_by_text("As of ").first.inner_text()
        page.get_by_role("combobox").first.select_option(label="5s")

        page.get_by_text("As of ").filter(has_not_text=looked).first.wait_for()
        assert page.get_by_label("Work of").input_value() == "the backlog it took along"
        assert page.get_by_text("Hand jobs on").count() == 0
        page.screenshot(path=tmp_path / "operations.png", full_page=True)

    assert recorded(demo_like) == before
