"""The inbox, used in a real browser: deciding by pointer and by keys, many at a time, and undoing it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.notebooks.browser import opened, served, waited
from tests.notebooks.demo_like import tell_demo
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def searched(tmp_path: Path) -> Path:
    """A workspace of its own, since these tests change it."""
    folder = tmp_path / "workspace"
    tell_demo(folder, jobs=120).close()
    return folder


def test_a_person_keeps_a_job_by_keys_goes_on_with_the_next_and_takes_it_back(chromium, searched):
    before = recorded(searched)[0]
    with served("inbox", searched) as address, opened(chromium, address) as page:
        page.get_by_role("button", name="Keep 1").wait_for()
        page.get_by_role("heading", level=2).wait_for()
        assert recorded(searched)[0] == before
        page.get_by_text("they cost nothing, send nothing").wait_for()

        page.keyboard.press("Alt+a")
        page.get_by_text("Kept: ").first.wait_for()
        kept = recorded(searched)[0]
        assert kept == before + 1
        page.get_by_role("button", name="Keep 1").wait_for()
        page.keyboard.press("Alt+z")
        page.get_by_text("Took back: 1 job as before.").wait_for()

    assert recorded(searched)[0] == kept + 1


def test_many_jobs_are_dismissed_at_once_and_brought_back_at_once(chromium, searched):
    before = recorded(searched)[0]
    with served("inbox", searched) as address, opened(chromium, address) as page:
        page.get_by_role("button", name="Keep 1").wait_for()
        page.get_by_role("checkbox", name="Select all").click()
        many = page.get_by_role("button", name=re.compile(r"Dismiss ([2-9]|\d\d)"))
        many.wait_for()
        jobs = int(many.inner_text().split()[-1])

        many.click()
        page.get_by_text(f"Dismissed: {jobs} jobs.").first.wait_for()
        page.get_by_role("button", name=f"Undo: Dismissed: {jobs} jobs.").click()
        page.get_by_text(f"Took back: {jobs} jobs as before.").wait_for()

    assert recorded(searched)[0] == before + 4 * jobs


def test_a_job_that_is_put_off_leaves_the_list_and_can_be_put_back(chromium, searched):
    with served("inbox", searched) as address, opened(chromium, address) as page:
        page.get_by_role("button", name="Later 1").click()
        page.get_by_text("Snoozed: ").first.wait_for()
        page.get_by_label("Show").select_option(label="put off")
        page.get_by_role("button", name="Put back 1").click()
        page.get_by_text("Nothing is put off.").wait_for()
        waited(lambda: page.get_by_text("Put back: ").count() > 0)
