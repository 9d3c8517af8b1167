"""The jobs desk, used in a real browser: finding, keeping filters and the open job, reading one, correcting a score."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notebooks.browser import opened, served
from tests.notebooks.demo_like import tell_demo
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FIND = "title, employer, place, board, what it asks for …"


@pytest.fixture
def searched(tmp_path: Path) -> Path:
    """A workspace of its own, since these tests change it."""
    folder = tmp_path / "workspace"
    tell_demo(folder, jobs=60).close()
    return folder


def test_a_person_finds_a_job_by_typing_and_what_is_open_stays_open(chromium, searched, tmp_path):
    before = recorded(searched)
    with served("jobs", searched) as address, opened(chromium, address) as page:
        page.get_by_text("60 of 60 jobs").wait_for()
        page.get_by_role("heading", level=2).first.wait_for()
        title = page.get_by_role("heading", level=2).first.inner_text()
        picked = page.locator("marimo-table tr").filter(has=page.get_by_role("checkbox", checked=True))
        row = picked.first.inner_text()

        page.get_by_placeholder(FIND).press_sequentially("lisboa")
        page.get_by_text(" of 60 jobs").filter(has_not_text="60 of 60").wait_for()
        assert page.get_by_role("heading", level=2).first.inner_text() == title
        page.get_by_placeholder(FIND).fill("")
        page.get_by_text("60 of 60 jobs").wait_for()

        assert page.get_by_placeholder(FIND).input_value() == ""
        assert picked.first.inner_text() == row
        page.get_by_placeholder(FIND).fill("no such words")
        page.get_by_text("None of 60 jobs is like that.").wait_for()

    assert recorded(searched) == before


def test_a_filter_is_saved_under_a_name_chosen_again_and_deleted(chromium, searched):
    before = recorded(searched)
    with served("jobs", searched) as address, opened(chromium, address) as page:
        page.get_by_text("60 of 60 jobs").wait_for()
        page.get_by_placeholder(FIND).fill("senior")
        page.get_by_text(" of 60 jobs").filter(has_not_text="60 of 60").wait_for()
        few = page.get_by_text(" of 60 jobs").inner_text()
        page.get_by_text("Saved filters").click()
        page.get_by_placeholder("a name for it").fill("The seniors")
        page.get_by_placeholder("a name for it").press("Tab")
        page.get_by_role("button", name="Save what is chosen").click()
        page.get_by_text("Saved as The seniors.").wait_for()

    with served("jobs", searched) as address, opened(chromium, address) as page:
        page.get_by_text("60 of 60 jobs").wait_for()
        page.get_by_text("Saved filters").click()
        page.get_by_label("Saved filter", exact=True).select_option(label="The seniors")
        page.get_by_text(few).wait_for()
        assert page.get_by_placeholder(FIND).input_value() == "senior"
        page.get_by_role("button", name="Delete").click()
        page.get_by_text("Deleted the filter The seniors").wait_for()

    assert recorded(searched) == before


def test_a_correction_shows_at_the_desk_of_calibration_and_is_undone(chromium, searched, tmp_path):
    before = recorded(searched)[0]
    with served("jobs", searched) as address, opened(chromium, address) as page:
        with served("calibration", searched) as other, opened(chromium, other) as desk:
            desk.get_by_role("tab", name="Your corrections").click()
            desk.get_by_text("Nobody has corrected a score.").wait_for()
        page.get_by_text("60 of 60 jobs").wait_for()
        page.get_by_role("tab", name="Score").click()
        page.get_by_text("The profile says so.").first.wait_for()
        page.get_by_placeholder("because …").fill("They want a decade of Scala.")
        score = page.locator("marimo-number").filter(has_text="The score should be").locator("input")
        score.fill("3")
        score.press("Enter")
        page.get_by_role("button", name="Correct the score").click()
        page.get_by_text("became 3.").first.wait_for()
        page.get_by_text("3 of 10").wait_for()
        page.get_by_role("tab", name="History").click()
        page.get_by_text("You corrected the score").wait_for()
        page.get_by_role("tab", name="PDF").click()
        page.get_by_alt_text("resume, page 1").wait_for()

        with served("calibration", searched) as other, opened(chromium, other) as desk:
            desk.get_by_role("tab", name="Your corrections").click()
            desk.get_by_text("Scores that you put in place of ours.").wait_for()
            desk.locator("canvas").last.wait_for()
            assert desk.get_by_text("Nobody has corrected a score.").count() == 0

        page.get_by_role("button", name="Undo").click()
        page.get_by_text("became 10 again.").wait_for()
        page.get_by_text("10 of 10").wait_for()
        # What was read anew shows the part that was looked at.
        page.get_by_alt_text("resume, page 1").wait_for()

    assert recorded(searched)[0] >= before + 4
